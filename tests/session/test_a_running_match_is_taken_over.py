"""A spare device takes over a running match from the server's copy of its entries (domain rule 2.12)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from evening import LEFT, RIGHT, Evening, ns, setup

from kiosk.domain import facts as f
from kiosk.domain.asked import score_of
from kiosk.domain.errors import CommandRefused
from kiosk.domain.officials import Official, Role
from kiosk.domain.state import Hall, Halt, Phase
from kiosk.domain.types import seconds
from kiosk.journal import verify
from kiosk.ports import Row
from kiosk.session import Carried, NotAdjourned, replay, running_match
from kiosk.session import commands as c
from kiosk.session.carry import last_match

VERA = Official("Vera", Role.REFEREE)
IDA = Official("Ida", Role.CHIEF)


def failed() -> Evening:
    """Left leads 1:0; right owns a cube at 2 and is on the clock, with 8 of its 10 s of delay used and 35 of 60 s of reserve."""
    table = Evening(setup(7, delay_s=10, reserve_s=60)).play_game(1, LEFT).begin(10, by=LEFT)
    table.press(RIGHT, 45)  # 35 s: 10 of delay, 25 of reserve
    table.do(c.Double(LEFT), 47)
    table.do(c.Take(RIGHT), 50)
    table.press(LEFT, 52)
    table.session.command_as(VERA, c.Rule((LEFT,), "eating"), ns(60), match="m1")
    return table


def spare() -> Evening:
    table = Evening()
    table.journal._boot = "elsewhere"
    table.do(c.SignIn(IDA), 5)
    return table


def rows_of(table: Evening) -> list[Row]:
    return list(table.journal.rows())


def test_everything_is_as_it_was_and_the_clock_stands() -> None:
    here, there = failed(), spare()
    before = here.table
    fact = there.session.take_over(running_match("12", rows_of(here)), seconds(9), ns(6))
    after = there.table
    assert after.phase is Phase.STOPPED
    assert after.stop is not None
    assert after.stop.reason is Halt.TAKEN
    assert score_of(after) == score_of(before)
    assert (after.cube, after.ledger, after.setup, after.game) == (before.cube, before.ledger, before.setup, before.game)
    assert [(r.sides, r.infraction, r.by) for r in after.rulings] == [(r.sides, r.infraction, r.by) for r in before.rulings]
    assert there.reserve(100) == (60, 35)
    assert there.clock(100).turn is RIGHT
    assert there.delay_left(RIGHT, 100) == 2
    assert (fact.uncertain, fact.table, fact.last_known) == (seconds(9), "12", ns(60))
    assert after.official is not None
    assert after.official.official == IDA
    assert after.alerts[-1].code == "match_taken_over"
    there.do(c.Resume(), 100)
    assert there.reserve(103) == (60, 34)


def test_replaying_the_spare_s_journal_gives_the_same_table() -> None:
    here, there = failed(), spare()
    there.session.take_over(running_match("12", rows_of(here)), None, ns(6))
    there.do(c.Resume(), 7)
    there.press(RIGHT, 8)
    assert there.replayed() == there.table
    assert verify(rows_of(there)).fault is None
    assert there.power_cut(3, off_s=5)
    assert there.reserve(4) == (60, 35)


def test_where_no_clock_ran_nothing_is_in_doubt() -> None:
    here, there = failed(), spare()
    here.do(c.StopClock("left", f.StopReason.DICE), 61)
    assert there.session.take_over(running_match("12", rows_of(here)), None, ns(6)).uncertain == 0
    assert there.table.stop is not None
    assert there.table.stop.reason is f.StopReason.DICE


def test_a_match_that_is_over_but_not_handed_in_is_signed_at_the_spare() -> None:
    here, there = Evening(setup(1)).play_game(1, LEFT), spare()
    there.session.take_over(running_match("12", rows_of(here)), None, ns(6))
    there.do(c.Sign(LEFT, protest=False), 7)
    assert there.table.ended is not None


def test_what_was_ordered_at_the_failed_table_counts_there_only() -> None:
    here, there = Evening(), spare()
    here.do(c.PauseHall("Eva", "fire"), 1)
    here.do(c.OpenMatch("m1", setup(7)), 2)
    here.do(c.LiftPause("Eva"), 3)
    here.begin(4)
    here.do(c.ShowMessage(3, "Desk", "Only for table 12."), 5)
    there.do(c.ShowMessage(1, "Desk", "For the spare."), 5.5)
    there.session.take_over(running_match("12", last_match(rows_of(here))), None, ns(6))
    assert [one.text for one in there.table.hall.messages] == ["For the spare."]
    assert there.replayed() == there.table
    there.do(c.ReadMessage(1), 7)
    there.do(c.ResignMatch(LEFT), 8)
    there.do(c.OpenMatch("m2", setup(3)), 9)
    assert there.table.hall == Hall()
    assert there.replayed() == there.table


def test_nobody_takes_over_without_a_sign_in_or_over_a_running_match() -> None:
    match = running_match("12", rows_of(failed()))
    nobody = Evening()
    with pytest.raises(CommandRefused):
        nobody.session.take_over(match, None, ns(1))
    busy = Evening(setup(3))
    busy.do(c.SignIn(IDA), 1)
    with pytest.raises(CommandRefused):
        busy.session.take_over(match, None, ns(2))
    assert nobody.facts() == []


def received() -> Evening:
    table = Evening(setup(1)).play_game(1, LEFT)
    table.do(c.Sign(LEFT, protest=False), 2)
    table.do(c.Sign(RIGHT, protest=False), 3)
    table.session.command_as(VERA, c.Receive(), ns(4), match="m1")
    return table


def test_what_is_no_running_match_is_refused_with_a_sentence() -> None:
    rows = rows_of(failed())
    for bad in ([], rows[1:], rows_of(received()), [*rows, replace(rows[-1], type="dice_blessed", data="{}")]):
        with pytest.raises(NotAdjourned, match=r"\.$"):
            running_match("12", bad)
    with pytest.raises(NotAdjourned, match="name"):
        running_match("1\n2", rows)
    backwards = [*rows, replace(rows[-1], mono_ns=1)]
    with pytest.raises(NotAdjourned, match="instant"):
        running_match("12", backwards)


def test_the_last_match_of_a_journal_is_found() -> None:
    table = failed()
    assert last_match(rows_of(table)) == rows_of(table)
    assert last_match([]) == ()
    table.do(c.ResignMatch(RIGHT), 70)
    table.do(c.OpenMatch("m2", setup(3)), 71)
    assert [row.type for row in last_match(rows_of(table))] == ["match_opened"]


def test_a_lifted_pause_without_its_beginning_moves_nothing() -> None:
    here = Evening()
    here.do(c.PauseHall("Eva", "fire"), 1)
    here.do(c.OpenMatch("m1", setup(7)), 2)
    here.do(c.LiftPause("Eva"), 3)
    match: Carried = running_match("12", last_match(rows_of(here)))
    assert match.state.hall == Hall()
    assert replay(match.rows).phase is Phase.OPENING
