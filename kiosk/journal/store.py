"""The journal's file: schema, opening, reading. Writing is `kiosk.journal.sqlite`'s.

Rows live in an SQLite database in WAL mode with `synchronous=FULL`: a transaction is on disk when it is committed. The schema is made
by recorded migrations, each in one transaction with its record. What must not be mistaken for ours is told apart here: a file whose
pages or schema do not hold together is damaged, a file with migrations we do not know belongs to a newer Tableside.
"""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING
from urllib.parse import quote

from kiosk.domain.errors import JournalUnavailable
from kiosk.ports import Beat, Row
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlite_utils import Database
    from sqlite_utils.migrations import Migrations

COLUMNS = ("seq", "boot", "mono_ns", "wall_ns", "wall_trusted", "type", "data", "prev", "hash")
BEAT_COLUMNS = ("id", "boot", "mono_ns", "wall_ns", "wall_trusted", "seq")
INSERT = f"INSERT INTO fact ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608 - constants
BEAT = f"INSERT OR REPLACE INTO beat ({', '.join(BEAT_COLUMNS)}) VALUES (1, ?, ?, ?, ?, ?)"  # noqa: S608 - constants
BUSY_MS = 1000
NEWEST = 2**63 - 1
"""The highest sequence that SQLite can hold: no upper bound."""

_FACT_TABLE = """
    CREATE TABLE fact (
        seq INTEGER PRIMARY KEY, boot TEXT NOT NULL, mono_ns INTEGER NOT NULL, wall_ns INTEGER NOT NULL,
        wall_trusted INTEGER NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL
    ) STRICT
"""
_BEAT_TABLE = """
    CREATE TABLE beat (
        id INTEGER PRIMARY KEY CHECK (id = 1), boot TEXT NOT NULL, mono_ns INTEGER NOT NULL,
        wall_ns INTEGER NOT NULL, wall_trusted INTEGER NOT NULL, seq INTEGER NOT NULL
    ) STRICT
"""
_KNOWN = {"facts_and_beat"}
"""The names of all migrations of `_migrations`."""
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}
"""Broken pages, no database at all, or tables that our constant statements do not fit."""


class DamagedFile(Exception):
    """The file is not a sound journal; its text says why."""


# ── Opening for writing ──────────────────────────────────────────────────────
def connect(path: Path) -> Database:
    """A writing connection of the caller's thread, with the schema in place.

    Raises:
        DamagedFile: It is not a sound journal.
        JournalUnavailable: It belongs to a newer Tableside.
        sqlite3.Error: It cannot be opened or written now.
        OSError: Its folder cannot be made.
    """
    from sqlite_utils import Database

    make_folder(path.parent)
    _refuse_orphan(path)
    connection = sqlite3.connect(path, timeout=BUSY_MS / 1000, isolation_level=None)
    try:
        database = Database(connection, execute_plugins=False)
        _refuse_newer(database)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        _migrations().apply(database)
        _check_schema(connection)
    except sqlite3.Error as error:
        connection.close()
        raise_if_damaged(error)
        raise
    except BaseException:
        connection.close()
        raise
    return database


def _refuse_orphan(path: Path) -> None:
    """SQLite removes a write-ahead file whose database is empty or gone: it may be the only copy of its rows, so it is kept."""
    wal = path.with_name(path.name + "-wal")
    if wal.exists() and wal.stat().st_size and not (path.exists() and path.stat().st_size):
        raise DamagedFile("it is empty or gone, and only its write-ahead file is left")


