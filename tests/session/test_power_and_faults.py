"""A power cut in every phase, and parts that fail: nothing is charged in doubt, nothing is half done (domain rule 2.12)."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from evening import LEFT, RIGHT, Evening, ns, setup
from phases import AT_S, PHASES

from kiosk.domain import facts as f
from kiosk.domain.asked import score_of
from kiosk.domain.errors import CommandRefused, JournalUnavailable
from kiosk.domain.rulebook import FlagPolicy, LateRule, LateStart, OnFlag
from kiosk.domain.state import Halt, Phase, Table
from kiosk.domain.table import evolve, still_counting
from kiosk.domain.types import Instant, Pair, Span, present, seconds
from kiosk.journal.memory import MemoryJournal
from kiosk.session import HEARTBEAT, Session, replay
from kiosk.session import commands as c
from kiosk.session.decide_clock import all_sides

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kiosk.ports import Record


@pytest.mark.parametrize("name", [name for name, make in PHASES.items() if make().table.phase is not None])
def test_2_12_every_phase_returns_as_it_was_but_a_running_clock_is_stopped(name: str) -> None:
    table, twin = PHASES[name](), PHASES[name]()
    before = twin.session.snapshot(ns(AT_S))
    assert table.power_cut(7, last_beat_s=AT_S, off_s=60)
    after = table.session.snapshot(ns(7))
    assert after.phase is (Phase.STOPPED if before.phase is Phase.PLAYING else before.phase)
    assert before.clock is not None
    assert after.clock is not None
    figures = ("reserve", "used", "overrun", "turn", "turns")
    assert [getattr(after.clock, key) for key in figures] == [getattr(before.clock, key) for key in figures]
    assert after.clock.running == ()
    assert (after.score, after.cube, after.table.game) == (before.score, before.cube, before.table.game)
    assert after.alerts[-1].code == "power_restored"
    restored = table.facts()[-1]
    assert isinstance(restored, f.PowerRestored)
    assert (restored.off, restored.last_known) == (seconds(60), ns(AT_S))
    assert restored.uncertain == (seconds(1) if before.clock.running else 0)
    assert table.replayed() == table.table


def test_2_12_what_ran_to_the_last_beat_is_charged_and_nothing_after_it() -> None:
    table = Evening(setup(delay_s=12)).begin(100)
    assert table.power_cut(5, last_beat_s=120, off_s=None)
    assert table.table.stop == f_stop()
    table.do(c.Resume(), 6)
    assert table.reserve(6) == (52, 60)
    other = Evening(setup(delay_s=12)).begin(100)
    assert other.power_cut(5)
    assert other.reserve(6) == (60, 60), "without a beat the last fact is the last that is known"


def f_stop() -> object:
    table = Evening(setup(delay_s=12)).begin()
    table.do(c.StopClock(None, f.StopReason.FAULT), 5)
    stop = table.table.stop
    assert stop is not None
    return replace(stop, reason=Halt.POWER)


def test_2_12_late_clocks_stand_until_started_again() -> None:
    table = Evening(setup(delay_s=2, reserve_s=10))
    table.do(c.StartLate((LEFT,)), 0)
    assert table.power_cut(3, last_beat_s=5)
    assert table.reserve(900) == (7, 10)
    table.do(c.StartLate((LEFT,)), 900)
    assert table.reserve(901) == (6, 10)


def test_2_12_late_points_lose_no_time_to_the_cut() -> None:
    made = dataclasses.replace(setup(), late=LateStart(LateRule.POINTS, seconds(300)))
    table = Evening(made)
    table.do(c.StartLate((LEFT,)), 0)
    assert table.power_cut(3, last_beat_s=100)
    assert table.session.deadline() == ns(203)


def test_2_12_a_flag_before_the_last_beat_has_fallen() -> None:
    table = Evening(setup(delay_s=0, reserve_s=10, on_flag=OnFlag(FlagPolicy.AUTO))).begin()
    assert table.power_cut(3, last_beat_s=11)
    assert (table.table.phase, table.score) == ("ended", (0, 7))


def test_2_12_without_a_match_there_is_nothing_to_restore() -> None:
    table = Evening()
    assert not table.power_cut(3)
    assert table.facts() == []
    assert evolve(Table(), f.PowerRestored(ns(3), ns(1), None, Span(0))).now == ns(3)


def test_a_cut_after_any_fact_finds_that_fact() -> None:
    for name, make in PHASES.items():
        table = make()
        for cut in range(1, len(list(table.journal.rows())) + 1):
            journal = MemoryJournal(rows=list(table.journal.rows())[:cut])
            session = Session(journal)
            restored = session.restore(journal.rows(), ns(1), last_beat=None, off=None)
            assert restored is (session.table.phase is not None), name
            assert session.table.clock is None or not session.table.clock.running


def test_heartbeats_are_wanted_while_something_counts() -> None:
    empty = Evening()
    assert empty.session.next_beat(ns(1)) is None
    table = Evening(setup(delay_s=12)).begin()
    assert table.session.next_beat(ns(1)) == ns(1)
    table.session.beat(ns(1))
    assert table.session.next_beat(ns(1.2)) == ns(1) + HEARTBEAT
    assert not still_counting(PHASES["ended"]().table)
    assert still_counting(PHASES["break"]().table)


# ── Faults ───────────────────────────────────────────────────────────────────
def broken_lamp(fact: f.Fact, table: Table) -> None:
    raise OSError(f"no lamp for {type(fact).__name__} at {table.now}")


class Broken:
    def __call__(self, fact: f.Fact, _: Table) -> None:
        raise KeyError(type(fact).__name__)


def test_a_listener_that_raises_on_every_fact_harms_nothing() -> None:
    seen: list[f.Fact] = []
    table = Evening(setup(delay_s=12), broken_lamp, Broken(), lambda fact, _: seen.append(fact))
    twin = Evening(setup(delay_s=12))
    for one in (table, twin):
        one.begin(1)
        one.press(LEFT, 20)
        one.do(c.RecordGame(LEFT, "single", None), 22)  # type: ignore[arg-type]
        one.do(c.Undo(), 30)
        one.press(RIGHT, 31)
    assert table.table == twin.table
    assert seen == table.facts() == twin.facts()
    faults = table.session.take_faults()
    assert len(faults) == 2 * len(seen)
    assert faults[0].startswith("broken_lamp failed on MatchOpened")
    assert faults[1].startswith("Broken failed on MatchOpened")
    assert table.session.take_faults() == ()


class DeadJournal(MemoryJournal):
    dead = False

    def append(self, records: Sequence[Record]) -> int:
        if self.dead:
            raise JournalUnavailable("The disk is gone.")
        return super().append(records)


def test_a_journal_that_raises_leaves_the_table_unchanged_and_the_next_press_works() -> None:
    journal, seen = DeadJournal(), []
    session = Session(journal, [lambda fact, _: seen.append(fact)])
    session.command(c.OpenMatch("m", setup(delay_s=12)), Instant(0))
    session.press(RIGHT, ns(1))
    before, told = session.table, len(seen)
    journal.dead = True
    for act in (
        lambda: session.press(LEFT, ns(2)),
        lambda: session.command(c.CallReferee("left"), ns(3)),
        lambda: session.tick(ns(900)),
        lambda: session.alert("x", ns(4), ""),
    ):
        with pytest.raises(JournalUnavailable):
            act()
        assert session.table == before
        assert len(seen) == told
    journal.dead = False
    session.press(LEFT, ns(5))
    assert present(session.table.clock).turn is RIGHT


def test_a_late_input_for_another_match_does_nothing() -> None:
    table = Evening(setup(delay_s=12))
    before = table.table
    with pytest.raises(CommandRefused, match="another match") as refused:
        table.session.command(c.CallReferee("left"), ns(1), match="m0")
    assert refused.value.code == "match_over"
    assert table.table == before
    assert table.session.command(c.CallReferee("left"), ns(1), match="m1")


def test_a_fact_that_needs_what_is_not_there_is_told() -> None:
    with pytest.raises(LookupError):
        evolve(Table(), f.ClockResumed(ns(1)))


def test_an_empty_table_can_be_shown() -> None:
    shown = Evening().session.snapshot(ns(5))
    assert (shown.phase, shown.clock, shown.score, shown.shown, shown.delay_left) == (None, None, Pair(0, 0), Pair("", ""), 0)
    assert score_of(Table()) == Pair(0, 0)


def test_a_side_or_both_in_words() -> None:
    assert all_sides("left") == (LEFT,)
    assert all_sides("both") == (LEFT, RIGHT)


def test_facts_of_a_newer_program_are_passed_over_in_replay() -> None:
    table = Evening(setup(delay_s=12)).begin(1)
    rows = list(table.journal.rows())
    newer = dataclasses.replace(rows[-1], type="dice_thrown", data='{"v":1}')
    assert replay([newer, *rows, newer]) == table.table


def test_replay_counts_from_the_last_opening() -> None:
    table = PHASES["signed"]()
    table.do(c.OpenMatch("m2", setup(3)), AT_S)
    assert table.replayed() == table.table
    assert (table.table.match, table.score) == ("m2", (0, 0))
