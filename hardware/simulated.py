"""The simulated box: gpiozero's mock factory behind the same edge source as the real pins. Chosen explicitly, never silently."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from hardware.edges import LINES, SourceHealth
from hardware.gpiozero_source import GpiozeroEdgeSource, NsTicks
from hardware.pins import BUTTON_PINS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hardware.edges import Deliver, Line


class _SimulatedSource(GpiozeroEdgeSource):
    """The real source on mock pins, with a switch that makes it die."""

    def __init__(self, box: SimulatedBox, factory: Any, now_ns: Callable[[], int]) -> None:  # noqa: ANN401
        super().__init__(factory, now_ns=now_ns)
        self._box = box

    def start(self, deliver: Deliver) -> None:
        super().start(deliver)
        for line in LINES:
            self._box.apply(line)

    def health(self) -> SourceHealth:
        if self._box.dead:
            return SourceHealth(alive=False, fault="The simulated buttons were made to fail.")
        return super().health()


class SimulatedBox:
    """Two contacts to close and open at will, in real or virtual time.

    The contacts outlive a source: after a restart, or when the table is switched on again, they are as they were left.
    """

    def __init__(self, now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        """Build a box.

        Args:
            now_ns: The clock that stamps belong to.
        """
        self._now_ns = now_ns
        self._closed: dict[Line, bool] = dict.fromkeys(LINES, False)
        self._factory: Any = None
        self.dead = False
        """A dead source delivers nothing until it is built anew."""
        self.loses_edges = False
        """A lossy source swallows edges; only its levels are right."""

    def source(self) -> GpiozeroEdgeSource:
        """A new edge source on this box, as after switching on."""
        from gpiozero.pins.mock import MockFactory, MockPin

        class ExactMockPin(MockPin):  # type: ignore[misc]
            """A mock pin that is driven with a stamp of its own."""

            def drive(self, level: bool, stamp_ns: int) -> None:  # noqa: FBT001 - a level is a truth value
                if self._change_state(level) and self._when_changed is not None:
                    handler = self._when_changed()
                    if handler is not None:
                        handler(NsTicks(stamp_ns), int(level))

        self._factory = MockFactory(pin_class=ExactMockPin)
        self.dead = False
        return _SimulatedSource(self, self._factory, self._now_ns)

    def drive(self, line: Line, closed: bool, at_ns: int) -> None:  # noqa: FBT001 - a level is a truth value
        """Close or open a contact; the edge carries exactly this stamp.

        Args:
            line: Which button.
            closed: True closes it.
            at_ns: Nanoseconds of the box's clock.
        """
        self._closed[line] = closed
        pin = self._pin(line)
        if pin is None:
            return
        if self.dead or self.loses_edges:
            self.apply(line)
        else:
            pin.drive(not closed, at_ns)  # pulled up: closed is low

    def preset(self, levels: Mapping[Line, bool]) -> None:
        """Leave contacts as they are to be found, without an edge: while the table is off."""
        self._closed.update(levels)

    def apply(self, line: Line) -> None:
        """Bring a pin to its contact's level without an edge."""
        pin = self._pin(line)
        if pin is not None:
            pin._change_state(not self._closed[line])  # noqa: SLF001 - the mock has no quiet way

    def fail(self) -> None:
        """Let the source die: nothing is delivered any more."""
        self.dead = True

    def _pin(self, line: Line) -> Any | None:  # noqa: ANN401
        return None if self._factory is None else self._factory.pin(f"GPIO{BUTTON_PINS[line]}")
