"""`kiosk play`: a move is legal or not and why, every legal final position, questions from a file, and a match as .mat."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kiosk.app.main import run
from kiosk.play import Game, start_board

START = "4HPwATDgc/ABMA"
LONG = "LN1-0000-3ZZW-0000-7ZZR-03"
ROW = {"rulebook": "ibgf", "me": start_board(Game.BACKGAMMON).me, "opp": start_board(Game.BACKGAMMON).opp, "dice": [5, 3]}
LONG_ROW = {"rulebook": "rus-long", "me": start_board(Game.LONG_NARDY).me, "opp": start_board(Game.LONG_NARDY).opp, "dice": [6, 6]}
MATCH = {
    "players": {"left": "Ana", "right": "Boris"},
    "length": 3,
    "games": [[{"side": "left", "dice": [3, 1], "move": "8/5 6/5"}, {"do": "double"}, {"do": "drop"}]],
}


def ask(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = run(["play", *map(str, arguments)])
    out, err = capfd.readouterr()
    assert "Traceback" not in out + err
    return code, out, err


def file(folder: Path, *rows: object) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows), encoding="utf-8")
    return path


# ── One question ─────────────────────────────────────────────────────────────
def test_a_legal_move_is_drawn_answered_and_listed_among_the_others(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = ask(capfd, START, "3-1", "8/5", "6/5")
    assert (code, err) == (0, "")
    assert "| X           O    |   | O              X |" in out
    assert "8/5 6/5 is legal." in out
    assert "16 final positions are legal:" in out
    assert ["8/5", "6/5"] in [line.split()[:2] for line in out.splitlines()[-16:]]


def test_a_move_that_is_not_legal_says_which_step_why_and_the_article(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ask(capfd, START, "51", "24/23 6/1")
    assert code == 1
    assert "24/23 6/1 is not legal." in out
    assert "6/1: " in out
    assert "(000 §3)" in out


def test_a_move_that_plays_too_little_is_not_legal_as_a_whole(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ask(capfd, START, "5-3", "13/8")
    assert code == 1
    assert "13/8: Both numbers can be played, so both must be. (000 §3)" in out


def test_a_move_that_is_not_legal_is_told_as_it_was_typed(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ask(capfd, LONG, "3-3", "24/21 21/18 18/15 24/21")
    assert code == 1
    assert "24/21 21/18 18/15 24/21 is not legal.\n24/21: Only one checker a turn may be taken from the head. (004 5.4.11)" in out


def test_nothing_moved_is_a_move_too(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ask(capfd, START, "5-3", "-")
    assert code == 1
    assert "- is not legal." in out
    assert "\nBoth numbers can be played, so both must be. (000 §3)" in out


def test_where_nothing_can_be_played_that_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    shut_out = f"XGID={'-' * 6}N{'-' * 3}c{'-' * 8}{'b' * 6}A:0:0:1:66:0:0:0:0:10"
    code, out, _ = ask(capfd, shut_out)
    assert (code, out.splitlines()[-1]) == (0, "Nothing can be played.")


def test_the_dice_of_an_id_need_not_be_repeated(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ask(capfd, "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10", "8/5", "6/5")
    assert code == 0
    assert "8/5 6/5 is legal." in out


def test_long_nardy_is_judged_by_its_own_rules(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ask(capfd, LONG, "6-6", "24/18(2)", "--ply", "2")
    assert (code, "24/18(2) is legal." in out) == (0, True)
    code, out, _ = ask(capfd, LONG, "6-6", "24/18(2)")
    assert (code, "(004 5.4.11)" in out) == (1, True)


def test_programs_get_one_json_object(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ask(capfd, START, "3-1", "8/5 6/5", "--json", "--rulebook", "circle")
    told = json.loads(out)
    assert code == 0
    assert told["xgid"] == "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    assert (told["game"], told["rulebook"], told["id"], told["dice"], told["ply"]) == ("backgammon", "circle", START, [3, 1], None)
    assert told["me"] == told["opp"] == list(start_board(Game.BACKGAMMON).me)
    assert (told["judged"]["legal"], told["judged"]["reason"], told["judged"]["move"]) == (True, None, "8/5 6/5")
    assert told["judged"]["id"] in {final["id"] for final in told["finals"]}
    assert len(told["finals"]) == 16


def test_programs_get_the_reason_as_a_word(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ask(capfd, START, "5-1", "24/23 6/1", "--json")
    judged = json.loads(out)["judged"]
    assert code == 1
    assert (judged["legal"], judged["reason"], judged["article"], judged["at_step"]) == (False, "blocked", "000 §3", 1)


def test_without_a_move_nothing_is_judged(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ask(capfd, START, "3-1", "--json")
    assert (code, json.loads(out)["judged"]) == (0, None)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([], "Give either ID and DICE, or --batch FILE, or --mat FILE"),
        ([START, "5-3", "--batch", "-"], "Give either ID"),
        (["--batch", "-", "--mat", "-"], "Give either ID"),
        (["--batch", "-", "--json"], "--ply and --json go with an ID only"),
        (["--mat", "-", "--ply", "2"], "--ply and --json go with an ID only"),
        ([START, "5-3", "-o", "x"], "--output goes with --mat only"),
        ([START], "DICE is missing; write it as 5-3"),
        ([START, "7-3"], "DICE: 7-3 is no roll"),
        ([START, "5-3", "13/x"], "MOVE: 13/x: x is no place"),
        (["4HPwATDgc/ABMB", "5-3"], "ID: 4HPwATDgc/ABMB is not a position id"),
        ([LONG[:-1] + "4", "5-3"], "ID: LN1-0000-3ZZW-0000-7ZZR-04 has a typing error"),
        ([LONG, "5-3", "--rulebook", "ibgf"], "--rulebook: ibgf is a rulebook of another game"),
        ([START, "5-3", "--rulebook", "ibfg"], '--rulebook: There is no rulebook "ibfg"'),
        (["--batch", "-", "--rulebook", "ibfg"], '--rulebook: There is no rulebook "ibfg"'),
        ([START, "5-3", "--ply", "0"], "--ply"),
        ([START, "5-3", "--ply", "1"], "--ply: only in long nardy do the two first throws differ"),
        (["--batch", "nowhere.jsonl"], "nowhere.jsonl"),
        (["--mat", "nowhere.json"], "nowhere.json"),
    ],
)
def test_a_wrong_call_is_named(arguments: list[str], named: str, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = ask(capfd, *arguments)
    assert (code, out) == (2, "")
    assert named in err


# ── Many questions ───────────────────────────────────────────────────────────
def finals(out: str) -> list[list[dict[str, Any]]]:
    return [json.loads(line)["finals"] for line in out.splitlines()]


def test_each_line_of_a_batch_is_answered_in_order(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rows = file(tmp_path, ROW, "", LONG_ROW | {"ply": 2}, LONG_ROW | {"ply": None}, ROW | {"dice": [1, 3], "tags": ["whatever"]})
    code, out, err = ask(capfd, "--batch", rows)
    assert (code, err) == (0, "")
    first, second, third, fourth = finals(out)
    assert {"me", "opp", "move"} == set(first[0])
    assert [final["move"] for final in second] == ["24/18(2)"]
    assert [final["move"] for final in third] == ["24/18"]
    assert len(fourth) == 16


def test_a_line_without_a_rulebook_is_answered_by_the_usual_one_or_the_one_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rows = file(tmp_path, {key: ROW[key] for key in ("me", "opp", "dice")}, {key: LONG_ROW[key] for key in ("me", "opp", "dice")})
    assert ask(capfd, "--batch", rows)[0] == 0
    code, out, err = ask(capfd, "--batch", rows, "--rulebook", "circle")
    assert (code, len(out.splitlines())) == (2, 1)
    assert "rows.jsonl:2: An array of the side to move has 24 numbers" in err


@pytest.mark.parametrize(
    ("row", "named"),
    [
        ("{", "this is not JSON (Expecting property name"),
        ("[]", "each line must be an object in braces"),
        ("[" * 100_000, "this is nested too deeply"),
        ('{"me": ' + "9" * 5000 + "}", "99999999999999999999… is too large a number"),
        (ROW | {"me": None}, "me must be a list of whole numbers"),
        (ROW | {"opp": [True] * 25}, "opp must be a list of whole numbers"),
        (ROW | {"dice": [5]}, "A throw is two numbers from 1 to 6"),
        (ROW | {"dice": [5, 7]}, "A throw is two numbers from 1 to 6"),
        (LONG_ROW | {"ply": "1"}, "A ply is a whole number"),
        (ROW | {"ply": 1}, "ply: only in long nardy do the two first throws differ"),
        (ROW | {"rulebook": "fevga"}, 'There is no rulebook "fevga"'),
        (ROW | {"rulebook": 3}, "rulebook must be a text"),
        (ROW | {"rulebook": "rus-long"}, "25 numbers, this game wants 24"),
        (ROW | {"me": [16] + [0] * 24}, "stands 16"),
        ({"me": ROW["me"], "opp": ROW["opp"]}, "dice is missing"),
    ],
)
def test_a_bad_line_is_named_and_ends_the_batch_with_nothing_of_its_own(
    row: object, named: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, out, err = ask(capfd, "--batch", file(tmp_path, ROW, row, ROW))
    assert (code, len(finals(out))) == (2, 1)
    assert "rows.jsonl:2: " in err
    assert named in err


def test_a_line_that_is_no_text_or_endless_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"\xff\n")
    assert "rows.jsonl:1: this is not UTF-8" in ask(capfd, "--batch", path)[2]
    path.write_bytes(b" " * 1_000_001 + b"{")
    assert "rows.jsonl:1: this is too long: the most is 1000000 bytes" in ask(capfd, "--batch", path)[2]


def test_answers_come_before_the_next_question_is_asked() -> None:
    start = "from kiosk.app.main import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", start, "play", "--batch", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as batch:
        assert batch.stdin
        assert batch.stdout
        assert batch.stderr
        for _ in range(2):
            batch.stdin.write(json.dumps(ROW).encode() + b"\n")
            batch.stdin.flush()
            assert json.loads(batch.stdout.readline())["finals"]
        batch.stdout.close()  # the reader leaves, as `head` does
        batch.stdin.write((json.dumps(ROW).encode() + b"\n") * 50)
        batch.stdin.close()
        assert batch.stderr.read() == b""
        assert batch.wait() == 0


# ── A match ──────────────────────────────────────────────────────────────────
def test_a_match_becomes_a_mat_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ask(capfd, "--mat", file(tmp_path, MATCH))
    assert code == 0
    assert out.startswith(" 3 point match\n\n Game 1\n Ana : 0")
    assert " Drops" in out
    target = tmp_path / "match.mat"
    assert ask(capfd, "--mat", file(tmp_path, MATCH), "-o", target)[0] == 0
    assert target.read_text() == out


def test_a_match_may_come_on_standard_input(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(MATCH).encode())))
    assert ask(capfd, "--mat", "-")[0] == 0


@pytest.mark.parametrize(
    ("match", "named"),
    [
        ('{"length": 3,\n\n"games": [}', "rows.jsonl:3: this is not JSON"),
        (MATCH | {"length": -1}, "rows.jsonl: length must be a whole number"),
        (MATCH | {"rulebook": "rus-long"}, "rows.jsonl: A match of long nardy cannot be told"),
        (MATCH | {"games": [[MATCH["games"][0][0] | {"move": "8/5"}]]}, "rows.jsonl: Game 1, turn 1: Both numbers can be played"),  # type: ignore[index]
    ],
)
def test_a_match_that_does_not_hold_together_is_named(match: object, named: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = ask(capfd, "--mat", file(tmp_path, match))
    assert (code, out) == (2, "")
    assert named in err


def test_a_transcript_of_a_film_is_no_transcript(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "film.json"
    with path.open("wb") as film:
        film.truncate(20_000_001)
    code, _, err = ask(capfd, "--mat", path)
    assert (code, "film.json: this is too long: the most is 20000000 bytes" in err) == (2, True)
