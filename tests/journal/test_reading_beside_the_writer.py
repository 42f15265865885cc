"""`kiosk journal` reads while the kiosk writes; what cannot be read is said in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from journal_parts import opened, record

from kiosk.domain.errors import JournalUnavailable
from kiosk.journal import read_rows, store

if TYPE_CHECKING:
    from pathlib import Path


def test_rows_are_read_while_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal = opened(path)
    for number in range(1, 10):
        journal.append([record(number)])
        assert journal.flush(10)
        assert [row.seq for row in read_rows(path)] == list(range(1, number + 1))
    reader = read_rows(path)
    next(reader)
    journal.append([record(10)])
    assert journal.flush(10)
    assert [row.seq for row in reader] == list(range(2, 10))
    journal.close()


def test_reading_takes_no_lock_and_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal = opened(path)
    journal.append([record(1)])
    journal.close()
    assert len(list(read_rows(path))) == 1
    assert {file.name for file in tmp_path.iterdir()} <= {"journal.db", "journal.db.lock", "journal.db-wal", "journal.db-shm"}
    opened(path).close()


def test_no_journal_is_said(tmp_path: Path) -> None:
    with pytest.raises(JournalUnavailable, match="There is no journal at"):
        list(read_rows(tmp_path / "journal.db"))


def test_a_file_that_is_no_journal_is_said(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_text("nothing of the kind " * 300)
    with pytest.raises(JournalUnavailable, match="cannot be read"):
        list(read_rows(tmp_path / "journal.db"))


def test_a_journal_torn_in_the_middle_is_read_up_to_there(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal = opened(path)
    journal.append([record(number) for number in range(1, 500)])
    journal.close()
    content = path.read_bytes()
    path.write_bytes(content[:-8192] + b"\xff" * 8192)
    rows = []
    with pytest.raises(JournalUnavailable, match="cannot be read to its end"):
        rows.extend(store.read_rows(path))
