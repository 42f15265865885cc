"""What the tests of the running table share: a simulated box in virtual time, with a match open."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hardware import SimulatedBox, SourceKeeper
from kiosk.app.table import RunningTable
from kiosk.books import Library
from kiosk.domain.facts import Fact, GameStarted, TurnEnded
from kiosk.domain.setup import Options, resolve
from kiosk.domain.types import Instant, Pair, Side, Span, seconds
from kiosk.journal import MemoryJournal
from kiosk.session import Session
from kiosk.session.commands import OpenMatch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware import Line
    from kiosk.domain.state import Table

MS = 1_000_000
START = 1_000_000 * MS


@dataclass
class Bench:
    """A table whose buttons and time are the test's."""

    listeners: Sequence[Callable[[Fact, Table], None]] = ()
    now: int = START
    facts: list[Fact] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.box = SimulatedBox(now_ns=lambda: self.now)
        self.session = Session(MemoryJournal(), (*self.listeners, lambda fact, _table: self.facts.append(fact)))
        self.keeper = SourceKeeper(self.box.source, now_ns=lambda: self.now)
        self.keeper.start(self.now)
        self.table = RunningTable(self.session, self.keeper, grace=Span(0))
        self.table.start(self.now)
        options = Options(length=5, players=Pair(("Ana",), ("Boris",)), reserve=Pair(seconds(600), seconds(600)), delay=seconds(0))
        self.session.command(OpenMatch("m", resolve(Library([]).load("ibgf"), options)), Instant(self.now))

    def edge(self, side: Line, closed: int, ms: float) -> None:
        """An edge at a time in milliseconds since the start; it waits for the next turn."""
        self.now = START + round(ms * MS)
        self.box.drive(side, bool(closed), self.now)

    def turn(self, ms: float) -> None:
        self.now = START + round(ms * MS)
        self.table.turn(self.now)

    def press(self, side: Line, ms: float) -> None:
        self.edge(side, 1, ms)
        self.edge(side, 0, ms + 80)
        self.turn(ms + 200)

    @property
    def running(self) -> tuple[Side, ...]:
        clock = self.session.table.clock
        assert clock is not None
        return clock.running

    @property
    def presses(self) -> list[tuple[Side, float]]:
        """Presses that moved the clock: whose, and when in milliseconds."""
        return [(fact.by, (fact.at - START) / MS) for fact in self.facts if isinstance(fact, GameStarted | TurnEnded)]
