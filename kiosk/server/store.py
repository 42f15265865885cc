"""The database: SQLite by default, PostgreSQL where one machine or one process is not enough. All else asks here for a connection.

    with store.read() as connection:     what it sees does not change while it is open; it cannot write
    with store.write() as connection:    all of it is stored at the end, or, where anything is raised, nothing

On SQLite one writer after the other, in this process by a lock, between processes by `BEGIN IMMEDIATE` and a patient wait; readers wait
for nobody (WAL). Every commit is on the disk before it returns (`synchronous=FULL`). On PostgreSQL writers run beside each other: whoever
must not, takes a lock with `hold`, or locks the rows.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from kiosk.domain.errors import KioskError
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import URL, Connection, Engine

PATIENCE_S = 15
"""How long a writer waits for another process's, and anybody for a connection."""

READERS = 24
"""So many connections read at once; more wait."""


class NoDatabase(KioskError, ValueError):
    """You erred: this is no address of a database that can be used."""


class StoreUnavailable(KioskError, OSError):
    """The world failed: the database cannot be opened, read or written; nothing of what was asked for was done."""

    def __init__(self, sentence: str, outside: str = "") -> None:
        """Keep the sentences.

        Args:
            sentence: For whoever looks after the server; it may name paths, addresses and users.
            outside: For everybody else, where the sentence names such things.
        """
        self.outside = outside or sentence
        super().__init__(sentence)


class Store:
    """One event's database."""

    def __init__(self, url: URL, reader: Engine, writer: Engine, lazy: Engine) -> None:
        """Keep the two ways in; use `open`.

        Args:
            url: Where it is.
            reader: Gives connections that read.
            writer: Gives connections that write.
            lazy: Gives connections that write what can be worked out again.
        """
        self.url = url
        self.is_sqlite = url.get_backend_name() == "sqlite"
        self._reader, self._writer, self._lazy = reader, writer, lazy
        self._one = threading.Lock()

    @classmethod
    def open(cls, url: str) -> Store:
        """Open a database and bring its tables up to date.

        Args:
            url: `sqlite:///PATH` or `postgresql://USER:PASSWORD@HOST:PORT/NAME`.

        Raises:
            StoreUnavailable: It cannot be reached, or a newer program made it.
        """
        from kiosk.server.migrations import bring_up_to_date

        store = cls(*_engines(_address(url)))
        try:
            with store._told():
                bring_up_to_date(store._writer, sqlite=store.is_sqlite)
        except BaseException:
            store.close()
            raise
        return store

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that reads; it sees one state of everything.

        Raises:
            StoreUnavailable: The database cannot be read.
        """
        with self._told(), self._reader.connect() as connection, connection.begin():
            yield connection.execution_options(tableside=(self, True))

    @contextmanager
    def write(self, *, lasting: bool = True) -> Iterator[Connection]:
        """A connection that writes: everything, or, where anything is raised inside, nothing.

        Args:
            lasting: It is on the disk when this ends. False: a power cut may take it back, whole; for what is worked out from facts.

        Raises:
            StoreUnavailable: The database cannot be written; nothing was.
        """
        engine = self._writer if lasting else self._lazy
        if not self.is_sqlite:
            with self._told(), engine.begin() as connection:
                yield connection.execution_options(tableside=(self, False))
            return
        with self._one, self._told(), engine.begin() as connection:
            yield connection.execution_options(tableside=(self, False))

    def close(self) -> None:
        """Let go of every connection."""
        self._reader.dispose()
        self._writer.dispose()
        self._lazy.dispose()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Errors of the world outside as sentences; those of the program as they are."""
        try:
            yield
        except DBAPIError as error:
            sentence = _sentence(error, self.url)
            if sentence is None:
                raise
            raise StoreUnavailable(sentence, _outside(error)) from error
        except PoolTimeout as error:
            raise StoreUnavailable(_("The database is busy; try again in a moment.")) from error


def store_of(connection: Connection) -> tuple[Store, bool]:
    """Whose connection it is, and whether it only reads: what it sees is committed then."""
    whose: tuple[Store, bool] = connection.get_execution_options()["tableside"]
    return whose


