"""A fault in what was touched, in the table's turn or in a listener is said on the screen, and the next press works."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, cast

import pytest

from hardware import SimulatedBox, SourceKeeper
from kiosk.app.console import Console
from kiosk.app.loop import Loop, wake_pipe
from kiosk.app.panel import Panel
from kiosk.app.system import WallClock
from kiosk.app.table import RunningTable
from kiosk.books import Library
from kiosk.domain.types import Side
from kiosk.session.commands import StopClock
from tests.ui.moments import Table


class Quiet:
    """A window that never shows and never hears anything."""

    def next_show(self, _now: int, *, changed: bool) -> None:
        del changed

    def pending(self) -> bool:
        return True

    def take_events(self, *_: object) -> Any:
        raise ZeroDivisionError("in a touch")


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Loop, Table, SimulatedBox, RunningTable]]:
    monkeypatch.setattr("sys.stdin", open("/dev/null"))  # noqa: PTH123, SIM115
    match = Table().open().press(Side.LEFT, 1)
    box = SimulatedBox(now_ns=lambda: match.now)
    keeper = SourceKeeper(box.source, now_ns=lambda: match.now)
    keeper.start(match.now)
    table = RunningTable(match.session, keeper)
    journal = match.session._journal
    console = Console(table, Library(), journal, box, io.StringIO())
    panel = Panel(cast("Any", Quiet()), match.desk, match.chronicle, box)
    yield Loop(table, console, journal, WallClock(), wake_pipe()[0], panel=panel), match, box, table
    panel.close()
    keeper.close()


def test_a_fault_in_a_touch(parts: Any) -> None:
    loop, match, box, table = parts
    loop._read([])
    assert "in a touch" in match.desk.health.screen
    match.now += 2_000_000_000
    box.drive("right", closed=True, at_ns=match.now)
    table.turn(match.now)
    assert match.session.table.clock.turn is Side.LEFT


def test_a_fault_in_the_tables_turn(parts: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    loop, match, _box, table = parts
    monkeypatch.setattr(table, "turn", lambda _now: 1 / 0)
    loop._turn(match.now)
    assert "division by zero" in match.desk.health.screen


def test_a_fault_in_a_listener(parts: Any) -> None:
    loop, match, _box, _table = parts

    def broken(_fact: object, _table: object) -> None:
        raise OSError("the lamp is gone")

    match.session._listeners = (*match.session._listeners, broken)
    match.do(StopClock(None, None))
    loop._tell(match.now)
    told = match.picture()
    assert any("the lamp is gone" in getattr(op, "text", "") for op in told.ops)
