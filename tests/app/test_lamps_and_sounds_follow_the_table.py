"""Lamps and sounder of a running table, on gpiozero's mock pins: they follow the table, and whatever fails in them harms nothing."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from virtual_bench import MS, START, Bench

from hardware import HardwareFault, SimulatedLamps, SimulatedSounder
from kiosk.app.signals import KEPT, TUNES, Hearing, Signals
from kiosk.books import Library
from kiosk.domain.rulebook import Sounds
from kiosk.domain.setup import Options, resolve
from kiosk.domain.types import Instant, Pair, Side, seconds
from kiosk.ports import Sound, Volumes
from kiosk.session.commands import CallReferee, OpenMatch, Resume, StopClock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.ports import Lamps, Sounder

PRESS, ALERT = Sound.PRESS, Sound.ALERT


class Table:
    """A bench with lamps and a sounder, each turn waited for until both have done what they were given."""

    def __init__(self, lamps: Lamps | None, sounder: Sounder | None) -> None:
        hearing = Hearing()
        self.bench = Bench((hearing.hear,))
        self.lamps, self.sounder = lamps, sounder
        self.volumes = Volumes()
        self.woken = threading.Event()
        self.signals = Signals(self.bench.table, hearing, lamps, sounder, volumes=lambda: self.volumes, wake=self.woken.set)

    def turn(self, ms: float) -> None:
        self.bench.turn(ms)
        self.signals.turn(self.bench.now)

    def settle(self, ms: float) -> None:
        self.turn(ms)
        assert self.signals.settled(60)

    def press(self, side: str, ms: float) -> None:
        self.bench.press(side, ms)  # type: ignore[arg-type]
        self.signals.turn(self.bench.now)
        assert self.signals.settled(60)

    def told(self, *, at_s: float = 12) -> None:
        """A new match whose regulation lets its last ten seconds and the flag be pointed out."""
        book = replace(Library([]).load("ibgf"), sounds=Sounds(10, flag=True))
        options = Options(length=5, players=Pair(("A",), ("B",)), reserve=Pair(seconds(at_s), seconds(at_s)), delay=seconds(0))
        self.bench.session = type(self.bench.session)(self.bench.session._journal, self.bench.session._listeners)
        self.bench.table.session = self.bench.session
        self.bench.session.command(OpenMatch("told", resolve(book, options)), Instant(self.bench.now))

    @property
    def lit(self) -> tuple[bool, bool]:
        assert isinstance(self.lamps, SimulatedLamps)
        lit = self.lamps.lit()
        return lit["left"], lit["right"]

    def heard(self) -> list[tuple[Sound, int]]:
        return [(one.sound, one.volume) for one in self.signals.played]

    @property
    def notices(self) -> list[str]:
        return [notice.code for notice in self.bench.table.notices]

    @property
    def alerts(self) -> list[str]:
        return [alert.code for alert in self.bench.session.table.alerts]


@pytest.fixture
def table() -> Iterator[Table]:
    made = Table(SimulatedLamps(), SimulatedSounder(wait=lambda _: None))
    yield made
    made.signals.close()


def test_the_lamp_and_a_sound_tell_each_switch(table: Table) -> None:
    table.press("right", 1)
    assert table.lit == (True, False)
    table.press("left", 1000)
    assert table.lit == (False, True)
    table.press("left", 1500)  # not his turn: nothing switches, nothing is heard
    assert table.lit == (False, True)
    assert table.heard() == [(PRESS, 2), (PRESS, 2)]
    assert [one.at for one in table.signals.played] == [START + MS, START + 1000 * MS]
    assert isinstance(table.sounder, SimulatedSounder)
    assert list(table.sounder.played) == [(TUNES[PRESS], 2)] * 2


def test_a_stop_blinks_and_a_called_referee_changes_places_and_the_loop_is_woken_for_it(table: Table) -> None:
    table.press("right", 1)
    table.bench.session.command(StopClock(None, None), Instant(table.bench.now))
    seen = []
    for _ in range(4):
        wake = table.signals.next_wake(table.bench.now)
        assert wake is not None
        assert 0 < wake - table.bench.now <= 500 * MS
        table.settle((wake - START) / MS)
        seen.append(table.lit)
    assert set(seen) == {(True, False), (False, False)}
    table.bench.session.command(CallReferee("left"), Instant(table.bench.now))
    table.settle((table.bench.now - START) / MS + 100)
    one = table.lit
    table.settle((table.bench.now - START) / MS + 500)
    assert {one, table.lit} == {(True, False), (False, True)}
    table.bench.session.command(Resume(), Instant(table.bench.now))
    table.settle((table.bench.now - START) / MS + 1)
    assert table.lit == (True, False)
    assert table.signals.next_wake(table.bench.now) is None


def test_alerts_are_heard_and_a_burst_of_one_kind_is_one_sound(table: Table) -> None:
    table.press("right", 1)
    for code in ("edges_lost", "level_mismatch", "strange_stamps"):
        table.bench.session.alert(code, Instant(table.bench.now), "")
    table.settle(300)
    assert table.heard() == [(PRESS, 2), (ALERT, 2)]


def test_the_last_seconds_and_the_flag_are_heard_where_the_regulation_says_so(table: Table) -> None:
    table.told(at_s=12)
    start = (table.bench.now - START) / MS
    table.press("right", start + 1)
    begun = START + (start + 1) * MS
    while table.bench.now < begun + 12_500 * MS:
        wake = table.signals.next_wake(table.bench.now)
        table.settle(((wake or begun + 12_500 * MS) - START) / MS)
    sounds = [one.sound for one in table.signals.played]
    assert sounds.count(Sound.LAST_SECONDS) == 10
    assert sounds[-1] is Sound.FLAG
    assert [round((one.at - begun) / MS) for one in table.signals.played if one.sound is Sound.LAST_SECONDS] == [*range(2000, 11_001, 1000)]


def test_a_regulation_that_says_nothing_keeps_the_last_seconds_silent(table: Table) -> None:
    table.press("right", 1)
    for second in range(590, 605):
        table.settle(second * 1000)
    assert {one.sound for one in table.signals.played} == {PRESS}


def test_what_is_switched_off_is_silent_and_a_quiet_hall_is_soft(table: Table) -> None:
    table.volumes = Volumes(press=0)
    table.press("right", 1)
    assert table.heard() == []
    table.volumes = Volumes(press=3, alert=3, quiet=True)
    table.press("left", 1000)
    table.bench.session.alert("edges_lost", Instant(table.bench.now), "")
    table.settle(1300)
    assert table.heard() == [(PRESS, 1), (ALERT, 1)]


def test_a_volume_is_heard_when_it_is_chosen(table: Table) -> None:
    table.volumes = Volumes(press=3)
    table.signals.sample(Volumes(press=2), table.volumes, table.bench.now)
    table.signals.sample(table.volumes, Volumes(press=3), table.bench.now)
    assert table.signals.settled(60)
    assert table.heard() == [(PRESS, 3)]


def test_a_sound_that_would_come_too_late_does_not_come(table: Table) -> None:
    table.bench.press("right", 1)  # the table turns; lamps and sounds are kept from their turn for two seconds
    table.settle(2400)
    assert table.lit == (True, False)
    assert table.heard() == []


def test_only_the_last_sounds_are_kept(table: Table) -> None:
    for n in range(KEPT + 5):
        table.press("right" if n % 2 == 0 else "left", 1 + 500 * n)
    assert len(table.signals.played) == KEPT


# ── Whatever fails ───────────────────────────────────────────────────────────
def test_a_lamp_that_fails_in_the_middle_of_a_match_harms_nothing(table: Table) -> None:
    assert isinstance(table.lamps, SimulatedLamps)
    table.press("right", 1)
    table.lamps.fail("The left lamp cannot be switched (OSError: gone).")
    table.press("left", 1000)
    assert table.woken.is_set()
    table.settle(1300)
    assert table.notices == ["lamps_failed"]
    assert "gone" in table.bench.table.notices[0].sentence
    assert table.alerts == ["lamps_failed"]
    table.press("right", 2000)
    table.press("left", 3000)
    assert table.bench.presses == [(Side.RIGHT, 1), (Side.LEFT, 1000), (Side.RIGHT, 2000), (Side.LEFT, 3000)]
    assert table.notices == ["lamps_failed"]  # told once
    assert table.heard()[-1] == (PRESS, 2)  # the sounder goes on
    table.lamps.repair()
    table.settle(5600)  # tried again though nothing has changed
    table.settle(5700)
    assert table.notices == ["lamps_failed", "lamps_back"]
    assert table.lit == (False, True)


def test_a_sounder_that_fails_is_told_once_and_lamps_go_on(table: Table) -> None:
    assert isinstance(table.sounder, SimulatedSounder)
    table.sounder.fail()
    table.press("right", 1)
    for n in range(1, 5):
        table.press("left" if n % 2 else "right", 1000 * n)
    assert table.notices == ["sounder_failed"]
    assert table.lit == (True, False)
    assert table.bench.running == (Side.LEFT,)


def test_a_lamp_that_fails_and_works_by_turns_is_told_once_a_minute(table: Table) -> None:
    assert isinstance(table.lamps, SimulatedLamps)
    for n in range(10):
        (table.lamps.repair if n % 2 else table.lamps.fail)()
        table.press("right" if n % 2 == 0 else "left", 1 + 1000 * n)
        table.settle(1 + 1000 * n + 300)
    assert table.notices == ["lamps_failed", "lamps_back"]
    table.lamps.fail()
    table.press("right", 20_000)
    table.lamps.repair()
    table.settle(22_500)  # what was not told is tried again all the same
    assert table.lit == (True, False)
    table.lamps.fail()
    table.press("left", 70_000)
    table.settle(70_300)
    assert table.notices == ["lamps_failed", "lamps_back", "lamps_failed"]


class Hanging(SimulatedLamps):
    """Lamps whose driver does not come back until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.let_go = threading.Event()

    def light(self, *, left: bool, right: bool) -> None:
        self.let_go.wait(60)
        super().light(left=left, right=right)


