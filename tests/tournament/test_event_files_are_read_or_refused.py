"""An event's file: what it may say, and what is said to it."""

from __future__ import annotations

from typing import Any

import pytest

from kiosk.tournament.file import event_from_plain
from kiosk.tournament.results import TournamentError
from kiosk.tournament.standings import USUAL, TieBreak
from kiosk.tournament.swiss import FirstRound
from kiosk.tournament.tiebreaks import Unplayed


def test_a_file_may_be_short() -> None:
    event = event_from_plain({"players": 4})
    assert event.playing == (1, 2, 3, 4)
    assert (event.tiebreaks, event.unplayed, event.record.rounds, event.seed) == (USUAL, Unplayed.VIRTUAL, 0, "")


def test_a_file_may_say_everything() -> None:
    event = event_from_plain(
        {
            "players": [
                {"id": "a", "name": "Ana", "club": "X", "country": "mk", "rating": 1500},
                {"club": "X"},
                {"id": 7, "withdrawn": True},
            ],
            "rounds": 1,
            "results": [{"round": 1, "player": "a", "opponent": 2, "result": "win", "difference": 3}],
            "tiebreaks": ["direct"],
            "unplayed": "plain",
            "seed": "27 October",
            "forbidden": [["a", 7]],
            "avoid": ["club", "floats"],
            "first": "folded",
        }
    )
    assert [each.name for each in event.players] == ["Ana", "2", "7"]
    assert event.playing == ("a", 2)
    assert event.tiebreaks == (TieBreak.DIRECT,)
    assert event.record.points("a") == 1.0
    assert (dict(event.wishes.club), event.wishes.floats, event.wishes.first) == ({"a": "X", 2: "X"}, True, FirstRound.FOLDED)
    assert event.wishes.forbidden == {frozenset(("a", 7))}


GOOD: dict[str, Any] = {"players": 3, "rounds": 1, "results": []}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"player": 3}, "player is not known here"),
        ({"players": 1}, "players: the number"),
        ({"players": True}, "players: the number"),
        ({"players": [{}]}, "players: the number"),
        ({"players": [1, 2]}, r"players\[0\] must be an object"),
        ({"players": [{"id": 7}, {"id": 1}, {"id": 7}]}, "names a player twice: 7"),
        ({"forbidden": [[1, 1]]}, "forbidden to meet himself"),
        ({"forbidden": [[1, 2], [2, 1]]}, r"forbidden\[1\]: these two stand there already"),
        (
            {"results": [{"round": 1, "player": 1, "opponent": 2, "result": "win", "difference": -5}]},
            r"results\[0\]\.difference: -5 does not",
        ),
        ({"results": [{"round": 1, "player": 1, "opponent": 2, "result": "loss", "difference": 5}]}, "5 does not go with loss"),
        ({"results": [{"round": 1, "player": 1, "opponent": None, "result": "bye_win", "difference": 1}]}, "does not go with bye_win"),
        ({"players": [{"id": 1.5}, {}]}, r"players\[0\]\.id must be"),
        ({"players": [{"nam": "x"}, {}]}, r"players\[0\]\.nam is not known"),
        ({"players": [{"name": 1}, {}]}, r"players\[0\]\.name must be a text"),
        ({"players": [{"withdrawn": 1}, {}]}, r"players\[0\]\.withdrawn must be true or false"),
        ({"rounds": -1}, "rounds must be a whole number up to"),
        ({"rounds": "1"}, "rounds must be a whole number up to"),
        ({"results": {}}, "results must be a list"),
        ({"results": [1]}, r"results\[0\] must be an object"),
        ({"results": [{"round": 1}]}, r"results\[0\]\.player must be a player's id"),
        ({"results": [{"round": 1, "player": 1, "opponent": 1.5}]}, r"results\[0\]\.opponent must be a player's id"),
        ({"results": [{"round": 1, "player": 1, "opponent": 2, "result": "won"}]}, r"results\[0\]\.result must be one of win, loss"),
        ({"results": [{"round": 1, "player": 1, "opponent": 2, "result": 1}]}, r"results\[0\]\.result must be one of"),
        ({"results": [{"player": 1, "opponent": 2, "result": "win"}]}, r"results\[0\]\.round must be a whole number"),
        ({"results": [{"round": 1, "player": 1, "opponent": 2, "result": "win", "difference": 1.5}]}, r"results\[0\]\.difference"),
        ({"results": [{"round": 1, "player": 1, "opponent": 9, "result": "win"}]}, "9 is not on the entry list"),
        ({"tiebreaks": ["elo"]}, r"tiebreaks\[0\] must be one of direct"),
        ({"unplayed": "half"}, "unplayed must be one of plain, virtual"),
        ({"seed": 5}, "seed must be a text"),
        ({"forbidden": [[1, 9]]}, r"forbidden\[0\]: two players"),
        ({"forbidden": [[1, [2]]]}, r"forbidden\[0\]: two players"),
        ({"forbidden": [1]}, r"forbidden\[0\]: two players"),
        ({"forbidden": [[1]]}, r"forbidden\[0\]: two players"),
        ({"avoid": ["country"]}, r"avoid\[0\] must be one of club, floats"),
        ({"first": "random"}, "first must be one of drawn"),
    ],
)
def test_what_a_file_says_wrong_is_named(change: dict[str, Any], says: str) -> None:
    with pytest.raises(TournamentError, match=says):
        event_from_plain({**GOOD, **change})


def test_a_file_is_an_object() -> None:
    with pytest.raises(TournamentError, match="one JSON object"):
        event_from_plain([])
