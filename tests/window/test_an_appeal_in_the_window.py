"""A match with a ruling and an appeal, by touches alone: what the table says, what the journal and the sheet keep."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from kiosk.journal import verify
from tests.window.table import LEFT, RIGHT, WindowTable
from tests.window.test_a_match_in_the_window import game, kiosk, open_match

Start = Callable[..., WindowTable]

REFEREE, CHIEF = "5829", "7306"
TOUCHED = "Touching in the opponent's turn"


def enter_officials(table: WindowTable) -> None:
    """Both count at once, at the table that runs."""
    for name, role, pin in (("Ilija", "referee", REFEREE), ("Vera", "chief", CHIEF)):
        entered = kiosk(table, "officials", "add", name, "--role", role, "--pin-stdin", typed=pin + "\n")
        assert entered.returncode == 0, entered.stderr


def sign_in(table: WindowTable, pin: str) -> None:
    """On the number pad, which is open."""
    for digit in pin:
        table.click(digit)
    table.click("Sign in")


def sign_out(table: WindowTable) -> None:
    table.click("Referee")
    table.click("Sign out")


def test_a_whole_match_with_an_appeal(switch_on: Start) -> None:
    table = switch_on()
    enter_officials(table)
    open_match(table, "Ana", "Bo")
    table.click("To the clock (6 open)")
    table.press(LEFT)
    table.press(RIGHT)
    table.click("Double")
    table.click("Ana doubles")
    table.press(RIGHT)
    at_play = table.agree()
    assert (at_play["clock"]["running"], at_play["match"]["cube"]["owner"]) == ("left", "right")

    table.click("Referee")  # the first touch stops the clocks
    called = table.agree()
    assert (called["phase"], called["clock"]["running"], called["clock"]["turn"]) == ("stopped", None, "left")
    table.click("Referee")
    sign_in(table, REFEREE)
    game_is_lost(table)
    sign_out(table)
    ana_appeals(table)
    table.click("Referee")
    table.click("Referee")
    sign_in(table, CHIEF)
    point_instead(table, called)
    sign_out(table)

    table.click("Resume")
    assert table.agree()["clock"]["running"] == "left"
    table.press(LEFT)
    game(table, "Ana", 2)
    table.press(RIGHT)
    game(table, "Ana", 1)  # the Crawford game
    ended = table.agree()
    assert (ended["match"]["score"], ended["match"]["ended"]) == ({"left": 3, "right": 1}, {"winner": "left", "how": "score"})
    under_protest(table)
    point_taken_back(table)
    hand_in(table)
    assert table.looks_right() > 0.97
    what_is_kept(table)


def game_is_lost(table: WindowTable) -> None:
    """The referee rules as the table suggests: the game is lost at the cube's value, and the next one is the Crawford game."""
    table.click("Rule on an infraction")
    table.click("1 / 4")
    table.click(TOUCHED)
    table.click("Ana")
    table.click("It affected play")
    table.click("Game loss: Ana")
    found = table.agree()
    assert (found["match"]["score"], found["match"]["game"]) == ({"left": 0, "right": 2}, 2)
    assert found["match"]["is_crawford_game"]
    assert found["match"]["cube"] == {"value": 1, "owner": None, "in_play": False, "offered_by": None}


def ana_appeals(table: WindowTable) -> None:
    """A player's own touches; the ruling holds until it is decided."""
    table.click("menu")
    table.click("Rulings, appeals")
    table.click(f"1. Ana: {TOUCHED}, game loss")
    table.click("Ana appeals")
    table.click("Lodge the appeal")
    found = table.agree()
    assert found["appeals"] == [{"id": 1, "ruling": 1, "by": "left", "to": "chief", "outcome": None}]
    assert found["match"]["score"] == {"left": 0, "right": 2}


def point_instead(table: WindowTable, before: dict[str, Any]) -> None:
    """The chief makes it a penalty point: the game stands on the table again as it was when the clocks were stopped."""
    table.click("Rulings, appeals")
    table.click(f"1. Ana: {TOUCHED}, game loss")
    table.click("Decide the appeal")
    table.click("Penalty point")
    table.click("Decide: penalty point")
    found = table.agree()
    assert [(r["sanction"], r["void"]) for r in found["rulings"]] == [("game_loss", True), ("penalty_point", False)]
    assert found["match"]["score"] == {"left": 0, "right": 1}
    assert (found["phase"], found["match"]["game"], found["match"]["cube"]) == ("stopped", 1, before["match"]["cube"])
    assert found["match"]["cube"]["value"] == 2
    for what in ("turn", "reserve_ms", "delay_left_ms", "turns"):
        assert found["clock"][what] == before["clock"][what], what


