"""What follows when a side's time is used up (domain rule 2.5), and a late start (domain rule 2.9)."""

from __future__ import annotations

import dataclasses

import pytest
from evening import LEFT, RIGHT, Evening, ns, setup

from kiosk.domain import facts as f
from kiosk.domain.rulebook import FlagPolicy, Kind, LateRule, LateStart, Method, OnFlag
from kiosk.domain.types import Side, seconds
from kiosk.session import commands as c


def at_five(policy: FlagPolicy, length: int = 7, **more: object) -> Evening:
    """Left's time is used up at 5 s."""
    return Evening(setup(length, delay_s=0, reserve_s=5, on_flag=OnFlag(policy, **more))).begin()  # type: ignore[arg-type]


def test_2_5_claim_waits_for_somebody_and_play_goes_on() -> None:
    table = at_five(FlagPolicy.CLAIM)
    table.press(LEFT, 6)
    assert table.table.phase == "playing"
    assert table.clock(6).flags[0].at == ns(5)
    table.do(c.ClaimFlag("right"), 7)
    assert (table.table.phase, table.score) == ("ended", (0, 7))
    assert table.table.ended is not None
    assert table.table.ended.how == "flag"


def test_2_5_before_the_flag_there_is_nothing_to_claim() -> None:
    assert at_five(FlagPolicy.CLAIM).refuse(c.ClaimFlag("right"), 4.999999999) == "flag_not_down"


@pytest.mark.parametrize("by", ["left", "right", "referee"])
def test_2_5_the_first_flag_decides_whoever_claims(by: str) -> None:
    table = at_five(FlagPolicy.CLAIM)
    table.press(LEFT, 6)
    table.press(RIGHT, 15)
    assert [flag.side for flag in table.clock(15).flags] == [LEFT, RIGHT]
    table.do(c.ClaimFlag(by), 16)
    assert table.score == (0, 7)


def test_2_5_a_claim_is_good_until_the_last_game_is_confirmed() -> None:
    table = at_five(FlagPolicy.CLAIM, length=1)
    table.do(c.RecordGame(LEFT, Kind.SINGLE, None), 6)
    table.do(c.ClaimFlag("right"), 7)
    assert table.score == (0, 1)
    other = at_five(FlagPolicy.CLAIM, length=1)
    other.do(c.RecordGame(LEFT, Kind.SINGLE, None), 6)
    other.do(c.ConfirmGame(RIGHT), 7)
    assert other.refuse(c.ClaimFlag("right"), 8) == "match_over"


def test_2_5_a_claim_can_be_made_between_games() -> None:
    table = at_five(FlagPolicy.CLAIM)
    table.do(c.RecordGame(LEFT, Kind.SINGLE, None), 6)
    table.do(c.ConfirmGame(RIGHT), 7)
    table.do(c.ClaimFlag("right"), 8)
    assert table.score == (1, 7)


@pytest.mark.parametrize("at_s", [5, 5.05, 6])
def test_2_5_auto_ends_the_match_at_the_flag_and_later_presses_are_inert(at_s: float) -> None:
    table = at_five(FlagPolicy.AUTO)
    flag, press = table.press(LEFT, at_s)
    assert flag == f.FlagFell(ns(5), LEFT)
    assert isinstance(press, f.PressIgnored)
    assert press.why == "over"
    assert table.score == (0, 7)


@pytest.mark.parametrize("policy", FlagPolicy)
def test_2_5_a_press_a_nanosecond_before_is_in_time(policy: FlagPolicy) -> None:
    table = at_five(policy)
    (fact,) = table.press(LEFT, 4.999999999)
    assert isinstance(fact, f.TurnEnded)


@pytest.mark.parametrize("policy", FlagPolicy)
def test_2_5_a_press_at_the_very_instant_comes_too_late(policy: FlagPolicy) -> None:
    first, *rest = at_five(policy).press(LEFT, 5)
    assert isinstance(first, f.FlagFell | f.TimeRefilled)
    assert first.at == ns(5)
    assert len(rest) == 1


def test_2_5_overtime_comes_once_then_the_flag() -> None:
    table = at_five(FlagPolicy.OVERTIME, extra=seconds(10))
    assert table.reserve(6) == (9, 5)
    assert table.clock(14.9).flags == ()
    assert table.clock(15).flags[0].side is LEFT
    table.session.tick(ns(6))
    assert table.table.alerts[-1].code == "time_refilled"
    assert table.score == (0, 0)


