"""`kiosk export`, `blank` and `verify` on the demo's journal: which form is written where, and what is refused in a sentence."""

from __future__ import annotations

import io
import json
import os
import pty
import shutil
import sqlite3
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from openpyxl import load_workbook

from kiosk.app import cli_export, system
from kiosk.app.main import run
from kiosk.journal import read_rows
from kiosk.sheets import qr_text, sheets

Capture = pytest.CaptureFixture[bytes]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    assert run(["demo", "--to", str(folder), "--no-window", "--no-server"]) == 0
    return folder / "journal.db"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration whose data folder holds no journal yet."""
    (tmp_path / "kiosk.toml").write_text(f'table = "12"\ndata = "{tmp_path / "data"}"\n', encoding="utf-8")
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("TABLESIDE_CONFIG", str(tmp_path))
    return tmp_path


def ask(capture: Capture, *arguments: object) -> tuple[int, bytes, str]:
    code = run([str(argument) for argument in arguments])
    out, err = capture.readouterr()
    return code, out, err.decode()


# ── export ───────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(("ending", "start"), [("pdf", b"%PDF"), ("xlsx", b"PK"), ("csv", b"\xef\xbb\xbfrecord"), ("JSON", b"{")])
def test_the_format_follows_from_the_files_ending(ending: str, start: bytes, demo: Path, home: Path, capfdbinary: Capture) -> None:
    target = home / f"sheet.{ending}"
    code, out, err = ask(capfdbinary, "export", "last", "--journal", demo, "-o", target)
    assert (code, out) == (0, b"")
    assert target.read_bytes().startswith(start)
    assert err == f"{target}: {target.stat().st_size} bytes.\n"


@pytest.mark.usefixtures("home")
def test_a_receipt_is_a_pdf_of_its_own(demo: Path, capfdbinary: Capture) -> None:
    code, out, _ = ask(capfdbinary, "export", "1", "--format", "receipt", "--journal", demo)
    assert (code, out[:4]) == (0, b"%PDF")


@pytest.mark.usefixtures("home")
def test_event_round_and_table_are_on_the_sheet(demo: Path, capfdbinary: Capture) -> None:
    words = ("export", "1", "--journal", demo, "--event", "City open", "--round", "Final")
    plain = json.loads(ask(capfdbinary, *words, "--format", "json")[1])
    assert (plain["event"], plain["round"], plain["table"]) == ("City open", "Final", "12")
    cells = ask(capfdbinary, *words, "--format", "csv", "--table", "7")[1].decode("utf-8-sig").splitlines()
    assert [(line.split(",")[0], line.split(",")[6], line.rpartition(",")[2]) for line in cells[1:4]] == [
        ("sheet", "event", "City open"),
        ("sheet", "round", "Final"),
        ("sheet", "table", "7"),
    ]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("last",), "Name a --format: pdf, receipt, xlsx, csv, json, mat."),
        (("last", "-o", "sheet.doc"), "the ending of sheet.doc does not tell the format"),
        (("last", "-o", "sheet"), "the ending of sheet does not tell the format"),
        (("last", "-o", "x.receipt"), "does not tell the format"),
        (("all", "--format", "pdf"), "all can be had as xlsx, csv, not as pdf."),
        (("rulings", "-o", "rulings.json"), "name a --format: xlsx, csv."),
        (("9", "--format", "pdf"), "the journal has no match '9'; it has 1 to 1"),
        (("last", "--format", "csv", "--language", "xx"), "--language"),
    ],
)
@pytest.mark.usefixtures("home")
def test_what_cannot_be_exported_is_said(words: tuple[str, ...], sentence: str, demo: Path, capfdbinary: Capture) -> None:
    code, out, err = ask(capfdbinary, "export", *words, "--journal", demo)
    assert (code, out) == (2, b"")
    assert sentence in err


def test_all_matches_come_as_one_workbook_or_as_tables(demo: Path, home: Path, capfdbinary: Capture) -> None:
    target = home / "event.xlsx"
    assert ask(capfdbinary, "export", "all", "--journal", demo, "-o", target)[0] == 0
    book = load_workbook(target)
    assert book.sheetnames == ["Results", "Games", "Rulings", "Time use"]
    assert [cell.value for cell in book["Results"]["A"]] == ["Table", "12"]
    heads = {}
    for which in ("all", "games", "rulings", "times"):
        code, out, _ = ask(capfdbinary, "export", which, "--format", "csv", "--journal", demo)
        heads[which] = out.decode("utf-8-sig").splitlines()
        assert code == 0
    assert [len(lines) - 1 for lines in heads.values()] == [1, 5, 0, 2]
    _, out, _ = ask(capfdbinary, "export", "games", "--format", "xlsx", "--journal", demo)
    assert load_workbook(io.BytesIO(out)).sheetnames == ["Games"]


def test_a_workbook_speaks_the_tables_language_unless_another_is_asked_for(demo: Path, home: Path, capfdbinary: Capture) -> None:
    spoken: list[str] = []
    (home / "data" / "screen.json").write_text('{"language": "mk"}', encoding="utf-8")

    def writes(*_: Any, **__: Any) -> bytes:
        from kiosk.say import language

        spoken.append(language())
        return b""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cli_export, "_register", writes)
        for more in ((), ("--language", "uk")):
            assert ask(capfdbinary, "export", "all", "--format", "xlsx", "--journal", demo, *more)[0] == 0
    assert spoken == ["mk", "uk"]


def test_progress_is_a_line_at_each_quarter_where_nobody_looks_on(capfdbinary: Capture) -> None:
    progress = cli_export.Progress()
    for done in range(1, 201):
        progress(done, 200)
    progress(1, 1)
    assert capfdbinary.readouterr()[1].decode().splitlines() == [f"{done} of 200 matches" for done in (50, 100, 150, 200)]


def test_progress_on_a_terminal_stays_in_its_place(monkeypatch: pytest.MonkeyPatch, capfdbinary: Capture) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    progress = cli_export.Progress()
    for done in range(1, 4):
        progress(done, 3)
    assert capfdbinary.readouterr()[1] == b"\r1 of 3 matches\r3 of 3 matches\n"


# ── Writing ──────────────────────────────────────────────────────────────────
@pytest.mark.usefixtures("home")
def test_a_terminal_gets_no_binary_form(demo: Path, capfdbinary: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = pty.openpty()
    name = os.ttyname(there)
    code, _, err = ask(capfdbinary, "export", "1", "--format", "pdf", "--journal", demo, "-o", name)
    assert (code, err) == (2, f"kiosk: --output: {name} is a terminal, and this is no text.\n")
    os.close(here)
    os.close(there)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    code, out, err = ask(capfdbinary, "export", "1", "--format", "xlsx", "--journal", demo)
    assert (code, out) == (2, b"")
    assert "no text for a terminal" in err
    assert ask(capfdbinary, "export", "1", "--format", "csv", "--journal", demo)[0] == 0


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("/dev/full", "the disk is full"),
        ("no/such/sheet.pdf", "its folder does not exist"),
        ("kiosk.toml/sheet.pdf", "its folder is a file"),
        ("x" * 300 + ".pdf", "its name is too long"),
    ],
)
def test_a_file_that_cannot_be_written_is_a_sentence(target: str, sentence: str, demo: Path, home: Path, capfdbinary: Capture) -> None:
    code, _, err = ask(capfdbinary, "export", "1", "--format", "pdf", "--journal", demo, "-o", home / target)
    assert code == 1
    assert sentence in err
    assert err.count("\n") == 1


def test_a_file_is_on_disk_before_it_is_told(demo: Path, home: Path, capfdbinary: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda fd: (synced.append(str(Path(f"/proc/self/fd/{fd}").readlink())), real(fd))[1])
    assert ask(capfdbinary, "export", "1", "--journal", demo, "-o", home / "sheet.csv")[0] == 0
    (part, folder) = synced
    assert (Path(part).parent, folder) == (home, str(home))
    assert Path(part).name.startswith(".sheet.csv.")


# ── blank ────────────────────────────────────────────────────────────────────
def test_a_blank_sheet_is_empty_or_filled_in(home: Path, capfdbinary: Capture) -> None:
    for more in ((), ("--rulebook", "ibgf", "--length", 7, "--left", "Ana", "--left", "Eva", "--right", "Bo"), ("--rulebook", "circle")):
        target = home / "blank.pdf"
        assert ask(capfdbinary, "blank", "-o", target, "--event", "Open", *more)[0] == 0
        assert target.read_bytes().startswith(b"%PDF")


@pytest.mark.usefixtures("home")
def test_what_a_blank_sheet_cannot_be_is_said(capfdbinary: Capture) -> None:
    for words, sentence in (
        (("--left", "Ana"), "Name the --rulebook too"),
        (("--rulebook", "none"), "none"),
        (("--length", 0), "--length"),
    ):
        code, out, err = ask(capfdbinary, "blank", *words)
        assert (code, out) == (2, b"")
        assert sentence in err


# ── verify ───────────────────────────────────────────────────────────────────
@pytest.fixture
def sheet(demo: Path, home: Path) -> Path:
    target = home / "sheet.json"
    assert run(["export", "1", "--journal", str(demo), "-o", str(target)]) == 0
    return target


def test_a_sheet_holds_against_its_journal_and_by_itself(sheet: Path, demo: Path, home: Path, capfdbinary: Capture) -> None:
    capfdbinary.readouterr()
    assert ask(capfdbinary, "verify", sheet, "--journal", demo)[:2] == (0, b"Everything holds.\n")
    code, out, _ = ask(capfdbinary, "verify", sheet)
    assert code == 0
    assert b"Only the seal was looked at" in out
    shutil.copy(demo, home / "data" / "journal.db")
    assert ask(capfdbinary, "verify", sheet)[:2] == (0, b"Everything holds.\n")


def test_an_altered_sheet_is_told_value_by_value(sheet: Path, demo: Path, capfdbinary: Capture) -> None:
    sheet.write_text(sheet.read_text(encoding="utf-8").replace('"kind": "gammon"', '"kind": "single"', 1), encoding="utf-8")
    capfdbinary.readouterr()
    code, out, _ = ask(capfdbinary, "verify", sheet, "--journal", demo)
    assert (code, out.decode()) == (1, 'game 2: kind "single" on the sheet, "gammon" in the journal.\nIt does not hold.\n')
    code, out, _ = ask(capfdbinary, "verify", sheet)
    assert code == 1
    assert out.startswith(b"game 2 does not fit the seal.\n")


def test_a_qr_code_is_verified_from_the_command_line_and_from_a_file(demo: Path, home: Path, capfdbinary: Capture) -> None:
    text = qr_text(next(iter(sheets(list(read_rows(demo))))))
    scanned = home / "qr.txt"
    scanned.write_text(text + "\n", encoding="utf-8")
    assert ask(capfdbinary, "verify", "--qr", text, "--journal", demo)[0] == 0
    assert ask(capfdbinary, "verify", scanned, "--journal", demo)[0] == 0
    code, out, _ = ask(capfdbinary, "verify", "--qr", text.replace("8:4", "8:5"), "--journal", demo)
    assert (code, out.splitlines()[0]) == (1, b"score right 5 on the sheet, 4 in the journal.")
    assert ask(capfdbinary, "verify", "--qr", text)[0] == 1


@pytest.mark.parametrize("change", ["SET data = data || ' '", "SET mono_ns = mono_ns + 1", "SET data = '{'"])
def test_a_journal_that_does_not_hold_proves_nothing(change: str, sheet: Path, demo: Path, home: Path, capfdbinary: Capture) -> None:
    copy = Path(shutil.copy(demo, home / "copy.db"))
    connection = sqlite3.connect(copy)
    with connection:
        connection.execute(f"UPDATE fact {change} WHERE seq = 20")
    connection.close()
    capfdbinary.readouterr()
    code, out, err = ask(capfdbinary, "verify", sheet, "--journal", copy)
    assert (code, err) == (1, "")
    assert b"The journal itself does not hold: Row 20 was altered" in out


@pytest.mark.parametrize(
    ("contents", "sentence"),
    [
        (b"hello", "would begin with TS1"),
        (b"\xff\xfe\x00", "no JSON sheet and no QR text"),
        (b"{", "this is no JSON"),
        (b'{"score": 1, "score": 2}', "the key 'score' stands twice"),
        (b'{"a":' * 100_000, "this is no JSON"),
    ],
)
def test_what_is_no_sheet_is_said(contents: bytes, sentence: str, home: Path, demo: Path, capfdbinary: Capture) -> None:
    file = home / "what"
    file.write_bytes(contents)
    code, out, err = ask(capfdbinary, "verify", file, "--journal", demo)
    assert (code, out) == (2, b"")
    assert sentence in err
    assert err.count("\n") == 1


def test_how_verify_is_asked(sheet: Path, home: Path, capfdbinary: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    for words in ((), (sheet, "--qr", "x"), (home / "missing.json",)):
        assert ask(capfdbinary, "verify", *words)[0] == 2
    assert ask(capfdbinary, "verify", sheet, "--journal", home / "missing.db")[0] == 1
    monkeypatch.setattr("kiosk.app.cli_verify.LARGEST", 100)
    assert "no sheet has more" in ask(capfdbinary, "verify", sheet)[2]


# ── The system's zone ────────────────────────────────────────────────────────
def test_the_zone_is_the_systems(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TZ", ":Europe/Skopje")
    assert system.zone() == ZoneInfo("Europe/Skopje")
    monkeypatch.setenv("TZ", "nonsense")
    assert system.zone().utcoffset(None) is not None
    monkeypatch.delenv("TZ")
    monkeypatch.setattr(system, "LOCALTIME", tmp_path / "none")
    assert isinstance(system.zone().utcoffset(None), timedelta)
