"""A press put back and a start turned over leave no trace on clock, cube or score (domain rule 2.10)."""

from __future__ import annotations

import pytest
from evening import LEFT, RIGHT, Evening, setup

from kiosk.domain.rulebook import FlagPolicy, Kind, Method, OnFlag
from kiosk.session import commands as c


def test_the_offender_runs_on_with_the_delay_he_had_left() -> None:
    table = Evening(setup(delay_s=12)).begin()
    table.press(LEFT, 5)
    table.do(c.PressBack("right"), 9)
    assert table.clock(9).running == (LEFT,)
    assert table.delay_left(LEFT, 9) == 7
    assert table.reserve(9) == (60, 60)
    assert table.clock(9).turns.left == 0


def test_the_window_is_the_delay_and_ends_with_it() -> None:
    table = Evening(setup(delay_s=12)).begin()
    table.press(LEFT, 5)
    assert table.refuse(c.PressBack("left"), 6) == "not_your_turn"
    assert table.refuse(c.PressBack("right"), 17) == "window_closed"
    other = Evening(setup(delay_s=12)).begin()
    other.press(LEFT, 5)
    other.do(c.PressBack("right"), 16.999999999)
    assert other.reserve(17) == (60, 60)


@pytest.mark.parametrize(("method", "delay_s"), [(Method.DELAY, 0), (Method.FISCHER, 5), (Method.BRONSTEIN, 0)])
def test_without_a_delay_the_window_is_ten_seconds(method: Method, delay_s: int) -> None:
    table = Evening(setup(method=method, delay_s=delay_s)).begin()
    table.press(LEFT, 5)
    assert table.refuse(c.PressBack("right"), 15) == "window_closed"
    other = Evening(setup(method=method, delay_s=delay_s)).begin()
    other.press(LEFT, 5)
    before = other.reserve(5)
    other.do(c.PressBack("right"), 14.9)
    left, right = other.reserve(14.9)
    assert right == 60, "what ran on the other side is given back, an increment too"
    assert left == before[0]


def test_a_stop_within_the_window_keeps_it_open_and_the_clock_stays_stopped() -> None:
    table = Evening(setup(delay_s=12)).begin()
    table.press(LEFT, 5)
    table.do(c.StopClock("right", None), 10)
    table.do(c.PressBack("right"), 500)
    assert table.table.phase == "stopped"
    table.do(c.Resume(), 600)
    assert table.clock(600).running == (LEFT,)
    assert table.delay_left(LEFT, 600) == 7


def test_there_is_one_press_to_put_back_and_no_second_one() -> None:
    table = Evening(setup(delay_s=12)).begin()
    for at_s, side in ((1, LEFT), (2, RIGHT), (3, LEFT)):
        table.press(side, at_s)
    table.do(c.PressBack("right"), 4)
    assert table.refuse(c.PressBack("left"), 5) == "nothing_to_undo"


def test_the_opening_press_ended_no_turn_and_cannot_be_put_back() -> None:
    assert Evening(setup(delay_s=12)).begin().refuse(c.PressBack("left"), 1) == "nothing_to_undo"


def test_an_offer_made_by_the_press_is_withdrawn() -> None:
    table = Evening(setup(delay_s=12)).begin()
    table.press(LEFT, 1)
    table.press(RIGHT, 2)
    table.do(c.Double(LEFT), 3)
    table.do(c.PressBack("right"), 4)
    assert table.table.cube.offered_by is None
    assert table.clock(4).running == (LEFT,)
    assert table.delay_left(LEFT, 4) == 11


def test_a_take_made_by_the_press_is_withdrawn_and_the_offer_stands_again() -> None:
    table = Evening(setup(delay_s=12)).begin()
    table.press(LEFT, 1)
    table.press(RIGHT, 2)
    table.do(c.Double(LEFT), 3)
    table.press(RIGHT, 5)
    assert table.table.cube.value == 2
    table.do(c.PressBack("left"), 6)
    assert (table.table.cube.value, table.table.cube.offered_by) == (1, LEFT)
    assert table.clock(6).running == (RIGHT,)
    assert table.delay_left(RIGHT, 6) == 10


def test_an_early_offer_made_after_the_press_is_withdrawn_with_it() -> None:
    table = Evening(setup(delay_s=12)).begin()
    table.press(LEFT, 1)
    table.do(c.Double(LEFT), 2)
    table.do(c.PressBack("right"), 3)
    assert table.table.cube.offered_by is None


