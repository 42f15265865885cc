"""The sheet of a match that was entered from paper says by whom and when, and tells nothing of a time that nobody has measured."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from evenings import NAMES, json_of, line, records, sheet_of

from kiosk.domain.facts import OnPaper
from kiosk.domain.officials import Official, Role
from kiosk.domain.types import Pair
from kiosk.sheets import PaperLine

VERA = [{"name": "Vera", "role": "chief", "pin": "2468"}]
GAMES: list[dict[str, Any]] = [
    {"winner": "left", "kind": "gammon", "cube": 2},
    {"winner": "right", "kind": "single"},
    {"winner": "left", "kind": "single"},
]


def entered(length: int | None = 5, games: Any = GAMES, **more: Any) -> tuple[dict[str, Any], ...]:
    given = {"rulebook": "ibgf", "length": length, "players": NAMES, "officials": VERA, "games": games, **more}
    return line(0, "sign_in", pin="2468"), line(1, "enter_paper", **given)


def test_it_says_by_whom_when_and_how_it_was_signed() -> None:
    sheet = sheet_of(*entered(played="29 Nov, sheet 14", signed={"left": "yes", "right": "protest"}), line(2, "end"))
    assert isinstance(sheet.paper, PaperLine)
    assert (sheet.paper.by, sheet.paper.played) == (Official("Vera", Role.CHIEF), "29 Nov, sheet 14")
    assert sheet.paper.signed == Pair(OnPaper.YES, OnPaper.PROTEST)
    assert sheet.paper.entered == sheet.opened
    paper = json_of(sheet)["paper"]
    assert paper["by"] == {"name": "Vera", "role": "chief"}
    assert (paper["played"], paper["signed"]) == ("29 Nov, sheet 14", {"left": "yes", "right": "protest"})
    assert (paper["time_utc"], paper["time_trust"]) == (json_of(sheet)["opened"]["time_utc"], "unset")
    (cells,) = records(sheet, "paper")
    assert cells["detail"] == (
        "entered from paper; by Vera (chief); played: 29 Nov, sheet 14; on paper: left signed, right signed under protest"
    )
    assert [(each["side"], each["protest"]) for each in json_of(sheet)["signed"]] == [("left", False), ("right", True)]


def test_a_note_that_looks_like_a_formula_is_none() -> None:
    sheet = sheet_of(*entered(played="=cmd()"), line(2, "end"))
    (cells,) = records(sheet, "paper")
    assert cells["detail"].startswith("entered from paper")


def test_no_time_is_claimed() -> None:
    forfeit = sheet_of(*entered(games=GAMES[:1], end={"how": "forfeit", "side": "right"}), line(2, "end"))
    for sheet in (sheet_of(*entered(), line(2, "end")), forfeit):
        assert not sheet.clocked
        assert all(game.reserve is None for game in sheet.games)
        assert all(act.reserve is None for act in sheet.acts)
        plain = json_of(sheet)
        assert (plain["clock"]["reserve_ms"], plain["clock"]["bonus_ms"]) == (None, None)
        assert all(game["reserve_ms"] is None for game in plain["games"])
        for kind in ("player", "game", "act", "result"):
            assert all(cells["reserve_left_s"] == cells["reserve_right_s"] == "" for cells in records(sheet, kind))
        (match,) = records(sheet, "match")
        assert "entered from paper, no time claimed" in match["detail"]
    assert [act.kind for act in forfeit.acts] == ["match_forfeited"]


def test_a_match_that_was_played_here_says_nothing_of_paper() -> None:
    sheet = sheet_of(line(0, "open_match", rulebook="ibgf", length=1, players=NAMES), line(1, "end"))
    assert sheet.paper is None
    assert sheet.clocked
    assert json_of(sheet)["paper"] is None
    assert records(sheet, "paper") == []


def test_a_correction_is_a_second_revision_and_the_papers_signatures_stay() -> None:
    lines = [
        *entered(signed={"left": "yes", "right": "yes"}),
        line(2, "correct", game=2, winner="right", kind="gammon", reason="misread"),
        line(3, "receive"),
    ]
    sheet = sheet_of(*lines, line(4, "end"))
    assert (sheet.revision, sheet.signed) == (2, ())
    assert sheet.paper is not None
    assert sheet.paper.signed == Pair(OnPaper.YES, OnPaper.YES)
    assert sheet.score == Pair(5, 2)
    assert sheet.received is not None


@pytest.mark.parametrize("seed", range(12))
def test_the_score_is_the_sum_by_hand(seed: int) -> None:
    chance = Random(seed)
    length = chance.choice([3, 5, 7, 11])
    score, games, crawford = {"left": 0, "right": 0}, [], False
    while max(score.values()) < length:
        winner, kind, cube = chance.choice(["left", "right"]), chance.choice(["single", "gammon", "backgammon"]), chance.choice([1, 2])
        if not crawford and max(score.values()) == length - 1:
            crawford, cube = True, 1
        games.append({"winner": winner, "kind": kind, "cube": cube})
        score[winner] += cube * {"single": 1, "gammon": 2, "backgammon": 3}[kind]
    sheet = sheet_of(*entered(length, games), line(2, "end"))
    assert sheet.score == Pair(score["left"], score["right"])
    assert sheet.games[-1].score == sheet.score
    assert json_of(sheet)["score"] == score
    (result,) = records(sheet, "result")
    assert (int(result["score_left"]), int(result["score_right"])) == (score["left"], score["right"])
    assert sum(int(cells["points"]) for cells in records(sheet, "game")) == sum(score.values())
    assert [line.crawford for line in sheet.games].count(True) == int(crawford)
