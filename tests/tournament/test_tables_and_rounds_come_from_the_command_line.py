"""`kiosk-server standings`, `kiosk-server pair` and `kiosk-server ratings`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kiosk.server.main import run

EVENT: dict[str, Any] = {
    "players": [{"id": 1, "name": "Ana"}, {"id": 2, "name": "Boris"}, {"id": 3, "name": "Vera"}],
    "rounds": 1,
    "results": [
        {"round": 1, "player": 1, "opponent": 2, "result": "win"},
        {"round": 1, "player": 3, "opponent": None, "result": "bye_win"},
    ],
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "event.json"
    path.write_text(json.dumps(EVENT), encoding="utf-8")
    return path


def test_the_table_is_printed_for_programs_and_for_people(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["standings", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(row["player"], row["rank"], row["points"]) for row in told] == [(3, 1, 1.0), (1, 2, 1.0), (2, 3, 0.0)]
    assert set(told[0]) >= {"player", "rank", "points", "wins", "buchholz", "buchholz_cut1", "sonneborn_berger", "direct"}
    assert run(["standings", str(file)]) == 0
    assert "Ana  (buchholz)" in capsys.readouterr().out.splitlines()[1]


def test_the_next_round_is_printed_for_programs_and_for_people(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pair", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told[-1] == {"table": 2, "left": 2, "right": None}
    assert {told[0]["left"], told[0]["right"]} == {1, 3}
    assert run(["pair", str(file)]) == 0
    assert "Boris – bye" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "is no JSON file"),
        ("[" * 100_000, "is no JSON file"),
        ("[]", "one JSON object"),
        ('{"players": 0}', "players: the number"),
        ('{"players": 4, "players": 5}', "players stands twice"),
        ('{"players": [{"id": 1, "name": "A\\ud800"}]}', "“A?” has half of a character"),
        ('{"players": 4, "\\udc00": null}', "has half of a character"),
    ],
)
def test_a_wrong_file_is_named_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, says: str) -> None:
    path = tmp_path / "event.json"
    path.write_text(text, encoding="utf-8")
    for command in ("standings", "pair", "ratings"):
        assert run([command, str(path)]) == 2
        said = capsys.readouterr().err
        assert str(path) in said
        assert says in said


def test_a_file_that_begins_with_a_byte_order_mark_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "event.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(EVENT).encode())
    assert run(["standings", str(path)]) == 0
    assert "Ana" in capsys.readouterr().out


def test_a_file_that_is_not_there_and_one_that_is_too_large_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    assert run(["standings", str(tmp_path / "none.json")]) == 2
    assert "none.json cannot be read" in capsys.readouterr().err
    monkeypatch.setattr("kiosk.server.cli_standings.LARGEST", 10)
    assert run(["pair", str(file)]) == 2
    assert "larger than any event's file" in capsys.readouterr().err


def test_that_nothing_can_be_paired_is_said_with_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "event.json"
    path.write_text(
        json.dumps({"players": 2, "rounds": 1, "results": [{"round": 1, "player": 1, "opponent": 2, "result": "win"}]}), encoding="utf-8"
    )
    assert run(["pair", str(path)]) == 2
    assert "nobody meets somebody twice" in capsys.readouterr().err


def test_ratings_are_printed_for_programs_and_for_people(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ratings", str(file), "--json"]) == 0
    said = capsys.readouterr()
    assert "1 match is not rated: nobody tells to how many points it was played. Give --length." in said.err
    assert {row["matches"] for row in json.loads(said.out)} == {0}
    assert run(["ratings", str(file), "--length", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(row["player"], row["name"], row["after"], row["change"], row["experience"]) for row in told] == [
        (1, "Ana", 1510.0, 10.0, 1), (3, "Vera", 1500.0, 0.0, 0), (2, "Boris", 1490.0, -10.0, 1),
    ]  # fmt: skip
    assert run(["ratings", str(file), "--length", "1", "--ramp", "no_ramp"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["1502.00", "+2.00", "1", "1", "Ana"]


def test_ratings_of_a_whole_tournaments_file_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its ratings may be whole numbers, and it may have been written before there was experience."""
    kinds = [
        (
            "entered",
            {"entrant": {"ident": 1, "names": ["Ana"], "club": "", "country": "", "rating": 1850, "again": None, "experience": 1000}},
        ),
        ("entered", {"entrant": {"ident": 2, "names": ["Boris"], "club": "", "country": "", "rating": 1750.0, "again": None}}),
        ("stage_opened", {"stage": 1, "plan": {"name": "Main", "system": "single", "seed": "x"}, "entrants": [1, 2]}),
        ("ended", {"stage": 1, "key": "M1.1", "outcome": "left", "left_points": 7, "right_points": 2, "length": 7}),
    ]
    happened = [{"kind": kind, "data": data, "at_ns": 1, "by": "Eva"} for kind, data in kinds]
    path = tmp_path / "tournament.json"
    path.write_text(json.dumps({"format": "tableside-tournament", "version": 1, "happened": happened}), encoding="utf-8")
    assert run(["ratings", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(row["player"], row["experience"]) for row in told] == [(1, 1007), (2, 7)]
    assert told[0]["change"] == pytest.approx(4.491772, abs=1e-6)
    path.write_text(json.dumps({"format": "something"}), encoding="utf-8")
    assert run(["ratings", str(path)]) == 2
    assert "no file of a tournament" in capsys.readouterr().err
