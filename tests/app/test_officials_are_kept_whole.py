"""`officials.json`: what is written, what is found, and what becomes of it when disk or file fail."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import random
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from kiosk import pins
from kiosk.app import kept
from kiosk.app.roster import FileRoster
from kiosk.domain.errors import CommandRefused, RosterError, RosterUnavailable
from kiosk.domain.officials import Official, Role

ANA, BO = Official("Ana", Role.CHIEF), Official("Bo", Role.REFEREE)


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pins, "COST", pins.Cost(n=2**4))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "officials.json"


def two(path: Path) -> FileRoster:
    roster = FileRoster(path)
    roster.add(ANA, "5829")
    roster.add(BO, "40417")
    return roster


def edit(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | changes), encoding="utf-8")


# ── What is written ──────────────────────────────────────────────────────────
def test_the_default_costs_sixteen_megabytes() -> None:
    assert pins.Cost() == pins.Cost(2**14, 8, 1)
    assert 128 * pins.Cost().n * pins.Cost().r == 16 * 2**20


def test_a_look_costs_one_stretching_however_many_are_entered(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    roster = two(path)
    calls: list[str] = []
    real, compared = pins.stretch, pins.entry_hash
    monkeypatch.setattr(pins, "stretch", lambda *given: calls.append("stretch") or real(*given))
    monkeypatch.setattr(pins, "entry_hash", lambda *given: calls.append("entry") or compared(*given))
    for secret in ("5829", "40417", "9999"):
        calls.clear()
        roster.find(secret)
        assert calls == ["stretch", "entry", "entry"]


def test_the_file_holds_no_pin_and_nothing_that_two_tables_share(path: Path, tmp_path: Path) -> None:
    two(path)
    two(tmp_path / "other.json")
    here, there = (json.loads(file.read_text(encoding="utf-8")) for file in (path, tmp_path / "other.json"))
    assert "5829" not in [str(value) for person in here["officials"] for value in person.values()]
    assert here["salt"] != there["salt"]
    for one, other in zip(here["officials"], there["officials"], strict=True):
        assert one["name"] == other["name"]
        assert one["salt"] != other["salt"]
        assert one["hash"] != other["hash"]


@pytest.mark.parametrize("mask", [0, 0o022, 0o277])
def test_only_its_owner_may_read_it_whatever_the_umask(path: Path, mask: int) -> None:
    path.parent.mkdir()
    before = os.umask(mask)
    try:
        two(path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_forgotten_half_does_not_stay_readable(path: Path) -> None:
    path.parent.mkdir()
    half = path.with_name("officials.json.new")
    half.write_text("{")
    half.chmod(0o644)
    two(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not half.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_written_by_root_it_belongs_to_the_folders_owner(path: Path) -> None:
    path.parent.mkdir()
    os.chown(path.parent, 12_345, 12_346)
    two(path)
    assert (path.stat().st_uid, path.stat().st_gid) == (12_345, 12_346)


def test_a_file_goes_to_disk_before_it_gets_its_name_and_the_name_after(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    two(path)
    steps: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def noted(descriptor: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        fsync(descriptor)

    def renamed(self: Path, target: Path) -> Path:
        steps.append("name")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", noted)
    monkeypatch.setattr(Path, "replace", renamed)
    FileRoster(path).remove("Bo")
    assert steps == ["file", "name", "folder"]


# ── Changes ──────────────────────────────────────────────────────────────────
def test_a_change_by_another_process_counts_at_once(path: Path) -> None:
    running = two(path)
    assert running.find("7310") is None
    FileRoster(path).add(Official("Cy", Role.DEPUTY), "7310")
    assert running.find("7310") == Official("Cy", Role.DEPUTY)
    FileRoster(path).remove("Bo")
    assert running.find("40417") is None


def test_a_new_pin_ends_the_old_one_and_keeps_place_and_role(path: Path) -> None:
    roster = two(path)
    told: list[Official] = []
    assert roster.renew("ana", "7310", before=told.append) == ANA
    assert told == [ANA]
    assert roster.find("5829") is None
    assert roster.find("7310") == ANA
    assert roster.officials() == (ANA, BO)


@pytest.mark.parametrize("pin", ["40417", "5829", "1111", "12"])
def test_a_new_pin_obeys_the_rules_and_nothing_is_marked_where_it_does_not(path: Path, pin: str) -> None:
    told: list[Official] = []
    with pytest.raises(CommandRefused):
        two(path).renew("Ana", pin, before=told.append)
    assert told == []
    assert FileRoster(path).find("5829") == ANA


def test_without_its_mark_no_pin_is_changed(path: Path) -> None:
    def fails(_: Official) -> None:
        raise RosterUnavailable("no room for the mark.")

    with pytest.raises(RosterUnavailable, match="no room for the mark"):
        two(path).renew("Ana", "7310", before=fails)
    assert FileRoster(path).find("5829") == ANA
    assert FileRoster(path).find("7310") is None


def test_whoever_is_not_entered_is_named_with_those_who_are(path: Path) -> None:
    with pytest.raises(RosterError, match="'Zed'; entered are: Ana, Bo"):
        two(path).remove("Zed")
    with pytest.raises(RosterError, match="'Zed'; entered are: Ana, Bo"):
        FileRoster(path).renew("Zed", "7310")
    with pytest.raises(RosterError, match="nobody yet"):
        FileRoster(path.with_name("none.json")).named("Ana")


def test_the_last_who_leads_goes_by_force_only(path: Path) -> None:
    roster = two(path)
    with pytest.raises(RosterError, match="Ana is the last chief or organizer"):
        roster.remove("Ana")
    assert roster.officials() == (ANA, BO)
    roster.add(Official("Cy", Role.ORGANIZER), "7310")
    assert roster.remove("Ana") == ANA
    with pytest.raises(RosterError, match="Cy is the last"):
        roster.remove("Cy")
    assert roster.remove("Bo") == BO
    assert not roster.wants_first()
    roster.remove("Cy", force=True)
    assert roster.wants_first()


def test_only_where_nobody_was_ever_entered_the_start_asks_for_the_first(path: Path) -> None:
    assert FileRoster(path).wants_first()
    assert FileRoster(path).fault() is None
    assert not two(path).wants_first()


def test_two_processes_that_add_at_once_both_count(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "PATIENCE_S", 60)  # a busy machine's scrypt takes its time
    two(path)
    names = [f"Official {n}" for n in range(6)]
    workers = [
        threading.Thread(target=lambda n=n, name=name: FileRoster(path).add(Official(name, Role.REFEREE), f"73{n}1"))
        for n, name in enumerate(names)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert {official.name for official in FileRoster(path).officials()} == {"Ana", "Bo", *names}


def test_a_change_that_does_not_end_is_waited_for_and_then_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    roster = two(path)
    monkeypatch.setattr(kept, "PATIENCE_S", 0.1)
    holder = os.open(path.parent, os.O_RDONLY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    try:
        with pytest.raises(RosterUnavailable, match=r"officials\.json cannot be changed: "):
            roster.remove("Bo")
        assert roster.find("40417") == BO
    finally:
        os.close(holder)


# ── Damage ───────────────────────────────────────────────────────────────────
BROKEN: list[bytes] = [
    b"",
    b"\xff\xfe",
    b"{",
    b"[]",
    b"null",
    b"{}",
    b"[" * 200_000,
    b'{"v":1}',
    b'{"v":0.5}',
    b'{"v":true}',
    b'{"v":' + b"9" * 6000 + b"}",
    b"x" * (kept.LARGEST + 1),
]


@pytest.mark.parametrize("content", BROKEN)
def test_a_damaged_file_is_set_aside_and_said(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    roster = FileRoster(path)
    with pytest.raises(RosterUnavailable, match=r"damaged.*officials\.damaged-1\.json.*kiosk officials add"):
        roster.find("5829")
    assert path.with_name("officials.damaged-1.json").read_bytes() == content
    assert not path.exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"salt": "00"},
        {"salt": 3},
        {"salt": "zz" * 16},
        {"scrypt": {"n": 2**30, "r": 8, "p": 1}},
        {"scrypt": {"n": 1000, "r": 8, "p": 1}},
        {"scrypt": {"n": 2**19, "r": 1, "p": 1}},
        {"scrypt": {"n": 2**16, "r": 1, "p": 1}},
        {"scrypt": {"n": 2**4000, "r": 8, "p": 1}},
        {"scrypt": {"n": 2, "r": 2**4000, "p": 1}},
        {"scrypt": {"n": 1024, "r": 0, "p": 1}},
        {"scrypt": {"n": 1024, "r": 8, "p": 99}},
        {"scrypt": {"n": 1024, "r": 8, "q": 1}},
        {"scrypt": {"n": "1024"}},
        {"officials": None},
        {"officials": ["Ana"]},
        {"officials": [{"name": "Ana", "role": "king", "salt": "", "hash": ""}]},
        {"officials": [{"name": " ", "role": "chief", "salt": "00" * 16, "hash": "00" * 32}]},
        {"officials": [{"name": "Ana", "role": "chief", "salt": "00" * 16, "hash": "00"}]},
        {"officials": [{"name": 7, "role": "chief", "salt": "00" * 16, "hash": "00" * 32}]},
    ],
)
def test_a_file_that_does_not_hold_together_is_damaged_too(path: Path, changes: dict[str, Any]) -> None:
    two(path)
    edit(path, **changes)
    with pytest.raises(RosterUnavailable, match=r"damaged-1\.json"):
        FileRoster(path).officials()


@pytest.mark.parametrize("cost", [pins.Cost(2**15, 1), pins.Cost(2**16, 2), pins.Cost(2, 2**10, 4), pins.Cost(2, 1)])
def test_lawful_parameters_of_another_size_are_used(path: Path, cost: pins.Cost, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pins, "COST", cost)
    two(path)
    assert FileRoster(path).find("5829") == ANA


def test_damage_while_the_table_runs_locks_nobody_out(path: Path) -> None:
    roster = two(path)
    assert roster.find("5829") == ANA
    edit(path, scrypt={"n": 2**19, "r": 1, "p": 1})
    for _ in range(2):
        assert roster.find("5829") == ANA
        assert roster.officials() == (ANA, BO)
        assert "damaged-1.json" in str(roster.fault())
    with pytest.raises(RosterUnavailable, match="kiosk officials add"):
        FileRoster(path).find("5829")


def test_damage_opens_no_door_until_officials_are_entered_again(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("?")
    for _ in range(2):
        roster = FileRoster(path)
        assert not roster.wants_first()
        assert "damaged" in str(roster.fault())
        with pytest.raises(RosterUnavailable):
            roster.remove("Ana")
    FileRoster(path).add(ANA, "5829")
    assert FileRoster(path).fault() is None
    assert FileRoster(path).find("5829") == ANA
    assert path.with_name("officials.damaged-1.json").read_text() == "?"


def test_a_change_that_finds_damage_sets_it_aside_and_changes_nothing(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("?")
    with pytest.raises(RosterUnavailable, match=r"damaged-1\.json"):
        FileRoster(path).add(ANA, "5829")
    assert not path.exists()
    FileRoster(path).add(ANA, "5829")


def test_a_second_damage_overwrites_no_first(path: Path) -> None:
    path.parent.mkdir()
    for content in ("one", "two"):
        path.write_text(content)
        assert FileRoster(path).fault() is not None
    assert path.with_name("officials.damaged-1.json").read_text() == "one"
    assert path.with_name("officials.damaged-2.json").read_text() == "two"


def test_a_running_table_keeps_those_it_knew(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    roster = two(path)
    assert roster.find("5829") == ANA
    path.write_text("?")
    for _ in range(3):
        assert roster.find("5829") == ANA
    assert "damaged" in str(roster.fault())
    assert 1 <= sum("known before" in record.message for record in caplog.records) <= 2


def test_damage_that_another_process_has_mended_meanwhile_is_left_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    two(path)
    sound = path.read_text(encoding="utf-8")
    path.write_text("?")
    lock = kept._lock

    def mended(descriptor: int) -> None:
        lock(descriptor)
        path.write_text(sound, encoding="utf-8")

    monkeypatch.setattr(kept, "_lock", mended)
    assert FileRoster(path).fault() is not None
    assert FileRoster(path).fault() is None
    assert not path.with_name("officials.damaged-1.json").exists()


def test_damage_that_another_process_has_set_aside_meanwhile_is_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.parent.mkdir()
    path.write_text("?")
    lock = kept._lock

    def set_aside(descriptor: int) -> None:
        lock(descriptor)
        kept.set_aside(path)

    monkeypatch.setattr(kept, "_lock", set_aside)
    assert "damaged-1.json" in str(FileRoster(path).fault())


def test_a_newer_tablesides_file_stays_as_it_is(path: Path) -> None:
    two(path)
    edit(path, v=2)
    with pytest.raises(RosterUnavailable, match="newer Tableside"):
        FileRoster(path).officials()
    assert json.loads(path.read_text())["v"] == 2


# ── Disks ────────────────────────────────────────────────────────────────────
def test_a_path_that_is_no_file_is_a_sentence(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(RosterUnavailable, match=r"officials\.json cannot be read: Is a directory\."):
        FileRoster(path).officials()
    assert path.is_dir()


def test_a_pipe_in_its_place_does_not_hold_the_table_up(path: Path) -> None:
    path.parent.mkdir()
    os.mkfifo(path)
    with pytest.raises(RosterUnavailable, match="damaged"):
        FileRoster(path).officials()


def test_a_folder_that_is_a_file_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    roster = FileRoster(tmp_path / "data" / "officials.json")
    with pytest.raises(RosterUnavailable, match="cannot be read: Not a directory"):
        roster.officials()
    with pytest.raises(RosterUnavailable, match=r"cannot be changed: |cannot be read: "):
        roster.add(ANA, "5829")


AS_NOBODY = """
import os
from kiosk.app import cli_officials, logs, main  # before: this Python may lie where nobody else can read
os.setgroups([]); os.setgid(65534); os.setuid(65534)
main.main()
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="takes root to become somebody else")
@pytest.mark.parametrize("words", [["list"], ["remove", "Bo"], ["add", "Cy", "--role", "deputy", "--pin-stdin"]])
def test_another_user_gets_a_sentence(words: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        two(folder / "tableside" / "officials.json")
        command = [sys.executable, "-c", AS_NOBODY, "officials", *words]
        place = os.environ | {"XDG_DATA_HOME": name, "XDG_CONFIG_HOME": name}
        done = subprocess.run(command, input=b"7310\n", capture_output=True, check=False, cwd=Path(__file__).parents[2], env=place)
    assert done.returncode == 1, done.stderr
    assert done.stderr.count(b"\n") == 1
    assert b"officials.json cannot be " in done.stderr
    assert b"Permission denied" in done.stderr


def fails(number: int) -> Any:
    def failing(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    return failing


@pytest.mark.parametrize("what", ["os.fsync", "os.open", "os.fchmod", "pathlib.Path.replace"])
def test_a_full_disk_is_a_sentence_and_the_old_file_stands(path: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    roster = two(path)
    before = path.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(what, fails(errno.ENOSPC))
        with pytest.raises(RosterUnavailable, match=r"officials\.json cannot be changed: No space left on device\."):
            roster.add(Official("Cy", Role.DEPUTY), "7310")
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == ["officials.json"]
    roster.add(Official("Cy", Role.DEPUTY), "7310")


def test_a_disk_that_dies_takes_nobody_from_a_running_table(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    roster = two(path)
    roster.officials()
    with monkeypatch.context() as patched:
        patched.setattr("pathlib.Path.stat", fails(errno.EIO))
        assert roster.find("40417") == BO
        assert "Input/output error" in str(roster.fault())
        with pytest.raises(RosterUnavailable, match="Input/output error"):
            FileRoster(path).find("40417")
    assert roster.fault() is None


def test_damage_on_a_disk_that_cannot_be_written_is_said_and_stays(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.parent.mkdir()
    path.write_text("?")
    monkeypatch.setattr("pathlib.Path.rename", fails(errno.EROFS))
    with pytest.raises(RosterUnavailable, match="cannot be set aside"):
        FileRoster(path).find("5829")
    assert path.read_text() == "?"


CHANGING = """
import sys
from pathlib import Path
from kiosk import pins
from kiosk.app.roster import FileRoster
from kiosk.domain.officials import Official, Role

pins.COST = pins.Cost(n=2**4)
roster = FileRoster(Path(sys.argv[1]))
print("begun", flush=True)
while True:
    roster.add(Official("Cy", Role.DEPUTY), "7310")
    roster.remove("Cy")
"""


@pytest.mark.slow
def test_a_kill_at_any_moment_leaves_a_whole_file(path: Path) -> None:
    two(path)
    chance = random.Random(7)
    for _ in range(int(os.environ.get("TABLESIDE_KILLS", "12"))):
        with subprocess.Popen([sys.executable, "-c", CHANGING, str(path)], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"begun\n"
            time.sleep(chance.uniform(0, 0.05))
            process.send_signal(signal.SIGKILL)
        roster = FileRoster(path)
        assert roster.officials()[:2] == (ANA, BO)
        assert roster.find("5829") == ANA
        if len(roster.officials()) == 3:
            roster.remove("Cy")
    assert not path.with_name("officials.damaged-1.json").exists()
