"""Who keeps the button source alive: health checks, loud restarts, levels compared with what was delivered.

No thread and no sleep of its own: the loop asks, with the instant. Edges come in on the source's thread and only go into a queue;
`drain` hands them over in the order of their stamps.

What `check` does:

* a source that is **dead** (its thread has ended, a callback failed, its pins cannot be read) is closed and built anew;
* one that **lost edges** is told and built anew;
* one whose **levels differ** from the last edges delivered, seen twice, 100 ms or more apart with no edge in between, likewise. Seen
  once it may be an edge that is on its way.

A source that says that it mends itself is not built anew for the last two: its levels are taken over, that is all.

Restarts that follow each other closely wait longer each time, from half a second to eight, or to what the caller says; a minute of health
starts over. What a restart failed of is told once, until it fails of something else. A source
that still delivers is kept while its restart would have to wait. In every one of these cases `wants_resync` says once that the levels
are to be taken over: feed what `drain` gives, then resync.
"""

from __future__ import annotations

import queue
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.edges import LINES, HardwareFault

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.edges import Edge, EdgeSource, Line, SourceHealth

SETTLE_NS = 100_000_000
"""A level is held against the last edge only when no edge has come for this long."""

FIRST_PAUSE_NS = 500_000_000
"""The pause after a restart before the next one is tried."""

LONGEST_PAUSE_NS = 8_000_000_000
"""The pause grows to this."""

HEALTHY_NS = 60_000_000_000
"""A source that has run for this long has earned the first pause again."""

ARRIVAL_PAUSE_NS = 60_000_000_000
"""Edges that were stamped by arrival are told together, this often: with a slow cable it may be every one."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about the box that people must see."""

    at_ns: int
    """When it was noticed: nanoseconds of the monotonic clock."""
    code: str
    """`source_dead`, `source_restarted`, `edges_lost`, `level_mismatch`, `strange_stamps`, `stamps_by_arrival` or `button_stuck`."""
    sentence: str
    """What happened, and what is being done about it."""


