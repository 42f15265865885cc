from __future__ import annotations

import json
import logging
import threading
from pathlib import Path

import pytest

from kiosk.app import config as configuration
from kiosk.app import prepared, preparing
from kiosk.app.config import Config
from kiosk.app.main import run
from kiosk.app.membership import Membership
from kiosk.app.prepared import Entry, PreparedWrong
from kiosk.app.preparing import Came, Preparing

CODE = "7KQ2-M4XD-9RTW-3HFN"
OWN = frozenset({"a1b2c3d4e5f6", "dca632010203", "table-12"})

MANY = f"""\
address = "10.0.0.5"
code = "{CODE}"
language = "uk"

[[tables]]
device = "00000000deadbeef"
table = "11"

[[tables]]
device = "DC:A6:32:01:02:03"
table = "12"
name = "table-12"
"""

SHEET = """\
Device;Table;Name;Address;Code
dc-a6-32-01-02-03;12;table-12;10.0.0.5;7KQ2M4XD9RTW3HFN
deadbeef;11;;;

"""


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """The boot partition."""
    (tmp_path / "boot").mkdir()
    return tmp_path / "boot"


@pytest.fixture
def table(tmp_path: Path) -> Config:
    (tmp_path / "etc/tableside").mkdir(parents=True)
    (tmp_path / "etc/tableside/kiosk.toml").write_text(f'data = "{tmp_path}/data"\ninch = "7"\ntable = "old"\n', encoding="utf-8")
    return configuration.load(tmp_path / "etc/tableside")


def _read(card: Path, text: str, kind: str = "toml", own: frozenset[str] = OWN) -> Entry:
    path = card / f"tableside.{kind}"
    path.write_text(text, encoding="utf-8")
    return prepared.read(path, own)


# ── Reading ──────────────────────────────────────────────────────────────────
def test_a_table_takes_its_own_entry_and_what_holds_for_all(card: Path) -> None:
    assert _read(card, MANY) == Entry("DC:A6:32:01:02:03", "12", "table-12", "uk", "10.0.0.5", CODE)


def test_a_sheet_of_a_spreadsheet_says_the_same(card: Path) -> None:
    assert _read(card, SHEET, "csv") == Entry("dc-a6-32-01-02-03", "12", "table-12", "", "10.0.0.5", "7KQ2M4XD9RTW3HFN")
    assert _read(card, "\ufeff" + SHEET.replace(";", ","), "csv").table == "12"


def test_a_file_for_one_table_names_no_device(card: Path) -> None:
    assert _read(card, 'table = "7"\nreplace = true\n') == Entry(table="7", replace="true")
    assert _read(card, "table\n7\n", "csv") == Entry(table="7")
    assert _read(card, "table = 7\n") == Entry(table="7")


@pytest.mark.parametrize("device", ["00000000A1B2C3D4E5F6".replace("00000000", "0000"), "a1b2c3d4e5f6", "DCA632010203", "Table-12"])
def test_a_device_is_named_as_people_write_it(card: Path, device: str) -> None:
    assert _read(card, f'[[tables]]\ndevice = "{device}"\ntable = "12"\n').table == "12"


def test_a_table_is_known_by_its_serial_number_and_its_network_cards(tmp_path: Path) -> None:
    serial = tmp_path / "sys/firmware/devicetree/base/serial-number"
    for path, text in (
        (serial, "00000000a1b2c3d4\0"),
        (tmp_path / "sys/class/net/eth0/address", "dc:a6:32:01:02:03\n"),
        (tmp_path / "sys/class/net/lo/address", "00:00:00:00:00:00\n"),
    ):
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="ascii")
    known = prepared.identities(tmp_path)
    assert {"a1b2c3d4", "dca632010203"} < known
    assert "000000000000" not in known


