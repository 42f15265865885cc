"""The journal on SQLite: callers hand rows over and go on, one writer thread commits them.

Sequence and hash are given in the caller's thread under a lock, so the order of handing over is the order on disk. The writer commits
whatever waits in one transaction; while the disk refuses, rows wait in memory in order and are tried again with a growing pause. What
is accepted is what has been committed.
"""

from __future__ import annotations

import contextlib
import fcntl
import sqlite3
import threading
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING

from kiosk.domain.errors import JournalUnavailable
from kiosk.journal import store
from kiosk.journal.chain import START, link
from kiosk.ports import Beat, JournalState, Record, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sqlite_utils import Database

    from kiosk.domain.types import Instant

HANGS_NS = 1_500_000_000
"""A write that takes longer than this is said to hang."""

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.05, 1.0


class SqliteJournal:
    """An open journal; make one with `open_journal`."""

    def __init__(
        self,
        path: Path,
        head: tuple[int, str],
        beat: Beat | None,
        *,
        boot: str,
        wall: Callable[[], tuple[int, bool]],
        lock: IO[str] | None,
        fault: str | None = None,
    ) -> None:
        """Take over an opened file and start the writer.

        Args:
            path: The database.
            head: Sequence and hash of its last row.
            beat: Its heartbeat.
            boot: This boot's id.
            wall: The system's date in nanoseconds since 1970, and whether it is trusted.
            lock: The held lock file.
            fault: Why it could not be opened for writing, to be shown until it can.
        """
        self._path = path
        self._seq, self._hash = head
        self._accepted = head[0]
        self._old_beat = beat
        self._boot = boot
        self._wall = wall
        self._lock_file = lock
        self._fault = fault
        self._change = threading.Condition()
        self._waiting: list[Row] = []
        self._beat: Beat | None = None
        self._writing_since: int | None = None
        self._closing = False
        self._abandoned = False
        self._inode: int | None = None
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    # ── The port ─────────────────────────────────────────────────────────────
    def append(self, records: Sequence[Record]) -> int:
        """Hand over records that belong together."""
        wall = self._wall()
        with self._change:
            for record in records:
                row = link(record, self._seq + 1, self._hash, self._boot, wall)
                self._seq, self._hash = row.seq, row.hash
                self._waiting.append(row)
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
        """Accepted rows above a sequence."""
        if not self._path.exists():
            return iter(())
        return store.read_rows(self._path, after)

    def state(self) -> JournalState:
        """What is accepted, what waits, what is wrong; a write that hangs is wrong too."""
        fault, since = self._fault, self._writing_since
        if fault is None and since is not None and time.monotonic_ns() - since > HANGS_NS:
            fault = "The disk does not answer; entries wait in memory."
        accepted = self._accepted
        return JournalState(accepted, self._seq - accepted, fault)

    def flush(self, timeout_s: float) -> bool:
        """Wait until everything handed over, the heartbeat included, is on disk."""
        with self._change:
            return self._change.wait_for(self._settled, timeout_s)

    def close(self) -> None:
        """Write what can be written, for two seconds at most, and let go of the file."""
        self.flush(2)
        self.abandon()

    def abandon(self) -> None:
        """Die like the power: what was not committed is gone."""
        with self._change:
            self._closing = self._abandoned = True
            self._change.notify_all()
        self._thread.join(5)
        if self._lock_file is not None:
            self._lock_file.close()
            self._lock_file = None

    # ── The writer's thread ──────────────────────────────────────────────────
    def _settled(self) -> bool:
        return self._accepted == self._seq and self._beat is None

    def _run(self) -> None:
        database: Database | None = None
        pause = FIRST_PAUSE_S
        while True:
            with self._change:
                self._change.wait_for(lambda: self._closing or self._waiting or self._beat is not None)
                if self._closing:
                    break
                rows, beat = list(self._waiting), self._beat
            self._writing_since = time.monotonic_ns()
            try:
                database = self._write(database, rows, beat)
            except (sqlite3.Error, OSError, store.DamagedFile, JournalUnavailable) as error:
                _drop(database)
                database = None
                self._failed(error, pause)
                pause = min(2 * pause, LONGEST_PAUSE_S)
            else:
                pause = FIRST_PAUSE_S
                self._succeeded(rows, beat)
        _drop(database)

    def _write(self, database: Database | None, rows: Sequence[Row], beat: Beat | None) -> Database:
        if database is not None and not self._in_place():
            _drop(database)
            raise OSError("the file has been moved or deleted")
        if database is None:
            database = store.connect(self._path)
            self._inode = self._path.stat().st_ino
            self._refuse_foreign_rows(database)
        with database.atomic():
            database.conn.executemany(store.INSERT, [_values(row) for row in rows])
            if beat is not None:
                values = (beat.boot, beat.mono_ns, beat.wall_ns, int(beat.wall_trusted), beat.seq)
                database.conn.execute(store.BEAT, values)
        return database

    def _in_place(self) -> bool:
        try:
            return self._path.stat().st_ino == self._inode
        except OSError:
            return False

    def _refuse_foreign_rows(self, database: Database) -> None:
        last = database.conn.execute("SELECT coalesce(max(seq), 0) FROM fact").fetchone()[0]
        if last > self._accepted:
            raise JournalUnavailable("another journal with rows of its own has appeared in its place; restart the kiosk")

    def _failed(self, error: Exception, pause: float) -> None:
        self._writing_since = None
        self._fault = f"The journal cannot be written ({error}); entries wait in memory. Free or replace {self._path.parent}."
        with self._change:
            self._change.wait_for(lambda: self._closing, pause)

    def _succeeded(self, rows: Sequence[Row], beat: Beat | None) -> None:
        self._writing_since = None
        with self._change:
            del self._waiting[: len(rows)]
            if rows:
                self._accepted = rows[-1].seq
            if self._beat is beat:
                self._beat = None
            self._fault = None
            self._change.notify_all()


