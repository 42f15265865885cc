"""The journal's shipped twin in memory, for tests and trials; it can be told to fail like a disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.chain import START, link_all
from kiosk.ports import Beat, JournalState, Record, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from kiosk.domain.types import Instant


class MemoryJournal:
    """Rows in a list; what was handed over while it fails waits in order."""

    def __init__(
        self,
        *,
        boot: str = "memory",
        wall: Callable[[], tuple[int, bool]] = lambda: (0, False),
        rows: Sequence[Row] = (),
        beat: Beat | None = None,
    ) -> None:
        """Start from accepted rows.

        Args:
            boot: This boot's id.
            wall: The system's date and whether it is trusted.
            rows: What an earlier journal had accepted.
            beat: Its last heartbeat.
        """
        self._boot = boot
        self._wall = wall
        self._rows = list(rows)
        self._waiting: list[Row] = []
        self._old_beat = beat
        self._beat: Beat | None = beat
        self._waiting_beat: Beat | None = None
        self._fault: str | None = None

    def append(self, records: Sequence[Record]) -> int:
        """Hand over records that belong together.

        Raises:
            ValueError: One of them could not be stored on any disk; none was handed over.
        """
        rows = self._waiting or self._rows
        seq, prev = (rows[-1].seq, rows[-1].hash) if rows else (0, START)
        self._waiting.extend(link_all(records, seq, prev, self._boot, self._wall()))
        self._write()
        return len(self._rows) + len(self._waiting)

    def beat(self, at: Instant) -> None:
        """Note that the table is alive."""
        wall = self._wall()
        self._waiting_beat = Beat(self._boot, at, wall[0], wall[1], len(self._rows) + len(self._waiting))
        self._write()

    def last_beat(self) -> Beat | None:
        """The newest beat from before this journal was opened."""
        return self._old_beat

    def rows(self, after: int = 0) -> Iterator[Row]:
        """Accepted rows above a sequence."""
        return iter(self._rows[after:])

    def state(self) -> JournalState:
        """What is accepted, what waits, what is wrong."""
        return JournalState(len(self._rows), len(self._waiting), self._fault)

    def flush(self, timeout_s: float) -> bool:  # noqa: ARG002 - there is nothing to wait for
        """Whether everything is accepted."""
        return not self._waiting and self._waiting_beat is None

    def close(self) -> None:
        """Nothing to let go of."""

    def fail_with(self, sentence: str) -> None:
        """Fail like a disk from now on."""
        self._fault = sentence

    def recover(self) -> None:
        """Work again; what waited goes in, in order."""
        self._fault = None
        self._write()

    def survivor(self, boot: str | None = None) -> MemoryJournal:
        """What a new process finds after a power cut: the accepted rows and the last written beat.

        Args:
            boot: The new boot's id; None: the same boot, only the process died.
        """
        return MemoryJournal(boot=self._boot if boot is None else boot, wall=self._wall, rows=self._rows, beat=self._beat)

    def _write(self) -> None:
        if self._fault is None:
            self._rows.extend(self._waiting)
            self._waiting.clear()
            self._beat, self._waiting_beat = self._waiting_beat or self._beat, None
