"""Faults that a fresh tester found, each with the input that showed it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kiosk.app.main import run

KIOSK = [sys.executable, "-c", "from kiosk.app.main import main; main()"]
PLAYERS = '"players": {"left": "Ana", "right": "Boris"}'


def _play(tmp_path: Path, capsys: pytest.CaptureFixture[str], *lines: str) -> dict[str, object]:
    file = tmp_path / "evening.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert run(["simulate", "--json", str(file)]) == 0
    outcome: dict[str, object] = json.loads(capsys.readouterr().out)
    return outcome


def _table(tmp_path: Path, words: bytes) -> subprocess.CompletedProcess[bytes]:
    (tmp_path / "kiosk.toml").write_text(f'data = "{tmp_path}/data"\n', encoding="utf-8-sig")
    return subprocess.run(
        [*KIOSK, "--config", str(tmp_path), "run", "--simulate", "--no-screen"], input=words, capture_output=True, timeout=60, check=False
    )


def test_a_match_won_in_one_game_without_clocks_had_no_crawford_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = _play(
        tmp_path,
        capsys,
        '{"do": "open_match", "rulebook": "ibgf", "length": 7, ' + PLAYERS + "}",
        '{"at": 9, "do": "game", "winner": "left", "kind": "backgammon", "cube": 4}',
        '{"at": 10, "do": "confirm", "by": "right"}',
    )
    match = outcome["match"]
    assert isinstance(match, dict)
    assert (match["score"]["left"], match["game"], match["is_crawford_game"], match["crawford_played"]) == (12, 1, False, False)


def test_no_offer_stays_open_after_the_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = _play(
        tmp_path,
        capsys,
        '{"do": "open_match", "rulebook": "ibgf", "length": 7, ' + PLAYERS + "}",
        '{"do": "press", "side": "right"}',
        '{"at": 3, "do": "double", "by": "right"}',
        '{"at": 9, "do": "resign_match", "by": "left"}',
    )
    match = outcome["match"]
    assert isinstance(match, dict)
    assert match["cube"]["offered_by"] is None


@pytest.mark.parametrize("name", ["a\\nb", "\\u001b[31mred", "\\u202egnp", "x" * 101])
def test_a_name_that_would_confuse_a_list_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    opening = '{"do": "open_match", "rulebook": "ibgf", "length": 7, "players": {"left": "' + name + '", "right": "B"}}'
    outcome = _play(tmp_path, capsys, opening)
    assert outcome["phase"] is None
    assert [refused["code"] for refused in outcome["refused"]] == ["bad_value"]  # type: ignore[attr-defined]


def test_a_broken_rulebook_is_an_answer_and_the_table_goes_on(tmp_path: Path) -> None:
    (tmp_path / "rulebooks").mkdir()
    (tmp_path / "rulebooks" / "city.toml").write_text('extends = "ibgf"\n[control]\ndelay = 15\n', encoding="utf-8")
    words = '{"do": "open_match", "rulebook": "city", "length": 3, ' + PLAYERS + '}\n{"do": "press", "side": "left"}'
    table = _table(tmp_path, words.encode())
    answers = [json.loads(line) for line in table.stdout.decode().splitlines() if line.startswith("{")]
    assert table.returncode == 0
    assert "delay" in answers[0]["error"]
    assert answers[-1] == {"line": 2, "accepted": 1}


def test_the_last_word_needs_no_newline(tmp_path: Path) -> None:
    assert b'{"line": 1, "accepted": 1}' in _table(tmp_path, b'{"do": "press", "side": "left"}').stdout


def test_a_bad_rulebook_does_not_hide_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rulebooks").mkdir()
    (tmp_path / "rulebooks" / "city.toml").write_text('extends = "nothing"\n', encoding="utf-8")
    assert run(["--config", str(tmp_path), "rulebook", "list"]) == 0
    shown = capsys.readouterr().out
    assert "rus-long" in shown
    assert "city           cannot be used" in shown


def test_a_sheet_is_written_through_a_link(tmp_path: Path) -> None:
    assert run(["demo", "--to", str(tmp_path), "--no-server"]) == 0
    (tmp_path / "real.csv").write_text("old", encoding="utf-8")
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    command = ["export", "last", "--format", "csv", "-o", str(tmp_path / "link.csv"), "--journal", str(tmp_path / "journal.db")]
    assert run(command) == 0
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_bytes().startswith(b"\xef\xbb\xbfrecord")


def test_closed_streams_are_no_error(tmp_path: Path) -> None:
    line = f"exec {sys.executable} -c 'from kiosk.app.main import main; main()' demo --no-server --to {tmp_path} <&- >&-"
    done = subprocess.run(["bash", "-c", line], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
