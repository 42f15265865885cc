"""The latest instant at which a match can be over, from score, reserves and what the rulebook gives besides."""

from __future__ import annotations

import pytest
from evening import LEFT, RIGHT, Evening, setup

from kiosk.domain.facts import StopReason
from kiosk.domain.latest import GAME_TURNS, TURNS_LEFT, Bound, bound
from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import FlagPolicy, Method, OnFlag, Provide
from kiosk.domain.state import Table
from kiosk.domain.types import NS_PER_S, Instant, Span, seconds
from kiosk.session import commands as c

DELAY, RESERVE, SETUP = 10, 60, 30
"""Seconds: a delay, each reserve, and what is allowed between games."""


def evening(length: int | None = 3, **options: object) -> Evening:
    return Evening(setup(length, delay_s=DELAY, reserve_s=RESERVE, **options))


def found(table: Evening) -> Bound:
    made = bound(table.table)
    assert made is not None
    return made


def left_s(table: Evening) -> float:
    return found(table).left / NS_PER_S


def latest_s(table: Evening, now_s: float) -> float:
    return found(table).at(Instant(seconds(now_s))) / NS_PER_S


def whole_s(games: int, reserves: float = 2 * RESERVE) -> float:
    """So many whole games, every delay and both reserves used up."""
    return games * GAME_TURNS * DELAY + reserves + (games - 1) * SETUP


def test_every_point_is_played_out_by_itself() -> None:
    table = evening(3)
    assert left_s(table) == whole_s(5)
    table.play_game(5, LEFT)
    assert left_s(table) == whole_s(4)
    table.play_game(9, RIGHT).play_game(12, RIGHT)
    assert left_s(table) == whole_s(2)
    table.play_game(20, LEFT)
    assert left_s(table) == whole_s(1)


def test_it_stays_where_it_is_while_a_clock_runs_and_comes_nearer_with_each_turn() -> None:
    table = evening(1).begin(100)
    first = latest_s(table, 100)
    assert first == 100 + whole_s(1)
    assert latest_s(table, 170) == first
    table.press(LEFT, 103)
    second = latest_s(table, 103)
    assert second == first - 7, "a turn of three seconds leaves seven of its delay"
    table.press(RIGHT, 103 + DELAY + 20)
    assert latest_s(table, 140) == second, "whatever the reserve has paid was in it"


def test_while_the_clocks_stand_it_moves_on_with_the_time_of_day() -> None:
    table = evening(1).begin(100)
    table.press(LEFT, 110)
    running = latest_s(table, 110)
    table.do(c.StopClock("left", StopReason.FAULT), 115)
    assert latest_s(table, 115) == running
    assert latest_s(table, 215) == running + 100


def test_a_running_game_has_turns_left_however_long_it_has_been() -> None:
    table = evening(1).begin(0)
    for n in range(1, GAME_TURNS + 5):
        table.press(LEFT if n % 2 else RIGHT, n)
    assert left_s(table) == 2 * RESERVE + TURNS_LEFT * DELAY


@pytest.mark.parametrize("method", Method)
def test_every_method_of_the_clock_gives_its_delay_once_a_turn(method: Method) -> None:
    table = evening(1, method=method).begin(0)
    assert left_s(table) == whole_s(1)
    table.do(c.StopClock("left", StopReason.FAULT), 4)
    assert left_s(table) == whole_s(1) - 4


def test_a_turn_without_a_delay_is_shorter() -> None:
    table = evening(1)
    table.do(c.SignIn(Official("Vera", Role.CHIEF)), 1)
    table.do(c.CancelNextDelay(LEFT), 2)
    table.begin(3)
    assert left_s(table) == whole_s(1) - DELAY


def test_an_overtime_that_may_be_given_is_in_it() -> None:
    overtime = OnFlag(FlagPolicy.OVERTIME, extra=seconds(45))
    table = evening(1, on_flag=overtime)
    assert left_s(table) == whole_s(1) + 2 * 45
    table.begin(0)
    table.session.tick(Instant(seconds(DELAY + RESERVE + 1)))
    assert left_s(table) == whole_s(1) + 45 - RESERVE - DELAY + 45, "the one that was given stands in the reserve"


def test_breaks_that_are_left_are_taken_in_full() -> None:
    table = Evening(setup(7, delay_s=DELAY, reserve_s=RESERVE, provide=Provide.BREAKS))
    assert left_s(table) == whole_s(13) + 2 * 300
    table.play_game(10, LEFT)
    table.do(c.TakeBreak(LEFT), 20)
    assert left_s(table) == whole_s(12) + 300
    assert latest_s(table, 30) == latest_s(table, 320) == 320 + whole_s(12) + 300
    assert latest_s(table, 400) == 400 + whole_s(12) + 300, "an overrun is on top"


def test_no_break_is_taken_within_the_last_game() -> None:
    table = Evening(setup(7, delay_s=DELAY, reserve_s=RESERVE, provide=Provide.BREAKS, score=(6, 6)))
    assert left_s(table) == whole_s(1) + 2 * 300
    assert left_s(table.begin(5)) == whole_s(1)


def test_a_set_up_and_the_time_before_the_rounds_start_count_once() -> None:
    table = evening(3, round_start=Instant(seconds(500)))
    assert latest_s(table, 10) == 500 + whole_s(5)
    assert latest_s(table, 600) == 600 + whole_s(5)
    table.begin(510)
    table.play_game(520, LEFT)
    assert latest_s(table, 521) == 520 + SETUP + whole_s(4)


def test_a_late_side_has_its_delay_first() -> None:
    table = evening(1)
    table.do(c.StartLate((LEFT, RIGHT)), 10)
    assert latest_s(table, 15) == 10 + whole_s(1) + 2 * DELAY


def test_a_match_that_is_overdue_ends_now_at_the_latest() -> None:
    assert Bound(Instant(5), Span(10), waits=False).at(Instant(99)) == 99
    assert Bound(Instant(5), Span(10), waits=True).at(Instant(99)) == 109


def test_nobody_can_tell_of_what_is_not_played_has_no_length_or_no_clock() -> None:
    assert bound(Table()) is None
    assert bound(Evening(setup(None)).table) is None
    assert bound(Evening(setup(None, reserve_s=None)).table) is None
    table = evening(1).play_game(10, LEFT)
    assert table.table.phase == "ended"
    assert bound(table.table) is None
    suspended = evening(3)
    suspended.do(c.SignIn(Official("Vera", Role.CHIEF)), 1)
    suspended.do(c.Suspend("hall closes", "as on the board"), 2)
    assert bound(suspended.table) is None
