"""The workbook and the tables of a whole event say what the sheets of its matches say."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from evenings import json_of, line, opened, records, rows_of
from registers import RICH, book, played, table

from kiosk.domain.types import SIDES
from kiosk.say import speaking
from kiosk.sheets import name_of, sheets
from kiosk.sheets.event import to_event_csv, to_event_xlsx, to_games_csv, to_rulings_csv, to_times_csv
from kiosk.sheets.when import When


def span(ms: int | None) -> timedelta | None:
    return None if ms is None else timedelta(milliseconds=ms)


def as_span(value: Any) -> timedelta | None:
    """A spreadsheet's span: openpyxl reads zero as a time of day."""
    return (
        value if value is None or isinstance(value, timedelta) else timedelta(hours=value.hour, minutes=value.minute, seconds=value.second)
    )


def said(mark: str | None) -> bool:
    return mark == "yes"


@pytest.mark.parametrize("name", RICH)
def test_the_workbook_says_what_each_json_sheet_says(name: str) -> None:
    found = list(sheets(played(name)))
    pages = book(to_event_xlsx(found))
    plain = [json_of(sheet) for sheet in found]
    assert [
        (row["Match"], row["Match id"], row["Length"], row["Score left"], row["Score right"], row["Winner"], row["Revision"], row["Digest"])
        for row in pages["Results"]
    ] == [
        (
            one["number"], one["match"], one["length"], one["score"]["left"], one["score"]["right"],
            (one["result"] or {}).get("winner"), one["revision"], one["journal"]["digest"],
        )
        for one in plain
    ]  # fmt: skip
    assert [(row["Standing left"], row["Standing right"], said(row["Provisional"])) for row in pages["Results"]] == [
        (*(one["standing"] or {"left": None, "right": None}).values(), one["provisional"]) for one in plain
    ]
    assert [
        (
            row["Match"], row["Game"], row["Winner"], row["Kind"], row["Cube"], row["Points"], row["Score left"], row["Score right"],
            said(row["Crawford game"]), said(row["Corrected"]), row["Lost by ruling"], said(row["Void"]),
            as_span(row["Reserve left"]), as_span(row["Reserve right"]),
        )
        for row in pages["Games"]
    ] == [
        (
            one["number"], game["n"], game["winner"], game["kind"], game["cube"], game["points"], *game["score"].values(),
            game["crawford"], game["corrected"], game["ruling"], game["void"],
            *(map(span, (game["reserve_ms"] or {"left": None, "right": None}).values())),
        )
        for one in plain for game in one["games"]
    ]  # fmt: skip
    assert [
        (
            row["Ruling"],
            row["Game"],
            row["Against"],
            row["Infraction"],
            row["Article"],
            row["Referee"],
            said(row["Void"]),
            row["Note"] or "",
        )
        for row in pages["Rulings"]
    ] == [
        (
            each["id"],
            each["game"],
            ", ".join(each["sides"]),
            each["infraction"],
            each["article"],
            each["by"]["name"],
            each["void"],
            each["note"],
        )
        for one in plain
        for each in one["rulings"]
    ]  # fmt: skip
    assert [(row["Side"], row["Turns"], as_span(row["Delay used"]), as_span(row["Longest turn"])) for row in pages["Time use"]] == [
        (side, use["turns"], *(span(use[key]) if one["clock"]["clocked"] else None for key in ("delay_ms", "longest_turn_ms")))
        for one in plain
        for side, use in one["time_use"].items()
    ]  # fmt: skip


@pytest.mark.parametrize("name", RICH)
def test_the_tables_say_what_each_single_csv_says(name: str) -> None:
    found = list(sheets(played(name)))
    games = [(sheet.number, game) for sheet in found for game in records(sheet, "game")]
    assert [(int(row["match_number"]), row["winner"], row["winner_name"], row["kind"]) for row in table(to_games_csv(found))] == [
        (number, game["side"], game["name"], game["kind"]) for number, game in games
    ]
    shared = ("game", "cube", "points", "score_left", "score_right", "reserve_left_s", "reserve_right_s", "crawford")
    assert [[row[key] for key in shared] for row in table(to_games_csv(found))] == [[game[key] for key in shared] for _, game in games]
    assert [(row["ended_utc"], row["ended_trust"]) for row in table(to_games_csv(found))] == [
        (game["time_utc"], game["time_trust"]) for _, game in games
    ]
    assert [(row["number"], row["left"], row["right"], row["how"]) for row in table(to_event_csv(found))] == [
        (str(sheet.number), *(name_of(sheet, side) for side in SIDES), sheet.how or "") for sheet in found
    ]
    rulings = [(str(line.ruling.id), line.article) for sheet in found for line in sheet.rulings]
    assert [(row["ruling"], row["article"]) for row in table(to_rulings_csv(found))] == rulings
    assert len(table(to_times_csv(found))) == 2 * len(found)


