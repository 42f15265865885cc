"""What we write as .mat, GNU Backgammon imports without a warning: the same players, scores, dice, moves, cube and results."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kiosk.domain.rulebook import Kind
from kiosk.domain.types import Pair, Side
from kiosk.play.mat import mat
from kiosk.play.transcript import Act, Start, Transcript, Turn, told
from tests.play.backgammon_program import ask, wanted
from tests.play.matches import match_by_chance

KINDS = {Kind.SINGLE: 1, Kind.GAMMON: 2, Kind.BACKGAMMON: 3}


def expected(match: Transcript) -> list[dict[str, Any]]:
    """What the program should have understood; its X is our left, and it keeps the dice as they were written, the larger first."""
    games = []
    for game in told(match):
        turns: list[list[Any]] = []
        for turn in game.progress.turns:
            who = "X" if turn.side is Side.LEFT else "O"
            if turn.act is Act.MOVE:
                turns.append([who, "move", sorted(turn.dice or (), reverse=True), sorted([step.start, step.end] for step in turn.steps)])
            elif turn.act is Act.RESIGN:
                turns.append([who, "resign", KINDS[turn.kind]])
            else:
                turns.append([who, "drop" if turn.act is Act.PASS else turn.act.value])
        winner = {Side.LEFT: "X", Side.RIGHT: "O", None: None}[game.progress.winner]
        games.append({"scores": [game.before.left, game.before.right], "winner": winner, "points": game.progress.points, "turns": turns})
    return games


READ = """
import sys
for file in FILES:
    do("import mat " + file)
    match = gnubg.match(analysis=0, boards=0, statistics=0, verbose=0)
    games = []
    for game in match["games"]:
        turns = []
        for each in game["game"]:
            turn = [each["player"], each["action"]]
            if each["action"] == "move":
                turn += [sorted(each["dice"], reverse=True), sorted(each["move"])]
            if each["action"] == "resign":
                turn.append(each["points"])
            turns.append(turn)
        info = game["info"]
        games.append({"scores": [info["score-X"], info["score-O"]], "winner": info.get("winner"), "points": info.get("points-won", 0),
                      "turns": turns})
    tell([match["match-info"]["X"]["name"], match["match-info"]["O"]["name"], match["match-info"]["match-length"], games])
"""


def read_by_the_program(matches: list[Transcript], folder: Path) -> list[Any]:
    files = []
    for number, match in enumerate(matches):
        file = folder / f"{number}.mat"
        file.write_text(mat(match), encoding="utf-8")
        files.append(str(file))
    return ask(READ.replace("FILES", repr(files)), folder)


@wanted
def test_matches_by_chance_are_read_as_they_were_played(tmp_path: Path) -> None:
    matches = [match_by_chance(seed, length, games) for seed, (length, games) in enumerate(((7, 1), (3, 3), (0, 2), (9, 1)))]
    acts = {turn.act for match in matches for game in match.games for turn in game}
    assert acts == set(Act) - {Act.RESULT}
    for match, (left, right, length, games) in zip(matches, read_by_the_program(matches, tmp_path), strict=True):
        assert (left, right, length) == ("Ana", "Boris", match.length)
        assert games == expected(match)


@wanted
@pytest.mark.parametrize(
    "names",
    [Pair("Ана: Иванова", "O'Neill & Söhne"), Pair("", " " * 3), Pair("x" * 80, "y\tz"), Pair("Ж" * 40, "Александр Константинопольский")],
)
def test_names_are_kept_as_far_as_the_format_can(names: Pair[str], tmp_path: Path) -> None:
    match = Transcript(names, 3, match_by_chance(1, 3, 1).games)
    (left, right, _length, games) = read_by_the_program([match], tmp_path)[0]
    assert (left, right) in {("Ана Иванова", "O'Neill & Söhne"), ("Left", "Right"), ("x" * 31, "y z"), ("Ж" * 15, "Александр Конста")}
    assert games == expected(match)


def result(side: Side, kind: Kind, cube: int) -> tuple[Turn, ...]:
    return (Turn(side, Act.RESULT, kind=kind, cube=cube),)


@wanted
def test_games_that_nobody_wrote_down_count_for_whoever_won_them(tmp_path: Path) -> None:
    games = [result(side, kind, cube) for side in Side for kind in (*KINDS, Kind.PASS) for cube in (1, 2, 4)]
    written = match_by_chance(1, 0, 1).games[0]
    match = Transcript(Pair("Ana", "Boris"), 0, (*games, written))
    ((*_names, read),) = read_by_the_program([match], tmp_path)
    assert [(game["scores"], game["winner"], game["points"]) for game in read] == [
        ([game.before.left, game.before.right], "X" if game.progress.winner is Side.LEFT else "O", game.progress.points)
        for game in told(match)
    ]
    assert read[-1] == expected(Transcript(match.names, 0, (written,)))[0] | {"scores": read[-1]["scores"]}


@wanted
@pytest.mark.parametrize("seed", range(6))
def test_an_automatic_double_counts_as_it_was_played(seed: int, tmp_path: Path) -> None:
    match = match_by_chance(seed, 0, 3)
    games = tuple(game for game in match.games if game)
    tied = replace(match, games=(*games, result(Side.LEFT, Kind.GAMMON, 4)), starts=(Start(cube=2),) * (len(games) + 1))
    ((*_names, read),) = read_by_the_program([tied], tmp_path)
    wanted_points = [({Side.LEFT: "X", Side.RIGHT: "O", None: None}[game.progress.winner], game.progress.points) for game in told(tied)]
    assert [(game["winner"], game["points"]) for game in read] == wanted_points
