"""Who keeps the button source alive: health checks, loud restarts, levels compared with what was delivered.

No thread and no sleep of its own: the loop asks. Edges come in on the source's thread and only go into a queue; `drain` hands them over
in the order of their stamps.
"""

from __future__ import annotations

import contextlib
import queue
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.edges import LINES, Edge, HardwareFault

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.edges import EdgeSource, Line, SourceHealth

SETTLE_NS = 100_000_000
"""A level is held against the last edge only when that edge is older than this."""

FIRST_PAUSE_NS = 500_000_000
LONGEST_PAUSE_NS = 8_000_000_000


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about the box that people must see."""

    at_ns: int
    code: str
    """`source_dead`, `source_restarted`, `edges_lost`, `level_mismatch`, `strange_stamps` or `button_stuck`."""
    sentence: str


class SourceKeeper:
    """Owns a button source, and builds a new one when it dies or loses edges."""

    def __init__(
        self,
        build: Callable[[], EdgeSource],
        now_ns: Callable[[], int] = time.monotonic_ns,
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        """Prepare a keeper.

        Args:
            build: Makes a source; called again for every restart.
            now_ns: The monotonic clock of the stamps.
            wake: Called on the source's thread after each edge, to wake a sleeping loop.
        """
        self._build = build
        self._now_ns = now_ns
        self._wake = wake
        self._queue: queue.SimpleQueue[Edge] = queue.SimpleQueue()
        self._source: EdgeSource | None = None
        self._last: dict[Line, Edge] = {}
        self._lost = 0
        self._strange = 0
        self._pause = FIRST_PAUSE_NS
        self._retry_at: int | None = None
        self._resync = False

    def start(self, now: int) -> None:
        """Build the first source; at the start a missing part is an error, not a notice.

        Raises:
            HardwareFault: The source cannot be had.
        """
        source = self._build()
        source.start(self._deliver)
        self._source = source
        self._lost = self._strange = 0
        self._last = {line: Edge(line, closed, now) for line, closed in source.levels().items()}

    def _deliver(self, edge: Edge) -> None:
        self._queue.put(edge)
        self._wake()

    def drain(self) -> list[Edge]:
        """Every edge that has come, by stamp."""
        edges: list[Edge] = []
        while not self._queue.empty():
            edges.append(self._queue.get_nowait())
        if len(edges) > 1:
            edges.sort(key=lambda edge: edge.at_ns)
        for edge in edges:
            self._last[edge.line] = edge
        return edges

    def levels(self) -> dict[Line, bool]:
        """The contacts as they are now; as last known where they cannot be read."""
        try:
            if self._source is not None:
                return self._source.levels()
        except HardwareFault:
            pass
        return {line: self._last[line].closed for line in LINES if line in self._last}

    def wants_resync(self) -> bool:
        """Whether levels must be taken over, once: after a restart or a mismatch."""
        wanted, self._resync = self._resync, False
        return wanted

    def check(self, now: int) -> list[Notice]:
        """Look after the source.

        Args:
            now: Nanoseconds of the monotonic clock.

        Returns:
            What people must see.
        """
        if self._source is None:
            return self._try_again(now)
        health = self._source.health()
        if not health.alive:
            return [Notice(now, "source_dead", f"{health.fault} It is being restarted."), *self._restart(now)]
        return [*self._counts(health, now), *self._mismatch(now)]

    def _counts(self, health: SourceHealth, now: int) -> list[Notice]:
        notices: list[Notice] = []
        if health.lost > self._lost:
            notices.append(Notice(now, "edges_lost", f"The button source lost {health.lost - self._lost} edges."))
            self._resync = True
        if health.strange_stamps > self._strange:
            count = health.strange_stamps - self._strange
            notices.append(Notice(now, "strange_stamps", f"{count} button stamps were more than 1 s off and were replaced."))
        self._lost, self._strange = health.lost, health.strange_stamps
        return notices

    def _mismatch(self, now: int) -> list[Notice]:
        wrong = [
            line
            for line, closed in self.levels().items()
            if line in self._last and self._last[line].closed is not closed and now - self._last[line].at_ns > SETTLE_NS
        ]
        if not wrong or not self._queue.empty():
            return []
        sentence = f"The {' and '.join(wrong)} button's level differs from its last edge; the source is being restarted."
        return [Notice(now, "level_mismatch", sentence), *self._restart(now)]

    def _restart(self, now: int) -> list[Notice]:
        if self._source is not None:
            with contextlib.suppress(Exception):  # it is dead already; the notice says so
                self._source.close()
            self._source = None
        self._retry_at = now
        return self._try_again(now)

    def _try_again(self, now: int) -> list[Notice]:
        if self._retry_at is not None and now < self._retry_at:
            return []
        try:
            self.start(now)
        except HardwareFault as fault:
            self._retry_at = now + self._pause
            self._pause = min(2 * self._pause, LONGEST_PAUSE_NS)
            return [Notice(now, "source_dead", f"The buttons do not work: {fault} The next try is under way.")]
        self._retry_at, self._pause, self._resync = None, FIRST_PAUSE_NS, True
        return [Notice(now, "source_restarted", "The button source was restarted; check both buttons.")]

    def close(self) -> None:
        """Let go of the source."""
        if self._source is not None:
            self._source.close()
            self._source = None
