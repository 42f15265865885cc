"""A journal that was cut off, replaced or deleted is told, whatever came after it, until a person says that it is known."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kiosk.app import joining, kept, membership, missing
from kiosk.app.main import run
from kiosk.domain.errors import KioskError
from kiosk.domain.types import Instant
from kiosk.journal import MemoryJournal, open_journal, read_rows
from kiosk.ports import Record
from kiosk.server.enrolment import make_code
from kiosk.session import commands as c
from kiosk.sync.wire import Receipt
from tests.app.test_the_loop_is_linked_to_the_server import Table, _items, table
from tests.server.served import Served, served
from tests.sync.model import journal_of, receipt

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("server") / "event") as made:
        yield made


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "kiosk.toml").write_text(f'data = "{tmp_path}/data"\nlanguage = "en"\n', encoding="utf-8")
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


@pytest.fixture
def ask(data: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    def words(*said: str) -> tuple[int, str, str]:
        code = run(["--config", str(data.parent), *said])
        return code, *capsys.readouterr()

    return words


def write_journal(data: Path, count: int, text: str = "{}") -> list[str]:
    """A journal of so many rows in a data folder; the hashes of its rows."""
    journal, _ = open_journal(data / "journal.db", boot="b", wall=lambda: (0, False))
    journal.append([Record("noted", text, n) for n in range(count)])
    journal.flush(5)
    hashes = [row.hash for row in journal.rows()]
    journal.close()
    return hashes


def delete_journal(data: Path) -> None:
    for path in data.glob("journal.db*"):
        path.unlink()


def test_a_deleted_journal_is_told_by_the_commands_and_accepted_once(data: Path, ask: Ask) -> None:
    hashes = write_journal(data, 5)
    membership.keep_receipt(data, receipt(hashes[0], 5, hashes[4]))
    assert ask("journal", "verify")[0] == 0
    delete_journal(data)
    gone = "A journal with 5 entries that the server had confirmed is gone from this table. Tell the organizer"
    code, _out, err = ask("server", "status")
    assert (code, gone in err) == (1, True)
    code, _out, err = ask("journal", "verify")
    assert (code, gone in err) == (1, True)
    write_journal(data, 2, '{"other":1}')
    assert gone in ask("server", "status")[2]
    code, out, err = ask("journal", "verify")
    assert (code, gone in err, "2 rows hold together" in out) == (1, True, True)
    code, out, err = ask("journal", "verify", "--accept")
    assert (code, "is told no more" in out, err) == (0, True, "")
    assert ask("server", "status")[::2] == (0, "")
    code, out, _err = ask("journal", "verify", "--accept")
    assert (code, "Nothing is missing here" in out) == (0, True)


def test_what_another_journal_lacks_is_nobodys_to_accept(data: Path, ask: Ask) -> None:
    write_journal(data, 1)
    code, _out, err = ask("journal", "verify", "--accept", "--journal", str(data / "other.db"))
    assert (code, "--accept is about this table's own journal" in err) == (2, True)


def played(server: Served, folder: Path, name: str) -> tuple[MemoryJournal, MemoryJournal]:
    """A table whose entries the server has: its journal, and an older copy of it."""
    joining.join(folder, server.url, make_code(server.house, "a test", table=name).code)
    with table(folder) as one:
        one.until(lambda: one.hall.link.state().connected)
        one.open()
        confirmed(one)
        older = MemoryJournal(boot="boot", rows=list(one.journal.rows()))
        check(one)
        confirmed(one)
        return one.journal.survivor(), older


def check(one: Table) -> None:
    for item in list(_items()):
        one.session.command(c.Check(item, done=True), Instant(time.monotonic_ns()))


def confirmed(one: Table) -> None:
    one.until(lambda: one.hall.link.state().connected and one.hall.link.state().unsynced == 0 and bool(one.journal.state().accepted))


def test_an_older_copy_of_the_journal_is_told_also_after_it_has_gone_on_and_got_receipts(server: Served, tmp_path: Path) -> None:
    _journal, older = played(server, tmp_path, "1")
    for _start in range(2):  # the second time the new history has receipts of its own
        with table(tmp_path, older) as one:
            one.journal.append([Record("noted", '{"v":1}', time.monotonic_ns())])
            confirmed(one)
            assert "had confirmed, up to row" in one.hall.link.state().trouble
        older = one.journal.survivor()
    assert len({each.branch for each in missing.every(tmp_path)}) == 2


def test_a_deleted_journal_is_told_on_the_screen_until_somebody_knows(server: Served, tmp_path: Path) -> None:
    journal, _older = played(server, tmp_path, "2")
    with table(tmp_path) as one:
        one.open("m2")
        confirmed(one)
        assert "is gone from this table" in one.hall.link.state().trouble
        own = missing.Own(missing.hash_of(one.journal, 1), lambda seq: missing.hash_of(one.journal, seq))
        assert missing.accept(tmp_path, own)
        one.until(lambda: one.hall.link.state().trouble == "")
        later = one.journal
    with table(tmp_path, later) as again:
        confirmed(again)
        assert again.hall.link.state().trouble == ""
    assert journal.state().accepted  # put back, it is the other one that is gone
    with table(tmp_path, journal) as back:
        back.until(lambda: "is gone from this table" in back.hall.link.state().trouble)


def test_a_table_that_has_left_its_server_tells_it_too(server: Served, tmp_path: Path) -> None:
    played(server, tmp_path, "3")
    membership.forget(tmp_path)
    with table(tmp_path) as one:
        one.until(lambda: "is gone from this table" in one.hall.link.state().trouble)
        assert not one.hall.link.state().joined


def test_no_receipt_takes_the_place_of_evidence_that_is_not_on_disk_yet(
    server: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(server, tmp_path, "4")
    before = membership.receipts(tmp_path)
    with monkeypatch.context() as disk:

        def full(folder: Path, name: str, text: str) -> None:  # noqa: ARG001 - as the one that writes
            raise membership.JoinUnavailable("The disk is full.")

        disk.setattr(membership, "write", full)
        with table(tmp_path) as one:
            one.open("m4")
            confirmed(one)
            assert "The disk is full." in one.hall.link.state().trouble
    assert membership.receipts(tmp_path) == before
    with table(tmp_path, one.journal) as again:
        confirmed(again)
    assert missing.read(tmp_path).missing == tuple(before)
    assert len(membership.receipts(tmp_path)) == 2


# ── What is found and held ───────────────────────────────────────────────────
def own_of(count: int) -> missing.Own:
    return missing.of_rows(journal_of(count).rows(), [receipt("", seq, "") for seq in range(1, count + 1)])


def test_of_each_history_the_newest_receipt_counts() -> None:
    own = own_of(4)
    fits = receipt(own.first, 4, own.ours(4))
    cut = [receipt(own.first, seq, "a" * 64) for seq in (6, 9, 7)]
    assert missing.find([fits, *cut], own) == (cut[1],)
    assert missing.told(missing.find([fits], own), own) == ""
    assert "lacks entries that the server had confirmed, up to row 9" in missing.told((cut[1],), own)
    assert "other entries than the server had confirmed, up to row 3" in missing.told((receipt(own.first, 3, "b" * 64),), own)


def test_many_journals_that_are_gone_are_told_in_few_words_and_held_within_bounds(tmp_path: Path) -> None:
    found = tuple(receipt(f"{n:064x}", 3, "c" * 64) for n in range(missing.MOST + 5))
    told = missing.told(found, own_of(1))
    assert told.count("A journal with 3 entries") == missing.MOST_TOLD
    assert f"So it is with {missing.MOST + 5 - missing.MOST_TOLD} more journals." in told
    missing.hold(tmp_path, found)
    assert missing.read(tmp_path).missing == found[: missing.MOST]


def test_evidence_that_is_new_ends_an_acceptance(tmp_path: Path) -> None:
    own = own_of(2)
    missing.accept(tmp_path, own)
    assert missing.read(tmp_path).known == own.first
    missing.hold(tmp_path, ())
    assert missing.read(tmp_path).known == own.first
    missing.hold(tmp_path, (receipt("d" * 64, 3, "c" * 64),))
    assert missing.read(tmp_path).known == ""


@pytest.mark.parametrize("text", ["x", '{"missing": 5}', "[]"])
def test_what_is_held_and_was_damaged_is_set_aside_and_told_until_somebody_knows(data: Path, ask: Ask, text: str) -> None:
    write_journal(data, 1)
    (data / missing.FILE).write_text(text, encoding="utf-8")
    assert "missing.json is damaged" in ask("server", "status")[2]
    missing.hold(data, (receipt("d" * 64, 3, "c" * 64),))
    assert "set aside" in ask("server", "status")[2]
    assert ask("journal", "verify")[0] == 1
    assert ask("journal", "verify", "--accept")[::2] == (0, "")


# ── Damaged files ────────────────────────────────────────────────────────────
@pytest.mark.parametrize("name", [membership.DEVICE, membership.SERVER, membership.RECEIPTS])
def test_a_damaged_file_is_said_by_the_status_and_by_a_table_that_runs(server: Served, data: Path, ask: Ask, name: str) -> None:
    joining.join(data, server.url, make_code(server.house, "a test", table=f"d{name[0]}").code)
    write_journal(data, 1)
    (data / name).write_text("x", encoding="utf-8")
    assert f"{name} is damaged" in ask("server", "status")[2]
    with table(data) as one:
        one.until(lambda: f"{name} is damaged" in one.hall.link.state().trouble)


def test_receipts_that_were_damaged_are_told_after_new_ones_have_come(data: Path, ask: Ask) -> None:
    hashes = write_journal(data, 2)
    (data / membership.RECEIPTS).write_text("x", encoding="utf-8")
    membership.keep_receipt(data, receipt(hashes[0], 2, hashes[1]))
    assert "was damaged and is set aside" in ask("server", "status")[2]
    assert ask("journal", "verify")[0] == 1
    assert ask("journal", "verify", "--accept")[::2] == (0, "")
    assert kept.last_aside(data / membership.RECEIPTS) is not None


def test_damaged_receipts_can_be_accepted(data: Path, ask: Ask) -> None:
    write_journal(data, 2)
    (data / membership.RECEIPTS).write_text("x", encoding="utf-8")
    assert ask("journal", "verify", "--accept")[::2] == (0, "")
    assert ask("server", "status")[2] == ""


def test_another_devices_id_is_told(server: Served, data: Path, ask: Ask) -> None:
    joining.join(data, server.url, make_code(server.house, "a test", table="other").code)
    (data / membership.DEVICE).write_text(json.dumps({"device": "0" * 32}), encoding="utf-8")
    assert "has another device's id" in ask("server", "status")[2]


def test_an_acceptance_that_cannot_be_written_is_said(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, text: str) -> None:  # noqa: ARG001 - as the one that writes
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kept, "write", full)
    with pytest.raises(KioskError, match="No space left"):
        missing.accept(data, own_of(1))


def test_a_copy_of_the_data_folder_bears_its_receipts_out(data: Path, ask: Ask) -> None:
    hashes = write_journal(data, 3)
    one: Receipt = receipt(hashes[0], 3, hashes[2])
    membership.keep_receipt(data, one)
    membership.keep_receipt(data, replace(one, device="another"))
    copy = data.parent / "copy"
    shutil.copytree(data, copy)
    shutil.rmtree(data)
    copy.rename(data)
    assert ask("journal", "verify")[0] == 0
    assert len(list(read_rows(data / "journal.db"))) == 3
