"""Whole matches by mouse and keyboard, seen from outside: what the window shows, what the table says, what the journal keeps."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable

from kiosk.journal import verify
from tests.window.table import KIOSK, LEFT, RIGHT, TOP, WindowTable

Start = Callable[..., WindowTable]

BEFORE = ("Checkers", "Clock", "Dice", "Seat, direction, colour")


def open_match(table: WindowTable, left: str = "", right: str = "", points: str = "3") -> None:
    for seat, name in (("Left", left), ("Right", right)):
        if name:
            table.click(seat)
            table.type(name)
            table.click("Done")
    if points != "7":
        table.click("7 points")
        table.click(points)
    table.click(f"Open a {points}-point match")
    assert table.agree()["phase"] == "opening"


def game(table: WindowTable, winner: str, points: int, kind: str = "single") -> None:
    table.click("Game over")
    table.click(f"{winner} won")
    if kind != "single":
        table.click(kind)
    table.click(f"{winner} wins {points} point{'s' if points > 1 else ''}")
    assert table.agree()["phase"] == "recording"
    table.click("I confirm")
    table.agree()


def kiosk(table: WindowTable, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [*KIOSK, "--config", str(table.config), *words]
    return subprocess.run(command, cwd=TOP, input=typed, capture_output=True, text=True, check=False, timeout=60)


def test_a_whole_match_from_the_names_to_both_signatures(switch_on: Start) -> None:
    table = switch_on()
    table.display.layout("us")
    table.click("Left")
    table.type("Marija")
    table.click("Done")
    table.click("Right")
    table.display.layout("ru")
    table.type("Борис")
    table.click("Done")
    open_match(table)
    for tile in ("Marija is seated", "Борис is seated", *BEFORE):
        table.click(tile)
    assert len(table.agree()["checked"]) == 6
    table.click("Ready")

    table.press(LEFT)  # A and L by their place: the layout still is Russian
    table.press(RIGHT)
    assert table.agree()["clock"]["running"] == "left"
    table.click("Stop")
    assert table.agree()["phase"] == "stopped"
    table.click("Dice fell")
    table.click("Resume")
    table.click("Double")
    table.click("Marija doubles")
    assert table.agree()["match"]["cube"]["offered_by"] == "left"
    table.press(RIGHT)  # to take is to press
    assert table.agree()["match"]["cube"] == {"value": 2, "owner": "right", "in_play": True, "offered_by": None}
    game(table, "Marija", 2)

    table.press(RIGHT)
    table.press(LEFT)
    game(table, "Борис", 1)
    assert table.agree()["match"]["is_crawford_game"] is False
    table.press(RIGHT)
    table.press(LEFT)
    game(table, "Marija", 3, kind="backgammon")
    found = table.agree()
    assert (found["phase"], found["match"]["ended"]) == ("ended", {"winner": "left", "how": "score"})

    sign_and_export(table, "Marija", "Борис")


def sign_and_export(table: WindowTable, left: str, right: str) -> None:
    for name, seat in ((left, LEFT), (right, RIGHT)):
        table.click(f"{name} signs")
        table.sign()
        table.click("Sign")
        assert seat in table.agree()["signed"]
    assert table.status()["phase"] == "signed"
    assert table.control("New match") is not None
    assert table.looks_right() > 0.97

    rows = table.rows()
    assert verify(rows).fault is None
    kinds = [row.type for row in rows]
    assert kinds.count("game_confirmed") == 3
    assert [len(json.loads(row.data)["strokes"]) for row in rows if row.type == "sheet_signed"] == [2, 2]
    exported = kiosk(table, "export", "last", "--format", "json")
    assert exported.returncode == 0, exported.stderr
    assert right in exported.stdout
    assert "Traceback" not in table.log()


def test_a_late_start_an_arrival_and_play(switch_on: Start) -> None:
    table = switch_on()
    open_match(table, points="7")
    table.click("To the clock (6 open)")
    table.click("menu")
    table.click("Somebody is late")
    table.click("Right is missing")
    assert table.agree()["clock"]["running"] == "right"
    time.sleep(0.3)
    table.click("Arrived")
    assert table.agree()["clock"]["running"] is None
    table.press(RIGHT)
    assert table.agree()["clock"]["running"] == "left"
    delay = table.status()["clock"]["delay_left_ms"]
    assert 0 < delay <= 12_000
    table.press(LEFT)
    table.press(RIGHT)
    assert table.agree()["clock"]["turns"] == {"left": 1, "right": 1}


def test_the_last_game_is_corrected(switch_on: Start) -> None:
    table = switch_on()
    open_match(table, "Ana", "Bo", points="7")
    table.click("To the clock (6 open)")
    table.press(LEFT)
    game(table, "Ana", 2, kind="gammon")
    table.click("menu")
    table.click("Correct the last game")
    table.click("Bo won")
    table.click("single")
    table.click("wrong winner")
    table.click("Correct: Bo won 1 point")
    found = table.agree()
    assert found["match"]["score"] == {"left": 0, "right": 1}
    assert found["match"]["games"] == [{"n": 1, "winner": "right", "kind": "single", "cube": 1, "points": 1}]
