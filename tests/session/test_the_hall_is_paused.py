"""A pause of the whole hall: all clocks stop at once, nothing starts one, and afterwards they stand until somebody resumes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from evening import LEFT, Evening, ns, setup

from kiosk.domain import facts as f
from kiosk.domain.errors import CommandRefused
from kiosk.domain.facts import StopReason
from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import Kind, LateRule, LateStart, Provide
from kiosk.domain.state import Hall, Halt, Phase
from kiosk.domain.table import still_counting
from kiosk.domain.types import SIDES, seconds
from kiosk.session import Session, replay
from kiosk.session import commands as c

PAUSE, LIFT = c.PauseHall("Eva", "fire alarm"), c.LiftPause("Eva")
VERA = Official("Vera", Role.REFEREE)


def playing() -> Evening:
    return Evening(setup(7, delay_s=12, reserve_s=60, provide=Provide.BREAKS)).begin(0)


def test_a_running_clock_stops_at_the_instant_of_the_pause() -> None:
    table = playing()
    table.do(PAUSE, 20)
    assert table.table.phase is Phase.STOPPED
    assert table.reserve(100) == (52, 60)
    assert table.table.hall.pause is not None
    assert (table.table.hall.pause.by, table.table.hall.pause.why, table.table.hall.pause.since) == ("Eva", "fire alarm", ns(20))
    assert not still_counting(table.table)


def test_presses_and_resuming_do_nothing_in_it_and_a_call_is_possible() -> None:
    table = playing()
    table.do(PAUSE, 20)
    assert table.press(LEFT, 21) == (f.PressIgnored(ns(21), LEFT, f.IgnoredWhy.NOT_RUNNING),)
    assert table.refuse(c.Resume(), 22) == "paused"
    table.do(c.CallReferee("left"), 23)
    assert table.table.referee_called
    assert table.reserve(60) == (52, 60)


def test_after_it_the_clocks_stand_until_somebody_resumes() -> None:
    table = playing()
    table.do(PAUSE, 20)
    table.do(LIFT, 50)
    assert table.table.phase is Phase.STOPPED
    assert table.reserve(60) == (52, 60)
    assert table.table.stop is not None
    assert table.table.stop.reason is Halt.HALL
    table.do(c.Resume(), 60)
    assert table.reserve(65) == (47, 60)


def test_a_pause_that_nobody_ordered_tells_only_that_another_device_goes_on() -> None:
    table = playing()
    assert table.do(c.PauseHall(None, "Go on there."), 20) == (f.HallPaused(ns(20), "", "Go on there."),)
    with pytest.raises(CommandRefused, match=r"^Nothing starts at this device. Go on there.$"):
        table.session.command(c.Resume(), ns(22))
    table.do(LIFT, 50)
    assert table.table.stop is not None
    assert table.table.stop.reason is Halt.REPLACED
    table.do(c.Resume(), 60)
    assert table.reserve(65) == (47, 60)


def test_a_second_order_keeps_when_it_began() -> None:
    table = playing()
    table.do(PAUSE, 20)
    table.do(c.PauseHall("Ida", "no power"), 30)
    pause = table.table.hall.pause
    assert pause is not None
    assert (pause.by, pause.why, pause.since) == ("Ida", "no power", ns(20))


def test_lifting_what_is_not_paused_is_refused() -> None:
    assert playing().refuse(LIFT, 20) == "wrong_phase"


def test_where_the_desk_cannot_be_reached_an_official_at_the_table_lifts_it() -> None:
    table = playing()
    table.do(PAUSE, 20)
    assert table.refuse(c.LiftPause(None), 21) == "not_authorised"
    table.do(c.SignIn(VERA), 22)
    assert table.do(c.LiftPause(None), 23) == (f.HallPauseLifted(ns(23), "Vera"),)
    assert table.table.hall.pause is None


@pytest.mark.parametrize("by", ["", " ", "a" * 101, "two\nlines"])
def test_who_orders_it_has_a_name_on_one_line(by: str) -> None:
    assert playing().refuse(c.PauseHall(by, "fire alarm"), 20) == "bad_value"
    paused = playing()
    paused.do(PAUSE, 20)
    assert paused.refuse(c.LiftPause(by), 21) == "bad_value"


@pytest.mark.parametrize("why", ["", " \n", "x" * 501, "bell\x07"])
def test_a_reason_can_be_read(why: str) -> None:
    assert playing().refuse(c.PauseHall("Eva", why), 20) == "bad_value"


# ── Limits ───────────────────────────────────────────────────────────────────
def codes(table: Evening, at_s: float) -> list[str]:
    table.session.tick(ns(at_s))
    return [alert.code for alert in table.table.alerts]


def test_a_stop_goes_on_where_it_stood() -> None:
    table = playing()
    table.do(c.StopClock("left", StopReason.DICE), 10)  # 30 s are allowed
    table.do(PAUSE, 30)
    assert codes(table, 500) == []
    table.do(LIFT, 600)
    assert codes(table, 610) == []
    assert codes(table, 610.1) == ["stop_over_30s"]


def test_a_stop_that_begins_in_it_counts_from_its_end() -> None:
    table = Evening(setup(7, delay_s=12, reserve_s=60))
    table.do(PAUSE, 10)
    table.play_game(20, LEFT)  # the next game's set-up begins
    assert codes(table, 100) == []
    table.do(LIFT, 100)
    assert codes(table, 130) == []
    assert codes(table, 130.1) == ["stop_over_30s"]


def test_a_break_goes_on_where_it_stood() -> None:
    table = Evening(setup(7, delay_s=12, reserve_s=60, provide=Provide.BREAKS)).play_game(0, LEFT)
    table.do(c.TakeBreak(LEFT), 10)
    table.do(PAUSE, 200)
    assert codes(table, 1000) == []
    table.do(LIFT, 1000)
    assert codes(table, 1110) == []
    assert codes(table, 1110.1) == ["break_overrun"]


def test_an_absent_side_s_clock_stands_until_it_is_started_again() -> None:
    table = Evening(setup(7, delay_s=12, reserve_s=60))
    table.do(c.StartLate((LEFT,)), 0)
    table.do(PAUSE, 20)
    assert table.table.phase is Phase.LATE
    assert table.refuse(c.StartLate((LEFT,)), 30) == "paused"
    table.do(LIFT, 50)
    assert table.reserve(60) == (52, 60)
    table.do(c.StartLate((LEFT,)), 60)
    assert table.reserve(65) == (47, 60)


def test_lateness_by_points_goes_on_where_it_stood() -> None:
    made = replace(setup(7, delay_s=12, reserve_s=60), late=LateStart(LateRule.POINTS, seconds(300)))
    table = Evening(made)
    table.do(c.StartLate((LEFT,)), 0)
    table.do(PAUSE, 200)
    table.session.tick(ns(1000))
    assert table.score == (0, 0)
    table.do(LIFT, 1000)
    table.session.tick(ns(1099))
    assert table.score == (0, 0)
    table.session.tick(ns(1100))
    assert table.score == (0, 1)


# ── Going back, power, other matches ─────────────────────────────────────────
def test_a_record_taken_back_in_it_comes_back_stopped() -> None:
    table = playing()
    table.do(c.RecordGame(LEFT, Kind.SINGLE, None), 5)
    table.do(PAUSE, 10)
    table.do(c.Undo(), 20)
    assert table.table.phase is Phase.STOPPED
    assert table.delay_left(LEFT, 100) == 12 - 5


def test_it_outlives_a_power_cut() -> None:
    table = playing()
    table.do(PAUSE, 20)
    table.do(c.ShowMessage(4, "Eva", "Stay outside."), 21)
    assert table.power_cut(3, off_s=100)
    pause = table.table.hall.pause
    assert pause is not None
    assert pause.since == ns(3 - 1)  # 1 s of it had been lived through
    assert [message.n for message in table.table.hall.messages] == [4]
    table.do(LIFT, 10)
    table.do(c.Resume(), 11)
    assert table.reserve(12) == (51, 60)


def test_before_a_match_it_outlives_a_power_cut_too_and_holds_for_the_match_that_is_opened() -> None:
    table = Evening()
    table.do(PAUSE, 20)
    assert not table.power_cut(3, off_s=100)
    table.do(c.OpenMatch("m1", setup(7, delay_s=12)), 5)
    assert table.table.hall.pause is not None
    assert table.press(LEFT, 6) == (f.PressIgnored(ns(6), LEFT, f.IgnoredWhy.NOT_RUNNING),)
    assert table.refuse(c.StartLate((LEFT,)), 7) == "paused"
    assert table.replayed() == table.table
    table.do(LIFT, 8)
    assert table.press(LEFT, 9) == (f.GameStarted(ns(9), LEFT),)
    assert table.replayed() == table.table


def test_it_holds_for_the_next_match_at_the_table() -> None:
    table = Evening(setup(1)).play_game(5, LEFT)
    table.do(c.ShowMessage(7, "Eva", "Next round at three."), 6)
    table.do(PAUSE, 7)
    table.do(c.OpenMatch("m2", setup(3)), 8)
    assert table.table.hall.pause is not None
    assert [message.n for message in table.table.hall.messages] == [7]
    assert table.replayed() == table.table
    table.do(c.ReadMessage(7), 9)
    table.do(LIFT, 10)
    assert table.table.hall == Hall()
    assert table.replayed() == table.table


def test_a_suspended_match_comes_back_into_it() -> None:
    table = playing()
    table.do(c.SignIn(VERA), 5)
    table.do(c.Suspend(), 6)
    table.do(PAUSE, 7)
    table.do(c.ResumeMatch(), 8)
    assert table.table.phase is Phase.STOPPED
    assert table.table.hall.pause is not None
    assert table.refuse(c.Resume(), 9) == "paused"


def test_a_ruling_and_a_game_are_entered_in_it() -> None:
    table = playing()
    table.do(PAUSE, 5)
    table.do(c.SignIn(VERA), 6)
    table.do(c.Rule((LEFT,), "eating"), 7)
    table.play_game(8, LEFT)
    assert table.score == (1, 0)
    assert all(side not in table.clock(9).running for side in SIDES)


def test_a_restored_session_without_orders_writes_nothing() -> None:
    table = Evening()
    table.do(PAUSE, 1)
    table.do(LIFT, 2)
    rows = list(table.journal.rows())
    session = Session(table.journal)
    assert not session.restore(rows, ns(3), last_beat=None, off=None)
    assert list(table.journal.rows()) == rows
    assert replay(rows).hall == Hall()
