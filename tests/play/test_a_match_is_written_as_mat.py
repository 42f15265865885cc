"""The text of a .mat file, line by line; that GNU Backgammon reads it is tested beside this."""

from __future__ import annotations

import json

import pytest

from kiosk.domain.rulebook import Kind
from kiosk.domain.types import Pair
from kiosk.play.mat import mat
from kiosk.play.transcript import Terms, Transcript, TranscriptError, told
from kiosk.play.transcript_file import transcript_from_plain, transcript_to_plain
from tests.play.matches import match_by_chance

PLAIN = json.loads("""
{"players": {"left": "Ana", "right": "Boris"}, "length": 3, "games": [
 [{"side": "left", "dice": [3, 1], "move": "8/5 6/5"}, {"dice": [2, 6], "move": "24/18 13/11"},
  {"do": "double"}, {"side": "right", "do": "take"}, {"dice": [6, 6], "move": "24/18(2) 13/7*(2)"}, {"dice": [6, 6], "move": "-"},
  {"dice": [4, 1], "move": "13/9 6/5"}, {"do": "double"}, {"do": "drop"}],
 [{"side": "right", "dice": [5, 2], "move": "13/8 24/22"}, {"do": "resign", "side": "left"}]
]}""")

MAT = """\
 3 point match

 Game 1
 Ana : 0                             Boris : 0
  1) 31: 8/5 6/5                    62: 24/18 13/11
  2)  Doubles => 2                   Takes
  3) 66: 24/18 24/18 13/7* 13/7     66:
  4) 41: 13/9 6/5                    Doubles => 4
  5)  Drops                          Wins 2 points

 Game 2
 Ana : 0                             Boris : 2
  1)                                52: 24/22 13/8
                                     Wins 1 point and the match

"""


def read(plain: object) -> Transcript:
    return transcript_from_plain(plain, lambda _word: Terms())


def lines(text: str) -> list[str]:
    """Without the blanks that fill up the columns."""
    return [line.rstrip() for line in text.split("\n")]


def test_a_match_is_written() -> None:
    assert lines(mat(read(PLAIN))) == lines(MAT)


def test_the_left_column_is_filled_up_so_that_a_reader_finds_the_right_one() -> None:
    text = mat(read(PLAIN | {"games": [PLAIN["games"][0][:1]]}))
    assert f"  1) {'31: 8/5 6/5':31}" in text.split("\n")


def test_an_unfinished_game_simply_ends() -> None:
    text = mat(read(PLAIN | {"games": [PLAIN["games"][0][:1]], "score": {"left": 1}}))
    assert lines(text)[2:-1] == [" Game 1", " Ana : 1                             Boris : 0", "  1) 31: 8/5 6/5", ""]


def test_a_game_that_nobody_has_begun_is_a_heading() -> None:
    assert lines(mat(read(PLAIN | {"games": [[]]})))[2:-1] == [" Game 1", " Ana : 0                             Boris : 0", ""]


@pytest.mark.parametrize(
    ("turns", "rows"),
    [
        ([{"side": "right", "do": "resign"}], ["      Wins 1 point"]),
        ([{"side": "left", "do": "resign"}], ["                                     Wins 1 point"]),
        (
            [PLAIN["games"][0][0], {"side": "left", "do": "resign", "kind": "gammon"}],
            ["  1) 31: 8/5 6/5                     Wins 2 points"],
        ),
        (
            [PLAIN["games"][0][0], {"side": "right", "do": "resign", "kind": "gammon"}],
            ["  1) 31: 8/5 6/5", "      Wins 2 points"],
        ),
        (
            [*PLAIN["games"][0][:2], {"side": "left", "do": "resign"}],
            ["  1) 31: 8/5 6/5                    62: 24/18 13/11", "                                     Wins 1 point"],
        ),
    ],
)
def test_who_has_won_stands_in_his_own_column(turns: list[object], rows: list[str]) -> None:
    assert lines(mat(read(PLAIN | {"games": [turns]})))[4:-1] == [*rows, ""]


def test_a_long_move_moves_the_right_column() -> None:
    rows = mat(match_by_chance(2, 11, 2)).splitlines()
    assert all(len(row) < 100 for row in rows)


# ── The JSON ─────────────────────────────────────────────────────────────────
def test_a_match_comes_back_from_json() -> None:
    match = match_by_chance(1, 3, 2)
    plain = json.loads(json.dumps(transcript_to_plain(match, "ibgf")))
    assert plain["rulebook"] == "ibgf"
    assert told(read(plain)) == told(match)


