"""A match that was played without a device is entered from its paper sheet: whole or not at all, marked, and without any clock."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from evening import LEFT, RIGHT, Evening, ns, setup
from hypothesis import given, settings
from hypothesis import strategies as st
from phases import CHIEF, REFEREE

from kiosk.domain import facts as f
from kiosk.domain.asked import crawford_played, standing_of
from kiosk.domain.errors import CommandRefused
from kiosk.domain.facts import OnPaper, StopReason
from kiosk.domain.rulebook import FlagPolicy, Kind, OnFlag, Provide, Sanction
from kiosk.domain.state import Phase
from kiosk.domain.table import still_counting
from kiosk.domain.types import SIDES, Instant, Pair, Side
from kiosk.session import brought, carried, ended_on_paper, on_paper
from kiosk.session import commands as c

S, G, B = Kind.SINGLE, Kind.GAMMON, Kind.BACKGAMMON
SIGNED = Pair(OnPaper.YES, OnPaper.YES)


def games(*given: tuple[Side, Kind, int]) -> tuple[c.PaperGame, ...]:
    return tuple(c.PaperGame(*game) for game in given)


SEVEN = games((LEFT, S, 1), (RIGHT, S, 2), (LEFT, G, 1), (RIGHT, S, 1), (LEFT, G, 2))
"""To 7 points: 1:0, 1:2, 3:2, 3:3, 7:3."""


def paper(*, made: Any = None, played: str = "29 Nov 10:30, sheet 14", signed: Pair[OnPaper] = SIGNED, **rest: Any) -> c.EnterPaper:
    return c.EnterPaper("p1", made or setup(), rest.get("games", SEVEN), rest.get("end"), played, signed)


def desk(official: Any = REFEREE) -> Evening:
    table = Evening()
    table.do(c.SignIn(official), 10)
    return table


def entered(command: c.EnterPaper | None = None) -> Evening:
    table = desk()
    table.do(command or paper(), 20)
    return table


def why(command: c.EnterPaper) -> str:
    table = desk()
    assert table.refuse(command, 20) == "bad_value"
    with pytest.raises(CommandRefused) as refused:
        table.do(command, 20)
    return refused.value.message


# ── What is entered ──────────────────────────────────────────────────────────
def test_the_whole_sheet_is_one_append_of_ordinary_facts() -> None:
    table = desk()
    facts = table.do(paper(), 20)
    assert [type(fact) for fact in facts] == [
        f.MatchOpened, f.OfficialSignedIn, f.PaperEntered, *[f.PaperGameEntered] * 5, f.SheetSigned, f.SheetSigned
    ]  # fmt: skip
    assert {fact.at for fact in facts} == {ns(20)}
    assert table.score == (7, 3)
    assert [game.points for game in table.table.games] == [1, 2, 2, 1, 4]
    assert table.table.ended is not None
    assert (table.table.ended.winner, table.table.ended.how) == (LEFT, "score")
    assert table.replayed() == table.table


def test_it_says_by_whom_when_and_what_the_paper_says() -> None:
    found = entered(paper(signed=Pair(OnPaper.PROTEST, OnPaper.NO))).table.paper
    assert found is not None
    assert (found.by, found.at, found.played) == (REFEREE, ns(20), "29 Nov 10:30, sheet 14")
    assert found.signed == Pair(OnPaper.PROTEST, OnPaper.NO)


@pytest.mark.parametrize(
    ("signed", "phase", "signatures"),
    [
        (Pair(OnPaper.NO, OnPaper.NO), Phase.ENDED, []),
        (Pair(OnPaper.NO, OnPaper.PROTEST), Phase.ENDED, [(RIGHT, True)]),
        (SIGNED, Phase.SIGNED, [(LEFT, False), (RIGHT, False)]),
    ],
)
def test_the_papers_signatures_are_the_sheets(signed: Pair[OnPaper], phase: Phase, signatures: list[tuple[Side, bool]]) -> None:
    table = entered(paper(signed=signed))
    assert table.table.phase is phase
    assert [(s.side, s.protest) for s in table.table.signatures] == signatures
    table.do(c.Receive(), 21)  # signed or not, it is handed in as the paper is
    assert table.table.phase is Phase.RECEIVED
    assert table.replayed() == table.table


def test_the_crawford_game_is_found() -> None:
    made = setup(length=5)
    table = entered(paper(made=made, games=games((LEFT, G, 2), (RIGHT, G, 1), (RIGHT, S, 2), (LEFT, S, 1))))
    assert [game.crawford for game in table.table.games] == [False, True, False, False]
    assert crawford_played(table.table)
    assert table.score == (5, 4)


def test_a_score_at_the_opening_counts() -> None:
    assert entered(paper(made=setup(score=(5, 2)), games=games((LEFT, G, 1)))).score == (7, 2)


def test_long_nardy_and_matches_without_a_cube() -> None:
    made = setup(length=3, rulebook="rus-long")
    assert entered(paper(made=made, games=games((LEFT, Kind.MARS, 1), (LEFT, Kind.OIN, 1)))).score == (3, 0)


@pytest.mark.parametrize("phase", ["ended", "signed", "received", "suspended", "none"])
def test_a_free_table_takes_it(phase: str) -> None:
    from phases import PHASES

    table = PHASES[phase]()
    table.do(c.SignIn(CHIEF), 200)
    table.do(paper(), 201)
    assert table.table.match == "p1"
    assert table.replayed() == table.table


# ── How it ended ─────────────────────────────────────────────────────────────
SHORT = SEVEN[:2]


@pytest.mark.parametrize(
    ("end", "score", "how", "standing"),
    [
        (c.PaperEnd("resignation", (LEFT,)), (1, 7), "resignation", ("0", "1")),
        (c.PaperEnd("flag", (RIGHT,)), (7, 2), "flag", ("1", "0")),
        (c.PaperEnd("forfeit", (RIGHT,)), (7, 2), "forfeit", ("1", "0")),
        (c.PaperEnd("forfeit", (RIGHT, LEFT)), (1, 2), "double_forfeit", ("−", "−")),
    ],
)
def test_it_may_end_otherwise(end: c.PaperEnd, score: tuple[int, int], how: str, standing: tuple[str, str]) -> None:
    table = entered(paper(games=SHORT, end=end))
    assert table.score == score
    assert table.table.ended is not None
    assert table.table.ended.how == how
    assert standing_of(table.table) == Pair(*standing)


def test_who_did_not_come_has_a_minus() -> None:
    table = entered(paper(games=(), end=c.PaperEnd("forfeit", (LEFT,))))
    assert table.score == (0, 0)
    assert standing_of(table.table) == Pair("−", "+")


@pytest.mark.parametrize("policy", FlagPolicy)
def test_a_flag_ends_it_under_every_policy(policy: FlagPolicy) -> None:
    table = entered(paper(made=setup(on_flag=OnFlag(policy)), games=SHORT, end=c.PaperEnd("flag", (LEFT,))))
    assert table.table.ended is not None
    assert (table.table.ended.how, table.table.ended.winner) == ("flag", RIGHT)


def test_a_free_session_is_ended() -> None:
    table = entered(paper(made=setup(None, "circle", reserve_s=None), games=games((LEFT, G, 2), (RIGHT, S, 1))))
    assert table.score == (4, 1)
    assert table.table.ended is not None
    assert table.table.ended.how == "session"
    resigned = entered(paper(made=setup(None, "circle", reserve_s=None), games=(), end=c.PaperEnd("resignation", (LEFT,))))
    assert resigned.table.phase is Phase.SIGNED


# ── What cannot be ───────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("command", "words"),
    [
        (paper(games=games((LEFT, S, 3))), "Game 1 cannot be: a cube shows"),
        (paper(games=games((LEFT, S, 1), (LEFT, Kind.OIN, 1))), "Game 2 cannot be: under ibgf"),
        (paper(games=games((LEFT, Kind.PASS, 1))), "Game 1 cannot be: under ibgf"),
        (paper(games=games((LEFT, B, 2), (RIGHT, S, 2), (LEFT, S, 1))), "Game 2 is the Crawford game"),
        (paper(made=setup(cube=False), games=games((LEFT, S, 2))), "Game 1 is played without a cube"),
        (paper(made=setup(length=1), games=games((LEFT, S, 2))), "Game 1 is played without a cube"),
        (paper(games=(*SEVEN, c.PaperGame(RIGHT, S, 1))), "Game 6 cannot be: the match was over after game 5"),
        (paper(games=SHORT), "At 1:2 nobody has the 7 points yet"),
        (paper(games=()), "At 0:0 nobody has the 7 points yet"),
        (paper(end=c.PaperEnd("resignation", (LEFT,))), "over after game 5 by its score"),
        (paper(games=(), end=c.PaperEnd("resignation", (LEFT, RIGHT))), "One side resigns"),
        (paper(games=(), end=c.PaperEnd("flag", ())), "One side resigns"),
        (paper(games=(), end=c.PaperEnd("forfeit", (LEFT, LEFT))), "One side resigns"),
        (paper(made=setup(None, "circle", reserve_s=None), games=(), end=c.PaperEnd("forfeit", (LEFT,))), "A free session has no match"),
        (paper(made=setup(None, "circle", reserve_s=None), games=(), end=c.PaperEnd("flag", (LEFT,))), "A free session has no match"),
        (paper(played="two\nlines"), "one line"),
        (paper(played="x" * 201), "one line"),
    ],
)
def test_what_cannot_be_is_refused_with_the_games_number_and_nothing_is_entered(command: c.EnterPaper, words: str) -> None:
    assert words in why(command)


def test_it_is_an_officials() -> None:
    assert Evening().refuse(paper(), 10) == "not_authorised"


def test_a_match_that_goes_on_is_in_the_way() -> None:
    table = Evening(setup())
    table.do(c.SignIn(CHIEF), 1)
    assert table.refuse(paper(), 2) == "wrong_phase"


# ── No clock ─────────────────────────────────────────────────────────────────
def opened_again() -> Evening:
    """A correction has taken the winning points away."""
    table = entered(paper(made=setup(provide=Provide.BREAKS), signed=Pair(OnPaper.NO, OnPaper.NO)))
    table.do(c.CorrectGame(5, LEFT, S, 1, "misread"), 21)
    return table


def test_nothing_runs_and_nothing_is_alerted_hours_later() -> None:
    for table in (entered(), opened_again()):
        assert not still_counting(table.table)
        table.session.tick(ns(90_000))
        assert table.table.alerts == ()
        assert table.clock(90_000).reserve == table.clock(30).reserve
        assert not table.clock(90_000).running
        assert table.replayed() == table.table


@pytest.mark.parametrize(
    "command",
    [c.StartLate((LEFT,)), c.TakeBreak(LEFT), c.SetControl(None, None, "x"), c.CancelNextDelay(LEFT)],
)
def test_what_needs_a_clock_is_refused_where_it_is_open_again(command: c.Command) -> None:
    table = opened_again()
    assert table.table.phase is Phase.OPENING
    assert table.refuse(command, 22) == "wrong_phase"


def test_a_press_starts_no_clock() -> None:
    table = opened_again()
    (fact,) = table.press(LEFT, 22)
    assert fact == f.PressIgnored(ns(22), LEFT, f.IgnoredWhy.NOT_RUNNING)


def test_the_missing_game_is_recorded_as_on_any_match() -> None:
    table = opened_again()
    assert table.score == (4, 3)
    table.play_game(23, LEFT, B)
    assert table.score == (7, 3)
    assert table.table.phase is Phase.ENDED
    assert table.table.paper is not None
    assert table.replayed() == table.table


# ── What works as on any match ───────────────────────────────────────────────
def test_a_correction_makes_a_second_revision_and_keeps_what_was_on_paper() -> None:
    table = entered()
    table.do(c.SignIn(CHIEF), 30)
    table.do(c.CorrectGame(2, RIGHT, G, 2, "misread"), 31)
    assert table.score == (7, 5)
    assert (table.table.revision, table.table.signatures) == (2, ())
    assert table.table.paper is not None
    assert table.table.paper.signed == SIGNED
    table.do(c.Undo(), 32)
    assert table.score == (7, 3)


def test_a_ruling_and_an_appeal_work() -> None:
    table = desk(CHIEF)
    table.do(paper(), 20)
    table.do(c.Rule((LEFT,), "device", Sanction.MATCH_LOSS), 30)
    assert table.table.ended is not None
    assert table.table.ended.winner is RIGHT
    table.do(c.LodgeAppeal(1, LEFT, f.AppealTo.COMMITTEE), 31)
    assert table.refuse(c.Receive(), 32) == "wrong_phase"
    table.do(c.DecideAppeal(1, f.Outcome.VOID, ("Eve", "Fay")), 34)
    assert (table.score, table.table.ended.winner if table.table.ended else None) == ((7, 3), LEFT)
    table.do(c.Receive(), 35)
    assert table.replayed() == table.table


def test_an_end_is_undone_and_entered_otherwise() -> None:
    table = entered(paper(games=SHORT, end=c.PaperEnd("resignation", (LEFT,)), signed=Pair(OnPaper.NO, OnPaper.NO)))
    table.do(c.Undo(), 21)
    assert table.table.phase is Phase.OPENING
    table.do(c.Forfeit((RIGHT,), "left the hall"), 22)
    assert table.score == (7, 2)


def test_the_entry_itself_is_not_undone_but_corrected() -> None:
    table = entered()
    with pytest.raises(CommandRefused, match="correcting its games"):
        table.do(c.Undo(), 21)


def test_seats_that_are_swapped_take_the_papers_signatures_along() -> None:
    table = opened_again()
    table.do(c.SwapSeats(), 22)
    assert table.score == (3, 4)
    mixed = entered(paper(games=(), end=c.PaperEnd("forfeit", (LEFT,)), signed=Pair(OnPaper.YES, OnPaper.NO)))
    mixed.do(c.Undo(), 21)
    mixed.do(c.SwapSeats(), 22)
    assert mixed.table.paper is not None
    assert mixed.table.paper.signed == Pair(OnPaper.NO, OnPaper.YES)


def test_it_survives_a_power_cut() -> None:
    table = entered()
    before = table.table
    assert table.power_cut(5, off_s=60)
    assert table.table.paper == before.paper
    assert table.score == (7, 3)
    assert table.table.phase is Phase.SIGNED


def test_one_that_is_open_again_is_carried_to_another_table() -> None:
    table = opened_again()
    table.do(c.Suspend(), 22)
    rows = [row for row in table.journal.rows() if row.seq > 1]
    assert brought("7", rows).state == carried("7", rows).state


def test_the_next_match_at_the_table_is_no_paper_match() -> None:
    table = entered()
    table.do(c.OpenMatch("m2", setup()), 21)
    assert table.table.paper is None
    table.press(LEFT, 22)
    assert table.table.phase is Phase.PLAYING
    table.do(c.StopClock(None, StopReason.DICE), 23)


# ── By chance ────────────────────────────────────────────────────────────────
GAME = st.tuples(st.sampled_from(SIDES), st.sampled_from([S, S, G, B]), st.sampled_from([1, 1, 2, 4]))


def by_hand(length: int, drawn: list[tuple[Side, Kind, int]]) -> tuple[list[tuple[Side, Kind, int]], list[int]]:
    """Games until one side has the points, the Crawford game without the cube, added up by hand."""
    score, taken, crawford = [0, 0], [], length == 1
    for winner, kind, wanted in drawn:
        if max(score) >= length:
            break
        cube = 1 if length == 1 else wanted
        if not crawford and max(score) == length - 1:
            crawford, cube = True, 1
        taken.append((winner, kind, cube))
        score[SIDES.index(winner)] += cube * {S: 1, G: 2, B: 3}[kind]
    return taken, score


@settings(deadline=None)
@given(
    length=st.sampled_from([1, 2, 3, 5, 7, 9, 11, 25]),
    drawn=st.lists(GAME, max_size=40),
    end=st.sampled_from(
        [c.PaperEnd("resignation", (LEFT,)), c.PaperEnd("flag", (RIGHT,)), c.PaperEnd("forfeit", (LEFT,)), c.PaperEnd("forfeit", SIDES)]
    ),
    signed=st.builds(Pair, st.sampled_from(OnPaper), st.sampled_from(OnPaper)),
    more=st.lists(st.sampled_from(["correct", "rule", "undo", "receive", "wait"]), max_size=4),
)
def test_any_paper_match_adds_up_and_replays(
    length: int, drawn: list[tuple[Side, Kind, int]], end: c.PaperEnd, signed: Pair[OnPaper], more: list[str]
) -> None:
    taken, score = by_hand(length, drawn)
    decided = max(score) >= length
    made = setup(length)
    table = entered(paper(made=made, games=games(*taken), end=None if decided else end, signed=signed))
    assert on_paper(made, games(*taken)).ledger == table.table.ledger
    assert ended_on_paper(made, games(*taken), None if decided else end).ended == table.table.ended
    winner = None if len(end.sides) > 1 else end.sides[0].other
    unplayed = end.how == "forfeit" and not taken
    if not decided and winner is not None and not unplayed:
        score[SIDES.index(winner)] = length
    assert table.score == tuple(score)
    assert table.replayed() == table.table
    at = 21.0
    for what in more:
        at += 1
        table.session.touch(Instant(ns(at)))
        step = {
            "correct": c.CorrectGame(1, RIGHT, S, 1, "misread"),
            "rule": c.Rule((LEFT,), "eating", Sanction.PENALTY_POINT, duplicate="keep"),
            "undo": c.Undo(),
            "receive": c.Receive(),
        }.get(what)
        with contextlib.suppress(CommandRefused):
            table.session.tick(ns(at)) if step is None else table.do(step, at)
        assert table.replayed() == table.table
        assert {alert.code for alert in table.table.alerts} <= {"duplicate_ruling"}  # time alone brings nothing about
        assert not still_counting(table.table)