def test_a_flag_that_fell_in_that_time_is_undone() -> None:
    table = Evening(setup(delay_s=12, method=Method.BRONSTEIN, reserve_s=5)).begin()
    table.press(LEFT, 1)
    table.session.tick(table.table.now + 6_000_000_000)
    assert table.clock(8).flagged(RIGHT)
    table.do(c.PressBack("right"), 8)
    assert table.clock(8).flags == ()


@pytest.mark.parametrize("policy", [FlagPolicy.PENALTY_POINTS, FlagPolicy.OVERTIME])
def test_a_refill_in_that_time_is_undone_with_its_price(policy: FlagPolicy) -> None:
    table = Evening(setup(delay_s=12, method=Method.BRONSTEIN, reserve_s=5, on_flag=OnFlag(policy))).begin()
    table.press(LEFT, 1)
    table.do(c.PressBack("right"), 8)
    assert table.score == (0, 0)
    assert table.reserve(8) == (4, 5)
    assert not table.clock(8).overtime_given.right


def test_a_penalty_point_from_before_the_press_stays() -> None:
    table = Evening(setup(delay_s=0, reserve_s=5, on_flag=OnFlag(FlagPolicy.PENALTY_POINTS))).begin()
    table.press(LEFT, 6)
    assert table.score == (0, 1)
    table.do(c.PressBack("right"), 7)
    assert table.score == (0, 1)


def test_a_start_turned_over_is_charged_to_nobody() -> None:
    table = Evening(setup(delay_s=12)).begin()
    table.do(c.SwapStart("right"), 40)
    assert table.clock(40).running == (RIGHT,)
    assert table.delay_left(RIGHT, 40) == 12
    assert table.reserve(40) == (60, 60)


def test_a_start_turned_over_undoes_the_flag_the_price_and_the_early_offer() -> None:
    table = Evening(setup(delay_s=5, reserve_s=20, on_flag=OnFlag(FlagPolicy.PENALTY_POINTS))).begin()
    table.do(c.Double(RIGHT), 2)
    table.session.tick(table.table.now + 30_000_000_000)
    assert table.score == (0, 1)
    table.do(c.SwapStart("left"), 33)
    assert table.score == (0, 0)
    assert table.reserve(33) == (20, 20)
    assert table.table.cube.offered_by is None


def test_a_start_can_be_turned_over_while_stopped_and_twice() -> None:
    table = Evening(setup(delay_s=12)).begin()
    table.do(c.StopClock("left", None), 3)
    table.do(c.SwapStart("left"), 4)
    assert (table.table.phase, table.clock(4).running, table.clock(4).turn) == ("stopped", (), RIGHT)
    table.do(c.Resume(), 5)
    table.do(c.SwapStart("left"), 6)
    assert table.clock(6).running == (LEFT,)


def test_under_fischer_only_the_right_starter_has_the_increment() -> None:
    table = Evening(setup(delay_s=5, method=Method.FISCHER)).begin()
    table.do(c.SwapStart("left"), 3)
    assert table.reserve(3) == (60, 65)


def test_after_the_first_turn_nobody_turns_the_start_over() -> None:
    table = Evening(setup(delay_s=12)).begin()
    table.press(LEFT, 1)
    assert table.refuse(c.SwapStart("left"), 2) == "window_closed"


def test_once_the_first_turn_is_put_back_the_start_can_be_turned_over_again() -> None:
    table = Evening(setup(delay_s=12)).begin()
    table.press(LEFT, 1)
    table.do(c.PressBack("right"), 2)
    table.do(c.SwapStart("left"), 3)
    assert table.clock(3).running == (RIGHT,)
    assert table.reserve(3) == (60, 60)


@pytest.mark.parametrize("command", [c.PressBack("referee"), c.SwapStart("referee")])
def test_for_a_referee_they_need_a_sign_in(command: c.Command) -> None:
    table = Evening(setup(delay_s=12)).begin()
    table.press(LEFT, 1)
    assert table.refuse(command, 2) == "not_authorised"


def test_a_record_forgets_no_press() -> None:
    table = Evening(setup(delay_s=12)).begin()
    table.press(LEFT, 1)
    table.do(c.RecordGame(LEFT, Kind.SINGLE, None), 3)
    table.do(c.Undo(), 100)
    table.do(c.PressBack("right"), 102)
    assert table.delay_left(LEFT, 102) == 11
