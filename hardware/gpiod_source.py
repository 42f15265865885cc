"""Buttons through libgpiod: a second source behind the same interface.

It sleeps in the kernel until an edge comes, and its edges are numbered, so a lost one is seen. The header's chip is found by its
label, because its number differs between kernels.
"""

from __future__ import annotations

import os
import select
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardware.edges import Edge, HardwareFault, SourceHealth, plausible
from hardware.pins import BUTTON_PINS, CHIP_LABELS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hardware.edges import Deliver, Line


def _import_gpiod() -> Any:  # noqa: ANN401 - gpiod is optional
    try:
        import gpiod
    except ImportError as error:
        raise HardwareFault(
            "The Python package gpiod is not installed. Install tableside[pi], choose the other button source, or start with --simulate."
        ) from error
    return gpiod


def find_chip(gpiod: Any, folder: Path = Path("/dev")) -> str:  # noqa: ANN401
    """The path of the header's chip.

    Raises:
        HardwareFault: No chip in the folder has one of the known labels.
    """
    seen: list[str] = []
    for path in sorted(folder.glob("gpiochip*")):
        try:
            with gpiod.Chip(str(path)) as chip:
                label = chip.get_info().label
        except OSError as error:
            seen.append(f"{path.name}: {error}")
            continue
        if label in CHIP_LABELS:
            return str(path)
        seen.append(f"{path.name}: {label}")
    raise HardwareFault(
        f"No Raspberry Pi GPIO chip was found in {folder} ({', '.join(seen) or 'there is none at all'}). "
        "On a Pi check the group gpio; elsewhere start with --simulate."
    )


class GpiodEdgeSource:
    """Both buttons as one request of kernel lines, read by a thread of its own."""

    def __init__(
        self,
        pins: Mapping[Line, int] | None = None,
        now_ns: Callable[[], int] = time.monotonic_ns,
        module: Any = None,  # noqa: ANN401
        chip: str | None = None,
    ) -> None:
        """Prepare a source.

        Args:
            pins: BCM numbers, which are the chip's line offsets.
            now_ns: The monotonic clock that stamps are held against.
            module: The gpiod module or its twin; None imports it.
            chip: Path of the chip; None finds it by label.
        """
        self._lines = {number: line for line, number in (BUTTON_PINS if pins is None else pins).items()}
        self._now_ns = now_ns
        self._module = module
        self._chip = chip
        self._request: Any = None
        self._thread: threading.Thread | None = None
        self._stop_read, self._stop_write = -1, -1
        self._expected: dict[int, int] = {}
        self._lost = 0
        self._strange = 0
        self._fault: str | None = None

    def start(self, deliver: Deliver) -> None:
        """Request both lines and begin to deliver.

        Raises:
            HardwareFault: The package, the chip or a line cannot be had.
        """
        gpiod = self._module if self._module is not None else _import_gpiod()
        path = self._chip or find_chip(gpiod)
        kernel = gpiod.line
        settings = gpiod.LineSettings(
            direction=kernel.Direction.INPUT,
            edge_detection=kernel.Edge.BOTH,
            bias=kernel.Bias.PULL_UP,
            active_low=True,
            event_clock=kernel.Clock.MONOTONIC,
        )
        try:
            self._request = gpiod.request_lines(path, consumer="tableside", config={tuple(self._lines): settings})
        except OSError as error:
            raise HardwareFault(
                f"The button lines {sorted(self._lines)} of {path} cannot be requested ({error}). "
                "Check that no other program holds them, or start with --simulate."
            ) from error
        self._stop_read, self._stop_write = os.pipe()
        self._thread = threading.Thread(target=self._read, args=(deliver, gpiod), name="buttons", daemon=True)
        self._thread.start()

    def _read(self, deliver: Deliver, gpiod: Any) -> None:  # noqa: ANN401
        try:
            while True:
                ready, _, _ = select.select([self._request.fd, self._stop_read], [], [])
                if self._stop_read in ready:
                    return
                for event in self._request.read_edge_events():
                    self._event(event, deliver, gpiod)
        except Exception as error:  # noqa: BLE001 - told by health(), so that the source is restarted loudly
            self._fault = f"The button source stopped reading: {error!r}."

    def _event(self, event: Any, deliver: Deliver, gpiod: Any) -> None:  # noqa: ANN401
        number = event.line_offset
        expected = self._expected.get(number, event.line_seqno)
        self._lost += max(0, event.line_seqno - expected)
        self._expected[number] = event.line_seqno + 1
        stamp, now = event.timestamp_ns, self._now_ns()
        if not plausible(stamp, now):
            self._strange += 1
            stamp = now
        closed = event.event_type is gpiod.EdgeEvent.Type.RISING_EDGE  # active-low: rising is the contact closing
        deliver(Edge(self._lines[number], closed, stamp))

    def levels(self) -> dict[Line, bool]:
        """Both contacts as they are now: True is closed.

        Raises:
            HardwareFault: The lines cannot be read.
        """
        try:
            values = self._request.get_values(list(self._lines))
        except Exception as error:
            raise HardwareFault(f"The buttons' lines cannot be read ({error}).") from error
        return {line: bool(value) for line, value in zip(self._lines.values(), values, strict=True)}

    def health(self) -> SourceHealth:
        """What the source knows about itself; a reader that has died is dead however it came."""
        alive = self._fault is None and self._thread is not None and self._thread.is_alive()
        fault = self._fault or (None if alive else "The button source does not run.")
        return SourceHealth(alive=alive, lost=self._lost, strange_stamps=self._strange, fault=fault)

    def close(self) -> None:
        """Stop the reader and let go of the lines."""
        if self._thread is not None:
            os.write(self._stop_write, b"x")
            self._thread.join(2)
            self._thread = None
            os.close(self._stop_read)
            os.close(self._stop_write)
        if self._request is not None:
            self._request.release()
            self._request = None
