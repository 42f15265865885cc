"""The journal on SQLite: callers hand rows over and go on, one writer thread commits them.

Sequence and hash are given in the caller's thread under a lock, so the order of handing over is the order on disk. The writer owns the
only writing connection and commits whatever waits in one transaction (so an append's records stand or fall together); while the disk
refuses, rows wait in memory in order and are tried again with a growing pause. What is accepted is what has been committed.

A commit that failed may have reached the disk all the same (the data was written, only its sync failed). So on a new connection the
writer first looks at what stands behind the last accepted row: rows that are its own are taken back and written again with the rest;
anything else is another journal, and nothing is written to it.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from typing import IO, TYPE_CHECKING

from kiosk.chain import link_all
from kiosk.domain.errors import JournalUnavailable
from kiosk.journal import store
from kiosk.journal.found import Found, cannot_write, take_lock
from kiosk.ports import Beat, JournalState, Record, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from sqlite_utils import Database

    from kiosk.domain.types import Instant

HANGS_NS = 1_500_000_000
"""A write that takes longer than this is said to hang."""

MONOTONIC_NS = time.monotonic_ns
"""The clock by which a hanging write is noticed, unless a test brings its own."""

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.05, 1.0
"""Between two tries of a write: doubled each time."""

CLOSE_S = 2.0
"""How long closing waits for a disk that does not take the rows."""

HANGS = "The journal's disk does not answer; entries wait in memory."


class SqliteJournal:
    """An open journal; make one with `open_journal`."""

    def __init__(
        self,
        path: Path,
        found: Found,
        *,
        boot: str,
        wall: Callable[[], tuple[int, bool]],
        lock: IO[str] | None,
        now_ns: Callable[[], int] = MONOTONIC_NS,
    ) -> None:
        """Take over what was found and start the writer.

        Args:
            path: The database.
            found: What stands there.
            boot: This boot's id.
            wall: The system's date in nanoseconds since 1970, and whether it is trusted; asked when rows are handed over.
            lock: The held lock file, or None where it could not be made yet.
            now_ns: The monotonic clock by which a hanging write is noticed.
        """
        self._path = path
        self._seq, self._hash = found.seq, found.hash
        self._accepted = (found.seq, found.hash)
        self._old_beat = found.beat
        self._fault = found.fault
        self._boot = boot
        self._wall = wall
        self._lock_file = lock
        self._now_ns = now_ns
        self._change = threading.Condition()
        self._waiting: list[Row] = []
        self._beat: Beat | None = None
        self._writing_since: int | None = None
        self._stopping = False
        self._power_cut = False
        self._database: Database | None = None
        self._inode: int | None = None
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    # ── The port ─────────────────────────────────────────────────────────────
    def append(self, records: Sequence[Record]) -> int:
        """Hand over records that belong together.

        Raises:
            ValueError: One of them could not be stored on any disk; none was handed over.
        """
        wall = self._wall()
        with self._change:
            rows = link_all(records, self._seq, self._hash, self._boot, wall)
            if rows:
                self._seq, self._hash = rows[-1].seq, rows[-1].hash
            self._waiting.extend(rows)
            self._change.notify_all()
            return self._seq

    def beat(self, at: Instant) -> None:
        """Note that the table is alive."""
        wall = self._wall()
        with self._change:
            self._beat = Beat(self._boot, at, wall[0], wall[1], self._seq)
            self._change.notify_all()

    def last_beat(self) -> Beat | None:
        """The newest beat from before this journal was opened."""
        return self._old_beat

    def rows(self, after: int = 0) -> Iterator[Row]:
        """Accepted rows above a sequence.

        Raises:
            JournalUnavailable: They cannot be read.
        """
        accepted = self._accepted[0]
        return store.read_rows(self._path, after, accepted) if accepted > after else iter(())

    def state(self) -> JournalState:
        """What is accepted, what waits, what is wrong; a write that hangs is wrong too."""
        fault, since = self._fault, self._writing_since
        if fault is None and since is not None and self._now_ns() - since >= HANGS_NS:
            fault = HANGS
        accepted = self._accepted[0]
        return JournalState(accepted, self._seq - accepted, fault)

    def flush(self, timeout_s: float) -> bool:
        """Wait until everything handed over, the heartbeat included, is on disk."""
        with self._change:
            return self._change.wait_for(self._settled, timeout_s)

    def close(self) -> None:
        """Write what can be written, for two seconds at most, and let go of the file."""
        self.flush(CLOSE_S)
        self._stop(power_cut=False)

    def abandon(self) -> None:
        """Die like the power: what was not committed is gone, and the write-ahead file stays as it is."""
        self._stop(power_cut=True)

    def _stop(self, *, power_cut: bool) -> None:
        with self._change:
            self._stopping = True
            self._power_cut = power_cut
            self._change.notify_all()
        self._thread.join(CLOSE_S)

    def _settled(self) -> bool:
        return not self._waiting and self._beat is None

    # ── The writer's thread ──────────────────────────────────────────────────
    def _run(self) -> None:
        pause = FIRST_PAUSE_S
        while (batch := self._next_batch()) is not None:
            self._writing_since = self._now_ns()
            try:
                self._write(*batch)
            except Exception as error:  # noqa: BLE001 - whatever it is, the rows wait and the writer lives on
                self._failed(error, pause)
                pause = min(2 * pause, LONGEST_PAUSE_S)
            else:
                pause = FIRST_PAUSE_S
                self._succeeded(*batch)
        self._let_go()

    def _next_batch(self) -> tuple[list[Row], Beat | None] | None:
        with self._change:
            self._change.wait_for(lambda: self._stopping or not self._settled())
            return None if self._stopping else (list(self._waiting), self._beat)

    def _write(self, rows: Sequence[Row], beat: Beat | None) -> None:
        database = self._connected(rows)
        with database.atomic():
            database.conn.executemany(store.INSERT, [_values(row) for row in rows])
            if beat is not None:
                values = (beat.boot, beat.mono_ns, beat.wall_ns, int(beat.wall_trusted), beat.seq)
                database.conn.execute(store.BEAT, values)

    def _connected(self, rows: Sequence[Row]) -> Database:
        there = self._path.exists()
        if self._database is not None and there and self._path.stat().st_ino == self._inode:
            return self._database
        self._disconnect()
        if self._accepted[0] and not there:
            raise FileNotFoundError("the file has been moved or deleted; put it back")
        database = self._database = store.connect(self._path)
        self._lock_file = self._lock_file or take_lock(self._path)
        self._recognise(database, rows)
        self._inode = self._path.stat().st_ino
        return database

    def _recognise(self, database: Database, rows: Sequence[Row]) -> None:
        """Make sure that this is our journal, and that it ends with the last accepted row."""
        seq = self._accepted[0]
        expected = [*([self._accepted] if seq else []), *((row.seq, row.hash) for row in rows)]
        found = database.conn.execute("SELECT seq, hash FROM fact WHERE seq >= ? ORDER BY seq", (seq,)).fetchall()
        if found != expected[: len(found)] or (seq and not found):
            raise JournalUnavailable("another journal stands in its place; put the right one back, or restart the kiosk")
        if any(number > seq for number, _ in found):
            with database.atomic():
                database.conn.execute("DELETE FROM fact WHERE seq > ?", (seq,))

    def _failed(self, error: Exception, pause: float) -> None:
        self._fault = cannot_write(self._path, error)
        self._writing_since = None
        if (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF not in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY}:
            self._disconnect()  # Only where it is certain that nothing was written the connection is kept.
        with self._change:
            self._change.wait_for(lambda: self._stopping, pause)

    def _succeeded(self, rows: Sequence[Row], beat: Beat | None) -> None:
        with self._change:
            del self._waiting[: len(rows)]
            if rows:
                self._accepted = (rows[-1].seq, rows[-1].hash)
            if self._beat is beat:
                self._beat = None
            self._writing_since = None
            self._fault = None
            self._change.notify_all()

    def _disconnect(self) -> None:
        if self._database is not None:
            with contextlib.suppress(sqlite3.Error):
                self._database.conn.close()
        self._database = self._inode = None

    def _let_go(self) -> None:
        with contextlib.suppress(sqlite3.Error, OSError), contextlib.ExitStack() as reader:
            if self._power_cut:  # A reader that stays longer keeps the last writer from tidying up.
                reader.callback(store.read_only(self._path).close)
            self._disconnect()
        self._disconnect()
        if self._lock_file is not None:
            self._lock_file.close()
        self._fault = self._fault or "The journal is closed; entries are no longer kept."


def _values(row: Row) -> tuple[object, ...]:
    return tuple(getattr(row, column) for column in store.COLUMNS)
