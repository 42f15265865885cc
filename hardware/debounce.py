"""From contact edges to presses. Pure: stamps in, events out, no clock.

A button is in one of three states:

    up ──closes──> down ──opens──> doubtful ──30 ms over──> up
    (Pressed)         ^               │                (Released)
                      └───closes──────┘  chatter: it never opened

* **First edge wins.** A press is told at once, with the stamp of the edge that closed the contact.
* **Then a lock-out.** A contact that closes within 30 ms of opening never opened. Every opening counts anew, one that repeats the
  level it had too: between two openings there was a closing, however short.
* **Held** is told once, when a press has lasted longer than 1 s. A contact that is open at that moment is waited for: closes it
  within its 30 ms, it was held; else it had been let go in time.
* **Stuck.** A contact that was closed at the start is down without a press; after it has been open for more than 30 ms it is a
  button like any other.
* The two lines know nothing of each other: a button held down never blocks the other.

Not in the table, because it cannot be known: a closing that repeats the closed level is chatter, even if an opening was lost before it.
Stamps decide, not calls: an edge that arrives after `due` has already passed its stamp is judged as if it had come in time, except
that what was told is not taken back. An edge older than the line's last one is judged at the last one's stamp.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hardware.edges import LINES, Edge

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hardware.edges import Line

CHATTER_NS = 30_000_000
"""A contact that closes within this of opening, the limit included, never opened."""

HOLD_NS = 1_000_000_000
"""A button down for longer than this is held."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press."""

    line: Line
    """Which button."""
    at_ns: int
    """Its first edge: nanoseconds of the monotonic clock."""


@dataclass(frozen=True, slots=True)
class Held:
    """A button has been down for longer than a second; told once a press."""

    line: Line
    """Which button."""
    since_ns: int
    """The press's first edge."""


@dataclass(frozen=True, slots=True)
class Released:
    """A press, or a button stuck at the start, is over."""

    line: Line
    """Which button."""
    at_ns: int
    """When the contact opened for good."""


@dataclass(frozen=True, slots=True)
class StuckAtBoot:
    """A contact was closed when the table started; that is no press."""

    line: Line
    """Which button."""


ButtonEvent = Pressed | Held | Released | StuckAtBoot
"""Everything that a button can have done."""


@dataclass(slots=True)
class _Button:
    """One line: up, or down since `since`, or doubtful since `opened`."""

    line: Line
    down: bool = False
    since: int | None = None
    """First edge of the press; None for a button that was stuck at the start."""
    opened: int | None = None
    """The latest opening. Kept after the release, so that a closing that arrives late can still be told from a new press."""
    held: bool = False
    last: int | None = None
    """The latest stamp fed."""

    def feed(self, *, closed: bool, at: int) -> list[ButtonEvent]:
        at = at if self.last is None else max(at, self.last)
        self.last = at
        events = self.due(at)
        if self.down or self._within_chatter(at):
            self.down, self.opened = True, None if closed else at
            return [*events, *self.due(at)]
        if closed:
            self.down, self.since, self.opened, self.held = True, at, None, False
            events.append(Pressed(self.line, at))
        return events

    def due(self, at: int) -> list[ButtonEvent]:
        """What has become certain by `at`."""
        events: list[ButtonEvent] = []
        if self.since is not None and self._held_by(at, self.since):
            self.held = True
            events.append(Held(self.line, self.since))
        if self.down and self.opened is not None and not self._within_chatter(at):
            self.down = False
            events.append(Released(self.line, self.opened))
        return events

    def deadline(self) -> int | None:
        if not self.down:
            return None
        if self.opened is not None:
            return self.opened + CHATTER_NS + 1
        return None if self.since is None or self.held else self.since + HOLD_NS + 1

    def _within_chatter(self, at: int) -> bool:
        return self.opened is not None and at <= self.opened + CHATTER_NS

    def _held_by(self, at: int, since: int) -> bool:
        limit = since + HOLD_NS
        if not self.down or self.held or at <= limit:
            return False
        # Open just now: it was held if it opened after the limit; else it may still turn out to be chatter.
        return self.opened is None or self.opened > limit


@dataclass(slots=True)
class Debouncer:
    """Both buttons of a table."""

    _buttons: dict[Line, _Button] = field(default_factory=lambda: {line: _Button(line) for line in LINES})

    def initial(self, levels: Mapping[Line, bool]) -> list[ButtonEvent]:
        """Take the contacts as they are at the start, and forget everything before.

        Args:
            levels: Polled contacts, True is closed.

        Returns:
            A `StuckAtBoot` for each closed one.
        """
        self._buttons = {line: _Button(line, down=levels.get(line, False)) for line in LINES}
        return [StuckAtBoot(line) for line in LINES if self._buttons[line].down]

    def feed(self, edge: Edge) -> list[ButtonEvent]:
        """Judge one edge; a repeated level is chatter. Never raises, whatever the order of the stamps.

        Args:
            edge: The next edge of either line.

        Returns:
            What it made certain on its line, in order of time.
        """
        return self._buttons[edge.line].feed(closed=edge.closed, at=edge.at_ns)

    def due(self, at_ns: int) -> list[ButtonEvent]:
        """Holds and releases that have become certain by an instant.

        Args:
            at_ns: Nanoseconds of the monotonic clock. Every edge stamped before it should have been fed.

        Returns:
            Events, the left button's first.
        """
        return [event for line in LINES for event in self._buttons[line].due(at_ns)]

    def next_deadline(self) -> int | None:
        """The earliest instant at which `due` has something to say if no edge comes before, or None."""
        deadlines = (self._buttons[line].deadline() for line in LINES)
        return min((deadline for deadline in deadlines if deadline is not None), default=None)

    def resync(self, levels: Mapping[Line, bool], at_ns: int) -> list[ButtonEvent]:
        """Correct what is believed by what was read off the pins, after edges were lost.

        A contact that is closed and was believed open is a press at `at_ns`. One that is open and was believed closed opened at
        `at_ns`; like every opening it is told as a release when its 30 ms are over.

        Args:
            levels: Polled contacts, True is closed; a missing line is left alone.
            at_ns: When they were polled.

        Returns:
            What became certain.
        """
        events: list[ButtonEvent] = []
        for line, closed in levels.items():
            button = self._buttons[line]
            surely_closed = button.down and button.opened is None
            if surely_closed is not closed:
                events.extend(button.feed(closed=closed, at=at_ns))
        return events
