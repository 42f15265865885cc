"""The journal's file: schema, opening, reading. Writing is `kiosk.journal.sqlite`'s.

Rows live in an SQLite database in WAL mode with `synchronous=FULL`: a transaction is on disk when it is committed. The schema is made
by recorded migrations. A file that is damaged is set aside under a new name, never overwritten, and said.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING
from urllib.parse import quote

from kiosk.domain.errors import JournalUnavailable
from kiosk.ports import Beat, Row

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlite_utils import Database

COLUMNS = ("seq", "boot", "mono_ns", "wall_ns", "wall_trusted", "type", "data", "prev", "hash")
INSERT = f"INSERT INTO fact ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608 - constants
BEAT = "INSERT OR REPLACE INTO beat (id, boot, mono_ns, wall_ns, wall_trusted, seq) VALUES (1, ?, ?, ?, ?, ?)"
BUSY_MS = 1000


class DamagedFile(Exception):
    """The file is not a sound journal; its text says why."""


def connect(path: Path) -> Database:
    """A writing connection of the caller's thread, with the schema in place.

    Raises:
        DamagedFile: It is not a sound database.
        JournalUnavailable: It belongs to a newer Tableside.
        sqlite3.Error: It cannot be opened or written now.
        OSError: Its folder cannot be made.
    """
    from sqlite_utils import Database

    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=BUSY_MS / 1000, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous=FULL")
        database = Database(connection, strict=True, execute_plugins=False)
        _refuse_newer(database)
        _migrate(database)
    except sqlite3.DatabaseError as error:
        connection.close()
        if is_damage(error):
            raise DamagedFile(str(error)) from error
        raise
    except BaseException:
        connection.close()
        raise
    return database


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error means that the file itself is broken, not that it cannot be reached now."""
    code = (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF
    return code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def _migrations() -> dict[str, str]:
    """Every migration by name, oldest first; never edit one that was released, add another."""
    return {
        "facts_and_beat": """
            CREATE TABLE fact (
                seq INTEGER PRIMARY KEY, boot TEXT NOT NULL, mono_ns INTEGER NOT NULL, wall_ns INTEGER NOT NULL,
                wall_trusted INTEGER NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL, prev TEXT NOT NULL,
                hash TEXT NOT NULL
            ) STRICT;
            CREATE TABLE beat (
                id INTEGER PRIMARY KEY CHECK (id = 1), boot TEXT NOT NULL, mono_ns INTEGER NOT NULL,
                wall_ns INTEGER NOT NULL, wall_trusted INTEGER NOT NULL, seq INTEGER NOT NULL
            ) STRICT
        """
    }


def _migrate(database: Database) -> None:
    from sqlite_utils.migrations import Migrations

    if "_sqlite_migrations" in database.table_names():
        known = Migrations("tableside")
    else:
        database.conn.execute("PRAGMA journal_mode=WAL")
        known = Migrations("tableside")
    for name, sql in _migrations().items():
        known(name=name)(_runner(sql))
    if known.pending(database):
        known.apply(database)


def _runner(sql: str):  # type: ignore[no-untyped-def]  # noqa: ANN202 - the migration's own signature
    def run(db: Database) -> None:
        for statement in sql.split(";"):
            db.execute(statement)

    return run


def _refuse_newer(database: Database) -> None:
    if "_sqlite_migrations" not in database.table_names():
        if "fact" in database.table_names():
            raise DamagedFile("it has facts but no record of its schema")
        return
    names = {row["name"] for row in database.query("SELECT name FROM _sqlite_migrations WHERE migration_set = 'tableside'")}
    unknown = names - set(_migrations())
    if unknown:
        raise JournalUnavailable(f"The journal was written by a newer Tableside (it has {', '.join(sorted(unknown))}); update this one.")


def check_sound(database: Database) -> None:
    """The quick checks of every opening.

    Raises:
        DamagedFile: The file's pages do not hold together.
    """
    try:
        answer = database.conn.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            raise DamagedFile(str(error)) from error
        raise
    if answer != "ok":
        raise DamagedFile(answer)


def read_only(path: Path) -> sqlite3.Connection:
    """A reading connection that disturbs no writer.

    Raises:
        JournalUnavailable: There is no readable journal there.
    """
    if not path.is_file():
        raise JournalUnavailable(f"There is no journal at {path}.")
    try:
        connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=BUSY_MS / 1000)
        connection.execute("SELECT count(*) FROM fact WHERE seq < 0")
    except sqlite3.Error as error:
        raise JournalUnavailable(f"The journal at {path} cannot be read: {error}.") from error
    return connection


def rows_of(connection: sqlite3.Connection, after: int = 0) -> Iterator[Row]:
    """Rows above a sequence, in order.

    Raises:
        JournalUnavailable: The file cannot be read to its end.
    """
    sql = f"SELECT {', '.join(COLUMNS)} FROM fact WHERE seq > ? ORDER BY seq"  # noqa: S608 - constants
    try:
        for seq, boot, mono_ns, wall_ns, trusted, *rest in connection.execute(sql, (after,)):
            yield Row(seq, boot, mono_ns, wall_ns, bool(trusted), *rest)
    except sqlite3.Error as error:
        raise JournalUnavailable(f"The journal cannot be read to its end: {error}.") from error


def read_rows(path: Path, after: int = 0) -> Iterator[Row]:
    """Rows of a journal that another process may be writing.

    Raises:
        JournalUnavailable: There is no readable journal there.
    """
    connection = read_only(path)
    try:
        yield from rows_of(connection, after)
    finally:
        connection.close()


def read_beat(connection: sqlite3.Connection) -> Beat | None:
    """The stored heartbeat."""
    row = connection.execute("SELECT boot, mono_ns, wall_ns, wall_trusted, seq FROM beat").fetchone()
    return None if row is None else Beat(row[0], row[1], row[2], bool(row[3]), row[4])


def set_aside(path: Path) -> Path:
    """Rename a damaged journal, with its write-ahead files, to the next free name.

    Returns:
        Its new place.
    """
    number = 1
    while (target := path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")).exists():
        number += 1
    for ending in ("-wal", "-shm"):
        beside = path.with_name(path.name + ending)
        if beside.exists():
            beside.rename(target.with_name(target.name + ending))
    path.rename(target)
    return target