def hold(connection: Connection, what: str) -> None:
    """Let nobody else hold the same until this transaction ends. On SQLite nobody does: there is one writer.

    Args:
        connection: One that writes.
        what: A word, e.g. `audit`.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(hashtext(:what))"), {"what": f"tableside {what}"})


def _address(url: str) -> URL:
    try:
        made = make_url(url)
    except ArgumentError as error:
        raise NoDatabase(_("{url} is no database's address; write postgresql://USER:PASSWORD@HOST/NAME.", url=url)) from error
    if made.get_backend_name() == "postgresql":
        return made.set(drivername="postgresql+psycopg")
    if made.get_backend_name() == "sqlite" and made.database:
        return made
    raise NoDatabase(
        _("{url} is no database that this server knows: it keeps its data in SQLite, or in PostgreSQL.", url=made.render_as_string())
    )


def _engines(url: URL) -> tuple[URL, Engine, Engine, Engine]:
    if url.get_backend_name() == "sqlite":
        writers = (_sqlite(url, "BEGIN IMMEDIATE", 1, 32_000), _sqlite(url, "BEGIN IMMEDIATE", 1, 8_000, "NORMAL"))
        return url, _sqlite(url, "BEGIN", READERS, 2_000), *writers
    try:
        reader = create_engine(url, isolation_level="REPEATABLE READ", pool_size=8, max_overflow=8, pool_pre_ping=True)
        writer = create_engine(url, isolation_level="READ COMMITTED", pool_size=8, max_overflow=8, pool_pre_ping=True)
    except (ImportError, NoSuchModuleError) as error:
        raise StoreUnavailable(_("For PostgreSQL install the program with it: pip install 'tableside[server,postgres]'.")) from error
    return url, reader, writer, writer


def _sqlite(url: URL, begin: str, most: int, cache_kb: int, synchronous: str = "FULL") -> Engine:
    engine = create_engine(
        url,
        pool_size=most,
        max_overflow=0,
        pool_timeout=PATIENCE_S,
        connect_args={"timeout": PATIENCE_S, "check_same_thread": False, "isolation_level": None, "cached_statements": 256},
    )

    @event.listens_for(engine, "connect")
    def _connected(raw: Any, _record: Any) -> None:  # noqa: ANN401 - SQLAlchemy's own hooks
        for pragma in (
            "journal_mode=WAL",
            f"synchronous={synchronous}",
            "foreign_keys=ON",
            f"cache_size=-{cache_kb}",
            "wal_autocheckpoint=2000",
        ):
            raw.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _sentence(error: DBAPIError, url: URL) -> str | None:
    """What is wrong with the world, or None where the fault is the program's."""
    cause = error.orig
    if url.get_backend_name() == "sqlite":
        name = getattr(cause, "sqlite_errorname", "")
        return None if cause is None else _sqlite_sentence(name, str(cause), url.database or "")
    return _postgres_sentence(error, url)


def full_words() -> str:
    """That the disk is full, for whoever does not look after the server."""
    return _("The server's disk is full: nothing was stored. It goes on by itself once there is room.")


def _outside(error: DBAPIError) -> str:
    """What is wrong, for whoever does not look after the server: no path, no address and no user of it."""
    if getattr(error.orig, "sqlite_errorname", "").startswith("SQLITE_FULL") or getattr(error.orig, "sqlstate", None) == "53100":
        return full_words()
    return _("The server cannot reach its database at the moment; nothing was stored. It goes on by itself as soon as it can.")


def _sqlite_sentence(name: str, said: str, path: str) -> str | None:
    if name.startswith("SQLITE_FULL"):
        return _("The disk with {path} is full: nothing was stored. Make room; the server goes on by itself.", path=path)
    if name.startswith("SQLITE_CANTOPEN"):
        return _("The database at {path} cannot be opened: is its folder there, and may this user write in it?", path=path)
    if name.startswith("SQLITE_READONLY"):
        return _("The database at {path} cannot be written: this user may only read it.", path=path)
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return _("Another process keeps the database at {path} locked; stop that one, or wait.", path=path)
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return _("The file {path} is damaged or no database ({said}): restore a backup.", path=path, said=said)
    if name.startswith("SQLITE_IOERR"):
        return _("The disk with {path} fails ({said}): nothing was stored.", path=path, said=said)
    return None


_REFUSED = {"28P01", "28000"}


def _postgres_sentence(error: DBAPIError, url: URL) -> str | None:
    cause = error.orig
    code, said = getattr(cause, "sqlstate", None), str(cause).strip().splitlines()
    where = url.render_as_string(hide_password=True)
    if code == "53100":
        return _("The disk of the database {where} is full: nothing was stored. Make room; the server goes on by itself.", where=where)
    if code == "3D000" or any("does not exist" in line and "database" in line for line in said if code is None):
        return _("There is no database {where}; make it with createdb.", where=where)
    if code in _REFUSED or any("authentication failed" in line for line in said if code is None):
        return _("The database {where} refuses this user or password.", where=where)
    if code in {"55P03", "40P01", "40001"}:
        return _("The database is busy; try again in a moment.")
    if error.connection_invalidated or type(cause).__name__ in {
        "OperationalError",
        "AdminShutdown",
        "ConnectionTimeout",
        "CannotConnectNow",
    }:
        return _("The database {where} cannot be reached ({said}).", where=where, said=said[0] if said else "")
    return None