def test_time_that_ran_and_time_that_is_left_add_up() -> None:
    (sheet,) = sheets(
        rows_of(
            opened(5, provide="neither", reserve_s=100, delay_s=10),
            line(0, "press", side="right"),
            line(4, "press", side="left"),  # 4 s of the delay
            line(29, "stop", by="left", reason="fault"),  # 10 s of the delay, 15 s of the reserve
            line(60, "resume"),
            line(65, "press", side="right"),  # 5 s more of the reserve, in the same turn
            line(66, "stop", by="left", reason="fault"),
        )
    )
    left, right = sheet.time_use.left, sheet.time_use.right
    assert [left.delay / 1e9, left.reserve / 1e9, left.longest / 1e9, left.turns] == [5, 0, 4, 1]
    assert [right.delay / 1e9, right.reserve / 1e9, right.longest / 1e9, right.turns] == [10, 20, 30, 1]
    rows = table(to_times_csv([sheet], table="12"))
    assert [(row["table"], row["side"], row["reserve_start_s"], row["reserve_end_s"], row["reserve_used_s"]) for row in rows] == [
        ("12", "left", "100.0", "100.0", "0.0"),
        ("12", "right", "100.0", "80.0", "20.0"),
    ]


def test_time_after_the_flag_is_told_apart() -> None:
    (sheet,) = sheets(
        rows_of(
            opened(5, provide="neither", reserve_s=20, delay_s=0),
            line(0, "press", side="right"),
            line(26, "stop", by="left", reason="fault"),
            line(27, "claim_flag", by="right"),
        )
    )
    assert (sheet.time_use.left.reserve / 1e9, sheet.time_use.left.beyond / 1e9) == (20, 6)
    assert [row["flags"] for row in table(to_times_csv([sheet]))] == ["1", "0"]


def test_time_follows_the_players_to_the_other_seats_and_stands_over_a_power_cut() -> None:
    late = opened(5, provide="neither", reserve_s=100, delay_s=10)
    (swapped,) = sheets(rows_of(late, line(0, "start_late", side="left"), line(15, "arrive", side="left"), line(16, "swap_seats")))
    assert [(use.delay / 1e9, use.reserve / 1e9) for use in (swapped.time_use.left, swapped.time_use.right)] == [(0, 0), (10, 5)]
    cut = (opened(5, provide="neither", reserve_s=100, delay_s=0), line(0, "press", side="right"), line(20, "power_cut", off_s=500))
    (sheet,) = sheets(rows_of(*cut, line(600, "resume"), line(603, "press", side="left")))
    assert 22 <= sheet.time_use.left.reserve / 1e9 <= 23


def test_a_name_that_is_a_formula_stays_a_text_in_every_register() -> None:
    names = {"left": '=HYPERLINK("http://x")', "right": "+1"}
    found = list(sheets(rows_of(opened(5, players=names))))
    page = book(to_event_xlsx(found))["Results"]
    assert (page[0]["Left"], page[0]["Right"]) == ('=HYPERLINK("http://x")', "+1")
    for write in (to_event_csv, to_times_csv):
        assert b"'=HYPERLINK" in write(found)


def test_heads_and_words_are_in_the_language_spoken_and_times_in_a_zone() -> None:
    found = list(sheets(played("110-a-whole-match-with-appeals")))
    there = book(to_event_xlsx(found, zone=timezone(timedelta(hours=3))))["Results"][0]["Opened"]
    here = book(to_event_xlsx(found))["Results"][0]["Opened"]
    assert isinstance(here, datetime)
    assert there - here == timedelta(hours=3)
    with speaking("ru"):
        pages = book(to_event_xlsx(found))
    assert len(pages) == 4


def test_progress_is_told_after_each_match_and_one_register_can_be_had_alone() -> None:
    told: list[tuple[int, int]] = []
    found = list(sheets(played("79-a-second-match")))
    pages = book(to_event_xlsx(found, lambda done, of: told.append((done, of)), of=2, only="rulings", event="A & B", table="12"))
    assert (list(pages), told) == (["Rulings"], [(1, 2), (2, 2)])


def test_an_event_without_a_match_has_heads_only() -> None:
    assert {title: len(rows) for title, rows in book(to_event_xlsx([])).items()} == {"Results": 0, "Games": 0, "Rulings": 0, "Time use": 0}
    assert to_event_csv([]).count(b"\r\n") == 1


def test_a_date_that_no_spreadsheet_has_stays_a_text() -> None:
    (sheet,) = sheets(rows_of(opened(5)))
    for wall, text in ((10**30, str(10**30)), (-(2**61), "1896-12-06T00:03:10Z")):
        strange = replace(sheet, opened=When(wall, "unset"))
        row = book(to_event_xlsx([strange]))["Results"][0]
        assert (row["Opened"], row["date set?"]) == (text, "not to be trusted")
