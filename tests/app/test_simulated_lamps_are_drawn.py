"""The panel of a simulated table draws its lamps as their pins have them, and lets a volume be heard when it is chosen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from virtual_bench import Bench

from hardware import SimulatedLamps, SimulatedSounder
from kiosk.app.panel import Panel
from kiosk.app.signal_parts import Outputs, signals
from kiosk.app.signals import Hearing, Signals
from kiosk.ports import JournalState, Sound
from kiosk.ui.chronicle import Chronicle
from kiosk.ui.desk import Desk
from kiosk.ui.draw import Path
from kiosk.ui.screens.half import RAYS
from kiosk.ui.view import Health
from kiosk.ui.window import place_for

QUIET = JournalState(accepted=0, pending=0, fault=None)


class Glass:
    """A window that keeps how many lamps were lit in each picture."""

    def __init__(self) -> None:
        self.lit: list[int] = []

    def next_show(self, now: int, *, changed: bool) -> int | None:
        return now if changed else None

    def show(self, desk: Desk, now: int, *, changed: bool) -> None:
        assert changed
        rays = [op for op in desk.scene(place_for(800, 480), now).ops if isinstance(op, Path) and len(op.points) == 2]
        self.lit.append(len(rays) // len(RAYS))


class Simulated:
    """A simulated table with a panel."""

    def __init__(self) -> None:
        hearing, chronicle = Hearing(), Chronicle(lambda: "")
        self.bench = Bench((hearing.hear, chronicle.hear))
        self.desk = Desk(self.bench.session, {}, chronicle, new_match=lambda: "m", press=lambda *_: None)
        self.glass: Any = Glass()
        self.panel = Panel(self.glass, self.desk, chronicle, self.bench.box)
        self.made = Outputs(SimulatedLamps(), SimulatedSounder(wait=lambda _: None))
        self.woken = 0
        made = signals(self.made, self.bench.table, hearing, volumes=lambda: self.desk.prefs.volumes, wake=self._wake)
        assert made is not None
        self.signals: Signals = made
        self.panel.let_hear(self.signals, self.made.lit)

    def _wake(self) -> None:
        self.woken += 1

    def turn(self, ms: float) -> None:
        self.bench.turn(ms)
        self.signals.turn(self.bench.now)
        assert self.signals.settled(60)
        self.panel.show(self.bench.now, QUIET, Health())


@pytest.fixture
def table() -> Any:
    made = Simulated()
    yield made
    made.signals.close()
    made.panel.close()


def test_a_lamp_that_changes_wakes_the_loop_and_is_painted(table: Simulated) -> None:
    table.turn(1)  # before a game both flash for a tenth of a second, once every two
    table.turn(50)
    assert table.glass.lit == [2]  # nothing has changed since: nothing is painted
    table.turn(150)
    assert table.glass.lit == [2, 0]
    assert table.woken == 2


def test_the_running_sides_lamp_is_drawn_lit(table: Simulated) -> None:
    table.bench.press("right", 10)
    table.turn(250)
    assert table.glass.lit[-1] == 1
    assert table.made.lit() == table.desk.lamps()


def test_a_volume_that_is_chosen_on_the_screen_is_heard(table: Simulated) -> None:
    assert table.desk.sounds
    table.desk.prefs = replace(table.desk.prefs, volume_alert=3)
    table.desk.on_prefer(table.desk.prefs)
    table.desk.prefs = replace(table.desk.prefs, theme="light")
    table.desk.on_prefer(table.desk.prefs)
    assert table.signals.settled(60)
    assert [(one.sound, one.volume) for one in table.signals.played] == [(Sound.ALERT, 3)]
