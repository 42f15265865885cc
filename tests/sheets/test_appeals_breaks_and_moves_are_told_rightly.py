"""Who decided an appeal, what fell on it, which game a break followed, what a paper sheet knows nothing of, and where a match went on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from boundary import boundary
from evenings import NAMES, json_of, line, opened, records, rows_of, sheet_of
from registers import book, played, table

from kiosk import codec
from kiosk.domain import facts as f
from kiosk.domain.officials import Official, Role
from kiosk.domain.types import Instant
from kiosk.sheets import ScoreSheet, printed, sheets
from kiosk.sheets.cells import text_of
from kiosk.sheets.event import to_event_xlsx, to_games_csv, to_rulings_csv, to_times_csv
from kiosk.sheets.printed import signed_words
from kiosk.sheets.verify import verify_sheet

OFFICIALS = [
    {"name": "Vera", "role": "referee", "pin": "2468"},
    {"name": "Cvetko", "role": "chief", "pin": "1357"},
]
Lines = tuple[dict[str, Any], ...]

APPEALED: Lines = (
    opened(5, officials=OFFICIALS, reserve_s=600, delay_s=12),
    line(0, "press", side="right"),
    line(10, "sign_in", pin="2468"),
    line(11, "penalty", side="right", infraction="dice_replaced"),
    line(12, "appeal", ruling=1, by="right"),
    line(20, "sign_in", pin="1357"),
)


def section(sheet: ScoreSheet, key: str) -> list[dict[str, str]]:
    (found,) = (each for each in printed(sheet).sections if each.key == key)
    return [dict(zip([column.key for column in found.columns], map(text_of, row), strict=True)) for row in found.rows]


# ── Appeals ──────────────────────────────────────────────────────────────────
def test_an_appeal_that_the_chief_decided_names_the_chief() -> None:
    sheet = sheet_of(*APPEALED, line(25, "decide_appeal", appeal=1, outcome="upheld"))
    assert sheet.appeals[0].by == Official("Cvetko", Role.CHIEF)
    assert json_of(sheet)["appeals"][0]["decided_by"] == {"name": "Cvetko", "role": "chief"}
    assert records(sheet, "appeal")[0]["detail"].endswith("; decision entered by Cvetko (chief)")
    (row,) = section(sheet, "appeals")
    assert (row["names"], row["decided_by"]) == ("Cvetko (chief referee)", "")
    with_names = sheet_of(*APPEALED, line(25, "decide_appeal", appeal=1, outcome="upheld", names=["Gus"]))
    (row,) = section(with_names, "appeals")
    assert (row["names"], row["decided_by"]) == ("Gus", "Cvetko (chief referee)")


def test_nobody_has_decided_an_appeal_that_is_open_or_whose_ruling_was_taken_back() -> None:
    for more in (
        (),
        (line(25, "void", ruling=1, reason="wrong player"),),
        (line(25, "decide_appeal", appeal=1, outcome="void"), line(26, "undo")),
    ):
        sheet = sheet_of(*APPEALED, *more)
        assert sheet.appeals[0].by is None
        assert json_of(sheet)["appeals"][0]["decided_by"] is None
        assert sheet.rulings[0].fell is None
        assert "decision" not in records(sheet, "appeal")[0]["detail"]
        assert section(sheet, "appeals")[0]["names"] == ""


@pytest.mark.parametrize(
    ("outcome", "english", "in_csv"),
    [
        ("void", "fell on appeal 1", "void: fell on appeal 1"),
        ("warning", "replaced on appeal 1 by warning", "void: replaced on appeal 1 by warning"),
        ("penalty_point", "replaced on appeal 1 by penalty point", "void: replaced on appeal 1 by penalty_point"),
    ],
)
def test_a_ruling_that_fell_says_on_which_appeal(outcome: str, english: str, in_csv: str) -> None:
    sheet = sheet_of(*APPEALED, line(25, "decide_appeal", appeal=1, outcome=outcome))
    assert section(sheet, "rulings")[0]["record"] == english
    first = json_of(sheet)["rulings"][0]
    assert (first["void"], first["why_void"], first["appeal"]) == (True, outcome, 1)
    assert records(sheet, "ruling")[0]["detail"].endswith(in_csv)
    ledger = table(to_rulings_csv([sheet]))[0]
    assert (ledger["why_void"], ledger["appeal"]) == (outcome, "1")
    row = book(to_event_xlsx([sheet]))["Rulings"][0]
    assert (row["Why void"], row["Fell on appeal"]) == ("the ruling falls" if outcome == "void" else outcome.replace("_", " "), 1)


def test_a_ruling_that_was_undone_or_taken_back_fell_on_no_appeal() -> None:
    undone = (line(25, "decide_appeal", appeal=1, outcome="warning"), line(26, "undo"))
    sheet = sheet_of(*APPEALED, *undone, line(27, "void", ruling=1, reason="too severe"))
    assert [row["record"] for row in section(sheet, "rulings")] == ["void: too severe", "void: undone"]
    assert [each["appeal"] for each in json_of(sheet)["rulings"]] == [None, None]
    assert [row["Why void"] for row in book(to_event_xlsx([sheet]))["Rulings"]] == ["too severe", "undone"]


# ── Breaks ───────────────────────────────────────────────────────────────────
def test_a_break_names_the_last_game_before_it_also_where_the_match_was_taken_over_by_hand() -> None:
    (sheet,) = sheets(played("117-a-spare-device-takes-over"))
    assert {pause.after_game for pause in sheet.breaks} == {6}
    assert {row["after_game"] for row in section(sheet, "breaks")} == {"6"}
    assert {row["game"] for row in records(sheet, "break")} == {"6"}


# ── Paper ────────────────────────────────────────────────────────────────────
def from_paper(*more: dict[str, Any], end: Any = None, signed: Any = None) -> ScoreSheet:
    games = [{"winner": "left", "kind": "gammon", "cube": 2}, {"winner": "left", "kind": "single"}][: 1 if end else 2]
    given = {"rulebook": "ibgf", "length": 5, "players": NAMES, "officials": OFFICIALS, "games": games}
    given |= {"signed": signed or {"left": "yes", "right": "protest"}, **({"end": end} if end else {})}
    return sheet_of(line(0, "sign_in", pin="1357"), line(1, "enter_paper", **given), *more)


@pytest.mark.parametrize("end", [None, {"how": "forfeit", "side": "right"}, {"how": "resignation", "side": "right"}])
def test_a_match_from_paper_tells_no_time_but_that_of_its_entry(end: Any) -> None:
    sheet = from_paper(end=end)
    what, plain = printed(sheet), json_of(sheet)
    assert [signed_words(each) for each in (what.signatures.left, what.signatures.right)] == [
        "signed on the paper",
        "signed the paper under protest",
    ]
    entry = {"official_signed_in"}  # whoever entered it did so then
    for each in (*plain["games"], *plain["acts"], *(event for event in plain["events"] if event["kind"] not in entry)):
        assert (each["time_utc"], each["time_trust"]) == (None, None)
    assert [event for event in plain["events"] if event["kind"] == "signed"] == []
    assert {row["time_utc"] for kind in ("game", "act", "event") for row in records(sheet, kind) if row["kind"] not in entry} == {""}
    assert {row["ended_utc"] for row in table(to_games_csv([sheet]))} == {""}
    assert "time" not in {column.key for column in what.sections[0].columns}
    for key in {each.key for each in what.sections} & {"acts", "events"}:
        assert {row["time"] for row in section(sheet, key) if not row["what"].startswith("Cvetko")} <= {""}
    assert plain["paper"]["time_utc"] is not None


def test_who_signs_the_screen_after_a_correction_of_paper_has_signed_there() -> None:
    correct = line(2, "correct", game=2, winner="left", kind="gammon", reason="misread")
    sheet = from_paper(correct, line(3, "sign", side="left"))
    what = printed(sheet)
    assert signed_words(what.signatures.left).startswith("signed on the screen, ")
    assert signed_words(what.signatures.right) == "not signed"
    assert [event.kind for event in sheet.events if event.when is not None][-1] == "signed"


def test_where_no_time_was_measured_the_use_of_time_is_not_known() -> None:
    for sheet in (boundary("entered from paper"), sheet_of(opened(None, rulebook="circle"), line(1, "end"))):
        for use in json_of(sheet)["time_use"].values():
            assert use == dict.fromkeys(("delay_ms", "reserve_ms", "beyond_ms", "longest_turn_ms", "turns"))
        for row in table(to_times_csv([sheet])):
            assert [row[key] for key in ("delay_used_s", "reserve_used_s", "beyond_s", "turns", "longest_turn_s")] == [""] * 5


# ── Another table ────────────────────────────────────────────────────────────
def moved(*facts: Any, since: Lines = ()) -> ScoreSheet:
    rows = rows_of(
        opened(5, officials=OFFICIALS, reserve_s=600),
        line(0, "press", side="right"),
        line(10, "sign_in", pin="2468"),
        line(11, "suspend"),
        *since,
    )
    last = rows[-1]
    for n, fact in enumerate(facts, 1):
        at = Instant(last.mono_ns + n * 10**9)
        name, data = codec.encode(fact(at, last.mono_ns))
        rows.append(replace(last, seq=last.seq + n, type=name, data=data, mono_ns=at, wall_ns=last.wall_ns + n * 10**9))
    return list(sheets(rows))[-1]


def taken(at: Instant, last: int) -> f.Fact:
    return f.MatchTakenUp(at, Instant(last), "12", "ab", "Ida", Role.CHIEF)


def nameless(at: Instant, last: int) -> f.Fact:
    return f.MatchTakenUp(at, Instant(last), "", "ab", "Ida", Role.CHIEF)


def again(at: Instant, last: int) -> f.Fact:
    del last
    return f.MatchResumed(at)


def suspended(at: Instant, last: int) -> f.Fact:
    del last
    return f.MatchSuspended(at, "", "")


def test_a_match_that_was_taken_up_here_says_by_whom_when_and_from_which_table() -> None:
    sheet = moved(taken)
    (row,) = section(sheet, "adjournments")
    assert row["taken_up"].startswith("at this table by Ida (chief referee), ")
    assert row["taken_up"].endswith("; it came from table 12")
    assert row["resumed"] == "not yet"
    (pause,) = json_of(sheet)["adjournments"]
    assert (pause["taken_up"]["by"], pause["taken_up"]["table"]) == ({"name": "Ida", "role": "chief"}, "12")
    assert pause["taken_up"]["time_utc"] > pause["time_utc"]
    assert pause["resumed"] is None
    (record,) = records(sheet, "adjournment")
    assert record["kind"] == "suspended"
    assert record["detail"].endswith(f"taken up {pause['taken_up']['time_utc']} from table 12 by Ida (chief)")


def test_a_match_that_goes_on_at_another_table_ends_its_adjournment() -> None:
    sheet = moved(taken, again)
    (row,) = section(sheet, "adjournments")
    (pause,) = json_of(sheet)["adjournments"]
    assert pause["resumed"]["time_utc"] > pause["taken_up"]["time_utc"]
    assert row["resumed"] not in {"", "not yet"}
    assert records(sheet, "adjournment")[0]["kind"] == "resumed"


def test_of_two_moves_only_the_last_was_to_this_table() -> None:
    first, second = section(moved(taken, again, suspended, nameless), "adjournments")
    assert first["taken_up"].startswith("by Ida (chief referee), ")
    assert second["taken_up"].startswith("at this table by Ida (chief referee), ")
    assert second["taken_up"].endswith("it came from table –")


# ── Older sheets ─────────────────────────────────────────────────────────────
@pytest.mark.parametrize("name", ["110-a-whole-match-with-appeals", "116-suspended-over-a-power-cut", "117-a-spare-device-takes-over"])
def test_a_sheet_of_the_first_version_still_holds(name: str) -> None:
    later = {"event", "round", "table", "time_use", "seal", "paper"}
    added = {"appeal", "decided_by", "taken_up"}
    for sheet in sheets(played(name)):
        plain = {key: value for key, value in json_of(sheet).items() if key not in later} | {"sheet": 1}
        for key in ("rulings", "appeals", "adjournments"):
            plain[key] = [{word: value for word, value in each.items() if word not in added} for each in plain[key]]
        for each in plain["breaks"]:
            each["after_game"] -= sheet.table.first_game - 1
        assert verify_sheet(plain, played(name)).faults == ()
