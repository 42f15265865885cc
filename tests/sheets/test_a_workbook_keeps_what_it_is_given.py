"""What a workbook forbids is worked around: names of worksheets, dates before 1900, texts that are too long."""

from __future__ import annotations

import io
from datetime import UTC, datetime

import openpyxl
import pytest
from boundary import boundary

from kiosk import say
from kiosk.domain.types import Pair, Span, seconds
from kiosk.sheets import to_xlsx
from kiosk.sheets.cells import Both, Lasting, Moment
from kiosk.sheets.sections import Column, Section
from kiosk.sheets.xlsx import LONGEST, Formats, opened, sheet_name, written
from tests.locale.pseudo import Longer


@pytest.mark.parametrize(
    ("title", "name"),
    [("Games", "Games"), ("What? [else]: a/b\\c*", "What   else   a b c"), ("", "–"), ("'x'", "x"), ("y" * 40, "y" * 31)],
)
def test_a_worksheet_has_a_name_that_workbooks_allow(title: str, name: str) -> None:
    assert sheet_name(title, set()) == name


def test_no_two_worksheets_have_one_name() -> None:
    taken = {"match"}
    names = [sheet_name("Match", taken), sheet_name("MATCH", taken), sheet_name("z" * 40, taken), sheet_name("z" * 40, taken)]
    assert names == ["Match 2", "MATCH 3", "z" * 31, "z" * 29 + " 2"]
    assert max(map(len, names)) <= 31


def test_long_headings_in_another_language_make_a_workbook_all_the_same() -> None:
    try:
        say.install(Longer())
        book = openpyxl.load_workbook(io.BytesIO(to_xlsx(boundary("hundreds of events"))))
    finally:
        say.use("en")
    assert len(book.sheetnames) == len({name.casefold() for name in book.sheetnames}) == 10


def one(*cells: object, struck: bool = False) -> list[object]:
    """A row as it is read back."""
    section = Section("x", "X", tuple(Column(str(n), str(n)) for n in range(len(cells))), (cells,), frozenset({0} if struck else ()))  # type: ignore[arg-type]
    out = io.BytesIO()
    workbook = opened(out, "x", None)
    written(workbook.add_worksheet("x"), Formats(workbook), section, Pair("Ana", "Boris"))
    workbook.close()
    page = openpyxl.load_workbook(io.BytesIO(out.getvalue()))["x"]
    assert page.freeze_panes == "A2"
    assert page.print_title_rows == "$1:$1"
    assert (page.page_setup.paperSize, page.page_setup.fitToHeight, page.sheet_properties.pageSetUpPr.fitToPage) == (9, 0, True)
    return [cell.value for cell in page[2]]


def test_texts_stay_texts_whatever_they_begin_with() -> None:
    texts = ["=cmd()", "+1", "-1", "@SUM(A1)", "12", "1e5", "https://example.org", "{=1}", "\t=1"]
    assert one(*texts) == texts


def test_a_date_that_a_workbook_cannot_hold_is_a_text() -> None:
    old, never = Moment(datetime(1800, 1, 2, tzinfo=UTC), "unset", 0, dated=True), Moment(None, "unset", 10**30, dated=False)
    assert one(old, never) == ["1800-01-02 00:00:00?", f"{10**30}?"]


def test_a_text_that_is_too_long_ends_where_a_cell_ends() -> None:
    assert one("x" * 40_000) == ["x" * LONGEST]


def test_each_side_has_a_column_of_its_own_and_empty_ones_stay_empty() -> None:
    assert one(Both(1, None), None, "") == [1, None, None, None]
    mixed = Section("x", "X", (Column("a", "A"),), ((Both(1, 2),), (None,), ("–",)))
    out = io.BytesIO()
    workbook = opened(out, "x", None)
    written(workbook.add_worksheet("x"), Formats(workbook), mixed, Pair("Ana", "Boris"))
    workbook.close()
    rows = list(openpyxl.load_workbook(io.BytesIO(out.getvalue()))["x"].iter_rows(values_only=True))
    assert rows == [("A: Ana", "A: Boris"), (1, 2), (None, None), ("–", None)]


def test_lengths_of_time_are_told_as_they_were_set_or_as_the_clock_showed_them() -> None:
    assert [Lasting(seconds(90.5)).text, Lasting(seconds(90.5), exact=True).text, Lasting(Span(-seconds(5)), exact=True).text] == [
        "1:31",
        "1:30",
        "–0:05",
    ]
