"""A link at a simulated device, with everything that is told collected, and waited for without sleeping."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hardware import SerialLink, SimulatedPort, finder
from tests.patience import LONG_S

QUICK = (1_000_000, 8_000_000)


class Bell:
    """Rung by threads; whoever waits looks again at each ring."""

    def __init__(self) -> None:
        self._condition = threading.Condition()

    def ring(self) -> None:
        with self._condition:
            self._condition.notify_all()

    def until(self, true: Callable[[], bool]) -> None:
        end = time.monotonic() + LONG_S
        with self._condition:
            while not true():
                assert time.monotonic() < end, "it did not happen"
                self._condition.wait(0.02)  # what is looked at may change without a ring


class Heard:
    """A link and what it told."""

    def __init__(self, path: Path, *, fails: bool = False) -> None:
        self.bell = Bell()
        self.data = bytearray()
        self.stamps: list[int] = []
        self.changes: list[bool] = []
        self.written = bytearray()
        self.fails = fails
        self.port = SimulatedPort(path, self._written)
        self.link = SerialLink(finder(str(path)), 9600, self._take, self.bell.ring, name="reader", on_change=self._changed, pauses=QUICK)

    def _written(self, data: bytes) -> None:
        self.written += data
        self.bell.ring()

    def _take(self, data: bytes, at: int) -> None:
        self.data += data
        self.stamps.append(at)
        if self.fails:
            raise ValueError("a listener's fault")

    def _changed(self, up: bool) -> None:  # noqa: FBT001 - as the link calls it
        self.changes.append(up)
        self.bell.ring()

    def connected(self) -> bool:
        return self.link.health().connected


@contextmanager
def heard(path: Path, *, plugged: bool = True, fails: bool = False) -> Iterator[Heard]:
    one = Heard(path, fails=fails)
    try:
        if plugged:
            one.port.plug()
        one.link.start()
        if plugged:
            one.bell.until(one.connected)
        yield one
    finally:
        one.link.close()
        one.port.unplug()
