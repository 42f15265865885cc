"""A chouette's record: games as rows, players as columns, each row and the last one summing to zero, in every format; and its seal."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, timedelta, timezone
from typing import Any

import pypdfium2
import pytest
from openpyxl import load_workbook

from kiosk.domain.facts import Party
from kiosk.domain.rulebook import Kind
from kiosk.domain.types import NS_PER_S, Instant, Side, Span
from kiosk.journal import MemoryJournal
from kiosk.ports import Row
from kiosk.session import Session
from kiosk.session import commands as c
from kiosk.sheets import ChouetteSheet, records, to_chouette_csv, to_chouette_json, to_chouette_pdf, to_chouette_xlsx
from kiosk.sheets.chouette_files import chouette_object, grid_of
from kiosk.sheets.verify_chouette import verify_chouette

NAMES = ("Ana", "Boris", "Вера", "=Goran")
DATE = 1_790_000_000 * NS_PER_S
BEFORE: list[c.Command] = [
    c.OpenChouette("c1", NAMES, ((6,), (5, 2), (5, 1), (3,)), jacoby=True, automatic=True, backgammon=3),
    c.TieChouette(),
    c.DoubleByBox(),
    c.AnswerDouble("=Goran", takes=False),
    c.AnswerDouble("Boris", takes=True),
    c.AnswerDouble("Вера", takes=True),
    c.WinChouette(Party.TEAM, Kind.GAMMON),
    c.LeaveChouette("=Goran"),
]
"""Ana is in the box at an automatic double; Goran is out at 2, Boris and Вера win a gammon at 4."""
AFTER: list[c.Command] = [
    c.WinChouette(Party.BOX, Kind.BACKGAMMON),
    c.DoubleByBox(),
    c.AnswerDouble("Ana", takes=False),
]
"""Boris is in the box and wins one point each, for the cube was not turned; then Ana is out at 1, and the game goes on."""


def journal(*commands: c.Command, trusted: bool = True) -> list[Row]:
    now = [0]
    kept = MemoryJournal(boot="boot", wall=lambda: (DATE + now[0], trusted))
    session = Session(kept)
    for n, command in enumerate(commands):
        now[0] = n * 60 * NS_PER_S
        session.command(command, Instant(now[0]))
    return list(kept.rows())


def record(*commands: c.Command) -> ChouetteSheet:
    (sheet,) = records(journal(*commands))
    assert isinstance(sheet, ChouetteSheet)
    return sheet


WHOLE = record(*BEFORE, *AFTER)
ENDED = record(*BEFORE, c.EndChouette(), c.UndoChouette(), c.EndChouette())
AGREED = record(c.OpenChouette("c1", NAMES[:3], (), jacoby=False, automatic=False, backgammon=2))


def rows(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))


def paper(sheet: ChouetteSheet, **about: Any) -> str:
    pages = pypdfium2.PdfDocument(to_chouette_pdf(sheet, **about))
    return "\n".join(page.get_textpage().get_text_range() for page in pages)


def test_the_csv_has_a_row_for_each_game_and_one_for_the_totals() -> None:
    head, *told = rows(to_chouette_csv(WHOLE))
    assert head[-5:] == ["points Ana", "points Boris", "points Вера", "points =Goran", "sum"]
    by_name = [dict(zip(head, row, strict=True)) for row in told]
    assert [row["game"] for row in by_name] == ["1", "2", "running", "total"]
    assert [row[-5:] for row in told] == [
        ["-14", "8", "8", "-2", "0"],
        ["-1", "2", "-1", "", "0"],
        ["-1", "1", "0", "0", "0"],
        ["-16", "11", "7", "-2", "0"],
    ]
    assert (by_name[0]["captain"], by_name[0]["winner"], by_name[0]["kind"], by_name[0]["cube"], by_name[0]["points"]) == (
        "Boris",
        "team",
        "gammon",
        "4",
        "8",
    )
    assert (by_name[0]["out"], by_name[0]["ended_utc"], by_name[0]["ended_trust"]) == ("'=Goran -2", "2026-09-21T14:19:20Z", "set")


def test_without_a_running_payment_there_is_no_row_for_it() -> None:
    assert [row[0] for row in rows(to_chouette_csv(ENDED))] == ["game", "1", "total"]


def test_the_workbook_has_numbers_as_numbers_and_no_formula() -> None:
    book = load_workbook(io.BytesIO(to_chouette_xlsx(WHOLE, event="Club", table="4", zone=UTC)))
    page = book["Chouette"]
    told = list(page.iter_rows(values_only=True))
    assert told[0][0].startswith("Club · Chouette · Table 4, 2026-09-21")
    assert told[2][9:14] == ("Ana", "Boris", "Вера", "=Goran", "Sum")
    assert page["M3"].data_type == "s"
    assert told[3][9:14] == (-14, 8, 8, -2, 0)
    assert told[6][9:14] == (-16, 11, 7, -2, 0)
    assert any("Digest of the journal's chain" in str(row[0]) for row in told[7:])


def test_paper_says_who_was_what_and_what_it_sums_to() -> None:
    told = paper(WHOLE, event="Club evening", table="4", zone=timezone(timedelta(hours=2)))
    for words in ("Club evening", "Chouette at table 4", "Boris 5, 2", "16:13:20", "Total", "goes on", WHOLE.digest):
        assert words in told
    assert "Free play" in paper(ENDED)
    plain = paper(AGREED)
    assert "Thrown for places" not in plain
    assert "yes" not in plain


def test_the_json_holds_everything_with_a_seal() -> None:
    plain = json.loads(to_chouette_json(WHOLE, event="Club", table="4"))
    assert plain["totals"] == {"Ana": -16, "Boris": 11, "Вера": 7, "=Goran": -2}
    assert plain["sum"] == 0
    assert plain["running"] == {"cube": 1, "owner": None, "offered_by": "box", "out": {"Ana": 1}}
    assert plain["games"][0]["gains"] == {"Ana": -14, "Boris": 8, "Вера": 8, "=Goran": -2}
    assert plain["throws"]["Boris"] == [5, 2]
    assert plain["ended"] is None
    assert chouette_object(ENDED)["ended"] == {"time_utc": "2026-09-21T14:23:20Z", "time_trust": "set"}
    taken = json.loads(to_chouette_json(record(*BEFORE[:6])))
    assert taken["running"]["owner"] == "team"


# ── Verifying ────────────────────────────────────────────────────────────────
ROWS = journal(*BEFORE, *AFTER)


def sheet_of(found: list[Row]) -> dict[str, Any]:
    (sheet,) = records(found)
    assert isinstance(sheet, ChouetteSheet)
    plain: dict[str, Any] = json.loads(to_chouette_json(sheet, event="Club"))
    return plain


def test_what_the_table_wrote_holds_by_its_journal_and_by_its_seal() -> None:
    assert verify_chouette(sheet_of(ROWS), ROWS, must=True).holds
    alone = verify_chouette(sheet_of(ROWS), None)
    assert alone.holds
    assert alone.notes


def test_an_older_record_still_holds_and_says_that_it_is_one() -> None:
    verdict = verify_chouette(sheet_of(ROWS[: len(BEFORE)]), ROWS)
    assert verdict.holds
    assert any("older one: as of entry 8" in note for note in verdict.notes)


@pytest.mark.parametrize("where", ["journal", "seal"])
def test_an_altered_figure_is_found(where: str) -> None:
    plain = sheet_of(ROWS)
    plain["totals"]["Ana"] = 16
    verdict = verify_chouette(plain, ROWS if where == "journal" else None)
    assert not verdict.holds
    assert "totals" in verdict.faults[0]


def test_another_event_is_found_by_the_seal_alone() -> None:
    assert not verify_chouette({**sheet_of(ROWS), "event": "Final"}, ROWS).holds


def test_a_record_that_names_no_entry_is_compared_with_all_of_them() -> None:
    assert not verify_chouette({**sheet_of(ROWS), "journal": "lost"}, ROWS).holds


def test_another_journal_has_no_such_chouette() -> None:
    other = journal(c.OpenChouette("c2", NAMES[:3], (), jacoby=True, automatic=True, backgammon=3))
    verdict = verify_chouette(sheet_of(ROWS), other, must=True)
    assert verdict.faults == ("This journal has no such chouette.",)
    assert verify_chouette(sheet_of(ROWS), other).holds


def test_where_jacoby_let_a_gammon_count_as_a_single_the_record_says_so() -> None:
    sheet = record(*BEFORE, *AFTER)
    assert [game["counted"] for game in chouette_object(sheet)["games"]] == [2, 1]
    grid = grid_of(sheet, UTC)
    assert [row[4] for row in grid.rows[:2]] == ["gammon", "backgammon (Jacoby: counts 1)"]
    assert [row["counted"] for row in csv.DictReader(io.StringIO(to_chouette_csv(sheet).decode("utf-8-sig")))][:2] == ["2", "1"]


def test_the_clock_that_was_agreed_on_is_part_of_the_record() -> None:
    assert "clock" not in chouette_object(record(*BEFORE))
    sheet = record(*BEFORE, c.SetChouetteClock(Span(12 * NS_PER_S), Span(300 * NS_PER_S)))
    assert chouette_object(sheet)["clock"] == {"delay_ms": 12_000, "reserve_ms": 300_000}
    page = pypdfium2.PdfDocument(to_chouette_pdf(sheet))[0].get_textpage().get_text_range()
    assert "5:00 + 12 s delay" in page


def test_presses_and_flags_leave_the_record_of_games_alone() -> None:
    rows = journal(*BEFORE, c.SetChouetteClock(Span(0), Span(NS_PER_S)))
    kept = MemoryJournal(rows=rows)
    session = Session(kept)
    session.restore(rows, Instant(0), last_beat=None, off=None)
    session.press(Side.LEFT, Instant(10 * NS_PER_S))
    session.tick(Instant(20 * NS_PER_S))
    session.command(c.StopChouetteClock(), Instant(21 * NS_PER_S))
    (sheet,) = records(list(kept.rows()))
    assert isinstance(sheet, ChouetteSheet)
    assert chouette_object(sheet)["games"] == chouette_object(record(*BEFORE))["games"]
    assert "chouette_flag_fell" in [row.type for row in kept.rows()]
