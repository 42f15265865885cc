"""The public is told of no flag, and of no times, unless the rulebook says so; nor of what is the organizer's business."""

from __future__ import annotations

import json

import pytest

from kiosk.server.public import difference, public_face, state_of
from tests.server.faces import playing

FLAG = {"left": True, "right": False}


def test_times_are_shown_and_a_flag_is_pointed_out_to_nobody() -> None:
    face = public_face(playing("12", 1000, flag=FLAG))
    assert face["flag"] is None
    assert face["reserve_ms"] == {"left": 727_000, "right": 801_200}
    assert face["delay_left_ms"] == 0


def test_a_rulebook_may_let_everybody_see_flags() -> None:
    assert public_face(playing("12", 1000, flag=FLAG, clocks="flags"))["flag"] == FLAG


@pytest.mark.parametrize("clocks", ["none", "something newer"])
def test_a_rulebook_may_hide_all_times_but_not_whose_turn_it_is(clocks: str) -> None:
    face = public_face(playing("12", 1000, flag=FLAG, clocks=clocks))
    assert (face["reserve_ms"], face["delay_ms"], face["delay_left_ms"], face["flag"]) == (None, None, None, None)
    assert face["running"] == ["left"]


def test_no_device_no_dispute_no_backlog_and_no_name_of_a_referee_are_told() -> None:
    call = {"by": "left", "since_ms": 5, "coming": "Eva"}
    paused = {"by": "Petra", "why": "fire alarm", "since_ms": 7}
    face = public_face(playing("12", 1000, call=call, paused=paused, conflict=True, pending=77, device="abcdef"))
    assert face["call"] == {"since_ms": 5, "coming": True}
    assert face["paused"] == {"why": "fire alarm", "since_ms": 7}
    assert not {"device", "conflict", "pending", "clocks"} & face.keys()
    text = json.dumps(face)
    assert not any(word in text for word in ("Eva", "Petra", "abcdef", "77"))


def test_a_table_of_which_little_is_known_is_shown_all_the_same() -> None:
    face = public_face({"table": "12", "online": True})
    assert face["state"] == "free"
    assert face["players"] is None


@pytest.mark.parametrize(
    ("other", "state"),
    [
        ({}, "playing"),
        ({"phase": "break"}, "break"),
        ({"online": False, "paused": {"why": ""}}, "offline"),
        ({"match": None}, "free"),
        ({"paused": {"why": "", "since_ms": 0}, "phase": "stopped"}, "paused"),
        ({"phase": None}, "free"),
    ],
)
def test_where_a_table_stands_is_one_word(other: dict[str, object], state: str) -> None:
    assert state_of(playing("12", 0, **other)) == state


def test_only_what_has_changed_is_told_again() -> None:
    old, new = public_face(playing("12", 1000)), public_face(playing("12", 2000, running=["right"], turn="right"))
    assert difference(old, new) == {"table": "12", "seen_ms": 2000, "turn": "right", "running": ["right"], "at_ms": 2000}
    assert difference({}, new) == new
    assert {**old, **difference(old, new)} == new
