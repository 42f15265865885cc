"""The running table: one loop turn that drains edges, debounces them, lets time pass and keeps the heartbeat.

The same object serves the real box and the simulated one; only the caller's clock differs. It never sleeps and starts no thread:
`turn(now)` does what is to be done by `now`, `next_wake()` says when it wants to be called again if no edge comes first.

A fault in one part of a turn keeps no other part from its work: edges are drained once, and a press behind a fault still counts.
Whatever went wrong is raised when the turn is done.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from hardware import Debouncer, Held, Notice, Pressed, Released, StuckAtBoot
from kiosk.domain.types import Instant, Side, Span, seconds

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware import ButtonEvent, Edge, SourceKeeper
    from kiosk.domain.facts import Fact
    from kiosk.session import Session

GRACE = seconds(0.15)
"""Time is let pass this far behind the present, so that an edge still on its way finds the table not yet past its stamp."""

HOLD_LIMIT = seconds(1)
"""Hands may not rest on the button (000 §11, 004 5.4.20)."""

CHECK_EVERY = seconds(1)
"""How often the button source's health is looked at."""


@dataclass
class RunningTable:
    """A session with its box."""

    session: Session
    """The table's session."""
    keeper: SourceKeeper
    """The button source and whoever restarts it."""
    grace: Span = GRACE
    """How far behind the present time is let pass; 0 in virtual time."""
    on_press: Callable[[Pressed, tuple[Fact, ...]], None] = lambda _press, _facts: None
    """Told of every press and what it led to."""
    trial: Callable[[Edge], None] | None = None
    """Told of every edge while the buttons are tried; no press counts then, unless a clock runs."""
    notices: list[Notice] = field(default_factory=list)
    """What the hardware had to say since the last look."""
    buttons: Debouncer = field(default_factory=Debouncer)
    """Edges in, presses out."""
    _checked: int | None = None
    _faults: list[Exception] = field(default_factory=list)

    def start(self, now: int) -> None:
        """Read the contacts as they are: a button that is down already is stuck, not pressed."""
        self._handle(self.buttons.initial(self.keeper.levels()), now)
        self._checked = now
        self._raise_faults()

    def turn(self, now: int) -> None:
        """Do everything that is to be done by `now`.

        Args:
            now: Nanoseconds of the monotonic clock.

        Raises:
            Exception: A part failed, after all others have done their work; several faults come as an `ExceptionGroup`.
        """
        self._drain()
        self._handle(self.buttons.due(now - self.grace), now)
        self._safely(partial(self._watch, now))
        self._safely(partial(self.session.tick, Instant(now - self.grace)))
        self._safely(partial(self._beat, now))
        self._raise_faults()

    def next_wake(self) -> int | None:
        """When time alone will next need a turn, or None; the heartbeat and the health check have their own pace."""
        wakes = [w + self.grace for w in (self.session.deadline(), self.buttons.next_deadline()) if w is not None]
        check = self.keeper.next_check()
        return min([*wakes, check] if check is not None else wakes, default=None)

    def _safely(self, work: Callable[[], object]) -> None:
        try:
            work()
        except Exception as fault:  # noqa: BLE001 - raised when the turn is done
            self._faults.append(fault)

    def _raise_faults(self) -> None:
        faults, self._faults = self._faults, []
        if len(faults) == 1:
            raise faults[0]
        if faults:
            raise ExceptionGroup("several parts of a turn failed", faults)

    def _beat(self, now: int) -> None:
        beat = self.session.next_beat(Instant(now))
        if beat is not None and beat <= now:
            self.session.beat(Instant(now))

    def _drain(self) -> None:
        for edge in self.keeper.drain():
            self._edge(edge)

    def _edge(self, edge: Edge) -> None:
        if self.trial is not None:
            self._safely(partial(self.trial, edge))
        self._handle(self.buttons.due(edge.at_ns - 1), edge.at_ns)
        self._handle(self.buttons.feed(edge), edge.at_ns)

    def _handle(self, events: list[ButtonEvent], now: int) -> None:
        for event in events:
            self._safely(partial(self._event, event, now))

    def _event(self, event: ButtonEvent, now: int) -> None:
        match event:
            case Pressed() | Held() if self._is_tried():
                pass
            case Pressed():
                facts = self.session.press(Side(event.line), Instant(event.at_ns))
                self.on_press(event, facts)
            case Held():
                self.session.hold(Side(event.line), Instant(event.since_ns), HOLD_LIMIT)
            case StuckAtBoot():
                sentence = f"The {event.line} button is down since the start; let it go or check it."
                self.notices.append(Notice(now, "button_stuck", sentence))
            case Released():
                pass

    def _is_tried(self) -> bool:
        clock = self.session.table.clock
        return self.trial is not None and not (clock is not None and clock.running)

    def _watch(self, now: int) -> None:
        wanted = self.keeper.next_check()  # something looked doubtful and wants a second look sooner
        in_time = self._checked is not None and now - self._checked < CHECK_EVERY
        if in_time and (wanted is None or now < wanted):
            return
        self._checked = now
        for notice in self.keeper.check(now):
            self.notices.append(notice)
            self.session.alert(notice.code, Instant(now), notice.sentence)
        if self.keeper.wants_resync():
            self._drain()  # an edge that came meanwhile carries its own stamp; only what no edge tells is taken from levels
            self._handle(self.buttons.resync(self.keeper.levels(), now), now)
