"""Consumption is exact, a stop never re-arms the delay, and a hold is a press at its first edge (domain rules 2.1–2.5)."""

from __future__ import annotations

import random

import pytest
from evening import LEFT, RIGHT, Evening, ns, setup

from kiosk.domain import facts as f
from kiosk.domain.facts import StopReason
from kiosk.domain.rulebook import Method
from kiosk.domain.types import NS_PER_S, Instant, seconds
from kiosk.session import commands as c


def test_the_delay_runs_first_and_what_is_unused_is_lost() -> None:
    table = Evening(setup(delay_s=12)).begin()
    table.press(LEFT, 11)
    table.press(RIGHT, 25)
    assert table.reserve(25) == (60, 58)
    assert table.delay_left(LEFT, 25) == 12


def test_three_seconds_of_reserve_and_twelve_of_delay_are_fifteen() -> None:
    table = Evening(setup(delay_s=12, reserve_s=3)).begin()
    assert not table.clock(14.999999999).flags
    assert table.clock(15).flags[0].at == ns(15)


def test_a_reserve_of_zero_is_playable_on_the_delay() -> None:
    table = Evening(setup(delay_s=12, reserve_s=0)).begin()
    table.press(LEFT, 11.9)
    assert not table.clock(12).flags
    assert table.clock(24).flagged(RIGHT)


def test_a_stop_at_five_of_twelve_leaves_seven() -> None:
    table = Evening(setup(delay_s=12)).begin()
    table.do(c.StopClock("left", None), 5)
    assert table.delay_left(LEFT, 700) == 7
    table.do(c.Resume(), 700)
    assert table.delay_left(LEFT, 700) == 7
    assert table.reserve(707) == (60, 60)
    assert table.reserve(708) == (59, 60)


def test_a_stop_in_the_reserve_gives_no_new_delay() -> None:
    table = Evening(setup(delay_s=12)).begin()
    table.do(c.StopClock("left", None), 20)
    table.do(c.Resume(), 100)
    assert table.delay_left(LEFT, 100) == 0
    assert table.reserve(101) == (51, 60)


@pytest.mark.parametrize("method", Method)
def test_a_stop_every_nine_tenths_for_ninety_seconds_costs_ninety_seconds(method: Method) -> None:
    table = Evening(setup(delay_s=12, reserve_s=600, method=method)).begin()
    start, at = table.reserve(0)[0], 0.0
    for _ in range(100):
        table.do(c.StopClock("left", None), at + 0.9)
        table.do(c.Resume(), at + 1.7)
        at += 1.7
    assert table.clock(at).used.left == seconds(90)
    free = 12 if method is Method.DELAY else 0
    assert table.reserve(at)[0] == pytest.approx(start - 90 + free, abs=1e-9)


def test_every_reason_to_stop_costs_the_same() -> None:
    left = set()
    for reason in (None, *StopReason):
        table = Evening(setup(delay_s=0)).begin()
        table.do(c.StopClock("left", reason), 7)
        table.do(c.Resume(), 70)
        left.add(table.clock(70).reserve.left)
    assert left == {seconds(53)}


def test_consumption_is_exact_however_fast_the_presses() -> None:
    rng, at, side = random.Random(932), 0, LEFT
    table = Evening(setup(delay_s=0, reserve_s=3600)).begin()
    spent = {LEFT: 0, RIGHT: 0}
    for _ in range(2000):
        span = rng.randrange(100_000_000, 400_000_000)
        at, spent[side] = at + span, spent[side] + span
        (fact,) = table.session.press(side, Instant(at))
        assert isinstance(fact, f.TurnEnded)
        side = side.other
    clock = table.session.snapshot(Instant(at)).clock
    assert clock is not None
    assert clock.reserve.left == 3600 * NS_PER_S - spent[LEFT]
    assert clock.reserve.right == 3600 * NS_PER_S - spent[RIGHT]


