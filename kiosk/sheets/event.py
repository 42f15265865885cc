"""All matches of a journal together: as one workbook, and as CSV tables. Bytes out; one sheet at a time is held.

A workbook's heads and words are in the language spoken, its numbers are numbers, its times of day those of a zone. A CSV is English, its
times are UTC and its spans seconds.
"""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeAlias

from kiosk.say import _, mark
from kiosk.sheets.event_tables import GAMES, REGISTERS, RESULTS, RULINGS, TIMES, Form
from kiosk.sheets.render import when_text
from kiosk.sheets.spreadsheet import clean, to_table
from kiosk.sheets.xlsx import LONGEST, opened, sheet_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import tzinfo

    from xlsxwriter.format import Format
    from xlsxwriter.workbook import Workbook
    from xlsxwriter.worksheet import Worksheet

    from kiosk.sheets.event_tables import Column, Item, Register
    from kiosk.sheets.walk import ScoreSheet
    from kiosk.sheets.when import When

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

DAY_MS = 86_400_000

TRUST = {"set": "", "corrected": mark("corrected later"), "unset": mark("not to be trusted")}
"""What stands beside a time of day."""


Where: TypeAlias = "str | Callable[[ScoreSheet], str]"
"""The table's name, or what tells it of each sheet."""


def _where(table: Where, sheet: ScoreSheet) -> str:
    return table if isinstance(table, str) else table(sheet)


# ── CSV ──────────────────────────────────────────────────────────────────────
def to_event_csv(sheets: Iterable[ScoreSheet], *, table: Where = "") -> bytes:
    """Every match, one row each."""
    return _csv(RESULTS, sheets, table)


def to_games_csv(sheets: Iterable[ScoreSheet], *, table: Where = "") -> bytes:
    """Every game of every match, one row each."""
    return _csv(GAMES, sheets, table)


def to_rulings_csv(sheets: Iterable[ScoreSheet], *, table: Where = "") -> bytes:
    """The rulings ledger of every match, one row a ruling, also those that were taken back."""
    return _csv(RULINGS, sheets, table)


def to_times_csv(sheets: Iterable[ScoreSheet], *, table: Where = "") -> bytes:
    """Every match's use of time, one row a side."""
    return _csv(TIMES, sheets, table)


def _csv(kind: Register, sheets: Iterable[ScoreSheet], table: Where) -> bytes:
    heads = [head for column in kind.columns for head in _heads(column)]
    return to_table(heads, (_csv_row(kind, item) for sheet in sheets for item in kind.rows(sheet, _where(table, sheet))))


def _heads(column: Column) -> tuple[str, ...]:
    match column.form:
        case Form.TIME:
            return f"{column.key}_utc", f"{column.key}_trust"
        case Form.SPAN:
            return (f"{column.key}_s",)
        case _:
            return (column.key,)


def _csv_row(kind: Register, item: Item) -> dict[str, object]:
    return {head: value for column in kind.columns for head, value in zip(_heads(column), _csv_values(column, item), strict=True)}


def _csv_values(column: Column, item: Item) -> tuple[object, ...]:
    value = column.get(item)
    match column.form:
        case Form.TIME:
            return ("", "") if value is None else (when_text(value), value.trust)
        case Form.SPAN:
            return ("" if value is None else value / 1000,)
        case Form.MARK:
            return ("yes" if value else "",)
        case _:
            return ("" if value is None else value,)


