"""Suspending a match at one table and taking it up at another (domain rule 3.6)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from evening import LEFT, RIGHT, Evening, ns, setup

from kiosk.domain import facts as f
from kiosk.domain.asked import score_of
from kiosk.domain.errors import CommandRefused
from kiosk.domain.facts import AppealTo, Outcome
from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import Sanction
from kiosk.domain.state import Phase
from kiosk.journal import verify
from kiosk.ports import Row
from kiosk.session import NotAdjourned, adjourned, carried, replay
from kiosk.session import commands as c

VERA = Official("Vera", Role.REFEREE)
CHIEF = Official("Ida", Role.CHIEF)


def first_table() -> Evening:
    """Left leads 1:0, owns the cube at 2, has a penalty point against it and 33 s left of 60; adjourned in mid-turn."""
    table = Evening(setup(7, delay_s=10, reserve_s=60)).play_game(1, LEFT).begin(10, by=RIGHT)
    table.press(LEFT, 30)
    table.do(c.StopClock(None, f.StopReason.REFEREE), 35)
    table.do(c.SignIn(VERA), 40)
    table.do(c.SetCube(2, LEFT, "as on the board"), 41)
    table.do(c.Rule((LEFT,), "dice_replaced"), 42)
    table.do(c.Suspend("XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:7:10", "hall closes"), 45)
    return table


def second_table(at: float = 5) -> Evening:
    """Another box, with another clock that has not run long, and with a match of its own behind it."""
    table = Evening(setup(1))
    table.journal._boot = "elsewhere"
    table.play_game(1, RIGHT)
    table.do(c.SignIn(CHIEF), at)
    return table


def rows_of(table: Evening) -> list[Row]:
    return list(table.journal.rows())


def test_everything_is_as_it_was() -> None:
    here, there = first_table(), second_table()
    before = here.table
    match = carried("12", rows_of(here))
    there.session.take_up(match, ns(6))
    after = there.table
    assert after.phase is Phase.SUSPENDED
    assert score_of(after) == score_of(before)
    assert (after.cube, after.ledger, after.setup, after.position) == (before.cube, before.ledger, before.setup, before.position)
    assert [(r.id, r.sides, r.infraction, r.sanction, r.by) for r in after.rulings] == [
        (r.id, r.sides, r.infraction, r.sanction, r.by) for r in before.rulings
    ]
    assert there.reserve(6) == here.reserve(45)
    there.do(c.ResumeMatch(), 7)
    there.do(c.Resume(), 8)
    assert there.clock(8).turn is RIGHT
    assert there.delay_left(RIGHT, 8) == pytest.approx(10 - 5)  # 5 s of it were used when the clock was stopped
    assert there.reserve(13) == here.reserve(45)
    assert there.reserve(15)[1] == here.reserve(45)[1] - 2
    assert there.table.official is not None
    assert there.table.official.official == CHIEF


def test_the_entries_are_copied_with_their_own_boots_and_dates_and_the_chain_holds() -> None:
    here, there = first_table(), second_table()
    own, match = len(rows_of(there)), carried("12", rows_of(here))
    fact = there.session.take_up(match, ns(6))
    copied, last = rows_of(there)[own:-1], rows_of(there)[-1]
    assert [(row.boot, row.mono_ns, row.wall_ns, row.type, row.data) for row in copied] == [
        (row.boot, row.mono_ns, row.wall_ns, row.type, row.data) for row in rows_of(here)
    ]
    assert (last.boot, last.mono_ns) == ("elsewhere", ns(6))
    assert (fact.table, fact.digest, fact.name) == ("12", rows_of(here)[-1].hash, "Ida")
    assert verify(rows_of(there)).fault is None
    assert replay(rows_of(there)) == there.table


def test_it_survives_a_power_cut_at_the_new_table() -> None:
    here, there = first_table(), second_table()
    there.session.take_up(carried("12", rows_of(here)), ns(6))
    there.do(c.ResumeMatch(), 7)
    there.do(c.Resume(), 8)
    there.power_cut(100, last_beat_s=12, off_s=30)
    assert there.table.phase is Phase.STOPPED
    assert there.reserve(101) == here.reserve(45)
    assert replay(rows_of(there)) == there.table


def test_rulings_of_the_first_table_are_appealed_and_come_off_at_the_second() -> None:
    here, there = first_table(), second_table()
    there.session.take_up(carried("12", rows_of(here)), ns(6))
    there.do(c.ResumeMatch(), 7)
    assert there.score == (1, 1)
    there.do(c.LodgeAppeal(1, LEFT, AppealTo.CHIEF), 8)
    there.do(c.DecideAppeal(1, Outcome.VOID), 9)
    assert there.score == (1, 0)


def test_the_ladder_remembers_the_first_table() -> None:
    here = Evening(setup(7, delay_s=10)).begin(1)
    here.do(c.SignIn(VERA), 2)
    here.do(c.Rule((LEFT,), "notes"), 3)
    here.do(c.Suspend(), 4)
    there = second_table()
    there.session.take_up(carried("12", rows_of(here)), ns(6))
    there.do(c.ResumeMatch(), 7)
    there.do(c.SignIn(VERA), 79)
    there.do(c.Rule((LEFT,), "notes"), 80)
    assert there.table.rulings[-1].sanction is Sanction.GAME_LOSS


def test_an_act_of_the_first_table_is_undone_at_the_second() -> None:
    here, there = first_table(), second_table()
    there.session.take_up(carried("12", rows_of(here)), ns(6))
    there.do(c.Undo(), 7)  # the adjournment itself
    assert there.table.phase is Phase.STOPPED
    there.do(c.Undo(), 8)
    assert there.score == (1, 0)


def test_what_came_after_the_adjournment_and_is_no_part_of_the_match_stays_behind() -> None:
    here = first_table()
    kept = len(rows_of(here))
    here.do(c.SignOut(), 50)
    here.do(c.SignIn(None), 51)
    here.session.wall_clock_trusted(ns(52))
    match = carried("12", rows_of(here))
    assert len(match.rows) == kept
    assert match.state.now == ns(45)
    here.do(c.SignIn(VERA), 53)
    here.do(c.LodgeAppeal(1, LEFT, AppealTo.CHIEF), 54)
    assert len(carried("12", rows_of(here)).rows) == len(rows_of(here))  # an appeal is part of it


def test_only_an_official_takes_a_match_up_and_only_where_none_goes_on() -> None:
    match = carried("12", rows_of(first_table()))
    there = Evening()
    before = rows_of(there)
    with pytest.raises(CommandRefused, match="Sign in as an official"):
        there.session.take_up(match, ns(1))
    there = Evening(setup(7)).begin(1)
    there.do(c.SignIn(VERA), 2)
    before, table = rows_of(there), there.table
    with pytest.raises(CommandRefused, match="A match is going on at this table"):
        there.session.take_up(match, ns(3))
    assert (rows_of(there), there.table) == (before, table)
    refused = there.session.why_not_take_up(ns(3))
    assert refused is not None
    assert refused.code == "wrong_phase"
    there.do(c.Suspend(), 4)
    assert there.session.why_not_take_up(ns(4)) is None
    assert there.session.why_not_take_up(ns(65)) is not None  # by then he is signed out
    there.session.take_up(match, ns(5))
    assert there.table.match == "m1"


def test_a_match_that_is_not_suspended_is_none_to_take_up() -> None:
    playing = Evening(setup(7)).begin(1)
    with pytest.raises(NotAdjourned, match="not suspended"):
        carried("12", rows_of(playing))
    with pytest.raises(NotAdjourned, match="opening"):
        carried("12", rows_of(first_table())[1:])
    with pytest.raises(NotAdjourned, match="opening"):
        carried("12", [])
    rows = rows_of(first_table())
    newer = [*rows[:3], replace(rows[3], type="dance_started"), *rows[4:]]
    assert adjourned("12", [replace(rows[0], data='{"v":99}'), *rows[1:]]) == []
    with pytest.raises(NotAdjourned, match=r"Entry 4 .* newer Tableside"):
        carried("12", newer)


def test_an_official_may_leave_a_suspended_match_for_another_one_and_it_waits_in_the_journal() -> None:
    table = first_table()
    table.do(c.SignOut(), 46)
    assert table.refuse(c.OpenMatch("m2", setup(3)), 47) == "not_authorised"
    table.do(c.SignIn(VERA), 48)
    table.do(c.OpenMatch("m2", setup(3)), 49)
    assert table.table.phase is Phase.OPENING
    assert [one.match for one in adjourned("12", rows_of(table))] == ["m1"]
    table.do(c.Suspend(), 50)
    assert [one.match for one in adjourned("12", rows_of(table))] == ["m2", "m1"]
    table.session.take_up(adjourned("12", rows_of(table))[1], ns(51))
    assert table.table.match == "m1"
    assert [one.match for one in adjourned("12", rows_of(table))] == ["m1", "m2"]
    table.do(c.ResumeMatch(), 52)
    assert [one.match for one in adjourned("12", rows_of(table))] == ["m2"]
    assert table.reserve(52) == (50.0, 60.0)


def test_while_it_is_suspended_no_limit_passes_and_then_it_goes_on_where_it_stood() -> None:
    table = Evening(setup(7, delay_s=10)).begin(1)
    table.do(c.StopClock(None, f.StopReason.DICE), 5)
    table.do(c.SignIn(VERA), 6)
    table.do(c.Suspend(), 15)
    assert table.session.next_beat(ns(16)) is None
    table.session.tick(ns(600))
    assert [alert.code for alert in table.table.alerts] == []
    table.do(c.SignIn(VERA), 700)
    table.do(c.ResumeMatch(), 701)
    table.session.tick(ns(701 + 20))
    assert [alert.code for alert in table.table.alerts] == []
    table.session.tick(ns(701 + 20.1))
    assert [alert.code for alert in table.table.alerts] == ["stop_over_30s"]


def test_wrong_pins_of_the_first_table_lock_nothing_at_the_second() -> None:
    here = Evening(setup(7))
    here.do(c.SignIn(VERA), 1)
    here.do(c.Suspend(), 2)
    there = second_table()
    there.session.take_up(carried("12", rows_of(here)), ns(6))
    assert there.table.lockout.count == 0
