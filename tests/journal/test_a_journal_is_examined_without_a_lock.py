from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from kiosk.domain.errors import JournalUnavailable
from kiosk.journal import SqliteJournal, examine, holder, open_journal
from kiosk.ports import Record


def opened(path: Path) -> SqliteJournal:
    return open_journal(path, boot="b", wall=lambda: (0, False))[0]


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    writer = opened(path)
    writer.append([Record("turn_ended", "{}", at) for at in range(5)])
    writer.close()
    return path


def test_rows_that_hold_are_counted(journal: Path) -> None:
    seen = examine(journal)
    assert (seen.rows, seen.fault) == (5, "")
    assert seen.size >= journal.stat().st_size


def test_a_row_that_was_altered_is_named(journal: Path) -> None:
    with sqlite3.connect(journal) as connection:
        connection.execute("UPDATE fact SET data = '[]' WHERE seq = 3")
    connection.close()
    assert (examine(journal).rows, examine(journal).fault) == (2, "Row 3 was altered: its hash does not fit its contents.")


def test_a_file_that_is_no_journal_is_said(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(b"nothing of the kind" * 100)
    assert "not a database" in examine(tmp_path / "journal.db").fault


def test_broken_pages_are_said(journal: Path) -> None:
    data = bytearray(journal.read_bytes())
    data[4096 + 8 : 8192] = os.urandom(4096 - 8)
    journal.write_bytes(data)
    assert examine(journal).fault


def test_who_writes_it_is_known_and_is_not_disturbed(journal: Path) -> None:
    writer = opened(journal)
    try:
        assert holder(journal) == os.getpid()
        assert examine(journal).rows == 5
        writer.append([Record("turn_ended", "{}", 9)])
        assert writer.flush(5)
        with pytest.raises(JournalUnavailable):
            opened(journal)
    finally:
        writer.close()
    assert holder(journal) is None


def test_asking_who_writes_it_leaves_it_free(journal: Path) -> None:
    assert holder(journal) is None
    opened(journal).close()


def test_a_journal_that_nobody_ever_locked_has_no_holder(tmp_path: Path) -> None:
    assert holder(tmp_path / "journal.db") is None


@pytest.mark.parametrize(
    "line",
    [
        "1: POSIX ADVISORY WRITE 4711 fe:00:{n} 0 EOF",
        "1: FLOCK ADVISORY READ 4711 fe:00:{n} 0 EOF",
        "1: FLOCK ADVISORY WRITE 4711 fe:00:1{n} 0 EOF",
        "1:",
    ],
)
def test_other_locks_are_none_of_its_own(journal: Path, tmp_path: Path, line: str) -> None:
    number = Path(f"{journal}.lock").stat().st_ino
    (tmp_path / "locks").write_text(line.format(n=number) + "\n", encoding="ascii")
    assert holder(journal, tmp_path / "locks") is None


def test_of_a_lock_that_is_waited_for_the_holder_counts(journal: Path, tmp_path: Path) -> None:
    number = Path(f"{journal}.lock").stat().st_ino
    lines = f"1: FLOCK ADVISORY WRITE 12 fe:00:{number} 0 EOF\n1: -> FLOCK ADVISORY WRITE 13 fe:00:{number} 0 EOF\n"
    (tmp_path / "locks").write_text(lines, encoding="ascii")
    assert holder(journal, tmp_path / "locks") == 12