def test_a_resignation_comes_back_from_json() -> None:
    match = read(PLAIN | {"games": [[{"side": "left", "do": "resign", "kind": "gammon"}]]})
    assert read(transcript_to_plain(match, "ibgf")) == match
    assert match.games[0][0].kind is Kind.GAMMON


def test_whatever_may_be_left_out_has_its_usual_value() -> None:
    words = []
    match = transcript_from_plain({"length": 0, "games": []}, lambda word: words.append(word) or Terms())
    assert (match.names, match.score, match.crawford_played, words) == (Pair("", ""), Pair(0, 0), False, ["ibgf"])


TURN = {"side": "left", "dice": [3, 1], "move": "8/5 6/5"}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (None, "A transcript must be an object"),
        ({"lenght": 3}, "A transcript: lenght is not known here; known are crawford_played, games"),
        ({"players": {"white": "x"}}, "players: white is not known here; known are left, right"),
        ({"players": {"left": 3}}, "players must be a text"),
        ({"rulebook": 3}, "rulebook must be a text"),
        ({"length": "3"}, "length must be a whole number up to 99"),
        ({"length": True}, "length must be a whole number"),
        ({"score": {"left": -1}}, "score.left must be a whole number"),
        ({"crawford_played": 1}, "crawford_played must be true or false"),
        ({"games": {}}, "games must be a list"),
        ({"games": [3]}, "Game 1 must be a list"),
        ({"games": [[], [3]]}, "Game 2, turn 1 must be an object"),
        ({"games": [[TURN | {"roll": 1}]]}, "Game 1, turn 1: roll is not known here"),
        ({"games": [[TURN | {"do": "dooble"}]]}, "Game 1, turn 1: do must be one of move, double, take, pass, resign, result"),
        ({"games": [[TURN | {"side": "up"}]]}, "Game 1, turn 1: side must be one of left, right"),
        ({"games": [[{"dice": [3, 1], "move": "8/5 6/5"}]]}, "Game 1, turn 1: side is missing"),
        ({"games": [[TURN, {"do": "resign"}]]}, "Game 1, turn 2: side is missing"),
        ({"games": [[TURN | {"dice": [3]}]]}, "Game 1, turn 1: dice are two numbers from 1 to 6"),
        ({"games": [[TURN | {"dice": [3, 7]}]]}, "Game 1, turn 1: dice are two numbers from 1 to 6"),
        ({"games": [[TURN | {"dice": 31}]]}, "Game 1, turn 1: dice are two numbers from 1 to 6"),
        ({"games": [[TURN | {"move": None}]]}, "Game 1, turn 1: move must be a text"),
        ({"games": [[TURN | {"move": "8/x"}]]}, "Game 1, turn 1: 8/x: x is no place"),
        ({"games": [[{"do": "result", "side": "left", "cube": 3}]]}, "Game 1, turn 1: cube is 1, 2, 4, 8, 16, 32 or 64"),
        ({"games": [[{"do": "result", "side": "left", "cube": True}]]}, "Game 1, turn 1: cube is 1, 2"),
        ({"games": [[TURN, {"do": "resign", "side": "left", "kind": 1}]]}, "Game 1, turn 2: kind must be one of single"),
    ],
)
def test_what_is_no_transcript_is_refused_by_key_or_turn(change: dict[str, object] | None, why: str) -> None:
    with pytest.raises(TranscriptError, match=why):
        read(None if change is None else PLAIN | change)


@pytest.mark.parametrize(
    ("result", "rows"),
    [
        ({"kind": "gammon"}, ["  1)                                11: ????", "      Wins 2 points"]),
        ({"kind": "pass"}, ["  1)  Doubles => 2                   Drops", "      Wins 1 point"]),
        (
            {"kind": "single", "cube": 4},
            [
                "  1)                                 Doubles => 2",
                "  2)  Takes                          ".rstrip(),
                "  3)  Doubles => 4                   Takes",
            ],
        ),
    ],
)
def test_a_game_that_nobody_wrote_down_has_its_doubles_or_an_unreadable_move(result: dict[str, object], rows: list[str]) -> None:
    plain = PLAIN | {"length": 0, "games": [[{"side": "left", "do": "result", **result}], PLAIN["games"][0][:1]]}
    text = lines(mat(read(plain)))
    assert text[4 : 4 + len(rows)] == rows
    assert transcript_to_plain(read(plain), "ibgf")["games"][0] == [{"side": "left", "do": "result", "cube": 1, **result}]
