"""Finds out where the table keeps its records: folder, disk, how long a sync takes, the journal. A running table is not disturbed."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from pathlib import Path

from kiosk.app.doctor.figures import DiskFigures, FolderFigures, JournalFigures, SyncFigures
from kiosk.app.system import forgetful
from kiosk.journal import examine, holder

TRIALS = 20
"""So often a page is written and synced: a fraction of a second on a good card, and a card that stalls shows it."""

PAGE = 4096
"""Bytes of one write: what one small entry costs SQLite at least."""


def look_at_folder(folder: Path) -> FolderFigures:
    """The data folder as it is; it is not made."""
    place = standing(folder)
    usable = folder.is_dir() if folder.exists() else place.is_dir()
    writable = usable and os.access(place, os.W_OK | os.X_OK)
    return FolderFigures(str(folder), folder.exists(), writable, forgetful(place) or "")


def standing(folder: Path) -> Path:
    """A folder, or the nearest one above it that is there."""
    return next((place for place in (folder, *folder.absolute().parents) if place.exists()), Path("/"))


def look_at_disk(folder: Path) -> DiskFigures:
    """The room on the disk that a folder is on, or would be."""
    usage = shutil.disk_usage(standing(folder))
    return DiskFigures(usage.total, usage.free)


def look_at_sync(folder: Path, trials: int = TRIALS) -> SyncFigures:
    """Write and sync pages in a file of its own, which is gone afterwards.

    Args:
        folder: The data folder, or where it would be made.
        trials: How often.
    """
    place = standing(folder)
    if not place.is_dir() or not os.access(place, os.W_OK | os.X_OK):
        return SyncFigures(())
    spent = []
    with tempfile.TemporaryFile(dir=place, prefix=".doctor-", buffering=0) as file:
        page = os.urandom(PAGE)
        for _trial in range(trials):
            began = time.perf_counter_ns()
            file.write(page)
            os.fsync(file.fileno())
            spent.append(time.perf_counter_ns() - began)
    return SyncFigures(tuple(spent))


def look_at_journal(path: Path) -> JournalFigures:
    """Read the journal through, whether a table writes it or not."""
    if not path.exists():
        return JournalFigures(str(path), exists=False)
    found = examine(path)
    return JournalFigures(str(path), exists=True, rows=found.rows, size=found.size, fault=found.fault, holder=holder(path))