def test_2_5_penalty_points_and_a_refill_of_half_the_initial_reserve() -> None:
    table = at_five(FlagPolicy.PENALTY_POINTS, points=2)
    table.session.tick(ns(5))
    assert table.score == (0, 2)
    assert table.reserve(5) == (2.5, 5)
    table.session.tick(ns(7.5))
    assert table.score == (0, 4)
    assert table.table.phase == "playing"


def test_2_5_penalty_points_that_reach_the_length_end_the_match() -> None:
    table = at_five(FlagPolicy.PENALTY_POINTS, points=2, length=2)
    table.session.tick(ns(60))
    assert (table.table.phase, table.score) == ("ended", (0, 2))
    assert table.table.ended is not None
    assert table.table.ended.how == "score"


def test_2_5_game_loss_costs_the_game_at_the_cubes_value() -> None:
    table = Evening(setup(delay_s=0, reserve_s=5, on_flag=OnFlag(FlagPolicy.GAME_LOSS, refill=seconds(7)))).begin()
    table.press(LEFT, 1)
    table.press(RIGHT, 2)
    table.do(c.Double(LEFT), 3)
    table.do(c.Take(RIGHT), 3.5)
    table.session.tick(ns(60))
    game = table.table.games[0]
    assert (game.winner, game.cube, game.kind, game.points) == (RIGHT, 2, Kind.SINGLE, 2)
    assert (table.table.phase, table.table.game, table.reserve(60)) == ("opening", 2, (7, 3.5))


@pytest.mark.parametrize(("at_s", "started"), [(5, False), (5.09, False), (5.1, True)])
def test_2_5_the_press_of_a_game_lost_by_the_flag_does_not_open_the_next(at_s: float, *, started: bool) -> None:
    table = at_five(FlagPolicy.GAME_LOSS)
    table.press(LEFT, at_s)
    assert table.table.started is started
    assert (table.table.phase == "playing") is started


def test_2_5_game_loss_can_end_the_match() -> None:
    table = at_five(FlagPolicy.GAME_LOSS, length=1)
    _, press = table.press(LEFT, 5)
    assert isinstance(press, f.PressIgnored)
    assert table.table.phase == "ended"


# ── Late start, domain rule 2.9 ──────────────────────────────────────────────
def late(*sides: Side, policy: FlagPolicy = FlagPolicy.CLAIM, method: Method = Method.DELAY) -> Evening:
    table = Evening(setup(delay_s=2, reserve_s=5, on_flag=OnFlag(policy), method=method))
    table.do(c.StartLate(sides), 10)
    return table


def test_2_9_the_delay_runs_first_and_who_arrives_keeps_what_is_left() -> None:
    table = late(LEFT)
    table.do(c.Arrive((LEFT,)), 14)
    assert (table.table.phase, table.reserve(14)) == ("opening", (3, 5))
    assert table.delay_left(LEFT, 14) == 2
    assert table.table.late.lost_choice == (LEFT,)


def test_2_9_bronstein_gives_the_delay_back_on_arrival() -> None:
    table = late(LEFT, method=Method.BRONSTEIN)
    table.do(c.Arrive((LEFT,)), 14)
    assert table.reserve(14) == (3, 5)


def test_2_9_both_run_at_once_and_arrive_one_by_one() -> None:
    table = late(LEFT, RIGHT)
    assert set(table.clock(11).running) == {LEFT, RIGHT}
    table.do(c.Arrive((RIGHT,)), 13)
    assert table.clock(13).running == (LEFT,)
    table.do(c.Arrive((LEFT,)), 15)
    assert table.reserve(20) == (2, 4)


@pytest.mark.parametrize("policy", [policy for policy in FlagPolicy if policy is not FlagPolicy.AUTO])
def test_2_9_the_absent_side_forfeits_when_somebody_claims(policy: FlagPolicy) -> None:
    table = late(LEFT, policy=policy)
    table.session.tick(ns(100))
    assert table.table.phase == "late"
    assert table.refuse(c.Arrive((LEFT,)), 100) == "window_closed"
    table.do(c.ClaimFlag("right"), 101)
    shown = table.session.snapshot(ns(101)).standing
    assert shown is not None
    assert (shown.left, shown.right, table.score) == ("−", "+", (0, 0))


