"""From `[play]` of a rulebook to the rules by which a move is judged, and the articles that are cited."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kiosk.books.library import Library
from kiosk.domain.rulebook import BlockRule, HeadRule, PlayOptions, RuleText
from kiosk.play import WORDS, Game, PlayRules, Reason, article

LIBRARY = Library([])


@pytest.mark.parametrize(
    ("name", "game", "text"),
    [
        ("ibgf", Game.BACKGAMMON, RuleText.FEDERATION),
        ("ibgf-blitz", Game.BACKGAMMON, RuleText.FEDERATION),
        ("circle", Game.BACKGAMMON, RuleText.CLUB),
        ("yellowclub", Game.BACKGAMMON, RuleText.YELLOW),
        ("rus-long", Game.LONG_NARDY, RuleText.NATIONAL),
    ],
)
def test_the_bundled_rulebooks_name_their_game_and_their_text(name: str, game: Game, text: RuleText) -> None:
    rules = PlayRules.of(LIBRARY.load(name))
    assert (rules.game, rules.text) == (game, text)
    assert (rules.two_from_head, rules.block, rules.bear_off_any_lower, rules.last_roll) == (
        HeadRule.SECOND,
        BlockRule.ON_THE_WAY,
        False,
        False,
    )


def test_options_come_from_the_rulebook_and_a_text_that_is_not_named_from_the_game() -> None:
    book = replace(LIBRARY.load("rus-long"), play=PlayOptions(None, HeadRule.BOTH, BlockRule.NONE, bear_off_any_lower=True, last_roll=True))
    assert PlayRules.of(book) == PlayRules(
        Game.LONG_NARDY, RuleText.NATIONAL, HeadRule.BOTH, BlockRule.NONE, bear_off_any_lower=True, last_roll=True
    )
    assert PlayRules.of(replace(book, game="backgammon")).text is RuleText.FEDERATION


@pytest.mark.parametrize(
    ("name", "reason", "cited"),
    [
        ("ibgf", Reason.BAR_FIRST, "000 §4"),
        ("ibgf", Reason.HIGHER_FIRST, "000 §5"),
        ("ibgf", Reason.LARGER, "000 §3"),
        ("circle", Reason.LARGER, "002"),
        ("yellowclub", Reason.NOT_ALL_HOME, "003"),
        ("yellowclub", Reason.LARGER, "000 §3"),
        ("rus-long", Reason.HEAD, "004 5.4.11"),
        ("rus-long", Reason.SIX_BLOCK, "004 5.4.13"),
        ("rus-long", Reason.LARGER, "004 5.4.26"),
        ("rus-long", Reason.BAR_FIRST, None),
        ("ibgf", Reason.HEAD, None),
    ],
)
def test_each_rulebook_cites_its_own_text(name: str, reason: Reason, cited: str | None) -> None:
    assert article(reason, PlayRules.of(LIBRARY.load(name))) == cited


def test_every_reason_has_its_sentence() -> None:
    assert set(WORDS) == set(Reason)
    assert len(set(WORDS.values())) == len(Reason)
