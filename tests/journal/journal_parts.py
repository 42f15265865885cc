"""What the journal's tests share: records, a date, a disk that goes away, waiting without sleeping through a test."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kiosk.journal import MemoryJournal, SqliteJournal, open_journal
from kiosk.ports import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WALL = (1_700_000_000_000_000_000, True)
NOBODY = 65534


def record(number: int) -> Record:
    return Record("turn_ended", f'{{"number":{number},"player":"Ђорђе"}}', number * 1000)


def opened(path: Path, boot: str = "boot-1") -> SqliteJournal:
    """A journal that was opened without a word."""
    journal, notices = open_journal(path, boot=boot, wall=lambda: WALL)
    assert notices == ()
    return journal


def until(true: Callable[[], bool], timeout_s: float = 60) -> bool:
    """Wait for something that another thread does."""
    end = time.monotonic() + timeout_s
    pause = threading.Event()
    while not true():
        if time.monotonic() > end:
            return False
        pause.wait(0.002)
    return True


class MemoryDesk:
    """The twin in memory, and how its disk fails."""

    def __init__(self) -> None:
        self.journal: MemoryJournal | SqliteJournal = MemoryJournal(boot="boot-1", wall=lambda: WALL)

    def break_disk(self) -> None:
        assert isinstance(self.journal, MemoryJournal)
        self.journal.fail_with("The disk is gone.")

    def mend_disk(self) -> None:
        assert isinstance(self.journal, MemoryJournal)
        self.journal.recover()

    def power_cut(self) -> None:
        assert isinstance(self.journal, MemoryJournal)
        self.journal = self.journal.survivor("boot-2")

    def restart(self) -> None:
        self.journal.close()
        self.power_cut()


class SqliteDesk:
    """The journal on a real folder, which can be taken away and put back."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "data"
        self._away = folder / "away"
        self.journal: MemoryJournal | SqliteJournal = opened(self._folder / "journal.db")

    def break_disk(self) -> None:
        self._folder.rename(self._away)

    def mend_disk(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        self._away.rename(self._folder)

    def power_cut(self) -> None:
        assert isinstance(self.journal, SqliteJournal)
        self.journal.abandon()
        self.journal = opened(self._folder / "journal.db", "boot-2")

    def restart(self) -> None:
        self.journal.close()
        self.journal = opened(self._folder / "journal.db", "boot-2")


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that other users can reach too."""
    folder = Path(tempfile.mkdtemp(prefix="journal-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@contextmanager
def without_rights() -> Iterator[None]:
    """Be nobody for a while where the tests run as root, whom no permission stops."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
