from __future__ import annotations

from collections.abc import Iterator

import pytest
from test_lamps_and_sounds_follow_the_table import Table
from virtual_bench import START

from hardware import SimulatedLamps, SimulatedSounder
from kiosk.app.doctor.bedside import trials
from kiosk.app.signals import TRIED
from kiosk.domain.types import NS_PER_MS
from kiosk.ports import Sound, Volumes


@pytest.fixture
def table() -> Iterator[Table]:
    made = Table(SimulatedLamps(), SimulatedSounder(wait=lambda _: None))
    yield made
    made.signals.close()


def tried(table: Table, name: str) -> None:
    {trial.name: do for trial, do in trials(table.signals, lambda: table.bench.now)}[name]()


def test_a_lamp_shines_for_a_moment_and_then_tells_what_it_told(table: Table) -> None:
    table.press("right", 1)
    assert table.lit == (True, False)
    begun = table.bench.now
    tried(table, "lamp_right")
    table.settle((begun - START) / NS_PER_MS + 1)
    assert table.lit == (False, True)
    wake = table.signals.next_wake(table.bench.now)
    assert wake == begun + TRIED
    table.settle((wake - START) / NS_PER_MS)
    assert table.lit == (True, False)


def test_a_sound_is_heard_though_it_is_switched_off(table: Table) -> None:
    table.volumes = Volumes(press=0, alert=3)
    tried(table, "sound_press")
    tried(table, "sound_alert")
    table.settle(5)
    assert table.heard() == [(Sound.PRESS, 1), (Sound.ALERT, 3)]


def test_only_what_a_box_has_is_tried(table: Table) -> None:
    names = [trial.name for trial, _do in trials(table.signals)]
    assert names == ["lamp_left", "lamp_right", "sound_press", "sound_alert", "sound_last_seconds", "sound_flag"]
    assert trials(None) == []
    silent = Table(SimulatedLamps(), None)
    assert [trial.name for trial, _do in trials(silent.signals)] == ["lamp_left", "lamp_right"]
    silent.signals.try_sound(Sound.PRESS, 0)
    silent.settle(5)
    assert silent.heard() == []
    silent.signals.close()
    dark = Table(None, SimulatedSounder(wait=lambda _: None))
    assert not any(trial.name.startswith("lamp") for trial, _do in trials(dark.signals))
    dark.signals.close()
