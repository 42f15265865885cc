"""A look at a journal for the doctor: it takes no lock, changes nothing, and disturbs nobody who writes it."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from kiosk.chain import verify
from kiosk.domain.errors import JournalUnavailable
from kiosk.journal import store

SQLITE = sqlite3.sqlite_version
"""Which SQLite is used."""

LOCKS = Path("/proc/locks")
"""What the kernel says of every lock, without anybody having to take one."""


@dataclass(frozen=True, slots=True)
class Examined:
    """What was seen."""

    rows: int = 0
    """Rows whose chain holds, counted from the start."""
    size: int = 0
    """Bytes, with the write-ahead file."""
    fault: str = ""
    """What does not hold together; else empty."""


def examine(path: Path) -> Examined:
    """Read a journal from its pages to its chain.

    Args:
        path: An existing file.
    """
    size = sum(part.stat().st_size for part in (path, path.with_name(path.name + "-wal")) if part.exists())
    try:
        connection = store.read_only(path)
        try:
            store.check_sound(connection)
            report = verify(store.rows_of(connection))
        finally:
            connection.close()
    except (JournalUnavailable, store.DamagedFile, sqlite3.Error) as error:
        return Examined(size=size, fault=str(error))
    return Examined(report.rows, size, report.fault or "")


def holder(path: Path, locks: Path = LOCKS) -> int | None:
    """The process that has a journal open for writing, as far as this user can see; asking takes no lock.

    Args:
        path: The journal.
        locks: The kernel's list.
    """
    try:
        number = Path(f"{path}.lock").stat().st_ino
        lines = locks.read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    for line in lines:
        words = line.replace("-> ", "").split()  # 1: FLOCK ADVISORY WRITE 4711 fe:00:131 0 EOF
        if len(words) >= 6 and words[1] == "FLOCK" and words[3] == "WRITE" and words[5].rpartition(":")[2] == str(number):
            return int(words[4])
    return None