class SourceKeeper:
    """Owns a button source, and builds a new one when it dies or loses edges."""

    def __init__(
        self,
        build: Callable[[], EdgeSource],
        now_ns: Callable[[], int] = time.monotonic_ns,
        wake: Callable[[], None] = lambda: None,
        longest_pause_ns: int = LONGEST_PAUSE_NS,
    ) -> None:
        """Prepare a keeper.

        Args:
            build: Makes a source; called again for every restart.
            now_ns: The monotonic clock that `check` is asked by; tells when an edge arrived.
            wake: Called on the source's thread after each edge, to wake a sleeping loop.
            longest_pause_ns: The pause between restarts grows to this.
        """
        self._build = build
        self._now_ns = now_ns
        self._wake = wake
        self._queue: queue.SimpleQueue[Edge] = queue.SimpleQueue()
        self._source: EdgeSource | None = None
        self._generation = 0
        self._believed: dict[Line, bool] = {}
        self._arrived: dict[Line, int] = {}
        self._doubted: dict[Line, int] = {}
        self._lost = self._strange = self._by_arrival = 0
        self._arrival_not_before = 0
        self._longest_pause = longest_pause_ns
        self._failed_of: str | None = None
        self._pause = FIRST_PAUSE_NS
        self._started_at = 0
        self._not_before: int | None = None
        self._resync = False

    def start(self, now: int) -> None:
        """Build the first source; at the start a missing part is an error, not a notice.

        Args:
            now: Nanoseconds of the monotonic clock.

        Raises:
            HardwareFault: The source cannot be had.
        """
        self._generation += 1
        source = self._build()
        try:
            source.start(self._receiver(self._generation))
            levels = source.levels()
        except BaseException:
            source.close()
            raise
        self._source = source
        self._started_at = now
        self._lost = self._strange = self._by_arrival = 0
        self._believe(levels)

    def _receiver(self, generation: int) -> Callable[[Edge], None]:
        def deliver(edge: Edge) -> None:
            if generation != self._generation:
                return  # a source that was given up has nothing to say: its levels have been taken over
            self._believed[edge.line] = edge.closed
            self._arrived[edge.line] = self._now_ns()
            self._queue.put(edge)
            self._wake()

        return deliver

    def _believe(self, levels: dict[Line, bool]) -> None:
        self._believed = dict(levels)
        self._doubted.clear()

    def drain(self) -> list[Edge]:
        """Every edge that has come, by stamp; those of one stamp in the order in which they came."""
        edges: list[Edge] = []
        while not self._queue.empty():
            edges.append(self._queue.get_nowait())
        if len(edges) > 1:
            edges.sort(key=lambda edge: edge.at_ns)
        return edges

    def levels(self) -> dict[Line, bool]:
        """The contacts as they are now, for the caller to take over; as last known where they cannot be read."""
        polled = self._poll()
        if polled is not None:
            self._believe(polled)
        return dict(self._believed)

    def _poll(self) -> dict[Line, bool] | None:
        if self._source is None:
            return None
        try:
            return self._source.levels()
        except HardwareFault:
            return None

    def wants_resync(self) -> bool:
        """Whether levels must be taken over; said once after each restart."""
        wanted, self._resync = self._resync, False
        return wanted

    def next_check(self) -> int | None:
        """When `check` should be called at the latest, to settle a doubt about a level or to try a restart; or None."""
        waiting = [seen + SETTLE_NS for seen in self._doubted.values()]
        if self._not_before is not None and self._source is None:
            waiting.append(self._not_before)
        return min(waiting, default=None)

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
        levels = self._poll() if health.alive else None
        if levels is None:
            fault = health.fault or "The buttons' pins cannot be read."
            return [Notice(now, "source_dead", f"{fault} The button source is being restarted."), *self._restart(now)]
        if now - self._started_at >= HEALTHY_NS:
            self._pause, self._not_before = FIRST_PAUSE_NS, None
        counts = self._counts(health, now)
        if any(notice.code == "edges_lost" for notice in counts):
            return [*counts, *self._renew(now, health)]
        return [*counts, *self._mismatch(levels, now, health)]

    def _counts(self, health: SourceHealth, now: int) -> list[Notice]:
        notices: list[Notice] = []
        if health.strange_stamps > self._strange:
            count = health.strange_stamps - self._strange
            sentence = f"{count} button stamps were more than 1 s off; the time of arrival was taken instead."
            notices.append(Notice(now, "strange_stamps", sentence))
        if health.lost > self._lost:
            sentence = f"The button source lost {health.lost - self._lost} edges; the levels were taken over."
            notices.append(Notice(now, "edges_lost", sentence))
        if health.by_arrival > self._by_arrival and now >= self._arrival_not_before:
            self._arrival_not_before = now + ARRIVAL_PAUSE_NS
            count, self._by_arrival = health.by_arrival - self._by_arrival, health.by_arrival
            sentence = f"{count} button edges were stamped when they arrived: the clock of the button box was not known well enough."
            notices.append(Notice(now, "stamps_by_arrival", sentence))
        self._lost, self._strange = health.lost, health.strange_stamps
        return notices

    def _mismatch(self, levels: dict[Line, bool], now: int, health: SourceHealth) -> list[Notice]:
        wrong = [line for line in LINES if line in levels and self._is_wrong(line, levels[line], now)]
        if not wrong:
            return []
        buttons = " and ".join(wrong)
        sentence = f"The level of the {buttons} button differs from its last edge; the level was taken over."
        return [Notice(now, "level_mismatch", sentence), *self._renew(now, health)]

    def _is_wrong(self, line: Line, closed: bool, now: int) -> bool:  # noqa: FBT001 - a level is a truth value
        if self._believed.get(line) is closed:
            self._doubted.pop(line, None)
            return False
        seen = self._doubted.setdefault(line, now)
        if self._arrived.get(line, seen) > seen:
            self._doubted[line] = now  # an edge has come since: a new doubt
            return False
        return now - seen >= SETTLE_NS

    def _renew(self, now: int, health: SourceHealth) -> list[Notice]:
        """Restart a source that is alive but not to be trusted; one restarted just now is kept, for a bad source is better than none."""
        self._resync = True
        if health.mends_itself or self._must_wait(now):
            self._doubted.clear()
            return []
        return self._restart(now)

    def _must_wait(self, now: int) -> bool:
        return self._not_before is not None and now < self._not_before

    def _restart(self, now: int) -> list[Notice]:
        self.close()
        return self._try_again(now)

    def _try_again(self, now: int) -> list[Notice]:
        if self._must_wait(now):
            return []
        self._not_before = now + self._pause
        self._pause = min(2 * self._pause, self._longest_pause)
        try:
            self.start(now)
        except Exception as fault:  # noqa: BLE001 - whatever is wrong with the box, the clock goes on and people are told
            told, self._failed_of = self._failed_of, str(fault)
            if told == str(fault):
                return []
            return [Notice(now, "source_dead", f"The buttons do not work: {fault} They are being tried again.")]
        self._resync, self._failed_of = True, None
        return [Notice(now, "source_restarted", "The button source was restarted; check both buttons.")]

    def close(self) -> None:
        """Let go of the source; what it delivers from now on is dropped, what it delivered before can still be drained."""
        self._generation += 1
        source, self._source = self._source, None
        if source is not None:
            source.close()
