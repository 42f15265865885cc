"""Pauses, messages, a moved start, acts from elsewhere and a take-over stand on the sheet; the organizer's place in its head."""

from __future__ import annotations

import json
from typing import Any

from evenings import json_of, line, opened, sheet_of

from kiosk.domain.types import NS_PER_S, Pair, Side
from kiosk.sheets import printed, to_csv, to_json
from kiosk.sheets.printed_parts import event_words
from kiosk.sheets.render import name_of

OFFICIALS = [{"name": "Vera", "role": "referee", "pin": "2468"}, {"name": "Dan", "role": "referee", "pin": "1357"}]


def match(**options: Any) -> dict[str, Any]:
    return opened(5, officials=OFFICIALS, **{"reserve_s": 600, "delay_s": 12, **options})


def told(*lines: dict[str, Any]) -> list[tuple[str, str]]:
    return [(event["kind"], event["detail"]) for event in json_of(sheet_of(*lines))["events"]]


def test_a_pause_says_who_ordered_it_and_why() -> None:
    events = told(
        match(round_start_s=60),
        line(1, "move_start", by="Desk", start_s=90),
        line(5, "press", side="right"),
        line(20, "pause_hall", by="Eva", why="fire alarm"),
        line(25, "message", n=4, by="Desk", text="Stay outside."),
        line(26, "read_message", n=4),
        line(40, "lift_pause", by="Eva"),
        line(45, "resume"),
        line(50, "call_referee", by="left"),
        line(51, "referee_coming", by="Vera"),
        line(60, "pause_hall", why="Another device goes on."),
    )
    assert ("hall_paused", "Another device goes on.") in events
    assert ("hall_paused", "by Eva: fire alarm") in events
    assert ("hall_pause_lifted", "by Eva") in events
    assert ("message_shown", "4, Desk: Stay outside.") in events
    assert ("message_read", "4") in events
    assert ("round_start_moved", "by Desk") in events
    assert ("referee_on_the_way", "Vera") in events


def test_who_confirms_the_next_match_while_the_last_one_stands_here_is_among_what_came_from_the_hall() -> None:
    events = told(
        match(),
        line(5, "game", winner="left", kind="gammon", cube=4),
        line(6, "confirm", by="right"),
        line(20, "confirm_seat", match="m-8", version=2, side="left", here=True),
        line(21, "confirm_seat", match="m-8", version=2, side="left", here=False),
    )
    assert events[-2:] == [("seat_confirmed", "m-8, version 2: here"), ("seat_confirmed", "m-8, version 2: not yet")]


def test_a_break_does_not_last_longer_by_a_pause() -> None:
    sheet = sheet_of(
        match(provide="breaks", score={"left": 0, "right": 0}) | {"length": 7},
        line(1, "game", winner="left", kind="single"),
        line(2, "confirm", by="right"),
        line(10, "break", by="left"),
        line(60, "pause_hall", by="Eva", why="no light"),
        line(660, "lift_pause", by="Eva"),
        line(700, "end_break", by="left"),
    )
    assert sheet.breaks[0].lasted == 90 * NS_PER_S


def test_whoever_rules_from_elsewhere_did_not_come() -> None:
    sheet = sheet_of(
        match(),
        line(5, "press", side="right"),
        line(20, "sign_in", pin="2468"),
        line(21, "penalty", side="left", infraction="eating"),
        line(30, "penalty", side="right", infraction="eating", phone="1357"),
        line(31, "penalty", side="right", infraction="device"),
    )
    assert [(r.ruling.by.name, r.came is None) for r in sheet.rulings] == [("Vera", False), ("Dan", True), ("Vera", False)]
    assert sheet.rulings[0].came == sheet.rulings[2].came
    signed = [event.detail for event in sheet.events if event.kind == "official_signed_in"]
    assert signed == ["Vera, referee", "Dan, referee, phone", "Vera, referee, again"]


def test_the_place_stands_in_every_form_unless_another_is_said() -> None:
    sheet = sheet_of(match(event="Open", round="3", table="12", practice=True), line(5, "press", side="right"))
    plain = json.loads(to_json(sheet))
    assert (plain["event"], plain["round"], plain["table"]) == ("Open", "3", "12")
    assert ("match_placed", "Open, round 3, table 12, practice") in [(e["kind"], e["detail"]) for e in plain["events"]]
    assert "Open" in to_csv(sheet).decode("utf-8-sig")
    assert printed(sheet).place == "Open · 3 · Table 12"
    assert printed(sheet, event="Cup", table="4").place == "Cup · 3 · Table 4"


def test_a_match_without_a_place_says_none() -> None:
    sheet = sheet_of(match(table=""), line(5, "press", side="right"))
    assert ("match_placed", "") in [(e["kind"], e["detail"]) for e in json_of(sheet)["events"]]
    assert printed(sheet).place == ""


def test_a_running_match_that_was_taken_over_charges_nothing_beyond_its_last_entry() -> None:
    sheet = sheet_of(
        match(),
        line(5, "press", side="left"),
        line(25, "stop", by="left", reason="dice"),
        line(26, "resume"),
        line(40, "take_over", table="12", pin="2468", uncertain_s=14),
        line(50, "resume"),
        line(53, "press", side="right"),
    )
    assert (sheet.time_use[Side.RIGHT].delay, sheet.time_use[Side.RIGHT].reserve) == (12 * NS_PER_S, 11 * NS_PER_S)
    taken = next(event for event in sheet.events if event.kind == "match_taken_over" and "hash" in event.detail)
    assert taken.detail.startswith("from table 12, hash ")
    assert taken.detail.endswith("by Vera, referee; not charged: at most 14.0 s")
    names = Pair(name_of(sheet, Side.LEFT), name_of(sheet, Side.RIGHT))
    assert "chain" in event_words(taken, sheet, names)
    unknown = sheet_of(match(), line(5, "press", side="left"), line(9, "take_over", table="", pin="2468", uncertain_s=None))
    assert any("(no name)" in event.detail and event.detail.endswith("not known how much") for event in unknown.events)
