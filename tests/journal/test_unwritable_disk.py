"""A disk that cannot be written is said within two seconds; rows wait in memory and go in once, in order, when it can."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from journal_parts import WALL, open_folder, opened, record, until, without_rights

from kiosk.domain.errors import JournalUnavailable
from kiosk.domain.types import Instant
from kiosk.journal import SqliteJournal, open_journal, read_rows, store, verify

GOOD = list(range(1, 41))

FULL = """
import resource, signal, sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from journal_parts import opened, record, until
from kiosk.journal import verify

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
journal = opened(Path(sys.argv[1]))
assert journal.append([record(1)]) == 1 and journal.flush(10)
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, hard))
for number in range(2, 401):
    journal.append([record(number), record(number)])
assert until(lambda: journal.state().fault is not None, 2), journal.state()
accepted = journal.state().accepted
assert journal.state().pending == 799 - accepted
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
assert journal.flush(10) and journal.state().fault is None
assert verify(journal.rows()).rows == 799
assert [row.data for row in journal.rows()][1::2] == [record(n).data for n in range(2, 401)]
journal.close()
print("said, waited, written")
"""


def seqs(journal: SqliteJournal) -> list[int]:
    return [row.seq for row in journal.rows()]


def refuse_writes(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def connect(_: Path) -> None:
        raise error

    monkeypatch.setattr(store, "connect", connect)


def test_a_full_disk_makes_rows_wait_until_there_is_room(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FULL, str(tmp_path / "journal.db"), str(Path(__file__).parent)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "said, waited, written\n"), done.stderr


def test_a_database_at_its_limit_keeps_its_connection_and_goes_on(tmp_path: Path) -> None:
    journal = opened(tmp_path / "journal.db")
    journal.append([record(1)])
    assert journal.flush(10)
    assert journal._database is not None
    connection = journal._database
    limited = sqlite3.OperationalError("database or disk is full")
    limited.sqlite_errorcode = sqlite3.SQLITE_FULL

    def full() -> None:
        raise limited

    journal._database.atomic = full  # type: ignore[method-assign,assignment]
    journal.append([record(2)])
    assert until(lambda: journal.state().fault is not None, 2)
    assert "is full" in str(journal.state().fault)
    assert journal._database is connection
    del journal._database.atomic
    assert journal.flush(10)
    assert seqs(journal) == [1, 2]
    journal.close()


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), sqlite3.OperationalError("disk I/O error"), ValueError("surprise")])
def test_any_error_is_said_and_survived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    journal = opened(tmp_path / "journal.db")
    with monkeypatch.context() as patch:
        refuse_writes(patch, error)
        for number in GOOD:
            journal.append([record(number)])
        assert until(lambda: journal.state().fault is not None, 2)
        assert str(error) in str(journal.state().fault)
    assert journal.flush(10)
    assert journal.state().fault is None
    assert seqs(journal) == GOOD
    journal.close()


def test_a_beat_alone_notices_the_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = opened(tmp_path / "journal.db")
    refuse_writes(monkeypatch, OSError("gone"))
    journal.beat(Instant(1))
    assert until(lambda: journal.state().fault is not None, 2)
    journal.abandon()


def test_a_write_that_hangs_is_a_fault_after_a_second_and_a_half(tmp_path: Path) -> None:
    clock = SimpleNamespace(now=0)
    journal, _ = open_journal(tmp_path / "journal.db", boot="b", wall=lambda: WALL, now_ns=lambda: clock.now)
    journal.append([record(1)])
    assert journal.flush(10)
    other = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    journal.append([record(2)])
    assert until(lambda: journal._writing_since is not None)
    assert journal.state().fault is None
    clock.now += 1_499_999_999
    assert journal.state().fault is None
    clock.now += 1
    assert journal.state().fault == "The journal's disk does not answer; entries wait in memory."
    other.execute("ROLLBACK")
    assert journal.flush(10)
    assert journal.state().fault is None
    other.close()
    journal.close()


def test_a_locked_database_is_said_and_waited_for(tmp_path: Path) -> None:
    journal = opened(tmp_path / "journal.db")
    journal.append([record(1)])
    assert journal.flush(10)
    other = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    journal.append([record(2)])
    assert until(lambda: "locked" in str(journal.state().fault), 2)
    other.execute("ROLLBACK")
    other.close()
    assert journal.flush(10)
    assert seqs(journal) == [1, 2]
    journal.close()


def test_a_folder_that_cannot_be_made_leaves_the_table_working(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file stands where the folder should")
    journal, notices = open_journal(tmp_path / "data" / "journal.db", boot="b", wall=lambda: WALL)
    assert "cannot be written" in notices[0]
    assert journal.state().fault == notices[0]
    journal.append([record(1)])
    assert list(journal.rows()) == []
    (tmp_path / "data").unlink()
    assert journal.flush(10)
    assert journal.state().fault is None
    assert seqs(journal) == [1]
    with pytest.raises(JournalUnavailable, match="already in use"):
        open_journal(tmp_path / "data" / "journal.db", boot="b", wall=lambda: WALL)
    journal.close()


@pytest.mark.parametrize("died", ["closed", "cut off"])
def test_a_read_only_folder_can_be_read_and_is_said(died: str) -> None:
    with open_folder() as folder:
        path = folder / "journal.db"
        journal = opened(path)
        journal.append([record(1)])
        assert journal.flush(10)
        _ = journal.close() if died == "closed" else journal.abandon()
        for file in folder.iterdir():
            file.chmod(0o444)
        folder.chmod(0o555)
        with without_rights():
            assert [row.seq for row in read_rows(path)] == [1]
            journal, notices = open_journal(path, boot="b", wall=lambda: WALL)
            assert "cannot be written" in notices[0]
            assert journal.append([record(2)]) == 2
            assert seqs(journal) == [1]
            assert journal.state().fault is not None
            assert journal.state().pending == 1
        folder.chmod(0o777)
        for file in folder.iterdir():
            file.chmod(0o666)
        assert journal.flush(10)
        assert seqs(journal) == [1, 2]
        journal.close()


def test_another_journal_in_its_place_is_not_written(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine", tmp_path / "other"
    journal, stranger = opened(mine / "journal.db"), opened(other / "journal.db", "stranger")
    for one in (journal, stranger):
        one.append([record(1)])
        assert one.flush(10)
    stranger.close()
    mine.rename(tmp_path / "away")
    other.rename(mine)
    journal.append([record(2)])
    assert until(lambda: "another journal" in str(journal.state().fault), 3)
    mine.rename(other)
    assert [row.boot for row in read_rows(other / "journal.db")] == ["stranger"]
    (tmp_path / "away").rename(mine)
    assert journal.flush(10)
    assert seqs(journal) == [1, 2]
    journal.close()


def test_a_deleted_journal_is_said_and_never_begun_in_the_middle(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal = opened(path)
    journal.append([record(1)])
    assert journal.flush(10)
    for file in tmp_path.glob("journal.db*"):
        file.unlink()
    journal.append([record(2)])
    assert until(lambda: "moved or deleted" in str(journal.state().fault), 2)
    assert not path.exists()
    with pytest.raises(JournalUnavailable, match="no journal"):
        seqs(journal)
    journal.abandon()


def test_a_commit_that_failed_late_is_not_written_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows were on disk though the commit had reported an error: they used to be refused for ever as already there."""
    journal = opened(tmp_path / "journal.db")
    write = journal._write
    failed = []

    def late(rows: object, beat: object) -> None:
        write(rows, beat)  # type: ignore[arg-type]
        if not failed:
            failed.append(True)
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(journal, "_write", late)
    journal.append([record(1), record(2)])
    assert until(lambda: bool(failed))
    journal.append([record(3)])
    assert journal.flush(10)
    assert seqs(journal) == [1, 2, 3]
    assert verify(journal.rows()).fault is None
    journal.close()


def test_a_closed_journal_says_so(tmp_path: Path) -> None:
    journal = opened(tmp_path / "journal.db")
    journal.close()
    journal.append([record(1)])
    assert journal.state().fault == "The journal is closed; entries are no longer kept."
    with suppress(JournalUnavailable):
        assert seqs(journal) == []
