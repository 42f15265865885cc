"""`kiosk export --format mat`: what was written down is told, what was not is counted and named on standard error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kiosk.app.main import run
from kiosk.app.scenario import parse
from kiosk.app.simulate import Simulation
from kiosk.books import Library

LIBRARY = Library([])
OPEN = {"do": "open_match", "rulebook": "ibgf", "length": 7, "players": {"left": "Ana", "right": "Boris"}}
SECOND = [
    {"do": "note_turn", "game": 2, "n": 1, "side": "left", "what": "31: 8/5 6/5"},
    {"do": "note_turn", "game": 2, "n": 2, "side": "right", "what": "62: 24/18 13/11"},
]


def game(winner: str, cube: int = 1) -> list[dict[str, object]]:
    loser = "right" if winner == "left" else "left"
    return [{"do": "game", "winner": winner, "kind": "single", "cube": cube}, {"do": "confirm", "by": loser}]


def journal_of(folder: Path, *lines: dict[str, object]) -> str:
    text = "\n".join(json.dumps({"at": at} | line) for at, line in enumerate([OPEN, *lines]))
    simulation = Simulation(parse("mat", text, LIBRARY.names()), LIBRARY, folder / "mat.db", lambda _done, _all: None)
    simulation.run()
    simulation.close()
    return str(folder / "mat.db")


def test_games_that_nobody_wrote_down_are_counted_and_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = {"do": "note_turn", "game": 4, "n": 1, "side": "left", "what": "31: 8/5"}
    journal = journal_of(tmp_path, *game("right"), *game("right"), *game("left", cube=2), *SECOND, wrong)
    assert run(["export", "1", "--journal", journal, "--format", "mat"]) == 0
    out, err = capsys.readouterr()
    assert [line.split()[1] for line in out.splitlines() if line.startswith(" Game")] == ["1", "2", "3"]
    assert out.count("????") == 1
    assert "31: 8/5 6/5" in out
    assert err.splitlines()[:2] == [
        "Game 1 is told by its result alone: Its moves were not written down.",
        "Game 3 is told by its result alone: Its moves were not written down.",
    ]
    assert err.splitlines()[2].startswith("Game 4 is left out: Game 4, turn 1: ")


def test_a_match_without_any_moves_is_refused_by_its_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = journal_of(tmp_path, *game("right"))
    assert run(["export", "last", "--journal", journal, "--format", "mat"]) == 2
    assert "Match 1 cannot be had as mat. No moves of this match were written down." in capsys.readouterr().err