@pytest.mark.parametrize(
    ("kind", "text", "why"),
    [
        ("toml", "table = ", "tableside.toml: this is not TOML"),
        ("toml", "table = true", "tableside.toml: table must be a number, or one line of at most 100 characters"),
        ("toml", 'tabel = "12"', "tableside.toml: tabel is no key here; known are device, table"),
        ("toml", 'tables = "12"', "must be written as [[tables]]"),
        (
            "toml",
            '[[tables]]\ndevice = "other"\n',
            "no entry is for this table; name it as `device`, by one of a1b2c3d4e5f6, dca632010203, table-12",
        ),
        ("toml", '[[tables]]\nname = "table-12"\n[[tables]]\ndevice = "a1b2c3d4e5f6"\n', "several entries are for this table"),
        ("toml", '[[tables]]\nname = "table 12"\n', "[[tables]] 1: name must be letters, digits and hyphens"),
        ("toml", 'code = "12345"', "code must be 8 or 16 letters and digits"),
        ("toml", 'address = "http://10.0.0.5/x"', "address must be a server's address"),
        ("toml", 'language = "de"', "language must be en, ru, uk or mk"),
        ("toml", "replace = 1", "replace must be true or false"),
        ("toml", "device = 1", "device must be a text"),
        ("toml", "#" * 100_001, "such a file has at most 100000 bytes"),
        ("csv", "", "the first line names the columns: device, table"),
        ("csv", "a;b\n1;2\n", "the first line names the columns: device, table"),
        ("csv", "table;code\n", "below the first line stands nothing"),
        ("csv", "table;code\n1;2;3\n", "tableside.csv:2: this line has more cells than the first one"),
        ("csv", f"table;code\n1;{CODE}\n2;123\n", "tableside.csv:3: code must be 8 or 16"),
        ("csv", "table;color\n1;red\n", "tableside.csv:2: color is no key here"),
    ],
)
def test_what_is_wrong_with_a_file_is_a_sentence(card: Path, kind: str, text: str, why: str) -> None:
    with pytest.raises(PreparedWrong) as wrong:
        _read(card, text, kind)
    assert why in str(wrong.value)


def test_a_file_that_is_no_text_or_cannot_be_read_is_told(card: Path) -> None:
    path = card / "tableside.toml"
    path.write_bytes(b'address = "x"\ntable = "\xd0\n"')
    with pytest.raises(PreparedWrong, match=r"toml:2: this is not UTF-8"):
        prepared.read(path, OWN)
    with pytest.raises(prepared.PreparedUnreadable, match="cannot be read"):
        prepared.read(card, OWN)


# ── Names ────────────────────────────────────────────────────────────────────
def test_names_are_taken_once_and_again_only_when_the_file_has_changed(table: Config, tmp_path: Path) -> None:
    etc = tmp_path / "etc"
    (etc / "hosts").write_text("127.0.0.1\tlocalhost\n127.0.1.1\traspberrypi\n", encoding="utf-8")
    entry = Entry(table='Стол "12"', name="table-12", language="uk")
    assert preparing.take_names(table, entry, etc)
    taken = configuration.load(table.folder)
    assert (taken.table, taken.language, taken.inch, taken.data) == ('Стол "12"', "uk", 7.0, tmp_path / "data")
    assert (etc / "hostname").read_text(encoding="utf-8") == "table-12\n"
    assert (etc / "hosts").read_text(encoding="utf-8") == "127.0.0.1\tlocalhost\n127.0.1.1\ttable-12\n"
    path = table.folder / "kiosk.toml"
    assert path.stat().st_mode & 0o777 == 0o644
    path.write_text(path.read_text(encoding="utf-8").replace('"uk"', '"mk"'), encoding="utf-8")  # the organizer's own change
    assert not preparing.take_names(table, entry, etc)
    assert configuration.load(table.folder).language == "mk"
    assert preparing.take_names(table, Entry(table="13"), etc)
    assert (configuration.load(table.folder).table, configuration.load(table.folder).language) == ("13", "mk")
    assert path.read_text(encoding="utf-8").count(prepared.MARKER) == 1


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(preparing.PreparingFailed, match="cannot be written"):
        preparing.take_names(Config(folder=tmp_path / "file" / "x", data=tmp_path), Entry(table="12"), tmp_path)
    with pytest.raises(preparing.PreparingFailed, match=r"prepared\.json cannot be written"):
        preparing.keep(tmp_path / "file" / "x", Came(fault="x"))