def _values(row: Row) -> tuple[object, ...]:
    return tuple(getattr(row, column) for column in store.COLUMNS)


def _drop(database: Database | None) -> None:
    if database is not None:
        with contextlib.suppress(sqlite3.Error):
            database.conn.close()


def open_journal(path: Path, *, boot: str, wall: Callable[[], tuple[int, bool]]) -> tuple[SqliteJournal, tuple[str, ...]]:
    """Open or create the journal.

    A damaged file is set aside and said. Where the file cannot be written the table works all the same: rows wait in memory.

    Args:
        path: The database.
        boot: This boot's id.
        wall: The system's date in nanoseconds since 1970, and whether it is trusted.

    Returns:
        The journal, and sentences that people must see.

    Raises:
        JournalUnavailable: Another process holds it, or a newer Tableside wrote it.
    """
    lock = _take_lock(path)
    notices: list[str] = []
    head, beat, fault = (0, START), None, None
    try:
        head, beat = _take_up(path)
    except store.DamagedFile as damage:
        kept = store.set_aside(path)
        notices.append(f"The journal was damaged ({damage}); it was kept as {kept} and a new one was begun.")
        head, beat = _take_up(path)
    except (sqlite3.Error, OSError) as error:
        if isinstance(error, JournalUnavailable):
            raise
        fault = f"The journal at {path} cannot be written ({error}); entries wait in memory."
        notices.append(fault)
        head, beat = _peek(path)
    return SqliteJournal(path, head, beat, boot=boot, wall=wall, lock=lock, fault=fault), tuple(notices)


def _take_lock(path: Path) -> IO[str] | None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = Path(f"{path}.lock").open("w", encoding="ascii")  # noqa: SIM115 - held until the process dies
    except OSError:
        return None  # nobody can write here, so nobody needs the lock
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise JournalUnavailable(f"The journal at {path} is in use by another kiosk; stop that one first.") from error
    return lock


def _take_up(path: Path) -> tuple[tuple[int, str], Beat | None]:
    database = store.connect(path)
    try:
        store.check_sound(database)
        return _head(database.conn)
    finally:
        database.conn.close()


def _head(connection: sqlite3.Connection) -> tuple[tuple[int, str], Beat | None]:
    row = connection.execute("SELECT seq, hash FROM fact ORDER BY seq DESC LIMIT 1").fetchone()
    return (0, START) if row is None else (row[0], row[1]), store.read_beat(connection)


def _peek(path: Path) -> tuple[tuple[int, str], Beat | None]:
    """Head and beat of a file that can be read at least."""
    try:
        connection = store.read_only(path)
    except JournalUnavailable:
        return (0, START), None
    try:
        return _head(connection)
    finally:
        connection.close()
