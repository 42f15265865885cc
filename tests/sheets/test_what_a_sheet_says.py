"""The sheet of a match: every game as it stands, every old value beside it, and whose word a time is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from evenings import json_of, line, opened, records, rows_of, sheet_of

from kiosk import codec
from kiosk.domain import facts as f
from kiosk.domain.state import Signature
from kiosk.domain.types import Instant, Pair, Side, Span
from kiosk.sheets import name_of, sheets, to_csv, when_text
from kiosk.sheets.walk import _sheet, _Walk
from kiosk.sheets.when import When

POINTS = opened(7, provide="neither", reserve_s=20, delay_s=0, on_flag="penalty_points")


def test_the_running_score_holds_penalty_points_and_corrections() -> None:
    sheet = sheet_of(
        POINTS,
        line(0, "press", side="right"),
        line(25, "game", winner="left", kind="single"),  # the flag at 20 s cost left a point
        line(26, "confirm", by="right"),
        line(28, "correct", game=1, winner="left", kind="gammon", cube=2, reason="cube misread"),
        line(30, "game", winner="right", kind="single"),
        line(31, "confirm", by="left"),
    )
    assert [(game.points, game.score, game.corrected) for game in sheet.games] == [(4, Pair(4, 1), True), (1, Pair(4, 2), False)]
    assert [game["reserve_ms"] for game in json_of(sheet)["games"]] == [{"left": 5000, "right": 20000}] * 2
    assert json_of(sheet)["corrections"][0] | {"time_utc": "", "time_trust": ""} == {
        "game": 1,
        "old": {"winner": "left", "kind": "single", "cube": 1, "points": 1},
        "new": {"winner": "left", "kind": "gammon", "cube": 2, "points": 4},
        "reason": "cube misread",
        "by": None,
        "undone": False,
        "time_utc": "",
        "time_trust": "",
    }
    (correction,) = records(sheet, "correction")
    assert (correction["kind"], correction["old_kind"], correction["points"], correction["old_points"]) == ("gammon", "single", "4", "1")
    assert [game["detail"] for game in records(sheet, "game")] == ["corrected", ""]
    assert ("time_refilled", Side.LEFT) in [(event.kind, event.side) for event in sheet.events]


def test_the_opening_score_is_counted_from() -> None:
    sheet = sheet_of(
        opened(7, score={"left": 2, "right": 3}), line(9, "game", winner="left", kind="single"), line(10, "confirm", by="right")
    )
    assert sheet.games[0].score == Pair(3, 3)
    assert [player["score_left"] + player["score_right"] for player in records(sheet, "player")] == ["23", "23"]


def test_a_break_carries_both_reserves_at_its_start() -> None:
    sheet = sheet_of(
        opened(7, provide="breaks", reserve_s=100, delay_s=0),
        line(0, "press", side="left"),
        line(20, "game", winner="left", kind="single"),
        line(21, "confirm", by="right"),
        line(25, "break", by="right"),
        line(85, "end_break", by="right"),
        line(90, "break", by="left"),
        line(91, "end"),
    )
    pauses = json_of(sheet)["breaks"]
    assert [(p["by"], p["after_game"], p["reserve_ms"], p["lasted_ms"]) for p in pauses] == [
        ("right", 1, {"left": 100_000, "right": 80_000}, 60_000),
        ("left", 1, {"left": 100_000, "right": 80_000}, None),
    ]
    assert [p["detail"] for p in records(sheet, "break")] == ["lasted 60.0 s", ""]


def test_a_correction_after_the_end_makes_revision_two_and_keeps_what_was_signed() -> None:
    lines = (
        opened(1),
        line(5, "game", winner="left", kind="single"),
        line(6, "confirm", by="right"),
        line(7, "sign", side="left", protest=True),
    )
    first = sheet_of(*lines)
    assert (first.revision, first.signed) == (1, (Signature(Side.LEFT, protest=True),))
    assert records(first, "signature")[0]["detail"] == "under protest"
    later = (line(9, "correct", game=1, winner="left", kind="gammon", cube=1, reason="gammon"), line(12, "sign", side="right"))
    second = sheet_of(*lines, *later)
    assert (second.revision, second.signed) == (2, (Signature(Side.RIGHT, protest=False),))
    assert "revision 2" in records(second, "match")[0]["detail"]
    assert json_of(second)["corrections"][0]["old"]["kind"] == "single"
    signed = [(event.side, event.detail) for event in second.events if event.kind == "signed"]
    assert signed == [(Side.LEFT, "under protest"), (Side.RIGHT, "")]


def test_a_drawn_signature_is_in_the_json_as_it_was_drawn() -> None:
    drawn = [[[10, 390], [500, 12]], [[1000, 0]]]
    sheet = sheet_of(
        opened(1),
        line(5, "game", winner="left", kind="single"),
        line(6, "confirm", by="right"),
        line(7, "sign", side="right", strokes=drawn),
        line(8, "sign", side="left"),
    )
    assert json_of(sheet)["signed"] == [
        {"side": "right", "protest": False, "strokes": drawn},
        {"side": "left", "protest": False, "strokes": []},
    ]
    assert [record["side"] for record in records(sheet, "signature")] == ["right", "left"]


def trusts(*lines: dict[str, object]) -> list[str]:
    return [each["time_trust"] for each in json_of(sheet_of(*lines))["games"]]


def test_times_are_set_corrected_or_unset() -> None:
    first = (line(5, "game", winner="left", kind="single"), line(6, "confirm", by="right"))
    second = (line(30, "game", winner="left", kind="single"), line(31, "confirm", by="right"))
    assert trusts(opened(), *first, *second) == ["unset", "unset"]
    assert trusts(opened(), *first, line(20, "wall_clock", step_s=10_800), *second) == ["corrected", "set"]
    cut = (line(15, "power_cut", off_s=2), line(20, "wall_clock", step_s=10_800))
    assert trusts(opened(), *first, *cut, *second) == ["unset", "set"]


def test_a_corrected_time_is_the_date_that_was_set_later() -> None:
    lines = (opened(), line(5, "game", winner="left", kind="single"), line(6, "confirm", by="right"))
    plain = json_of(sheet_of(*lines, line(20, "wall_clock", step_s=3600)))["games"][0]["time_utc"]
    unset = json_of(sheet_of(*lines))["games"][0]["time_utc"]
    assert int(plain[11:13]) == int(unset[11:13]) + 1
    assert plain[13:] == unset[13:]


def test_a_date_that_no_calendar_has_stays_a_number() -> None:
    assert when_text(When(10**30, "unset")) == str(10**30)
    assert when_text(When(0, "set")) == "1970-01-01T00:00:00Z"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\uff1d"])
def test_no_name_becomes_a_formula(start: str) -> None:
    sheet = sheet_of(opened(players={"left": f"{start}1+1", "right": [f"{start}A", "B"]}))
    assert [player["name"] for player in records(sheet, "player")] == [f"'{start}1+1", f"'{start}A / B"]
    assert name_of(sheet, Side.LEFT) == f"{start}1+1"
    assert json_of(sheet)["players"]["left"] == [f"{start}1+1"]


def test_a_standing_of_plus_is_no_formula() -> None:
    sheet = sheet_of(opened(reserve_s=5, delay_s=0), line(0, "start_late", side="right"), line(9, "claim_flag", by="left"))
    (result,) = records(sheet, "result")
    assert result["detail"].startswith("'+ : −")
    assert (result["kind"], result["side"], result["name"]) == ("forfeit", "left", "Ana")
    assert json_of(sheet)["standing"] == {"left": "+", "right": "−"}
    assert [event.kind for event in sheet.events] == ["late_started", "flag_fell", "flag_claimed"]


def test_a_double_forfeit_has_no_winner() -> None:
    sheet = sheet_of(opened(reserve_s=5, delay_s=0), line(0, "start_late", side="both"), line(9, "claim_flag", by="referee"))
    assert json_of(sheet)["result"] == {"winner": None, "how": "double_forfeit"}
    assert records(sheet, "result")[0]["name"] == ""


def test_a_free_session_without_clock_has_no_reserves() -> None:
    lines = (
        opened(None, rulebook="circle"),
        line(1, "automatic_double"),
        line(9, "game", winner="left", kind="single"),
        line(10, "confirm", by="right"),
    )
    sheet = sheet_of(*lines)
    assert json_of(sheet)["games"][0]["reserve_ms"] is None
    assert records(sheet, "match")[0]["detail"] == "circle, free session, unclocked, revision 1"
    assert records(sheet, "result")[0]["reserve_left_s"] == ""
    assert [event.kind for event in sheet.events] == ["automatic_double"]


def test_the_end_of_a_free_session_is_a_result() -> None:
    game = (line(5, "game", winner="left", kind="single"), line(6, "confirm", by="right"))
    ended = (line(9, "press", side="left"), line(12, "end_session"))
    ahead = sheet_of(opened(None, rulebook="circle"), *game, *ended, line(13, "undo"), line(14, "end_session"))
    assert (json_of(ahead)["result"], json_of(ahead)["standing"]) == ({"winner": "left", "how": "session"}, {"left": "1", "right": "0"})
    assert [each["n"] for each in json_of(ahead)["games"]] == [1]
    assert [event.kind for event in ahead.events] == ["session_ended", "session_end_undone", "session_ended"]
    level = sheet_of(opened(None, rulebook="circle"), *ended)
    assert (json_of(level)["result"], json_of(level)["standing"]) == ({"winner": None, "how": "session"}, {"left": "=", "right": "="})
    (result,) = records(level, "result")
    assert (result["kind"], result["side"], result["detail"][:6]) == ("session", "", "'= : =")


def test_what_was_checked_in_is_on_the_sheet_by_the_seats_at_the_end() -> None:
    bare = sheet_of(opened())
    assert (json_of(bare)["checked"], records(bare, "check_in")) == ([], [])
    sheet = sheet_of(opened(), line(1, "check", item="dice"), line(2, "check", item="left"), line(3, "swap_seats"))
    assert json_of(sheet)["checked"] == ["right", "dice"]
    assert [record["detail"] for record in records(sheet, "check_in")] == ["right, dice"]


def test_what_else_happened_is_on_the_sheet() -> None:
    sheet = sheet_of(
        opened(),
        line(0, "swap_seats"),
        line(0, "start_late", side="left"),
        line(3, "arrive", side="left"),
        line(5, "press", side="right"),
        line(7, "swap_start", by="left"),
        line(9, "press", side="right"),
        line(11, "press_back", by="left"),
        line(12, "call_referee", by="left"),
        line(14, "resume"),
        line(15, "stop", reason="referee", by="right"),
        line(16, "resume"),
        line(17, "stop", by="right"),
        line(18, "stop", reason="referee"),
        line(19, "power_cut", off_s=7.5),
        line(30, "game", winner="left", kind="single"),
        line(31, "dispute", by="right"),
        line(33, "resign_match", by="right"),
    )
    told = [(event.kind, event.side) for event in sheet.events]
    assert told == [
        ("seats_swapped", None),
        ("late_started", None),
        ("arrived", None),
        ("start_swapped", Side.LEFT),
        ("press_put_back", Side.LEFT),
        ("referee_called", Side.LEFT),
        ("referee_called", Side.RIGHT),
        ("referee_called", None),
        ("power_restored", None),
        ("game_disputed", Side.RIGHT),
        ("match_resigned", Side.RIGHT),
    ]
    assert next(event.detail for event in sheet.events if event.kind == "power_restored") == "off: unknown; not charged: at most 0.0 s"
    assert sheet.setup.players == Pair(("Boris",), ("Ana",))


def test_two_matches_are_two_sheets_each_with_its_own_end() -> None:
    ended = (
        line(5, "game", winner="left", kind="single"),
        line(6, "confirm", by="right"),
        line(7, "sign", side="left"),
        line(8, "sign", side="right"),
    )
    rows = rows_of(opened(1), *ended, opened(3) | {"at": 20})
    first, second = sheets(rows)
    assert (first.number, first.how, second.number, second.how) == (1, "score", 2, None)
    assert (first.first_seq, second.first_seq) == (1, first.last_seq + 1)
    assert first.digest == rows[first.last_seq - 1].hash
    assert b"not ended" in to_csv(second)


def test_rows_of_a_newer_version_are_passed_over_and_covered_by_the_digest() -> None:
    rows = rows_of(opened(1))
    newer = replace(rows[-1], seq=rows[-1].seq + 1, type="something_new", data='{"v":1}', hash="f" * 64)
    before, after = next(sheets(rows)), next(sheets([*rows, newer]))
    assert (after.digest, after.last_seq) == ("f" * 64, newer.seq)
    assert after.events == before.events
    assert list(sheets([newer])) == []


def test_facts_of_regulations_without_scenario_words_are_told() -> None:
    (row,) = rows_of(opened(5))
    kind, data = codec.encode(f.LatePointGiven(Instant(row.mono_ns + 5), Side.LEFT))
    late = codec.encode(f.LateStarted(Instant(row.mono_ns + 1), (Side.LEFT,)))
    restored = codec.encode(f.PowerRestored(Instant(row.mono_ns + 9), Instant(row.mono_ns + 8), None, Span(0)))
    more = [replace(row, type=name, data=text) for name, text in (late, (kind, data), restored)]
    sheet = next(sheets([row, *more]))
    assert [event.kind for event in sheet.events] == ["late_started", "late_point", "power_restored"]
    assert sheet.events[-1].detail.startswith("off: unknown")


def test_a_match_without_an_opening_is_no_sheet() -> None:
    (row,) = rows_of(opened(1))
    with pytest.raises(codec.CodecError):
        _sheet(_Walk(1, row))