def test_2_9_both_flags_down_are_a_double_forfeit_by_claim() -> None:
    table = late(LEFT, RIGHT)
    table.do(c.ClaimFlag("referee"), 50)
    shown = table.session.snapshot(ns(51)).standing
    assert shown is not None
    assert (shown.left, shown.right) == ("−", "−")


def test_2_9_auto_forfeits_without_a_claim() -> None:
    one = late(LEFT, policy=FlagPolicy.AUTO)
    one.session.tick(ns(17))
    assert one.table.ended is not None
    assert (one.table.ended.winner, one.table.ended.how) == (RIGHT, "forfeit")


def test_2_9_auto_with_both_absent_waits_for_the_second() -> None:
    table = Evening(setup(delay_s=0, reserve_s=(5, 9), on_flag=OnFlag(FlagPolicy.AUTO)))
    table.do(c.StartLate((LEFT, RIGHT)), 0)
    table.session.tick(ns(8))
    assert table.table.phase == "late"
    table.session.tick(ns(9))
    assert table.table.ended is not None
    assert table.table.ended.how == "double_forfeit"


def test_2_9_auto_with_both_absent_the_one_who_comes_wins() -> None:
    table = Evening(setup(delay_s=0, reserve_s=(5, 9), on_flag=OnFlag(FlagPolicy.AUTO)))
    table.do(c.StartLate((LEFT, RIGHT)), 0)
    table.do(c.Arrive((RIGHT,)), 8)
    assert table.table.ended is not None
    assert (table.table.ended.winner, table.table.ended.how) == (RIGHT, "forfeit")


def test_2_9_before_the_rounds_time_nobody_is_late() -> None:
    table = Evening(setup(delay_s=2, round_start=ns(60)))
    assert table.refuse(c.StartLate((LEFT,)), 59) == "wrong_phase"
    assert not table.session.snapshot(ns(59)).late_prompt
    assert table.session.snapshot(ns(60)).late_prompt
    table.do(c.StartLate((LEFT,)), 60)
    assert table.refuse(c.StartLate((LEFT,)), 61) == "wrong_phase"
    table.do(c.StartLate((RIGHT,)), 62)
    assert set(table.clock(62).running) == {LEFT, RIGHT}


def test_4_10_seats_swapped_in_a_late_start_take_the_absence_along() -> None:
    table = late(LEFT)
    table.do(c.SwapSeats(), 13)
    assert (table.table.late.absent, table.clock(13).running) == ((RIGHT,), (RIGHT,))
    table.do(c.Arrive((RIGHT,)), 14)
    assert table.reserve(14) == (5, 3)


def by_points(length: int, *sides: Side, **more: object) -> Evening:
    made = dataclasses.replace(setup(length, **more), late=LateStart(LateRule.POINTS, seconds(300)))
    table = Evening(made)
    table.do(c.StartLate(sides), 0)
    return table


def test_2_9_points_cost_one_each_five_minutes_and_nothing_on_the_clock() -> None:
    table = by_points(7, LEFT)
    table.session.tick(ns(299))
    assert table.score == (0, 0)
    table.session.tick(ns(601))
    assert table.score == (0, 2)
    assert table.refuse(c.StartLate((LEFT,)), 601) == "wrong_phase"
    table.do(c.Arrive((LEFT,)), 602)
    assert (table.table.phase, table.reserve(602)) == ("opening", (60, 60))


def test_2_9_points_past_half_the_length_lose_the_match() -> None:
    table = by_points(7, LEFT)
    table.session.tick(ns(1199))
    assert table.table.phase == "late"
    table.session.tick(ns(1200))
    assert table.table.ended is not None
    assert (table.table.ended.winner, table.table.ended.how) == (RIGHT, "forfeit")


@pytest.mark.parametrize("length", [1, 2, 3, 7])
def test_2_9_points_with_both_absent_are_a_double_forfeit_at_every_length(length: int) -> None:
    table = by_points(length, LEFT, RIGHT)
    table.session.tick(ns(3000))
    assert table.table.ended is not None
    assert table.table.ended.how == "double_forfeit"


def test_2_9_a_point_for_lateness_that_reaches_the_length_ends_the_match() -> None:
    table = by_points(7, LEFT, score=(0, 6))
    table.session.tick(ns(300))
    assert table.table.ended is not None
    assert (table.table.ended.winner, table.table.ended.how, table.score) == (RIGHT, "score", (0, 7))
