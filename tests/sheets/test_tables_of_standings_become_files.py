"""Standings and crosstables as CSV and as a workbook."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime

from openpyxl import load_workbook

from kiosk.sheets.grid import Grid, to_grid_csv, to_grid_xlsx

AT = datetime(2026, 12, 5, 18, 30, tzinfo=UTC)
ONE = Grid("Group 1", ("Rank", "Name", "1", "2", "Points"), ((1, "Ana", "■", "1", 1), (2, "=Boris", "0", "■", 0.5)), ("A note.",))
OTHER = Grid("Group 2", ("Rank", "Name", "1", "Points"), ((1, "Vera", "■", 0),))


def _rows(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))


def test_one_table_is_a_csv_as_it_stands_without_formulas() -> None:
    assert _rows(to_grid_csv([ONE], title="Open", at=AT)) == [
        ["Rank", "Name", "1", "2", "Points"], ["1", "Ana", "■", "1", "1"], ["2", "'=Boris", "0", "■", "0.5"],
    ]  # fmt: skip


def test_several_tables_are_one_csv_and_each_row_says_of_which() -> None:
    rows = _rows(to_grid_csv([ONE, OTHER], title="Open", at=AT))
    assert rows[0] == ["Group", "Rank", "Name", "1", "2", "Points"]
    assert rows[3] == ["Group 2", "1", "Vera", "■", "", "0"]


def test_a_workbook_has_a_worksheet_a_table_with_numbers_as_numbers() -> None:
    book = load_workbook(io.BytesIO(to_grid_xlsx([ONE, OTHER], title="Open", at=AT)))
    assert book.sheetnames == ["Group 1", "Group 2"]
    rows = list(book["Group 1"].iter_rows(values_only=True))
    assert rows[0][0] == "Open, 2026-12-05 18:30"
    assert rows[2] == ONE.heads
    assert rows[3:5] == list(ONE.rows)
    assert book["Group 1"]["B5"].data_type == "s"
    assert rows[6][0] == "A note."


def test_no_table_is_an_empty_file() -> None:
    assert _rows(to_grid_csv([], title="Open", at=AT)) == [[]]
    assert load_workbook(io.BytesIO(to_grid_xlsx([], title="Open", at=AT))).sheetnames == ["Open"]