# ── Workbook ─────────────────────────────────────────────────────────────────
def to_event_xlsx(
    sheets: Iterable[ScoreSheet],
    progress: Callable[[int, int], None] = lambda _done, _of: None,
    *,
    of: int = 0,
    only: str | None = None,
    event: str = "",
    table: Where = "",
    zone: tzinfo = UTC,
) -> bytes:
    """Results, games, rulings and time use of every match as one workbook.

    Args:
        sheets: The matches; one at a time is held.
        progress: Told after each of them how many are done, and `of`.
        of: How many there will be.
        only: One of `REGISTERS`; None: all of them.
        event: The event's name, printed above each page.
        table: The table's name, likewise, and in a column of its own; of several tables, what tells it of a sheet, for the column only.
        zone: Whose times of day are written.
    """
    out = io.BytesIO()
    # In memory, not in `constant_memory`, which writes files: the cells are small beside one match's facts.
    book = opened(out, event or _("Results"), None)
    looks, taken = _Looks(book, zone), set[str]()
    parts = [
        _Part(book.add_worksheet(sheet_name(_(kind.title), taken)), kind, looks, (event, table))
        for name, kind in REGISTERS.items()
        if only in {None, name}
    ]
    for done, sheet in enumerate(sheets, 1):
        for part in parts:
            part.add(sheet)
        progress(done, of)
    for part in parts:
        part.close()
    book.close()
    return out.getvalue()


class _Looks:
    """How cells look, and the zone of their times."""

    def __init__(self, book: Workbook, zone: tzinfo) -> None:
        self.zone = zone
        self.head: Format = book.add_format({"bold": True, "text_wrap": True, "valign": "top", "bottom": 1, "bg_color": "#E8ECEF"})
        self.time: Format = book.add_format({"num_format": "yyyy-mm-dd hh:mm", "align": "left"})
        self.span: Format = book.add_format({"num_format": "[m]:ss"})
        self.plain: Format = book.add_format({})


class _Part:
    """One worksheet, row by row."""

    def __init__(self, sheet: Worksheet, kind: Register, looks: _Looks, about: tuple[str, Where]) -> None:
        self._kind, self._looks, self._table, self._row = kind, looks, about[1], 0
        self._sheet = sheet
        place = 0
        for column in kind.columns:
            for number, title in enumerate(_titles(column)):
                self._sheet.set_column(place, place, 14 if number else column.width)
                self._sheet.write_string(0, place, title, looks.head)
                place += 1
        self._places = place
        self._sheet.freeze_panes(1, 2)
        self._sheet.set_landscape()
        self._sheet.set_paper(9)  # A4
        self._sheet.fit_to_pages(1, 0)
        self._sheet.repeat_rows(0)
        title = " · ".join(clean(part).replace("&", "&&") for part in about if part and isinstance(part, str))
        self._sheet.set_header(f"&L{title[:200]}&R&A")
        self._sheet.set_footer("&R&P / &N")

    def add(self, sheet: ScoreSheet) -> None:
        for item in self._kind.rows(sheet, _where(self._table, sheet)):
            self._row += 1
            for place, (value, look) in enumerate(cell for column in self._kind.columns for cell in self._cells(column, column.get(item))):
                if isinstance(value, str):
                    self._sheet.write_string(self._row, place, clean(value)[:LONGEST], look)
                elif isinstance(value, datetime):
                    self._sheet.write_datetime(self._row, place, value, look)
                elif value is not None:
                    self._sheet.write_number(self._row, place, value, look)

    def _cells(self, column: Column, value: Any) -> Iterator[tuple[str | float | datetime | None, Format]]:  # noqa: ANN401 - by its form
        looks = self._looks
        match column.form:
            case Form.TIME:
                yield None if value is None else _local(value, looks.zone), looks.time
                yield None if value is None else _(TRUST[value.trust]), looks.plain
            case Form.SPAN:
                yield None if value is None else value / DAY_MS, looks.span
            case Form.MARK:
                yield _("yes") if value else None, looks.plain
            case _:
                yield value if value is None or column.words is None else column.words(value), looks.plain

    def close(self) -> None:
        if self._row:
            self._sheet.autofilter(0, 0, self._row, self._places - 1)


def _local(when: When, zone: tzinfo) -> datetime | str:
    """The time of day there, without its zone; a date that no spreadsheet has stays a text."""
    try:
        moment = (EPOCH + timedelta(seconds=when.wall_ns // 10**9)).astimezone(zone).replace(tzinfo=None)
    except (OverflowError, ValueError):
        return when_text(when)
    return moment if 1900 < moment.year < 10_000 else when_text(when)


def _titles(column: Column) -> tuple[str, ...]:
    return (_(column.title), _("date set?")) if column.form is Form.TIME else (_(column.title),)
