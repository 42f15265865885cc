"""What an opening finds: whatever stands at its path, the table must come to work or say why it can't.

| what is found | what happens |
|---|---|
| nothing | folder and file are made |
| a sound journal | it is taken up where it ends; the hash chain is not walked here, that is `verify`'s |
| a damaged file | renamed to `journal.damaged-1.db` (2, 3 …), with what belongs to it, a new one is begun, and both are said |
| a newer Tableside's file | JournalUnavailable; the file stays as it is |
| held by another process | JournalUnavailable; the kernel lets go of the lock when that process dies, however it dies |
| a disk that can't be written | the journal opens with a fault: what can be read is read, rows wait in memory, the writer keeps trying |
"""

from __future__ import annotations

import fcntl
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from kiosk.chain import START
from kiosk.domain.errors import JournalUnavailable
from kiosk.journal import store
from kiosk.say import _

if TYPE_CHECKING:
    from kiosk.ports import Beat


@dataclass(frozen=True, slots=True)
class Found:
    """What stood at the path."""

    seq: int = 0
    """The last row's sequence."""
    hash: str = START
    """The last row's hash."""
    beat: Beat | None = None
    """The heartbeat."""
    fault: str | None = None
    """Why it cannot be written now."""
    notices: tuple[str, ...] = ()
    """Sentences that people must see."""


def take_lock(path: Path) -> IO[str] | None:
    """Hold the journal for this process, by a lock on the file `….lock` beside it.

    Returns:
        The held file, or None where nothing can be locked because nothing can be written.

    Raises:
        JournalUnavailable: Another process holds it.
    """
    try:
        lock = Path(f"{path}.lock").open("a", encoding="ascii")  # noqa: SIM115 - held until the process dies
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise JournalUnavailable(
            _("The journal at {path} is already in use by another process; stop that one first.", path=path)
        ) from error
    return lock


def find(path: Path) -> Found:
    """Take up, make or set aside what stands at the path.

    Raises:
        JournalUnavailable: A newer Tableside wrote it.
    """
    try:
        return _take_up(path)
    except store.DamagedFile as damage:
        return _begin_anew(path, damage)
    except JournalUnavailable:
        raise
    except (sqlite3.Error, OSError) as error:
        return _read_at_least(path, error)


def cannot_write(path: Path, error: Exception) -> str:
    """The sentence about a journal that cannot be written."""
    return f"The journal at {path} cannot be written ({error}); entries wait in memory."


def _take_up(path: Path) -> Found:
    database = store.connect(path)
    try:
        store.check_sound(database.conn)
        database.conn.execute("DELETE FROM beat WHERE id = 0")  # A read-only file opens without a word; only writing makes it speak.
        return _last(database.conn)
    except sqlite3.Error as error:
        store.raise_if_damaged(error)
        raise
    finally:
        database.conn.close()


def _last(connection: sqlite3.Connection, fault: str | None = None) -> Found:
    seq, digest = connection.execute("SELECT seq, hash FROM fact ORDER BY seq DESC LIMIT 1").fetchone() or (0, START)
    return Found(seq, digest, store.read_beat(connection), fault, () if fault is None else (fault,))


def _begin_anew(path: Path, damage: store.DamagedFile) -> Found:
    try:
        kept = set_aside(path)
    except OSError as error:
        fault = f"The journal at {path} is damaged ({damage}) and cannot be set aside ({error}); entries wait in memory."
        return Found(fault=fault, notices=(fault,))
    notice = f"The journal was damaged ({damage}); it was kept as {kept} and a new one was begun."
    found = find(path)
    return Found(found.seq, found.hash, found.beat, found.fault, (notice, *found.notices))


def _read_at_least(path: Path, error: Exception) -> Found:
    fault = cannot_write(path, error)
    try:
        connection = store.read_only(path)
    except JournalUnavailable:
        return Found(fault=fault, notices=(fault,))
    try:
        return _last(connection, fault)
    except sqlite3.Error:
        return Found(fault=fault, notices=(fault,))
    finally:
        connection.close()


def set_aside(path: Path) -> Path:
    """Rename a damaged journal, with its write-ahead files, to the next free name.

    Returns:
        Its new place.

    Raises:
        OSError: It cannot be renamed.
    """
    endings = ("", "-wal", "-shm")
    number = 1
    while any(path.with_name(f"{path.stem}.damaged-{number}{path.suffix}{ending}").exists() for ending in endings):
        number += 1
    target = path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")
    for ending in endings:
        part = path.with_name(path.name + ending)
        if part.exists():
            part.rename(target.with_name(target.name + ending))
    store.sync_folder(path.parent)
    return target
