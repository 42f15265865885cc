from __future__ import annotations

import asyncio
import errno
import json
import os
import stat
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select

from kiosk.domain.officials import Official, Role
from kiosk.server import audit, backup, devices, people, running
from kiosk.server.beside import alone, house_beside
from kiosk.server.cli_init import make
from kiosk.server.enrolment import make_code
from kiosk.server.faces import faces
from kiosk.server.house import House
from kiosk.server.main import run
from kiosk.server.problems import ServerError, WrongUse
from kiosk.server.running import Keeper
from kiosk.server.schema import face, fact, journal
from tests.server import cheap as cheap  # noqa: PLC0414 - passwords that cost little
from tests.server.devices import enrol

HOUR_NS = 3600 * 10**9
DAY_NS = 24 * HOUR_NS
WORD = "a long enough word"


@pytest.fixture(params=["sqlite", "postgresql"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A server with something in every kind of table, on either database."""
    url = "" if request.param == "sqlite" else str(request.getfixturevalue("postgres_database")())
    folder = tmp_path / "server"
    make(folder, "Open Skopje", Official("Eva", Role.ORGANIZER), WORD, url)
    fill(folder)
    return folder


def fill(folder: Path) -> None:
    with house_beside(folder) as house:
        people.add(house, "Eva", Official("Борис", Role.REFEREE), WORD, "5829")
        make_code(house, "Eva", table="7")
        ident = enrol(house.store, "12")
        with house.store.write() as connection:
            number = connection.execute(
                insert(journal)
                .values(
                    device=ident, ident="a" * 64, branch=0, forked_at=1, head_seq=1, head_hash="b", pending=0, created_ns=1, opening_seq=0
                )
                .returning(journal.c.id)
            ).scalar_one()
            row = {
                "boot": "b",
                "mono_ns": 1,
                "wall_ns": -5,
                "wall_trusted": True,
                "type": "noted",
                "data": '{"a":"é"}',
                "prev": "0",
                "hash": "h",
            }
            connection.execute(insert(fact).values(journal=number, seq=1, received_ns=1, **row))


def everything(house: House) -> dict[str, list[tuple[Any, ...]]]:
    with house.store.read() as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key.columns))]
            for table in backup.tables()
        }


def there(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    with house_beside(folder) as house:
        return everything(house)


def test_a_backup_holds_everything_for_its_owners_eyes_only(home: Path) -> None:
    with house_beside(home) as house:
        made = backup.make(house, "Eva (organizer)")
        found = backup.check(made.path)
    assert found == made
    assert made.event == "Open Skopje"
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    assert made.rows == sum(map(len, there(home).values()))
    with zipfile.ZipFile(made.path) as archive:
        names = set(archive.namelist())
    assert {"keys/server.id", "keys/receipts.key", "keys/tls.key", "keys/tls.crt", "server.toml", "tables/fact.jsonl"} <= names


@pytest.mark.parametrize("into", ["sqlite", "postgresql"])
def test_it_comes_back_on_either_database_and_the_server_goes_on_with_its_numbers(
    home: Path, into: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    file, other = tmp_path / "event.tableside-backup", tmp_path / "other"
    before = there(home)
    assert run(["--data", str(home), "backup", "--to", str(file)]) == 0
    words = ["--database", str(request.getfixturevalue("postgres_database")())] if into == "postgresql" else []
    assert run(["--data", str(other), "restore", str(file), *words]) == 0
    after = there(other)
    assert [note[3] for note in after["audit"][len(before["audit"]) :]] == ["backup_made", "backup_restored"]
    assert after | {"audit": []} == before | {"audit": []}
    assert after["audit"][: len(before["audit"])] == before["audit"]
    with house_beside(other) as house:
        assert (house.settings.is_sqlite, house.keys.server_id) == (into == "sqlite", (home / "server.id").read_text().strip())
        people.add(house, "Eva", Official("Mila", Role.REFEREE), WORD)  # the numbers go on
        make_code(house, "Eva", table="8")
        with house.store.read() as connection:
            assert audit.fault(connection) is None
            assert [each.table for each in devices.listed(connection)] == ["12"]
        people.log_in(house, "10.0.0.1", "Борис", WORD)


def test_what_was_there_is_kept_aside(tmp_path: Path) -> None:
    home, file = tmp_path / "server", tmp_path / "event.tableside-backup"
    make(home, "Open", Official("Eva", Role.ORGANIZER), WORD, "")
    assert run(["--data", str(home), "backup", "--to", str(file)]) == 0
    with house_beside(home) as house:
        people.add(house, "Eva", Official("Too Late", Role.REFEREE), WORD)
    late = there(home)
    assert run(["--data", str(home), "restore", str(file)]) == 0
    assert "Too Late" not in str(there(home)["person"])
    assert (home / "before-restore-1" / "event.db").exists()
    assert there(home / "before-restore-1") == late


def test_a_running_servers_data_is_not_touched(home: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "event.tableside-backup"
    assert run(["--data", str(home), "backup", "--to", str(file)]) == 0
    before = there(home)
    with alone(home):
        assert run(["--data", str(home), "restore", str(file)]) == 1
    assert "A server runs with" in capfd.readouterr().err
    assert there(home) == before


def test_a_restore_that_fails_leaves_everything_as_it_was(
    tmp_path: Path, postgres_database: Callable[[], str], capfd: pytest.CaptureFixture[str]
) -> None:
    home, file, taken = tmp_path / "server", tmp_path / "event.tableside-backup", postgres_database()
    make(home, "Open", Official("Eva", Role.ORGANIZER), WORD, "")
    make(tmp_path / "second", "Other", Official("Eva", Role.ORGANIZER), WORD, taken)
    assert run(["--data", str(home), "backup", "--to", str(file)]) == 0
    before = there(home)
    assert run(["--data", str(home), "restore", str(file), "--database", taken]) == 2
    assert "there is an event in this database already" in capfd.readouterr().err
    assert there(home) == before
    assert not list(home.glob("before-restore-*"))


def damaged(file: Path, name: str, change: Callable[[bytes], bytes]) -> None:
    with zipfile.ZipFile(file) as archive:
        members = {each: archive.read(each) for each in archive.namelist()}
    with zipfile.ZipFile(file, "w") as archive:
        for each, data in members.items():
            archive.writestr(each, change(data) if each == name else data)


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("tables/fact.jsonl", lambda data: data.replace(b"noted", b"notes"), "its table fact was altered"),
        ("tables/audit.jsonl", lambda data: data.partition(b"\n")[2], "its table audit was altered"),
        ("tableside.json", lambda data: data.replace(b'"backup": 1', b'"backup": 2'), "newer Tableside"),
        ("tableside.json", lambda _data: b"[]", "newer Tableside"),
        ("tableside.json", lambda _data: b"{", "no whole backup"),
    ],
)
def test_a_backup_that_was_altered_is_refused(
    name: str, change: Callable[[bytes], bytes], told: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    home, file = tmp_path / "server", tmp_path / "event.tableside-backup"
    make(home, "Open", Official("Eva", Role.ORGANIZER), WORD, "")
    fill(home)
    assert run(["--data", str(home), "backup", "--to", str(file)]) == 0
    assert run(["backups", "check", str(file)]) == 0
    damaged(file, name, change)
    before = there(home)
    assert run(["backups", "check", str(file)]) == 1
    assert run(["--data", str(home), "restore", str(file)]) == 1
    assert told in capfd.readouterr().err
    assert there(home) == before


@pytest.mark.parametrize("content", [b"", b"PK", b"no backup at all"])
def test_what_is_no_backup_is_told(content: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.tableside-backup"
    file.write_bytes(content)
    assert run(["backups", "check", str(file)]) == 1
    assert "no whole backup" in capfd.readouterr().err


def test_nothing_is_overwritten(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "there"
    file.write_text("mine")
    with house_beside(home) as house, pytest.raises(WrongUse, match="a backup overwrites nothing"):
        backup.make(house, "Eva", file)
    assert file.read_text() == "mine"


# ── Every hour ───────────────────────────────────────────────────────────────
@pytest.fixture
def house(tmp_path: Path) -> Any:
    make(tmp_path / "server", "Open", Official("Eva", Role.ORGANIZER), WORD, "")
    with house_beside(tmp_path / "server") as made:
        yield made


def hourly_files(house: House) -> list[str]:
    return sorted(path.name for path in house.settings.backups.glob("hourly-*"))


def test_an_hours_backup_is_made_once_an_hour(house: House) -> None:
    now = house.now_ns()
    house.now_ns = lambda: now
    assert backup.hourly(house) == backup.HOUR_S
    assert 0 < backup.hourly(house) <= backup.HOUR_S
    assert len(hourly_files(house)) == 1
    house.now_ns = lambda: now + HOUR_NS
    backup.hourly(house)
    assert len(hourly_files(house)) == 2


def test_a_due_backup_is_made_once_an_hour_by_command_too(house: House, capfd: pytest.CaptureFixture[str]) -> None:
    data = str(house.settings.folder)
    for _twice in range(2):
        assert run(["--data", data, "backup", "--due"]) == 0
    assert len(hourly_files(house)) == 1
    assert run(["--data", data, "backup", "--due", "--to", "x"]) == 2
    assert "--due" in capfd.readouterr().err


def test_a_due_backup_that_the_server_makes_at_this_moment_is_left_to_it(house: House) -> None:
    with backup.turn(house.settings) as mine:
        assert mine
        assert run(["--data", str(house.settings.folder), "backup", "--due"]) == 0
    assert hourly_files(house) == []


def test_one_of_each_hour_and_of_each_day_is_kept(tmp_path: Path) -> None:
    now = 1_700_000_000 * 10**9
    found = [(now - hour * HOUR_NS, tmp_path / str(hour)) for hour in range(24 * 30)]
    gone = {int(path.name) for path in backup.superseded(found, now, 24, 14)}
    kept = set(range(24 * 30)) - gone
    assert set(range(24)) <= kept
    assert kept - set(range(24)) == {24 * day for day in range(1, 14)}


def test_a_full_disk_makes_no_backup_and_leaves_the_older_ones(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    made = backup.make(house, "Eva", house.settings.backups / f"first{backup.SUFFIX}")

    def full(*_args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(backup.os, "fsync", full)
    with pytest.raises(ServerError, match=r"The disk with .* is full: no backup was made; the older ones are as they were"):
        backup.hourly(house)
    assert [path.name for path in house.settings.backups.iterdir()] == [made.path.name]
    assert backup.check(made.path) == made


def test_a_folder_that_cannot_be_written_is_a_sentence(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_args: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(backup, "_write", refuses)
    with pytest.raises(ServerError, match=r"No backup was made at .*: Permission denied\."):
        backup.make(house, "Eva")


def test_a_disk_that_is_not_in_is_told_and_its_folder_is_not_made_elsewhere(
    house: House, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    away = tmp_path / "stick" / "event"
    with pytest.raises(ServerError, match=r"There is no folder .*stick.*; no backup was made"):
        backup.make(house, "Eva", away / "x")
    house.settings = replace(house.settings, backups=away)
    with pytest.raises(ServerError, match="There is no folder"):
        backup.make(house, "Eva")
    assert asyncio.run(Keeper(house, in_this_process).due()) == 300
    assert "There is no folder" in caplog.text
    assert backup.listed(house.settings) == []
    assert not away.parent.exists()
    assert "backup_made" not in {row[3] for row in everything(house)["audit"]}
    away.mkdir(parents=True)
    assert backup.make(house, "Eva").path.parent == away


def test_no_table_stands_as_connected_after_a_restore(home: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "event.tableside-backup", tmp_path / "other"
    with house_beside(home) as house, house.store.write() as connection:
        (ident,) = [each.id for each in devices.listed(connection)]
        connection.execute(insert(face).values(device=ident, data='{"table":"12"}', worker="a worker that is gone", changed_ns=1))
    assert run(["--data", str(home), "backup", "--to", str(file)]) == 0
    assert run(["--data", str(other), "restore", str(file)]) == 0
    with house_beside(other) as house, house.store.read() as connection:
        assert [each["online"] for each in faces(connection)] == [False]


def test_one_worker_makes_the_hours_backup(house: House) -> None:
    with backup.turn(house.settings) as mine, backup.turn(house.settings) as theirs:
        assert (mine, theirs) == (True, False)
    with backup.turn(house.settings) as mine:
        assert mine


def test_a_backup_that_fails_is_in_the_log_and_is_tried_again_soon(house: House, caplog: pytest.LogCaptureFixture) -> None:
    async def fails(_folder: Path) -> str:
        return "The disk is full."

    assert asyncio.run(Keeper(house, fails).due()) == 300
    assert caplog.messages == ["The disk is full."]


def test_the_hours_backup_is_made_by_a_process_of_its_own_which_lets_everybody_go_first(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def another_does(_folder: Path) -> str:
        return ""

    keeper = Keeper(house)
    assert asyncio.run(Keeper(house, another_does).due()) == backup.HOUR_S
    house.settings.backups.mkdir(exist_ok=True)
    left = house.settings.backups / f"hourly-20200101T000000Z{backup.SUFFIX}.part"
    left.touch()
    assert asyncio.run(keeper.due()) == backup.HOUR_S
    (made,) = hourly_files(house)
    assert backup.check(house.settings.backups / made).rows > 0
    assert 0 < asyncio.run(keeper.due()) <= backup.HOUR_S
    told = "import sys; print(os.nice(0), file=sys.stderr); sys.exit(3); from kiosk"
    monkeypatch.setattr(running, "PROGRAM", running.PROGRAM.replace("from kiosk", told))
    assert asyncio.run(running.apart(house.settings.folder)) == "10"


def test_a_backup_whose_process_fails_tells_its_sentence(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    (house.settings.folder / "server.id").unlink()
    assert asyncio.run(running.apart(house.settings.folder)).startswith("There is no server in ")
    monkeypatch.setattr(running, "PROGRAM", "import os; os._exit(9)")
    assert asyncio.run(running.apart(house.settings.folder)) == "The backup ended without a word (exit 9)."
    monkeypatch.setattr(running.sys, "executable", "/nowhere/python")
    assert asyncio.run(Keeper(house).due()) == 300


def test_a_server_that_stops_stops_the_backup_that_is_being_made(house: House, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told = tmp_path / "pid"
    os.mkfifo(told)
    code = f"import os, pathlib, time; pathlib.Path({str(told)!r}).write_text(str(os.getpid())); time.sleep(60)"
    monkeypatch.setattr(running, "PROGRAM", code)

    async def stopped() -> int:
        task = asyncio.create_task(running.apart(house.settings.folder))
        pid = await asyncio.to_thread(told.read_text)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return int(pid)

    pid = asyncio.run(stopped())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def in_this_process(folder: Path) -> str:
    with house_beside(folder) as beside:
        beside.settings = replace(beside.settings, backups=folder.parent / "stick" / "event")
        try:
            backup.hourly(beside)
        except ServerError as error:
            return str(error)
        return ""


def test_backups_are_listed_newest_first_and_a_broken_one_is_named(house: House, capfd: pytest.CaptureFixture[str]) -> None:
    data = str(house.settings.folder)
    assert run(["--data", data, "backups", "list"]) == 0
    assert "There is no backup" in capfd.readouterr().err
    first = backup.make(house, "Eva", house.settings.backups / f"one{backup.SUFFIX}")
    broken = house.settings.backups / f"two{backup.SUFFIX}"
    broken.write_text("{}")
    assert run(["--data", data, "backups", "list"]) == 0
    out, err = capfd.readouterr()
    assert str(first.path) in out
    assert "Open" in out
    assert f"{broken}: this is no whole backup." in err
    about = json.loads(zipfile.ZipFile(first.path).read("tableside.json"))
    assert about["counts"]["person"] == 1


def test_a_folder_of_other_things_is_no_place_to_restore_into(home: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file, foreign = tmp_path / "event.tableside-backup", tmp_path / "foreign"
    assert run(["--data", str(home), "backup", "--to", str(file)]) == 0
    foreign.mkdir()
    foreign.chmod(0o755)
    (foreign / "letters").write_text("mine")
    assert run(["--data", str(foreign), "restore", str(file)]) == 2
    assert "lie other things (letters) and no server" in capfd.readouterr().err
    assert [path.name for path in foreign.iterdir()] == ["letters"]
    assert stat.S_IMODE(foreign.stat().st_mode) == 0o755


def test_what_lies_beside_a_server_stays_where_it_is_when_one_is_restored(tmp_path: Path) -> None:
    home, file = tmp_path / "server", tmp_path / "event.tableside-backup"
    make(home, "Open", Official("Eva", Role.ORGANIZER), WORD, "")
    (home / "rulebooks").mkdir()
    (home / "notes.txt").write_text("mine")
    assert run(["--data", str(home), "backup", "--to", str(file)]) == 0
    assert run(["--data", str(home), "restore", str(file)]) == 0
    assert (home / "rulebooks").is_dir()
    assert (home / "notes.txt").read_text() == "mine"
    assert (home / "before-restore-1" / "event.db").exists()