def test_held_two_seconds_the_opponent_runs_from_the_press() -> None:
    table = Evening(setup(delay_s=0)).begin()
    table.press(LEFT, 5)
    (alert,) = table.session.hold(LEFT, ns(5), seconds(1))
    assert alert == f.AlertRaised(ns(6), "button_held", LEFT)
    assert table.reserve(7) == (55, 58)
    table.press(RIGHT, 6.5)
    assert table.clock(6.5).running == (LEFT,), "a button held down does not block the other"


def test_what_is_shown_is_what_is_charged() -> None:
    table = Evening(setup(delay_s=2, reserve_s=30)).begin()
    for tenth in range(330):
        shown = table.session.snapshot(ns(tenth / 10))
        assert shown.clock is not None
        other = Evening(setup(delay_s=2, reserve_s=30)).begin()
        other.do(c.StopClock("left", None), tenth / 10)
        assert other.clock(tenth / 10).reserve == shown.clock.reserve


def test_overrun_is_counted_after_the_flag_and_play_goes_on() -> None:
    table = Evening(setup(delay_s=0, reserve_s=5)).begin()
    table.press(LEFT, 8)
    assert table.clock(8).overrun.left == seconds(3)
    assert table.clock(8).running == (RIGHT,)


@pytest.mark.parametrize(
    ("side", "after_s", "why"),
    [
        (RIGHT, 0, "not_running"),
        (LEFT, 0, "not_running"),
        (RIGHT, 0.05, "bounce"),
        (LEFT, 0.099999999, "bounce"),
        (RIGHT, 0.1, "not_running"),
    ],
)
def test_a_press_within_a_tenth_of_a_switch_does_nothing(side: str, after_s: float, why: str) -> None:
    table = Evening(setup(delay_s=0)).begin(1)
    (ignored,) = table.press(LEFT if side == LEFT else RIGHT, 1 + after_s)
    assert isinstance(ignored, f.PressIgnored)
    assert ignored.why == why
    assert table.clock(2).running == (LEFT,)


def test_a_tenth_after_the_switch_the_running_side_can_press() -> None:
    table = Evening(setup(delay_s=0)).begin(1)
    (fact,) = table.press(LEFT, 1.1)
    assert isinstance(fact, f.TurnEnded)


def test_presses_while_nothing_runs_are_recorded_and_move_nothing() -> None:
    table = Evening(setup(delay_s=0, length=3, provide=None)).begin(1)
    table.do(c.StopClock("left", None), 3)
    before = table.clock(3)
    (stopped,) = table.press(LEFT, 4)
    assert isinstance(stopped, f.PressIgnored)
    assert table.clock(4) == before
    table.do(c.ResignMatch(LEFT), 5)
    (over,) = table.press(LEFT, 6)
    assert isinstance(over, f.PressIgnored)
    assert over.why == "over"


def test_an_edge_that_comes_late_is_taken_now_and_said() -> None:
    table = Evening(setup(delay_s=0)).begin(1)
    table.do(c.CallReferee("left"), 5)
    table.do(c.Resume(), 6)
    facts = table.press(LEFT, 5.5)
    assert [type(fact).__name__ for fact in facts] == ["TurnEnded", "AlertRaised"]
    assert table.table.alerts[-1].detail == "500000000 ns"
    assert table.reserve(6) == (56, 60)


def test_an_alert_or_a_trusted_date_keeps_no_earlier_edge_out() -> None:
    table = Evening(setup(delay_s=0)).begin(1)
    table.session.alert("button_source_silent", ns(8), "gone")
    table.session.wall_clock_trusted(ns(9))
    (fact,) = table.press(LEFT, 5)
    assert fact == f.TurnEnded(ns(5), LEFT)
    assert table.reserve(5) == (56, 60)


def test_turns_are_checker_plays_ended_by_a_press() -> None:
    table = Evening(setup(delay_s=12)).begin()
    table.press(LEFT, 1)
    table.do(c.Double(RIGHT), 1.5)
    assert table.refuse(c.Double(RIGHT), 1.6) == "wrong_phase"
    table.press(LEFT, 2)
    table.press(RIGHT, 3)
    turns = table.clock(3).turns
    assert (turns.left, turns.right) == (1, 1)