def raise_if_damaged(error: sqlite3.Error) -> None:
    """Tell a broken file from one that cannot be reached now.

    Raises:
        DamagedFile: The error means that the file itself is broken.
    """
    if (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF in _DAMAGE:
        raise DamagedFile(str(error)) from error


def check_sound(connection: sqlite3.Connection) -> None:
    """The quick check of every opening: each page is where it belongs; the hash chain is for `verify`.

    Raises:
        DamagedFile: The file's pages do not hold together.
        sqlite3.Error: It cannot be read now.
    """
    answer = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if answer != "ok":
        raise DamagedFile(answer)


def make_folder(folder: Path) -> None:
    """Make a folder that is still there after a power cut: each new name is synced into the folder above it.

    Raises:
        OSError: It cannot be made.
    """
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Put a folder's names on disk.

    Raises:
        OSError: It cannot be done.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _migrations() -> Migrations:
    """Every migration, oldest first; never edit one that was released, add another."""
    from sqlite_utils.migrations import Migrations

    known = Migrations("tableside")

    @known()
    def facts_and_beat(database: Database) -> None:
        database.conn.execute(_FACT_TABLE)
        database.conn.execute(_BEAT_TABLE)

    return known


def _refuse_newer(database: Database) -> None:
    applied = {migration.name for migration in _migrations().applied(database)}
    unknown = applied - _KNOWN
    if unknown:
        raise JournalUnavailable(
            _("The journal was written by a newer Tableside (it has {names}); update this one.", names=", ".join(sorted(unknown)))
        )
    if not applied and set(database.table_names()) - {"_sqlite_migrations"}:
        raise DamagedFile("it is a database, but not a journal")


def _check_schema(connection: sqlite3.Connection) -> None:
    for table, columns in (("fact", COLUMNS), ("beat", BEAT_COLUMNS)):
        found = tuple(row[1] for row in connection.execute(f"PRAGMA table_info({table})"))
        if found != columns:
            raise DamagedFile(f"its table {table} has the wrong columns")


# ── Reading ──────────────────────────────────────────────────────────────────
def read_only(path: Path) -> sqlite3.Connection:
    """A reading connection that takes no lock and disturbs no writer.

    Raises:
        JournalUnavailable: There is no readable journal there.
    """
    if not path.is_file():
        raise JournalUnavailable(_("There is no journal at {path}.", path=path))
    address = f"file:{quote(str(path))}?mode=ro"
    try:
        return _reading(address)
    except sqlite3.Error as error:
        if not _may_be_frozen(path, error):
            raise JournalUnavailable(_("The journal at {path} cannot be read: {error}.", path=path, error=error)) from error
    try:  # Nobody can write there, so the shared index beside the file can't be made; nor is it needed.
        return _reading(address + "&immutable=1")
    except sqlite3.Error as error:
        raise JournalUnavailable(_("The journal at {path} cannot be read: {error}.", path=path, error=error)) from error


def _reading(address: str) -> sqlite3.Connection:
    connection = sqlite3.connect(address, uri=True, timeout=BUSY_MS / 1000, isolation_level=None)
    try:
        connection.execute("SELECT count(*) FROM fact WHERE seq < 0").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _may_be_frozen(path: Path, error: sqlite3.Error) -> bool:
    """Whether the file is all there is (no write-ahead file) in a folder where nothing can be made."""
    wal = path.with_name(path.name + "-wal")
    unopened = getattr(error, "sqlite_errorcode", 0) & 0xFF in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
    return unopened and not (wal.exists() and wal.stat().st_size) and not os.access(path.parent, os.W_OK, effective_ids=True)


def rows_of(connection: sqlite3.Connection, after: int = 0, upto: int = NEWEST) -> Iterator[Row]:
    """Rows above one sequence, up to another, in order.

    Raises:
        JournalUnavailable: The file cannot be read to its end.
    """
    sql = f"SELECT {', '.join(COLUMNS)} FROM fact WHERE seq > ? AND seq <= ? ORDER BY seq"  # noqa: S608 - constants
    try:
        for seq, boot, mono_ns, wall_ns, trusted, *rest in connection.execute(sql, (after, upto)):
            # Anything but 0 and 1 was not written by us: it is kept as it is, so that `verify` sees it.
            yield Row(seq, boot, mono_ns, wall_ns, bool(trusted) if trusted in {0, 1} else trusted, *rest)
    except sqlite3.Error as error:
        raise JournalUnavailable(_("The journal cannot be read to its end: {error}.", error=error)) from error


def read_rows(path: Path, after: int = 0, upto: int = NEWEST) -> Iterator[Row]:
    """Rows of a journal that another process may be writing.

    Raises:
        JournalUnavailable: There is no readable journal there.
    """
    connection = read_only(path)
    try:
        yield from rows_of(connection, after, upto)
    finally:
        connection.close()


def read_beat(connection: sqlite3.Connection) -> Beat | None:
    """The stored heartbeat."""
    row = connection.execute("SELECT boot, mono_ns, wall_ns, wall_trusted, seq FROM beat").fetchone()
    return None if row is None else Beat(row[0], row[1], row[2], bool(row[3]), row[4])
