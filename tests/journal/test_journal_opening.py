"""Whatever stands at the journal's path, the table comes to work or says why it can't."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from journal_parts import WALL, opened, record, until

from kiosk.domain.errors import JournalUnavailable
from kiosk.journal import SqliteJournal, found, open_journal, read_rows, verify

if TYPE_CHECKING:
    from pathlib import Path


def filled(path: Path, rows: int = 3) -> None:
    journal = opened(path)
    journal.append([record(number) for number in range(1, rows + 1)])
    assert journal.flush(10)
    journal.close()


def anew(path: Path) -> tuple[SqliteJournal, tuple[str, ...]]:
    return open_journal(path, boot="boot-2", wall=lambda: WALL)


def sql(path: Path, *statements: str) -> None:
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def test_a_missing_folder_is_made(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "journal.db"
    filled(path)
    assert [row.seq for row in read_rows(path)] == [1, 2, 3]


def test_the_tables_are_strict_and_the_file_keeps_a_write_ahead_log(tmp_path: Path) -> None:
    filled(tmp_path / "journal.db")
    connection = sqlite3.connect(tmp_path / "journal.db")
    strict = dict(connection.execute("SELECT name, strict FROM pragma_table_list WHERE name IN ('fact', 'beat')"))
    assert strict == {"fact": 1, "beat": 1}
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("SELECT migration_set, name FROM _sqlite_migrations").fetchall() == [("tableside", "facts_and_beat")]
    connection.close()


def test_an_empty_file_becomes_a_journal(tmp_path: Path) -> None:
    (tmp_path / "journal.db").touch()
    filled(tmp_path / "journal.db")


@pytest.mark.parametrize("damage", ["text", "torn", "foreign", "columns", "table", "migrations"])
def test_a_damaged_file_is_set_aside_and_said(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "journal.db"
    if damage == "text":
        path.write_text("this is not a database, however long it may go on " * 40)
    elif damage == "foreign":
        sql(path, "CREATE TABLE cats (name TEXT)")
    else:
        filled(path, 300)
        if damage == "torn":
            content = path.read_bytes()
            path.write_bytes(content[: len(content) // 2] + bytes(len(content) - len(content) // 2))
        elif damage == "columns":
            sql(path, "ALTER TABLE beat ADD COLUMN extra TEXT")
        elif damage == "table":
            sql(path, "DROP TABLE fact")
        else:
            sql(path, "DROP TABLE _sqlite_migrations", "CREATE TABLE _sqlite_migrations (id INTEGER PRIMARY KEY, x TEXT)")
    before = path.read_bytes()
    journal, notices = anew(path)
    (notice,) = notices
    assert "damaged" in notice
    assert "journal.damaged-1.db" in notice
    assert (tmp_path / "journal.damaged-1.db").read_bytes() == before
    assert journal.append([record(1)]) == 1
    assert journal.flush(10)
    journal.close()


def test_a_second_damaged_file_gets_the_next_number(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    for text in ("first", "second", "third"):
        path.write_text(text * 500)
        anew(path)[0].close()
        path.unlink()
    kept = {file.name: file.read_text()[:5] for file in tmp_path.glob("journal.damaged-*.db")}
    assert kept == {"journal.damaged-1.db": "first", "journal.damaged-2.db": "secon", "journal.damaged-3.db": "third"}


def test_what_belongs_to_a_damaged_file_goes_with_it_and_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "journal.damaged-1.db-wal").write_text("kept")
    for ending in ("", "-wal", "-shm"):
        (tmp_path / f"journal.db{ending}").write_text(f"new{ending}")
    assert found.set_aside(tmp_path / "journal.db").name == "journal.damaged-2.db"
    texts = {file.name: file.read_text() for file in tmp_path.iterdir()}
    moved = {f"journal.damaged-2.db{ending}": f"new{ending}" for ending in ("", "-wal", "-shm")}
    assert texts == {"journal.damaged-1.db-wal": "kept", **moved}


def test_damage_that_cannot_be_set_aside_leaves_the_table_working(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> Path:
        raise PermissionError("read-only")

    path = tmp_path / "journal.db"
    path.write_text("damaged " * 500)
    monkeypatch.setattr(found, "set_aside", refuse)
    journal, notices = anew(path)
    assert "cannot be set aside" in notices[0]
    assert journal.state().fault == notices[0]
    assert journal.append([record(1)]) == 1
    assert until(lambda: "cannot be written" in str(journal.state().fault))
    assert list(journal.rows()) == []
    journal.abandon()
    assert path.read_text() == "damaged " * 500


def test_an_altered_row_is_not_damage_but_verify_finds_it(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    filled(path)
    sql(path, "UPDATE fact SET data = '{}' WHERE seq = 3")
    journal, notices = anew(path)
    assert notices == ()
    journal.append([record(4)])
    assert journal.flush(10)
    report = verify(journal.rows())
    assert report.rows == 2
    assert report.fault is not None
    assert "Row 3" in report.fault
    journal.close()


def test_a_strange_trust_in_the_date_is_found(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    filled(path)
    sql(path, "UPDATE fact SET wall_trusted = 2 WHERE seq = 2")
    assert verify(read_rows(path)).rows == 1


def test_a_newer_tablesides_journal_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    filled(path)
    sql(path, "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('tableside', 'facts_in_colour', '')")
    before = path.read_bytes()
    for _ in range(2):  # The lock is let go each time.
        with pytest.raises(JournalUnavailable, match="newer Tableside"):
            anew(path)
    assert path.read_bytes() == before
    assert not list(tmp_path.glob("*damaged*"))


def test_a_second_process_is_told_that_the_journal_is_in_use(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal = opened(path)
    with pytest.raises(JournalUnavailable, match="already in use by another process"):
        anew(path)
    journal.close()
    opened(path).close()


def test_a_file_that_cannot_even_be_read_leaves_the_table_working(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.db"
    filled(path)

    def unreadable(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(found.store, "check_sound", unreadable)
        patch.setattr(found.store, "read_beat", unreadable)
        journal, notices = anew(path)
    assert "disk I/O error" in notices[0]
    assert journal.state().fault == notices[0]
    assert journal.append([record(1)]) == 1
    assert until(lambda: "another journal" in str(journal.state().fault))
    journal.abandon()
    assert [row.seq for row in read_rows(path)] == [1, 2, 3]


def test_pages_that_do_not_hold_together_are_damage_even_when_they_can_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.db"
    filled(path)
    broken = sqlite3.DatabaseError("database disk image is malformed")
    broken.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    answers = iter([broken])
    real = found.store.check_sound

    def once(connection: sqlite3.Connection) -> None:
        error = next(answers, None)
        if error is not None:
            raise error
        real(connection)

    monkeypatch.setattr(found.store, "check_sound", once)
    journal, notices = anew(path)
    assert "malformed" in notices[0]
    assert "journal.damaged-1.db" in notices[0]
    journal.close()