def test_the_command_takes_the_file_of_the_boot_partition(
    table: Config, card: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(prepared, "PLACES", (card / "tableside.toml", card / "tableside.csv"))
    words = ["--config", str(table.folder), "prepare"]
    assert run(words) == 0
    assert capfd.readouterr().out == ""
    (card / "tableside.csv").write_text("table\n12\n", encoding="utf-8")
    assert run(words) == 0
    assert "taken for this table" in capfd.readouterr().out
    assert configuration.load(table.folder).table == "12"
    (card / "tableside.csv").write_text("table\n\n", encoding="utf-8")
    assert run(words) == 2
    assert "below the first line stands nothing" in capfd.readouterr().err
    assert "below the first line stands nothing" in preparing.came(table.data).fault
    (card / "tableside.csv").unlink()
    assert run(words) == 0
    assert preparing.came(table.data).fault == ""


# ── The server ───────────────────────────────────────────────────────────────
def test_the_server_is_joined_once_by_the_prepared_code(
    table: Config, card: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[object, ...]] = []

    def join(folder: Path, address: str, code: str, *, table: str, replaces: bool) -> Membership:
        asked.append((folder, address, code, table, replaces))
        if len(asked) == 1:
            raise preparing.PreparingFailed("The server is out of reach.")
        return Membership("https://10.0.0.5:8443", "f", "d", "s", "i", "k", table, "Open Skopje")

    monkeypatch.setattr("kiosk.app.joining.join", join)
    path = card / "tableside.toml"
    path.write_text(f'address = "10.0.0.5"\ncode = "{CODE}"\ntable = "12"\n', encoding="utf-8")
    words = ["--config", str(table.folder), "prepare", "--join", "--from", str(path)]
    assert run(words) == 1  # systemd tries again
    assert preparing.came(table.data).fault == "What was prepared for this table: The server is out of reach."
    assert run(words) == 0
    assert "belongs to Open Skopje now" in capfd.readouterr().out
    assert preparing.came(table.data).fault == ""
    assert run(words) == 0
    assert asked == [(table.data, "10.0.0.5", CODE, "12", False)] * 2
    assert capfd.readouterr().out == ""


def test_without_a_code_no_server_is_joined(table: Config) -> None:
    assert preparing.join_server(table, Entry(table="12")) == ""


def test_without_an_address_the_only_server_is_looked_for(table: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kiosk.sync.discovery.find", list)
    with pytest.raises(preparing.PreparingFailed, match="No server was found"):
        preparing.join_server(table, Entry(code=CODE))


# ── On the screen ────────────────────────────────────────────────────────────
def test_a_running_table_says_once_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging, "raiseExceptions", False)  # the log of an earlier test has been closed
    told: list[str] = []
    woken = threading.Event()
    part = Preparing(tmp_path, told.append, woken.set)
    part.turn(0)
    assert not woken.is_set()
    cases = (("no entry", ["no entry"]), ("", ["no entry"]), ("no code", ["no entry", "no code"]))
    for number, (fault, expected) in enumerate(cases, 1):
        preparing.keep(tmp_path, Came(fault=fault))
        woken.clear()
        now = number * 10 * preparing.LOOK_NS
        part.turn(now)
        assert woken.wait(60)
        part.turn(now + 1)
        part.turn(now + 2)
        assert told == expected
    assert part.next_wake(0) is None


@pytest.mark.parametrize("kept", ["", "[]", "{}", json.dumps({"joined": "x"})])
def test_what_is_kept_and_damaged_is_nothing(tmp_path: Path, kept: str) -> None:
    (tmp_path / preparing.FILE).write_text(kept, encoding="utf-8")
    assert preparing.came(tmp_path) == Came()
