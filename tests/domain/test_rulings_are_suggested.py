"""The table suggests a sanction by the article, the ladder, and what stands on the sheet already."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kiosk.books import Library
from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.rulebook import Ladder, Sanction
from kiosk.domain.rulings import Earlier, Ground, Suggestion, suggest
from kiosk.domain.setup import Options, resolve
from kiosk.domain.types import Pair, Side

IBGF = Library().load("ibgf")
RUS = Library().load("rus-long")
L, R = Side.LEFT, Side.RIGHT
G, S = Ground, Sanction


def entry(ruling: int, game: int, code: str, sides: tuple[Side, ...] = (L,), *, void: bool = False) -> Earlier:
    return Earlier(ruling, sides, code, S.REMARK, game, void)


# case: (code, earlier, game, affects play, sanction, ground, the entry it rests on, panel)
TABLE = {
    "first minor": ("eating", [], 1, False, S.REMARK, G.FIRST_MINOR, None, False),
    "first serious": ("device", [], 1, False, S.WARNING, G.FIRST_SERIOUS, None, False),
    "first minor that affects play": ("two_hands", [], 1, True, S.GAME_LOSS, G.AFFECTS_PLAY, None, False),
    "first serious that affects play": ("device", [], 1, True, S.GAME_LOSS, G.AFFECTS_PLAY, None, False),
    "first, by the article": ("dice_replaced", [], 1, False, S.PENALTY_POINT, G.ARTICLE, None, False),
    "first, by the article, affects play": ("dice_replaced", [], 1, True, S.PENALTY_POINT, G.ARTICLE, None, False),
    "expulsion is not lowered": ("match_fixing", [], 1, True, S.EXPULSION, G.ARTICLE, None, False),
    "again in the same game": ("eating", [entry(4, 2, "eating")], 2, False, S.GAME_LOSS, G.REPEATED_SAME_GAME, 4, False),
    "again in the same game, affects play": ("eating", [entry(4, 2, "eating")], 2, True, S.GAME_LOSS, G.REPEATED_SAME_GAME, 4, False),
    "again in a later game": ("eating", [entry(4, 2, "eating")], 3, False, S.WARNING, G.REPEATED_LATER, 4, True),
    "again in a later game, serious": ("device", [entry(4, 2, "device")], 5, False, S.WARNING, G.REPEATED_LATER, 4, True),
    "again in a later game, affects play": ("eating", [entry(4, 2, "eating")], 3, True, S.GAME_LOSS, G.AFFECTS_PLAY, 4, True),
    "again, where the article names the first only": (
        *("dice_replaced", [entry(4, 1, "dice_replaced")], 1, False),
        *(S.GAME_LOSS, G.REPEATED_SAME_GAME, 4, False),
    ),
    "again later, where the article names the first only": (
        *("dice_replaced", [entry(4, 1, "dice_replaced")], 2, False),
        *(S.WARNING, G.REPEATED_LATER, 4, True),
    ),
    "again, by the article": (
        *("break_unauthorised", [entry(4, 1, "break_unauthorised")], 3, False),
        *(S.MATCH_LOSS, G.ARTICLE_REPEAT, 4, False),
    ),
    "again in the same game, by the article": (
        *("break_unauthorised", [entry(4, 1, "break_unauthorised")], 1, True),
        *(S.MATCH_LOSS, G.ARTICLE_REPEAT, 4, False),
    ),
    "recorded only": ("illegal_move", [], 1, False, None, G.RECORDED_ONLY, None, False),
    "recorded only, again, affects play": ("illegal_move", [entry(4, 1, "illegal_move")], 1, True, None, G.RECORDED_ONLY, None, False),
    "another code is not again": ("eating", [entry(4, 1, "late")], 1, False, S.REMARK, G.FIRST_MINOR, None, False),
    "another side is not again": ("eating", [entry(4, 1, "eating", (R,))], 1, False, S.REMARK, G.FIRST_MINOR, None, False),
    "a void entry is not again": ("eating", [entry(4, 1, "eating", void=True)], 1, False, S.REMARK, G.FIRST_MINOR, None, False),
    "both sides are each meant": ("eating", [entry(4, 1, "eating", (L, R))], 1, False, S.GAME_LOSS, G.REPEATED_SAME_GAME, 4, False),
    "an entry without a sanction counts": (
        *("eating", [Earlier(4, (L,), "eating", None, 1)], 1, False),
        *(S.GAME_LOSS, G.REPEATED_SAME_GAME, 4, False),
    ),
    "the newest of several": (
        *("eating", [entry(7, 2, "eating"), entry(4, 1, "eating"), entry(9, 2, "eating", void=True)], 3, False),
        *(S.WARNING, G.REPEATED_LATER, 7, True),
    ),
    "this game's before a newer one": (
        *("eating", [entry(4, 1, "eating"), entry(7, 2, "eating")], 1, False),
        *(S.GAME_LOSS, G.REPEATED_SAME_GAME, 4, False),
    ),
}


@pytest.mark.parametrize("case", TABLE)
def test_the_ladder_row_by_row(case: str) -> None:
    code, earlier, game, affects, sanction, ground, rests_on, panel = TABLE[case]
    found = suggest(IBGF, earlier, L, code, game, affects_play=affects)
    assert found == Suggestion(sanction, ground, rests_on, "000 §11", panel)


def test_every_ground_has_its_row() -> None:
    assert {row[5] for row in TABLE.values()} == set(Ground)


def test_the_article_is_that_of_the_matchs_own_rulebook() -> None:
    assert suggest(RUS, [], R, "wrong_setup", 1) == Suggestion(S.WARNING, G.ARTICLE, None, "004 5.4.46", panel=False)
    assert suggest(IBGF, [], R, "wrong_setup", 1) == Suggestion(S.REMARK, G.FIRST_MINOR, None, "000 §11", panel=False)


def test_a_regulations_own_ladder_holds() -> None:
    book = replace(IBGF, ladder=Ladder(S.WARNING, S.PENALTY_POINT, S.MATCH_LOSS, S.GAME_LOSS, note_later=False))
    before = [entry(1, 1, "eating")]
    assert suggest(book, [], L, "eating", 1).sanction is S.WARNING
    assert suggest(book, [], L, "device", 1).sanction is S.PENALTY_POINT
    assert suggest(book, [], L, "eating", 1, affects_play=True).sanction is S.MATCH_LOSS
    assert suggest(book, before, L, "eating", 1).sanction is S.MATCH_LOSS
    later = suggest(book, before, L, "eating", 2)
    assert (later.sanction, later.panel) == (S.GAME_LOSS, False)
    assert suggest(book, before, L, "eating", 2, affects_play=True).panel is False


def test_an_unknown_code_is_refused() -> None:
    with pytest.raises(CommandRefused, match='no infraction "sneezing"') as caught:
        suggest(IBGF, [], L, "sneezing", 1)
    assert caught.value.code is Refusal.UNKNOWN_INFRACTION
    assert caught.value.values == {"code": "sneezing"}


def test_a_match_without_a_catalogue_says_so() -> None:
    with pytest.raises(CommandRefused, match="without a catalogue") as caught:
        suggest(replace(IBGF, infractions=()), [], L, "eating", 1)
    assert caught.value.code is Refusal.UNKNOWN_INFRACTION


def test_a_setup_keeps_catalogue_and_ladder_whole() -> None:
    book = replace(IBGF, ladder=Ladder(later_game=S.GAME_LOSS))
    setup = resolve(book, Options(7, Pair(("A",), ("B",))))
    assert (setup.infractions, setup.ladder) == (book.infractions, book.ladder)
    assert suggest(setup, [], L, "hindering_press", 1) == suggest(book, [], L, "hindering_press", 1)