def under_protest(table: WindowTable) -> None:
    """Ana does not agree to the point that still stands against her."""
    table.click("Ana signs")
    table.sign()
    table.click("Under protest")
    table.click("Sign")
    table.click("Bo signs")
    table.click("Sign without drawing")
    found = table.agree()
    assert (found["phase"], found["signed"], found["sheet_revision"]) == ("signed", ["left", "right"], 1)


def point_taken_back(table: WindowTable) -> None:
    """The chief finds that she is right: the finished sheet changes, and what was signed is signed no more."""
    table.click("Referee")
    sign_in(table, CHIEF)
    table.click("Rulings, appeals")
    table.click(f"2. Ana: {TOUCHED}, penalty point")
    table.click("Take it back")
    table.click("Too severe")
    table.click("Do it")
    found = table.agree()
    assert (found["phase"], found["signed"], found["sheet_revision"]) == ("ended", [], 2)
    assert (found["match"]["score"], found["match"]["ended"]) == ({"left": 3, "right": 0}, {"winner": "left", "how": "score"})


def hand_in(table: WindowTable) -> None:
    """Both sign what it is now; the chief receives the sheet."""
    for name in ("Ana", "Bo"):
        table.click(f"{name} signs")
        table.click("Sign without drawing")
    table.click("Referee")
    table.click("Receive the sheet")
    table.click("Do it")
    found = table.agree()
    assert (found["phase"], found["signed"], found["received"]) == ("received", ["left", "right"], True)


def what_is_kept(table: WindowTable) -> None:
    """Fact by fact what was touched and pressed, and nothing from the console."""
    came, left = "official_signed_in", "official_signed_out"
    game_entered = ["game_recorded", "game_confirmed"]
    signatures = ["sheet_signed", "sheet_signed"]
    assert table.recorded() == [
        *("match_opened", "game_started", "turn_ended", "double_offered", "double_taken"),
        *("referee_called", came, "ruling_made", left),
        *("appeal_lodged", "referee_called", came, "appeal_decided", left),
        *("clock_resumed", "turn_ended", *game_entered, "game_started", *game_entered),
        *(*signatures, came, "ruling_voided", *signatures, "sheet_received"),
    ]
    assert not table.said
    rows = table.rows()
    assert verify(rows).fault is None
    assert "Traceback" not in table.log()
    exported = kiosk(table, "export", "last", "--format", "json")
    assert exported.returncode == 0, exported.stderr
    the_sheet(json.loads(exported.stdout))


def the_sheet(sheet: dict[str, Any]) -> None:
    referee, chief = {"name": "Ilija", "role": "referee"}, {"name": "Vera", "role": "chief"}
    lost, instead = sheet["rulings"]
    for ruling in (lost, instead):
        assert (ruling["sides"], ruling["infraction"], ruling["void"]) == (["left"], "touch_in_opponents_turn", True)
        assert ruling["called"] == next(times(event) for event in sheet["events"] if event["kind"] == "referee_called")
    assert [lost[what] for what in ("by", "sanction", "suggested", "ground")] == [referee, "game_loss", "game_loss", "affects_play"]
    assert [lost["score_before"], lost["score_after"]] == [{"left": 0, "right": 0}, {"left": 0, "right": 2}]
    assert [instead[what] for what in ("by", "sanction", "ground", "earlier")] == [chief, "penalty_point", "appeal", 1]
    assert [instead["score_before"], instead["score_after"]] == [{"left": 0, "right": 2}, {"left": 0, "right": 1}]
    assert instead["why_void"] == "too severe"
    (appeal,) = sheet["appeals"]
    assert [appeal[what] for what in ("ruling", "by", "to", "outcome")] == [1, "left", "chief", "penalty_point"]
    assert appeal["decided"] == times(instead)

    games = [(each["winner"], each["cube"], each["points"], each["crawford"], each["score"]) for each in sheet["games"]]
    assert games == [("left", 2, 2, False, {"left": 2, "right": 0}), ("left", 1, 1, True, {"left": 3, "right": 0})]
    assert (sheet["score"], sheet["result"]) == ({"left": 3, "right": 0}, {"winner": "left", "how": "score"})
    assert (sheet["revision"], sheet["provisional"], sheet["received"]["by"]) == (2, False, chief)
    signed = [(event["side"], event["detail"]) for event in sheet["events"] if event["kind"] == "signed"]
    assert signed == [("left", "under protest"), ("right", ""), ("left", ""), ("right", "")]
    assert [(each["side"], each["protest"]) for each in sheet["signed"]] == [("left", False), ("right", False)]


def times(entry: dict[str, Any]) -> dict[str, Any]:
    """When it happened."""
    return {key: entry[key] for key in ("time_utc", "time_trust")}
