"""A match's sheet as a workbook: one worksheet a table, numbers as numbers, times as times, and no text that could become a formula."""

from __future__ import annotations

import io
import re
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING

from kiosk.domain.types import NS_PER_MS, Pair
from kiosk.say import _
from kiosk.sheets.cells import MARKS, Both, Lasting, Moment, text_of
from kiosk.sheets.printed import printed, signed_words
from kiosk.sheets.strokes import png

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from xlsxwriter.format import Format
    from xlsxwriter.workbook import Workbook
    from xlsxwriter.worksheet import Worksheet

    from kiosk.sheets.cells import Cell, Plain
    from kiosk.sheets.printed import Printed
    from kiosk.sheets.sections import Column, Section
    from kiosk.sheets.walk import ScoreSheet

WIDEST = 48
"""No column is wider than so many characters; longer texts are wrapped."""
LONGEST = 32_767
"""No cell of a workbook holds more characters."""
_NO_NAME = re.compile(r"[\[\]:*?/\\\x00-\x1f]")


class Formats:
    """How cells look, made once for a workbook."""

    def __init__(self, workbook: Workbook) -> None:
        self._workbook = workbook
        self._made: dict[tuple[str, bool], Format] = {}

    def get(self, kind: str, *, struck: bool = False) -> Format:
        """A format: `text`, `number`, `time`, `date`, `span`, `head`, `title`, `bold`, `plain`, `note`, `money0` to `money4`."""
        if (kind, struck) not in self._made:
            looks = {"text_wrap": True, "valign": "top", "font_strikeout": struck, **_LOOKS[kind]}
            self._made[kind, struck] = self._workbook.add_format(looks)
        return self._made[kind, struck]


_LOOKS: dict[str, dict[str, object]] = {
    "text": {},
    "number": {"num_format": "0"},
    "time": {"num_format": "hh:mm:ss"},
    "time*": {"num_format": 'hh:mm:ss"*"', "italic": True},
    "time?": {"num_format": 'hh:mm:ss"?"', "italic": True},
    "date": {"num_format": "yyyy-mm-dd hh:mm:ss"},
    "date*": {"num_format": 'yyyy-mm-dd hh:mm:ss"*"', "italic": True},
    "date?": {"num_format": 'yyyy-mm-dd hh:mm:ss"?"', "italic": True},
    "span": {"num_format": "[h]:mm:ss"},
    "head": {"bold": True, "bg_color": "#E6E6E6", "bottom": 1},
    "title": {"bold": True, "font_size": 16, "text_wrap": False},
    "bold": {"bold": True},
    "plain": {},
    "note": {"italic": True, "text_wrap": False},
    **{f"money{n}": {"num_format": f"0.{'0' * n}" if n else "0"} for n in range(5)},
}


def to_xlsx(sheet: ScoreSheet, *, event: str = "", round_name: str = "", table: str = "", rulebook: str = "", zone: tzinfo = UTC) -> bytes:
    """The sheet as an XLSX workbook, in the language spoken; the arguments are those of `printed`."""
    what = printed(sheet, event=event, round_name=round_name, table=table, rulebook=rulebook, zone=zone)
    out = io.BytesIO()
    workbook = opened(out, f"{what.title}: {what.names.left} – {what.names.right}", what.opened.at)
    formats = Formats(workbook)
    _first(workbook, formats, what)
    taken = {_("Match").casefold()}
    for section in what.sections:
        written(workbook.add_worksheet(sheet_name(section.title, taken)), formats, section, what.names)
    workbook.close()
    return out.getvalue()


def opened(out: io.BytesIO, title: str, created: datetime | None) -> Workbook:
    """An empty workbook in which no text becomes a formula, a number or a link.

    Args:
        out: Where it is written when it is closed.
        title: Its title.
        created: The date that it carries; the same date gives the same bytes.
    """
    from xlsxwriter import Workbook

    plain = {"strings_to_formulas": False, "strings_to_numbers": False, "strings_to_urls": False}
    workbook = Workbook(out, {"in_memory": True, "remove_timezone": True, "nan_inf_to_errors": True, **plain})
    workbook.set_properties({"title": title, "created": (created or datetime(2000, 1, 1, tzinfo=UTC)).replace(tzinfo=None)})
    return workbook


def sheet_name(title: str, taken: set[str]) -> str:
    """A worksheet's name from a title: without what a workbook forbids, at most 31 characters, and nobody else's.

    Args:
        title: What it should say.
        taken: The names given so far, without their capitals; this one is added.
    """
    plain = _NO_NAME.sub(" ", title).strip("' ")[:31] or "–"
    name, number = plain, 1
    while name.casefold() in taken:
        number += 1
        name = f"{plain[: 30 - len(str(number))]} {number}"
    taken.add(name.casefold())
    return name


