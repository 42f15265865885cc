"""A table's end of a serial cable with a simulated box at the other."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from serial_twins import Bell

from hardware import ButtonBox, Edge, SerialEdgeSource, finder
from hardware.simulated_box_serial import SimulatedButtonBox

MS, S = 1_000_000, 1_000_000_000


class BoxBench:
    """A box, whoever listens to it, and what came."""

    def __init__(self, path: Path, **made: Any) -> None:
        self.bell = Bell()
        self.skipped = 0
        self.far = SimulatedButtonBox(path, **made)
        self.box = ButtonBox(finder(str(path)), self.now, self.bell.ring)
        self.arrived: queue.SimpleQueue[Edge] = queue.SimpleQueue()
        self.source = SerialEdgeSource(self.box)

    def now(self) -> int:
        """The machine's clock, which tests can put forward."""
        return time.monotonic_ns() + self.skipped

    def skip(self, span: int) -> None:
        """Put the machine's clock forward; the box's own goes on as before."""
        self.skipped += span

    def listen(self) -> None:
        """A new spell, as the keeper begins one."""
        self.bell.until(lambda: self.box.fault() is None)
        self.source = SerialEdgeSource(self.box)
        self.source.start(self.arrived.put)

    def settle(self) -> None:
        """Let the box's clock become known: it takes a fifth of a second that nothing shortens; beats come sooner than by themselves."""
        end = time.monotonic() + 60
        while not self.box.clock_known:
            assert time.monotonic() < end, "the clock did not become known"
            self.far.beat()
            time.sleep(0.01)

    def stamped(self, press: Callable[[], Edge]) -> Edge:
        """An edge that was stamped by the box: a busy machine may have to try again."""
        for _ in range(20):
            self.settle()
            before = self.box.by_arrival
            edge = press()
            if self.box.by_arrival == before:
                return edge
        raise AssertionError("the clock does not stay known")

    def edge(self) -> Edge:
        return self.arrived.get(timeout=60)

    def heard(self, count: int) -> None:
        """Wait until so many more lines, good or bad, were read."""
        self.bell.until(lambda: self.box.heard_lines + self.box.bad_lines >= count)

    def lines(self) -> int:
        return self.box.heard_lines + self.box.bad_lines


@contextmanager
def box_bench(path: Path, **made: Any) -> Iterator[BoxBench]:
    bench = BoxBench(path, **made)
    try:
        bench.far.plug()
        bench.box.start()
        bench.listen()
        yield bench
    finally:
        bench.box.close()
        bench.far.unplug()
