"""`kiosk journal` and `kiosk export` on the demo's journal: what is listed, what is verified, what is written."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from kiosk.app.main import run
from kiosk.app.simulate import ORIGIN
from kiosk.domain.types import NS_PER_S


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    assert run(["demo", "--to", str(folder), "--no-server"]) == 0
    return folder


@pytest.fixture
def journal(demo: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(demo / "journal.db", tmp_path / "journal.db"))


def ask(capfdbinary: pytest.CaptureFixture[bytes], *arguments: object) -> tuple[int, bytes, str]:
    code = run([str(argument) for argument in arguments])
    out, err = capfdbinary.readouterr()
    return code, out, err.decode()


def cells(raw: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline="")))


def test_the_list_has_number_rulebook_length_names_and_score(journal: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, out, _ = ask(capfdbinary, "journal", "list", "--journal", journal)
    assert code == 0
    for part in ("   1  2023-11-15", "ibgf", " 7 ", "Марија Ќосева – Борис Гринько", "8:4"):
        assert part in out.decode()


def test_every_entry_is_shown_in_order(journal: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, out, _ = ask(capfdbinary, "journal", "show", "last", "--journal", journal)
    text = out.decode()
    assert code == 0
    assert "since switched on (simulated-1), date not yet set" in text
    entries = [line.split() for line in text.splitlines() if line.strip()[:1].isdigit()]
    assert [int(entry[0]) for entry in entries] == list(range(1, len(entries) + 1))
    assert entries[0][3] == "match_opened"
    opening = next(line for line in text.splitlines() if "match_opened" in line)
    assert '"infractions":["late","hand_on_button",' in opening  # the titles in four languages are left out
    assert len(opening) < 2500


def test_a_match_that_is_not_there_is_named(journal: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    for arguments in (["journal", "show", "9"], ["export", "x", "--format", "csv"]):
        code, out, err = ask(capfdbinary, *arguments, "--journal", journal)
        assert (code, out) == (2, b"")
        assert f"no match {arguments[-1] if arguments[0] == 'journal' else 'x'!r}" in err
        assert "it has 1 to 1" in err


def test_a_journal_that_is_missing_or_none_is_named(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    (tmp_path / "garbage.db").write_bytes(b"garbage" * 999)
    for name in ("missing.db", "garbage.db"):
        for words in (["journal", "list"], ["journal", "verify"], ["journal", "show", "1"], ["export", "1", "--format", "json"]):
            code, _, err = ask(capfdbinary, *words, "--journal", tmp_path / name)
            assert code == 1
            assert name in err
            assert err.count("\n") == 1


def test_an_intact_journal_verifies(journal: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, out, _ = ask(capfdbinary, "journal", "verify", "--journal", journal)
    assert code == 0
    assert b"rows hold together" in out


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE fact SET data = data || ' ' WHERE seq = 30",
        "UPDATE fact SET mono_ns = mono_ns + 1 WHERE seq = 30",
        "UPDATE fact SET wall_trusted = 1 - wall_trusted WHERE seq = 30",
        "UPDATE fact SET boot = 'other' WHERE seq = 30",
        "DELETE FROM fact WHERE seq = 30",
    ],
)
def test_an_altered_row_is_found(change: str, journal: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    connection = sqlite3.connect(journal)
    with connection:
        assert connection.execute(change).rowcount == 1
    connection.close()
    code, _, err = ask(capfdbinary, "journal", "verify", "--journal", journal)
    assert code == 1
    assert "The 29 rows before it hold." in err


def test_csv_is_for_spreadsheets(journal: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, out, _ = ask(capfdbinary, "export", "1", "--format", "csv", "--journal", journal)
    assert code == 0
    assert out.startswith(b"\xef\xbb\xbfrecord,")
    assert out.count(b"\n") == out.count(b"\r\n") > 10


def test_csv_and_json_tell_the_same_match(journal: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    _, table, _ = ask(capfdbinary, "export", "1", "--format", "csv", "--journal", journal)
    _, plain, _ = ask(capfdbinary, "export", "1", "--format", "json", "--journal", journal)
    sheet = json.loads(plain)
    rows = [row for row in cells(table) if row["record"] == "game"]
    assert [(int(r["game"]), r["side"], r["kind"], int(r["cube"]), int(r["points"])) for r in rows] == [
        (g["n"], g["winner"], g["kind"], g["cube"], g["points"]) for g in sheet["games"]
    ]
    assert [(float(r["reserve_left_s"]), float(r["reserve_right_s"])) for r in rows] == [
        (g["reserve_ms"]["left"] / 1000, g["reserve_ms"]["right"] / 1000) for g in sheet["games"]
    ]
    # By the demo's own lines: 2, 4 (gammon at 2), 2, a gammon in the Crawford game, 2.
    assert [(r["score_left"], r["score_right"]) for r in rows] == [("0", "2"), ("4", "2"), ("6", "2"), ("6", "4"), ("8", "4")]
    assert [r["crawford"] for r in rows] == ["", "", "", "yes", ""]
    assert sheet["result"] == {"winner": "left", "how": "score"}
    assert sheet["signed"] == [{"side": side, "protest": False, "strokes": []} for side in ("left", "right")]


def test_both_exports_agree_with_the_facts(journal: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    connection = sqlite3.connect(journal)
    facts = [(kind, json.loads(data)) for kind, data in connection.execute("SELECT type, data FROM fact ORDER BY seq")]
    head = connection.execute("SELECT hash FROM fact ORDER BY seq DESC LIMIT 1").fetchone()[0]
    connection.close()
    _, plain, _ = ask(capfdbinary, "export", "last", "--format", "json", "--journal", journal)
    sheet = json.loads(plain)
    recorded = [data for kind, data in facts if kind == "game_recorded"]
    assert [(g["winner"], g["kind"], g["cube"]) for g in sheet["games"]] == [(d["winner"], d["kind"], d["cube"]) for d in recorded]
    pauses = [data for kind, data in facts if kind == "break_started"]
    assert [p["reserve_ms"]["left"] for p in sheet["breaks"]] == [d["reserve_left"] // 10**6 for d in pauses]
    assert [p["lasted_ms"] for p in sheet["breaks"]] == [187_000]
    assert sheet["journal"] == {"first": 1, "last": len(facts), "digest": head}
    assert facts[0][1]["at"] == ORIGIN
    assert ORIGIN % NS_PER_S == 0


def test_an_output_file_is_whole_or_not_there(
    journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    target = tmp_path / "sheet.csv"
    words = ["export", "1", "--format", "csv", "--journal", journal, "-o", target]
    assert ask(capfdbinary, *words)[0] == 0
    before = target.read_bytes()

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    code, _, err = ask(capfdbinary, *words)
    assert code == 1
    assert f"--output: {target} cannot be written: the disk is full (No space left on device)." in err
    assert target.read_bytes() == before
    assert not list(tmp_path.glob("*.part"))


def test_an_output_that_cannot_be_written_is_named(journal: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    target = tmp_path / "no" / "such" / "sheet.json"
    code, _, err = ask(capfdbinary, "export", "1", "--format", "json", "--journal", journal, "-o", target)
    assert code == 1
    assert str(target) in err
    assert ask(capfdbinary, "export", "1", "--format", "json", "--journal", journal, "-o", tmp_path)[0] == 2


def test_a_row_that_cannot_be_understood_is_a_sentence(journal: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    connection = sqlite3.connect(journal)
    with connection:
        connection.execute('UPDATE fact SET data = \'{"v":1,"at":[]}\' WHERE seq = 30')
    connection.close()
    for words in (["journal", "list"], ["export", "1", "--format", "csv"]):
        code, _, err = ask(capfdbinary, *words, "--journal", journal)
        assert code in {1, 2}
        assert "unexpected" not in err
        assert err.count("\n") == 1
