"""Buttons through libgpiod: a second source behind the same interface.

It sleeps in the kernel until an edge comes, and its edges are numbered from 1, by line and over both lines, so a lost one is seen. The
header's chip is found by its label, because its number differs between kernels. The kernel's own debounce is never asked for: it moves
stamps.
"""

from __future__ import annotations

import contextlib
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

EVENT_BUFFER = 1024
"""Edges that the kernel keeps while nobody reads; its own choice, 16 a line, is less than one bad bounce."""

GONE = select.POLLERR | select.POLLHUP | select.POLLNVAL
"""What poll says of a chip that went away."""


def import_gpiod() -> Any:  # noqa: ANN401 - gpiod is optional
    """The gpiod module.

    Raises:
        HardwareFault: It is not installed, or does not work here.
    """
    try:
        import gpiod
    except ImportError as error:
        raise HardwareFault(
            f"The buttons' pins cannot be had: the Python package gpiod is not usable ({error}). "
            "Install tableside[pi], choose the other button source, or start with --simulate."
        ) from error
    return gpiod


def find_chip(gpiod: Any, folder: Path = Path("/dev")) -> str:  # noqa: ANN401
    """The path of the header's chip.

    Args:
        gpiod: The gpiod module or its twin.
        folder: Where the chips' files are.

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
        f"The buttons' pins cannot be had: no Raspberry Pi GPIO chip was found in {folder} "
        f"({', '.join(seen) or 'there is no chip at all'}). On a Pi join the group gpio; elsewhere start with --simulate."
    )


class GpiodEdgeSource:
    """Both buttons as one request of kernel lines, read by a thread of its own. Used once: start, close."""

    def __init__(
        self,
        pins: Mapping[Line, int] | None = None,
        now_ns: Callable[[], int] = time.monotonic_ns,
        module: Any = None,  # noqa: ANN401
        chip: str | None = None,
    ) -> None:
        """Prepare a source.

        Args:
            pins: BCM numbers, which are the chip's line offsets; None takes the table's.
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
        self._stop: tuple[int, int] = (-1, -1)
        self._last_seqno = 0
        self._last_line_seqno = dict.fromkeys(self._lines, 0)
        self._lost_overall = 0
        self._lost_by_line = 0
        self._strange = 0
        self._fault: str | None = None

    def start(self, deliver: Deliver) -> None:
        """Request both lines and begin to deliver.

        Args:
            deliver: Takes each edge, on the reader's thread.

        Raises:
            HardwareFault: The package, the chip or a line cannot be had; nothing stays claimed.
        """
        gpiod = self._module if self._module is not None else import_gpiod()
        path = self._chip or find_chip(gpiod)
        try:
            self._request = self._claim(gpiod, path)
        except Exception as error:
            pins = " and ".join(f"GPIO{number}" for number in sorted(self._lines))
            raise HardwareFault(
                f"The buttons' pins {pins} on {path} cannot be used ({type(error).__name__}: {error}). "
                "Check that no other program holds them, or start with --simulate."
            ) from error
        self._stop = os.pipe()
        self._thread = threading.Thread(target=self._read, args=(deliver, gpiod), name="buttons", daemon=True)
        self._thread.start()

    def _claim(self, gpiod: Any, path: str) -> Any:  # noqa: ANN401
        kernel = gpiod.line
        settings = gpiod.LineSettings(
            direction=kernel.Direction.INPUT,
            edge_detection=kernel.Edge.BOTH,
            bias=kernel.Bias.PULL_UP,
            active_low=True,
            event_clock=kernel.Clock.MONOTONIC,
        )
        config = {tuple(self._lines): settings}
        return gpiod.request_lines(path, config, consumer="tableside", event_buffer_size=EVENT_BUFFER)

    def _read(self, deliver: Deliver, gpiod: Any) -> None:  # noqa: ANN401
        try:
            poll = select.poll()
            poll.register(self._request.fd, select.POLLIN)
            poll.register(self._stop[0], select.POLLIN)
            while True:
                ready = dict(poll.poll())
                if self._stop[0] in ready:
                    return
                if ready[self._request.fd] & GONE:
                    raise HardwareFault("the chip went away")  # noqa: TRY301 - told below, like every other end
                for event in self._request.read_edge_events():
                    self._event(event, deliver, gpiod)
        except Exception as error:  # noqa: BLE001 - told by health(), so that the source is restarted loudly
            self._fault = f"The button source stopped reading ({type(error).__name__}: {error})."

    def _event(self, event: Any, deliver: Deliver, gpiod: Any) -> None:  # noqa: ANN401
        self._count(event)
        stamp, now = event.timestamp_ns, self._now_ns()
        if not plausible(stamp, now):
            self._strange += 1
            stamp = now
        closed = event.event_type is gpiod.EdgeEvent.Type.RISING_EDGE  # active-low: rising is the contact closing
        deliver(Edge(self._lines[event.line_offset], closed, stamp))

    def _count(self, event: Any) -> None:  # noqa: ANN401
        """Count the gaps: the overall number shows a loss whichever line it was on, the line's shows it if that one does not."""
        self._lost_overall += max(0, event.global_seqno - self._last_seqno - 1)
        self._lost_by_line += max(0, event.line_seqno - self._last_line_seqno[event.line_offset] - 1)
        self._last_seqno = event.global_seqno
        self._last_line_seqno[event.line_offset] = event.line_seqno

    def levels(self) -> dict[Line, bool]:
        """Both contacts as they are now: True is closed.

        Raises:
            HardwareFault: The lines cannot be read, or the source is not running.
        """
        if self._request is None:
            raise HardwareFault("The buttons' pins are not claimed: the source is not running.")
        try:
            values = self._request.get_values(list(self._lines))
        except Exception as error:
            raise HardwareFault(f"The buttons' pins cannot be read ({type(error).__name__}: {error}).") from error
        return {line: bool(value) for line, value in zip(self._lines.values(), values, strict=True)}

    def health(self) -> SourceHealth:
        """What the source knows about itself; a reader that has ended is dead however it came."""
        alive = self._fault is None and self._thread is not None and self._thread.is_alive()
        fault = self._fault or (None if alive else "The button source is not running.")
        lost = max(self._lost_overall, self._lost_by_line)
        return SourceHealth(alive=alive, lost=lost, strange_stamps=self._strange, fault=fault)

    def close(self) -> None:
        """Stop the reader and let go of the lines."""
        thread, self._thread = self._thread, None
        if thread is not None:
            os.write(self._stop[1], b"x")
            thread.join(2)
            if not thread.is_alive():  # else it still waits on them, and as a daemon it ends with the process
                for end in self._stop:
                    os.close(end)
        request, self._request = self._request, None
        if request is not None:
            with contextlib.suppress(Exception):  # a chip that went away cannot be let go of, and need not be
                request.release()
