"""What is heard: every start of a clock, every alert; the time only where the regulation says so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from evening import LEFT, RIGHT, Evening, book, ns, setup
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kiosk.domain import facts as f
from kiosk.domain.rulebook import FlagPolicy, Kind, Method, OnFlag, Sounds
from kiosk.domain.setup import Options, resolve
from kiosk.domain.state import Table
from kiosk.domain.types import NS_PER_S, Instant, Pair, Side
from kiosk.ports import Sound, Volumes
from kiosk.session import commands as c
from kiosk.session.signals import heard, next_second, second_between

PRESS, ALERT, FLAG = Sound.PRESS, Sound.ALERT, Sound.FLAG


class Listening:
    """An evening, and what was heard of it."""

    def __init__(self, sounds: Sounds = Sounds(), **options: Any) -> None:  # noqa: B008 - a frozen value
        self.sounds: list[Sound] = []
        self._ran: tuple[Side, ...] = ()
        options = {"delay_s": 0, "reserve_s": 30, **options}
        self.evening = Evening(replace(setup(**options), sounds=sounds), self._hear)

    def _hear(self, fact: f.Fact, table: Table) -> None:
        sound = heard(fact, self._ran, table)
        self._ran = () if table.clock is None else table.clock.running
        if sound is not None:
            self.sounds.append(sound)

    def take(self) -> list[Sound]:
        sounds, self.sounds = self.sounds, []
        return sounds

    @property
    def table(self) -> Table:
        return self.evening.table


def test_each_switch_of_the_clock_is_heard_and_a_press_without_effect_is_not() -> None:
    table = Listening()
    table.evening.press(RIGHT, 0)
    assert table.take() == [PRESS]
    table.evening.press(RIGHT, 2)
    assert table.take() == []
    table.evening.press(LEFT, 3)
    assert table.take() == [PRESS]
    table.evening.do(c.StopClock(None, None), 4)
    assert table.take() == []
    table.evening.press(RIGHT, 5)
    assert table.take() == []
    table.evening.do(c.Resume(), 6)
    assert table.take() == [PRESS]
    table.evening.do(c.RecordGame(LEFT, Kind.SINGLE, None), 7)
    assert table.take() == []


def test_offer_and_take_are_heard_an_early_offer_when_it_is_opened() -> None:
    table = Listening()
    for press, at in ((RIGHT, 0), (LEFT, 1), (RIGHT, 2), (LEFT, 3), (RIGHT, 4)):
        table.evening.press(press, at)
    table.take()
    table.evening.do(c.Double(LEFT), 5)
    assert table.take() == [PRESS]
    table.evening.press(RIGHT, 6)  # the responder's button is a take
    assert table.take() == [PRESS]
    table.evening.do(c.Double(RIGHT), 7)  # it is left's turn: too early
    assert table.take() == []
    table.evening.press(LEFT, 8)
    assert table.evening.table.cube.open_offer
    assert table.take() == [PRESS]


def test_a_clock_that_is_started_for_somebody_late_is_heard() -> None:
    table = Listening()
    table.evening.do(c.StartLate((LEFT,)), 0)
    assert table.take() == [PRESS]


def test_alerts_and_what_comes_from_the_desk_are_heard() -> None:
    table = Listening()
    table.evening.press(RIGHT, 0)
    table.evening.do(c.StopClock(None, None), 1)
    table.take()
    table.evening.session.tick(ns(12))
    assert table.take() == [ALERT]
    table.evening.do(c.ShowMessage(1, "Eva", "Lunch."), 13)
    table.evening.do(c.PauseHall("Eva", "fire alarm"), 14)
    assert table.take() == [ALERT, ALERT]


@pytest.mark.parametrize("allowed", [False, True])
def test_a_flag_is_heard_where_the_regulation_says_so(allowed: bool) -> None:  # noqa: FBT001
    for policy in (FlagPolicy.CLAIM, FlagPolicy.OVERTIME):
        table = Listening(Sounds(0, flag=allowed), on_flag=OnFlag(policy))
        table.evening.press(RIGHT, 0)
        table.take()
        table.evening.session.tick(ns(30))
        assert table.take() == [FLAG] * allowed


def test_before_a_match_a_message_is_heard_and_nothing_else() -> None:
    assert heard(f.MessageShown(Instant(0), 1, "Eva", "Lunch."), (), Table()) is ALERT
    assert heard(f.WallClockTrusted(Instant(0)), (), Table()) is None
    assert heard(f.FlagFell(Instant(0), LEFT), (), Table()) is None


# ── The last seconds ─────────────────────────────────────────────────────────
def seconds_heard(table: Table, until_s: int, step_ms: int) -> list[int]:
    """Looked at every few milliseconds: at which ones something was heard."""
    marks, before = [], 0
    for ms in range(step_ms, until_s * 1000 + 1, step_ms):
        if second_between(table, ns(before / 1000), ns(ms / 1000)):
            marks.append(ms)
        before = ms
    return marks


def test_each_of_the_last_seconds_is_heard_once() -> None:
    table = Listening(Sounds(3), reserve_s=10).evening.begin().table
    assert seconds_heard(table, 12, 250) == [7000, 8000, 9000]
    assert seconds_heard(table, 12, 700) == [7000, 8400, 9100]


def test_a_late_look_hears_the_seconds_it_missed_as_one() -> None:
    table = Listening(Sounds(3), reserve_s=10).evening.begin().table
    assert second_between(table, ns(1), ns(11))
    assert not second_between(table, ns(9), ns(11))


@pytest.mark.parametrize(
    ("options", "first_s"),
    [
        ({"reserve_s": 10}, 7),
        ({"reserve_s": 10, "delay_s": 12}, 19),
        ({"reserve_s": 2, "delay_s": 12}, 12),
        ({"reserve_s": 2.5, "delay_s": 12}, 12.5),
        ({"reserve_s": 10, "delay_s": 12, "method": Method.BRONSTEIN}, 7),
        ({"reserve_s": 0.5, "delay_s": 12}, None),
    ],
)
def test_the_first_of_the_last_seconds(options: dict[str, Any], first_s: float | None) -> None:
    table = Listening(Sounds(3), **options).evening.begin().table
    assert next_second(table, ns(0)) == (None if first_s is None else ns(first_s))


def test_no_second_is_told_where_none_may_be_or_nothing_runs() -> None:
    silent = Listening(reserve_s=10).evening.begin().table
    standing = Listening(Sounds(3), reserve_s=10).evening.table
    free = Evening(resolve(replace(book("circle"), sounds=Sounds(10)), Options(None, Pair(("Ann",), ("Bo",))))).begin().table
    flagged = Listening(Sounds(3), reserve_s=10).evening.begin()
    flagged.session.tick(ns(11))
    for table in (silent, standing, free, flagged.table, Table()):
        assert next_second(table, ns(0)) is None
        assert not second_between(table, ns(0), ns(60))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.integers(0, 20 * NS_PER_S), st.integers(0, 15 * NS_PER_S), st.integers(1, 30), st.lists(st.integers(0, 40 * NS_PER_S), max_size=8)
)
def test_however_it_is_looked_at_every_second_between_two_looks_is_found(reserve: int, delay: int, told: int, looks: list[int]) -> None:
    evening = Listening(Sounds(told), reserve_s=(reserve + 1) / NS_PER_S, delay_s=delay / NS_PER_S).evening.begin()
    table = evening.table
    assert table.clock is not None
    ends = table.clock.control.delay + table.clock.reserve.left
    marks = [ends - n * NS_PER_S for n in range(1, told + 1) if n * NS_PER_S <= table.clock.reserve.left]
    for after, until in zip([0, *sorted(looks)], sorted(looks), strict=False):
        assert second_between(table, Instant(after), Instant(until)) is any(after < mark <= until for mark in marks)
        assert next_second(table, Instant(after)) == min((mark for mark in marks if mark > after), default=None)


# ── How loud ─────────────────────────────────────────────────────────────────
def test_each_sound_has_its_volume() -> None:
    loud = Volumes(press=1, alert=2, last_seconds=3, flag=0)
    assert [loud.of(sound) for sound in Sound] == [1, 2, 3, 0]


def test_a_quiet_hall_hears_nothing_but_soft_presses_and_alerts() -> None:
    assert [Volumes(press=3, alert=2, last_seconds=3, flag=3, quiet=True).of(sound) for sound in Sound] == [1, 1, 0, 0]
    assert [Volumes(press=0, alert=0, quiet=True).of(sound) for sound in Sound] == [0, 0, 0, 0]
