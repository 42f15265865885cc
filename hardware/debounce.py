"""From contact edges to presses. Pure: stamps in, events out, no clock.

First edge wins: a press is told at once, with the stamp of the edge that closed the contact. What follows within 30 ms of an opening
is chatter of the same press: a contact that closes again within 30 ms of opening never opened. So a contact counts as open only when it
has been open for longer than 30 ms. A contact that was closed when the table started is stuck, not pressed. The two lines know nothing
of each other: a button held down never blocks the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hardware.edges import LINES, Edge

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hardware.edges import Line

CHATTER_NS = 30_000_000
"""A contact that closes within this of opening never opened."""

HOLD_NS = 1_000_000_000
"""A button down for longer than this is held."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press, at its first edge."""

    line: Line
    at_ns: int


@dataclass(frozen=True, slots=True)
class Held:
    """A button has been down for longer than a second."""

    line: Line
    since_ns: int
    """The press's first edge."""


@dataclass(frozen=True, slots=True)
class Released:
    """A press is over."""

    line: Line
    at_ns: int
    """When the contact opened for good."""


@dataclass(frozen=True, slots=True)
class StuckAtBoot:
    """A contact was closed when the table started."""

    line: Line


ButtonEvent = Pressed | Held | Released | StuckAtBoot


@dataclass
class _Button:
    """One line: up, or down since `since`; `opened` while the contact is open but may still be chattering."""

    line: Line
    down: bool = False
    since: int | None = None
    """First edge of the press; None for a button that was stuck at the start."""
    opened: int | None = None
    held: bool = False
    last: int = 0

    def feed(self, closed: bool, at: int) -> list[ButtonEvent]:  # noqa: FBT001 - a level is a truth value
        at = max(at, self.last)  # an edge that arrives out of order cannot be older than one already judged
        self.last = at
        events = self.due(at)
        if self.down:
            self.opened = None if closed else (self.opened if self.opened is not None else at)
            return events
        if not closed:
            return events
        self.down, self.since, self.opened, self.held = True, at, None, False
        return [*events, Pressed(self.line, at)]

    def due(self, at: int) -> list[ButtonEvent]:
        """What has become certain by `at`."""
        events: list[ButtonEvent] = []
        if self._held_by(at):
            self.held = True
            events.append(Held(self.line, self.since or 0))
        if self.down and self.opened is not None and at > self.opened + CHATTER_NS:
            events.append(Released(self.line, self.opened))
            self.down, self.since, self.opened = False, None, None
        return events

    def _held_by(self, at: int) -> bool:
        if not self.down or self.held or self.since is None or at <= self.since + HOLD_NS:
            return False
        # Open just now: it was held if it had not opened by the limit; else it may still turn out to be chatter.
        return self.opened is None or self.opened > self.since + HOLD_NS

    def deadline(self) -> int | None:
        if self.down and self.opened is not None:
            return self.opened + CHATTER_NS + 1
        if self.down and not self.held and self.since is not None:
            return self.since + HOLD_NS + 1
        return None


@dataclass
class Debouncer:
    """Both buttons of a table."""

    _buttons: dict[Line, _Button] = field(default_factory=lambda: {line: _Button(line) for line in LINES})

    def initial(self, levels: Mapping[Line, bool]) -> list[ButtonEvent]:
        """Take the contacts as they are at the start: a closed one is stuck until it has opened."""
        stuck: list[ButtonEvent] = []
        for line, closed in levels.items():
            self._buttons[line] = _Button(line, down=closed)
            if closed:
                stuck.append(StuckAtBoot(line))
        return stuck

    def feed(self, edge: Edge) -> list[ButtonEvent]:
        """Judge one edge; a repeated level is chatter."""
        return self._buttons[edge.line].feed(edge.closed, edge.at_ns)

    def due(self, at_ns: int) -> list[ButtonEvent]:
        """Holds and releases that have become certain by an instant."""
        return [event for line in LINES for event in self._buttons[line].due(at_ns)]

    def next_deadline(self) -> int | None:
        """When `due` will next have something to say."""
        deadlines = (self._buttons[line].deadline() for line in LINES)
        return min((deadline for deadline in deadlines if deadline is not None), default=None)

    def resync(self, levels: Mapping[Line, bool], at_ns: int) -> list[ButtonEvent]:
        """Correct what is believed by what was read off the pins: after lost edges a press counts from here."""
        events: list[ButtonEvent] = []
        for line, closed in levels.items():
            button = self._buttons[line]
            believed = button.down and button.opened is None
            if believed is not closed:
                events.extend(button.feed(closed, at_ns))
        return events