def _first(workbook: Workbook, formats: Formats, what: Printed) -> None:
    page = workbook.add_worksheet(sheet_name(_("Match"), set()))
    paper(page, landscape=False)
    page.set_column(0, 0, 30)
    page.set_column(1, 2, 28)
    put(page, 0, 0, what.title, formats, kind="title")
    put(page, 1, 0, what.place, formats)
    rows: list[tuple[str, Cell]] = [
        (_("Players"), Both(what.names.left, what.names.right)),
        (_("Score"), Both(what.score.left, what.score.right)),
        (_("Standing (1 0 + −)"), Both(what.standing.left, what.standing.right) if what.standing.left else None),
        (_("Result"), what.result),
        *(("", words) for _kind, words in what.status),
        *((each.title, each.value) for each in what.head),
        *((_("Signature"), Both(each.name, signed_words(each))) for each in (what.signatures.left, what.signatures.right)),
        (_("Digest of the journal's chain"), what.digest),
        (_("QR code"), what.qr),
        *(("", line) for line in what.legend),
    ]
    for number, (title, value) in enumerate(rows, 3):
        put(page, number, 0, title, formats, kind="bold")
        parts = (value.left, value.right) if isinstance(value, Both) else (value,)
        for beside, part in enumerate(parts):
            put(page, number, 1 + beside, part, formats)
    for beside, signed in enumerate((what.signatures.left, what.signatures.right)):
        if signed.strokes:
            picture = {"image_data": io.BytesIO(png(signed.strokes)), "x_scale": 0.4, "y_scale": 0.4, "description": signed_words(signed)}
            page.insert_image(number + 2, 1 + beside, "signature.png", picture)


def written(page: Worksheet, formats: Formats, section: Section, names: Pair[str]) -> None:
    """One table on its own worksheet: headings that stay, columns as wide as they need to be, ready to be printed.

    Args:
        page: An empty worksheet.
        formats: The workbook's.
        section: What stands there.
        names: Both sides, for the headings of what each of them has its own of.
    """
    paper(page, landscape=True)
    halves = tuple(_halves(section))
    spread = [flat(row, halves) for row in section.rows]
    titles = [title for column, half in zip(section.columns, halves, strict=True) for title in _titles(column, names, half=half)]
    for across, title in enumerate(titles):
        put(page, 0, across, title, formats, kind="head")
        longest = max((len(text_of(row[across])) for row in spread), default=0)
        page.set_column(across, across, min(WIDEST, max(longest, *map(len, title.split(" "))) + 2))
    page.freeze_panes(1, 0)
    page.repeat_rows(0)
    for down, row in enumerate(spread, 1):
        for across, cell in enumerate(row):
            put(page, down, across, cell, formats, struck=down - 1 in section.struck)


def _halves(section: Section) -> Iterator[bool]:
    for across in range(len(section.columns)):
        yield any(isinstance(row[across], Both) for row in section.rows)


def _titles(column: Column, names: Pair[str], *, half: bool) -> Sequence[str]:
    return (f"{column.title}: {names.left}", f"{column.title}: {names.right}") if half else (column.title,)


def flat(row: Sequence[Cell], halves: Sequence[bool]) -> list[Plain]:
    """A row with a cell of its own for each side.

    Args:
        row: As it stands in a section.
        halves: For each column, whether it has a value for each side.
    """
    cells: list[Plain] = []
    for cell, half in zip(row, halves, strict=True):
        if isinstance(cell, Both):
            cells += [cell.left, cell.right]
        else:
            cells += [cell, None] if half else [cell]
    return cells


def put(page: Worksheet, down: int, across: int, cell: Plain, formats: Formats, *, kind: str = "text", struck: bool = False) -> None:
    """One cell: a number, a time of day, a length of time, or a text that stays one.

    Args:
        page: The worksheet.
        down: Row, from 0.
        across: Column, from 0.
        cell: What stands there; None and an empty text leave it empty.
        formats: The workbook's.
        kind: How a text looks.
        struck: Whether it counts no more.
    """
    match cell:
        case None | "":
            pass
        case int():
            page.write_number(down, across, cell, formats.get("number", struck=struck))
        case Lasting():
            page.write_number(down, across, cell.span / NS_PER_MS / 86_400_000, formats.get("span", struck=struck))
        case Moment(at=datetime() as at) if at.year >= 1900:
            look = ("date" if cell.dated else "time") + MARKS[cell.trust]
            page.write_datetime(down, across, at.replace(tzinfo=None), formats.get(look, struck=struck))
        case _:
            page.write_string(down, across, text_of(cell)[:LONGEST], formats.get(kind, struck=struck))


def paper(page: Worksheet, *, landscape: bool) -> None:
    """A4, as wide as the paper, with its pages counted."""
    page.set_paper(9)
    if landscape:
        page.set_landscape()
    page.fit_to_pages(1, 0)
    page.set_margins(left=0.5, right=0.5, top=0.6, bottom=0.6)
    page.set_footer("&L&A&R&P / &N")
