"""The serial devices of a running table: a badge reader and a receipt printer, as one part of the loop.

Each works on threads of its own and is asked, once a turn, what it has. One that is named in the configuration and is missing, or fails, is
told on the screen for as long as that lasts; the table plays without it. A simulated table has simulated ones, and no others.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardware import BadgeReader, ReceiptPrinter, SimulatedPort, SimulatedPrinter, finder, frame_of
from kiosk.app.logs import log
from kiosk.domain.types import seconds

if TYPE_CHECKING:
    import contextlib
    from collections.abc import Callable

    from kiosk.app.config import Config

PATIENCE = seconds(3)
"""A device has so long to be found before it is told that it is missing."""


@dataclass(slots=True)
class Simulated:
    """The far ends of a simulated table's cables."""

    badges: SimulatedPort
    """Where a simulated reader sends what it reads."""
    printer: SimulatedPrinter
    """Where a simulated printer prints: a picture for each sheet, in the folder `printed` of the data."""
    _held: bytearray = field(default_factory=bytearray)

    def hold(self, number: str) -> None:
        """Hold a badge to the simulated reader, as soon as that is read; it sends the number three times.

        Raises:
            ValueError: It is no number of ten hexadecimal digits.
        """
        self._held += 3 * frame_of(number)

    def turn(self, reader: BadgeReader) -> None:
        """Send what is held there."""
        if self._held and reader.link.health().connected:
            self.badges.send(bytes(self._held))
            self._held.clear()


class Devices:
    """What is connected besides the buttons."""

    name = "devices"

    def __init__(
        self, reader: BadgeReader | None, now: int, simulated: Simulated | None = None, printer: ReceiptPrinter | None = None
    ) -> None:
        """Connect the parts.

        Args:
            reader: The badge reader, or None where there is none.
            printer: The receipt printer, likewise.
            now: Nanoseconds of the monotonic clock.
            simulated: The far ends of simulated cables.
        """
        self._reader = reader
        self._simulated = simulated
        self.printer = printer
        self._printed = 0
        self._since = now
        self._told: dict[str, str] = {}
        self.present: Callable[[str, int], None] = lambda _number, _now: None
        """Takes the number of a badge that was presented, and when."""
        self.on_printed: Callable[[bool, int], None] = lambda _low, _now: None
        """Told that a sheet was printed, whether the roll is nearly at its end, and when."""
        self.say: Callable[[dict[str, Any]], None] = lambda _answer: None
        """Tells a console."""

    def turn(self, now: int) -> None:
        """Hand on what was presented, and tell what does not work."""
        if self._reader is not None:
            if self._simulated is not None:
                self._simulated.turn(self._reader)
            for badge in self._reader.drain():
                self.present(badge.number, now)
        if self.printer is not None and self.printer.state().printed != self._printed:
            self._printed = self.printer.state().printed
            self.say({"device": "receipt printer", "printed": self._printed})
            self.on_printed(self.printer.state().low, now)
        if now - self._since >= PATIENCE:
            for device, fault in self._faults().items():
                self._tell(device, fault)

    def next_wake(self, _now: int) -> int | None:
        """Once a second is enough; whoever has something wakes the loop."""
        return None

    def fault(self) -> str:
        """What does not work, in a sentence each; empty: all does."""
        return " ".join(fault for fault in self._told.values() if fault)

    def _faults(self) -> dict[str, str]:
        found = {} if self._reader is None else {"badge reader": self._reader.fault()}
        if self.printer is not None:
            found["receipt printer"] = self.printer.state().fault
        return {device: fault or "" for device, fault in found.items()}

    def _tell(self, device: str, fault: str) -> None:
        if self._told.get(device, "") == fault:
            return
        self._told[device] = fault
        if fault:
            log.error(fault)
        else:
            log.warning("The %s works.", device)
        self.say({"device": device, "message": fault or "works"})


def connect(
    config: Config, wake: Callable[[], None], now: int, parts: contextlib.ExitStack, *, simulate: bool
) -> tuple[Devices, Simulated | None]:
    """Begin to look for the devices of this table.

    Args:
        config: Names them.
        wake: Wakes the loop, on any thread.
        now: Nanoseconds of the monotonic clock.
        parts: Lets go of them at the end.
        simulate: They are simulated, all of them, whatever the configuration names.

    Returns:
        The part for the loop, and the far ends of the cables where they are simulated.
    """
    simulated = _simulated(config.data, parts) if simulate else None
    badges = config.badges if simulated is None else str(simulated.badges.path)
    reader = None if badges is None else BadgeReader(finder(badges), wake, baud=config.badges_baud)
    if reader is not None:
        reader.start()
        parts.callback(reader.close)
    place = config.printer if simulated is None else str(simulated.printer.port.path)
    answers = config.printer_answers or simulate
    printer = None if place is None else ReceiptPrinter(finder(place), wake, baud=config.printer_baud, answers=answers)
    if printer is not None:
        printer.start()
        parts.callback(printer.close)
    return Devices(reader, now, simulated, printer), simulated


def _simulated(data: Path, parts: contextlib.ExitStack) -> Simulated:
    folder = Path(parts.enter_context(tempfile.TemporaryDirectory(prefix="tableside-devices-")))
    badges = SimulatedPort(folder / "badges")
    printer = SimulatedPrinter(folder / "printer", data / "printed")
    for port in (badges, printer.port):
        port.plug()
        parts.callback(port.unplug)
    return Simulated(badges, printer)