def test_a_driver_that_hangs_holds_up_no_press_and_is_told() -> None:
    lamps = Hanging()
    table = Table(lamps, None)
    table.turn(1)
    table.bench.press("right", 10)
    table.turn(300)
    table.bench.press("left", 1000)
    table.turn(4500)
    assert table.bench.presses == [(Side.RIGHT, 10), (Side.LEFT, 1000)]
    assert table.notices == ["lamps_failed"]
    assert "no answer for 4 s" in table.bench.table.notices[0].sentence
    lamps.let_go.set()
    assert table.signals.settled(60)
    table.turn(4600)
    assert table.notices == ["lamps_failed", "lamps_back"]
    assert table.lit == (False, True)
    table.signals.close()


def test_a_table_with_a_sounder_alone_is_woken_for_no_lamp() -> None:
    table = Table(None, SimulatedSounder(wait=lambda _: None))
    table.press("right", 1)
    table.bench.session.command(StopClock(None, None), Instant(table.bench.now))
    assert table.signals.next_wake(table.bench.now) is None
    assert table.heard() == [(PRESS, 2)]
    table.signals.close()


def test_closing_leaves_all_dark_and_silent(table: Table) -> None:
    assert isinstance(table.lamps, SimulatedLamps)
    table.press("right", 1)
    table.signals.close()
    assert table.lamps.lit() == {}
    with pytest.raises(HardwareFault):
        table.sounder.play(((440, 1),), 1)  # type: ignore[union-attr]
