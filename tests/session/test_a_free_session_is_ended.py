"""The end of a free session: it has none by itself, so people end it; until somebody has signed they can take that back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from evening import LEFT, RIGHT, Evening, ns, setup

from kiosk.domain.facts import StopReason
from kiosk.domain.rulebook import Kind
from kiosk.domain.state import End
from kiosk.domain.types import Pair, Side
from kiosk.session import commands as c

if TYPE_CHECKING:
    from collections.abc import Callable


def session(**options: Any) -> Evening:
    return Evening(setup(None, "circle", **{"reserve_s": 600, "delay_s": 12, **options}))


def playing() -> Evening:
    table = session().play_game(5, RIGHT, Kind.GAMMON, cube=2).begin(10)
    table.press(LEFT, 30)
    table.do(c.Double(RIGHT), 32)
    table.do(c.Take(LEFT), 33)
    return table


def stopped() -> Evening:
    table = playing()
    table.do(c.StopClock("left", StopReason.DICE), 36)
    return table


def opening() -> Evening:
    return session().play_game(5, LEFT)


def with_offer() -> Evening:
    table = session().begin(10)
    table.press(LEFT, 30)
    table.do(c.Double(RIGHT), 32)
    return table


def ended(table: Evening) -> tuple[Side | None, str]:
    assert table.table.phase == "ended"
    assert table.table.ended is not None
    return table.table.ended.winner, table.table.ended.how


def standing(table: Evening, at_s: float) -> Pair[str] | None:
    return table.session.snapshot(ns(at_s)).standing


def test_who_is_ahead_has_won() -> None:
    table = opening()
    table.do(c.EndSession(), 60)
    assert (ended(table), table.score, standing(table, 61)) == ((LEFT, "session"), (1, 0), Pair("1", "0"))
    other = playing()
    other.do(c.EndSession(), 60)
    assert (ended(other), other.score, standing(other, 61)) == ((RIGHT, "session"), (0, 4), Pair("0", "1"))


def test_a_level_session_has_no_winner_and_nobody_has_forfeited() -> None:
    table = opening().play_game(20, RIGHT)
    table.do(c.EndSession(), 60)
    assert (ended(table), standing(table, 61)) == ((None, "session"), Pair("=", "="))


def test_the_score_that_was_brought_in_counts() -> None:
    table = session(score=(3, 0)).play_game(5, RIGHT)
    table.do(c.EndSession(), 60)
    assert ended(table) == (LEFT, "session")


def test_a_running_game_is_dropped_and_the_time_that_it_took_stays_charged() -> None:
    table = playing()
    table.do(c.EndSession(), 60)
    after = table.table
    assert (len(after.games), after.game, after.started, after.cube.value, after.cube.turned) == (1, 1, False, 1, False)
    assert table.reserve(99) == (592, 585)  # left 20 s and 0 s; right 2 s, then the 27 s from the take to the end
    assert table.clock(99).running == ()


@pytest.mark.parametrize("length", [1, 7])
def test_a_match_is_not_ended_so(length: int) -> None:
    table = Evening(setup(length)).begin(1)
    assert table.refuse(c.EndSession(), 2) == "wrong_phase"
    table.do(c.StopClock("left", StopReason.FAULT), 3)
    assert table.refuse(c.EndSession(), 4) == "wrong_phase"


def test_a_recorded_game_is_confirmed_or_undone_first() -> None:
    table = playing()
    table.do(c.RecordGame(LEFT, Kind.SINGLE, None), 40)
    assert table.refuse(c.EndSession(), 41) == "wrong_phase"
    table.do(c.ConfirmGame(RIGHT), 42)
    assert table.do(c.EndSession(), 43)
    assert table.refuse(c.EndSession(), 44) == "match_over"


@pytest.mark.parametrize("made", [opening, playing, stopped, with_offer])
@pytest.mark.parametrize("wait_s", [0, 1, 500])
def test_undone_it_is_as_it_was_and_the_time_in_between_is_charged_to_nobody(made: Callable[[], Evening], wait_s: float) -> None:
    table, twin = made(), made()
    twin.session.tick(ns(38))
    table.do(c.EndSession(), 38)
    table.do(c.Undo(), 38 + wait_s)
    was, now = twin.clock(45), table.clock(45 + wait_s)
    assert (now.reserve, now.used, now.turn, now.running) == (was.reserve, was.used, was.turn, was.running)
    before, after = twin.table, table.table
    assert (after.phase, after.cube, after.game, after.game_began, after.game_turns) == (
        before.phase,
        before.cube,
        before.game,
        before.game_began,
        before.game_turns,
    )
    assert after.ended is None
    limit = twin.session.deadline()
    assert table.session.deadline() == (None if limit is None else limit + ns(wait_s))
    assert table.replayed() == table.table


def test_what_was_raised_and_called_after_the_end_stays_when_it_is_undone() -> None:
    table = opening()
    table.do(c.EndSession(), 8)
    table.session.alert("disk_full", ns(9), "")
    table.do(c.CallReferee("left"), 10)
    table.do(c.Undo(), 11)
    assert (table.table.phase, table.table.referee_called) == ("opening", True)
    assert [alert.code for alert in table.table.alerts] == ["disk_full"]


def test_a_power_cut_after_the_end_charges_nothing_to_a_session_that_is_reopened() -> None:
    table, twin = stopped(), stopped()
    table.do(c.EndSession(), 38)
    assert table.power_cut(3, off_s=60)
    assert table.table.phase == "ended"
    table.do(c.Undo(), 9)
    assert (table.table.phase, table.table.now) == ("stopped", ns(9))
    assert table.clock(9).reserve == twin.clock(38).reserve
    assert table.session.deadline() == ns(9 + 66 - 38) + 1
    assert table.replayed() == table.table


def test_after_a_signature_the_end_stands() -> None:
    table = opening()
    table.do(c.EndSession(), 8)
    table.do(c.Sign(LEFT, protest=False), 9)
    assert table.refuse(c.Undo(), 10) == "nothing_to_undo"


def test_a_correction_makes_the_winner_anew_and_the_end_stands() -> None:
    table = playing()
    table.do(c.EndSession(), 60)
    table.do(c.Sign(LEFT, protest=False), 61)
    table.do(c.CorrectGame(1, LEFT, Kind.SINGLE, 1, "winner mixed up"), 62)
    assert (ended(table), table.score, table.table.revision, table.table.signatures) == ((LEFT, "session"), (1, 0), 2, ())
    assert table.table.ended == End(LEFT, "session")
    assert table.refuse(c.Undo(), 63) == "nothing_to_undo"


def test_an_ended_session_is_signed_like_a_match() -> None:
    table = opening()
    table.do(c.EndSession(), 8)
    table.do(c.Sign(LEFT, protest=False), 9)
    table.do(c.Sign(RIGHT, protest=False), 10)
    assert table.table.phase == "signed"


def test_a_resignation_is_not_undone_so() -> None:
    table = opening()
    table.do(c.ResignMatch(LEFT), 8)
    assert table.refuse(c.Undo(), 9) == "nothing_to_undo"
