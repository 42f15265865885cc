"""The one way in: lock the journal, look what stands at its path, start its writer."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from kiosk.journal import store
from kiosk.journal.found import find, take_lock
from kiosk.journal.sqlite import MONOTONIC_NS, SqliteJournal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def open_journal(
    path: Path, *, boot: str, wall: Callable[[], tuple[int, bool]], now_ns: Callable[[], int] = MONOTONIC_NS
) -> tuple[SqliteJournal, tuple[str, ...]]:
    """Open or create the journal; `kiosk.journal.found` says what happens to what stands there.

    Args:
        path: The database; its folder is made.
        boot: This boot's id.
        wall: The system's date in nanoseconds since 1970, and whether it is trusted; asked when rows are handed over.
        now_ns: The monotonic clock in nanoseconds, by which a hanging write is noticed.

    Returns:
        The journal, and sentences that people must see.

    Raises:
        JournalUnavailable: Another process holds it, or a newer Tableside wrote it.
    """
    with contextlib.suppress(OSError):
        store.make_folder(path.parent)
    lock = take_lock(path)
    try:
        found = find(path)
    except BaseException:
        if lock is not None:
            lock.close()
        raise
    return SqliteJournal(path, found, boot=boot, wall=wall, lock=lock, now_ns=now_ns), found.notices
