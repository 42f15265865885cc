"""The simulated box: gpiozero's mock factory behind the same edge source as the real pins. Chosen explicitly, never silently.

A simulated contact is driven with a stamp of its own, which arrives exactly, to the nanosecond, in real or virtual time. Everything
happens on the caller's thread: when `drive` returns, the edge has been delivered.

Three ways to make it fail, as real boxes do: `unplug` a button's cable, let the source die with `fail`, or let it swallow edges
(`loses_edges`) while its levels stay right.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from hardware.edges import LINES, HardwareFault
from hardware.gpiozero_source import GpiozeroEdgeSource, NsTicks
from hardware.pins import BUTTON_PINS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hardware.edges import Deliver, Line


class _SimulatedSource(GpiozeroEdgeSource):
    """The real source on mock pins, which it finds as the box's contacts are."""

    def __init__(self, box: SimulatedBox, factory: Any, now_ns: Callable[[], int]) -> None:  # noqa: ANN401
        super().__init__(factory, now_ns=now_ns, driver_alive=lambda: not box.dead)
        self._box = box

    def start(self, deliver: Deliver) -> None:
        """Claim the mock pins; a pull-up that meets a closed contact reads closed."""
        super().start(deliver)
        for line in LINES:
            self._box.apply(line)


class SimulatedBox:
    """Two contacts to close and open at will, in real or virtual time.

    The contacts outlive a source: after a restart, or when the table is switched on again, they are as they were left.
    """

    def __init__(self, now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        """Build a box.

        Args:
            now_ns: The clock that stamps belong to; one more than a second away from it is replaced, as on the real box.
        """
        self._now_ns = now_ns
        self._closed: dict[Line, bool] = dict.fromkeys(LINES, False)
        self._unplugged: set[Line] = set()
        self._factory: Any = None
        self._pins: dict[Line, Any] = {}
        self._broken = False
        self.dead = False
        """A dead source delivers nothing until it is built anew."""
        self.loses_edges = False
        """A lossy source swallows edges; only its levels are right."""

    def source(self) -> GpiozeroEdgeSource:
        """A new edge source on this box, as after switching on.

        Raises:
            HardwareFault: The box was made to fail for good.
        """
        if self._broken:
            raise HardwareFault("The simulated GPIO chip was made to fail; repair it, or start again with --simulate.")
        from gpiozero.pins.mock import MockFactory, MockPin

        class ExactMockPin(MockPin):  # type: ignore[misc]
            """A mock pin that is driven with a stamp of its own; None moves the level without an edge."""

            def drive(self, level: bool, stamp_ns: int | None) -> None:  # noqa: FBT001 - a level is a truth value
                self._state = level
                handler = self.when_changed
                if stamp_ns is not None and handler is not None and self.edges == "both":
                    handler(NsTicks(stamp_ns), int(level))

        self._factory = MockFactory(pin_class=ExactMockPin)
        self._pins = {line: self._factory.pin(f"GPIO{BUTTON_PINS[line]}") for line in LINES}
        self.dead = False
        return _SimulatedSource(self, self._factory, self._now_ns)

    def drive(self, line: Line, closed: bool, at_ns: int) -> None:  # noqa: FBT001 - a level is a truth value
        """Close or open a contact; the edge carries exactly this stamp, and is delivered before the call returns.

        A level that the contact has already is delivered again, as bouncing lines do.

        Args:
            line: Which button.
            closed: True closes it.
            at_ns: Nanoseconds of the box's clock.
        """
        self._closed[line] = closed
        quiet = self.dead or self.loses_edges or line in self._unplugged
        self._move(line, None if quiet else at_ns)

    def preset(self, levels: Mapping[Line, bool]) -> None:
        """Leave contacts as they are to be found, without an edge: while the table is off.

        Args:
            levels: Contacts, True is closed.
        """
        self._closed.update(levels)
        for line in levels:
            self.apply(line)

    def apply(self, line: Line) -> None:
        """Bring a pin to its contact's level without an edge."""
        self._move(line, None)

    def unplug(self, line: Line, at_ns: int | None = None) -> None:
        """Pull a button's cable: its pin reads open, whatever the contact does, until it is plugged in again.

        Args:
            line: Which button.
            at_ns: Stamp of the edge that a closed contact makes by it; None makes none.
        """
        self._unplugged.add(line)
        self._move(line, at_ns if self._closed[line] and not (self.dead or self.loses_edges) else None)

    def plug(self, line: Line) -> None:
        """Put a button's cable back, without an edge."""
        self._unplugged.discard(line)
        self.apply(line)

    def fail(self, *, for_good: bool = False) -> None:
        """Let the source die: nothing is delivered any more.

        Args:
            for_good: A new source cannot be had either, until `repair`.
        """
        self.dead = True
        self._broken = for_good

    def repair(self) -> None:
        """Let new sources be had again; the dead one stays dead."""
        self._broken = False

    def _move(self, line: Line, stamp_ns: int | None) -> None:
        pin = self._pins.get(line)
        if pin is not None:
            closed = self._closed[line] and line not in self._unplugged
            pin.drive(not closed, stamp_ns)  # pulled up: closed is low
