"""Lists of matches from files: CSV in any usual form, or a workbook. What is read is rows of texts by the columns' words.

    Round;Table;Left;Right;Length
    1;12;Ana;Boris;7

A file is read whole or not at all. Limits: `LARGEST` bytes, `MOST_ROWS` rows, `LONGEST_CELL` characters a cell; a workbook's parts may come
to `LARGEST_INSIDE` bytes unpacked, so that a small file cannot fill the memory.
"""

from __future__ import annotations

import csv
import io
import struct
import zipfile
import zlib
from dataclasses import dataclass
from datetime import datetime, time
from typing import TYPE_CHECKING, Any

from kiosk.domain.errors import CommandRefused
from kiosk.domain.setup import bad_value
from kiosk.say import language
from kiosk.server.columns import NEEDED, column_of, heads
from kiosk.sheets.spreadsheet import to_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

LARGEST = 2_000_000
LARGEST_INSIDE = 40_000_000
MOST_ROWS = 1000
MOST_COLUMNS = 60
LONGEST_CELL = 300
MOST_SEEN, LONGEST_SEEN = 8, 40
"""Of heads that are not known, so many are told, and so much of each."""
HEAD_WITHIN = 20
"""The heads stand within the first so many rows."""


@dataclass(frozen=True, slots=True)
class RawRow:
    """A row as it stands in the file."""

    n: int
    """Its number there, from 1."""
    cells: dict[str, str]
    """Texts by the columns' words."""
    unworked: tuple[str, ...] = ()
    """Columns in which a workbook has a formula, and no value of it."""


@dataclass(frozen=True, slots=True)
class RawList:
    """What a file holds."""

    rows: tuple[RawRow, ...]
    unknown: tuple[str, ...]
    """Heads that name no column; what stands below them is not looked at."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a list is of."""

    column_of: Callable[[str], str | None]
    """Which column a head names."""
    needed: tuple[str, ...]
    """Columns without which it is none."""
    heads: Callable[[], Mapping[str, str]]
    """What the columns are called in the language spoken."""


MATCHES = Kind(column_of, NEEDED, lambda: heads(language()))


def read(data: bytes, name: str = "", kind: Kind = MATCHES) -> RawList:
    """Read a file.

    Args:
        data: Its bytes.
        name: Its name, for the sentence.
        kind: What the list is of.

    Raises:
        CommandRefused: It is no such list; the sentence says why.
    """
    if len(data) > LARGEST:
        raise bad_value("{name} is larger than any list: at most {most} million bytes.", name=name or "–", most=LARGEST // 10**6)
    if not data.strip():
        raise bad_value("{name} is empty: choose a file with a list.", name=name or "–")
    if data.startswith(b"PK"):
        return _listed(_workbook(data, name), name, kind)
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise bad_value("{name} is a workbook of an old kind; save it as .xlsx or .csv.", name=name or "–")
    return _listed(_table(data, name), name, kind)


UNWORKED = "\0="
"""Stands for a formula of which a workbook holds no value, as a program writes it that works nothing out. No text of a file has a NUL."""
Cells = tuple[int, list[str]]
"""A row's number in the file, and its cells."""


# ── CSV ──────────────────────────────────────────────────────────────────────
def _table(data: bytes, name: str) -> Iterator[Cells]:
    text = _decoded(data, name)
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(";\t,", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    before = 0
    try:
        for cells in reader:
            if _swallowed(cells, text, delimiter, before, reader.line_num):
                raise bad_value(
                    "{name}, line {n}: a quotation mark is never closed; rows below it would be lost.", name=name or "–", n=before + 1
                )
            before = reader.line_num
            yield reader.line_num, cells
    except csv.Error as error:
        raise bad_value("{name} cannot be read as a table from line {n} on.", name=name or "–", n=reader.line_num) from error


def _swallowed(cells: list[str], text: str, delimiter: str, before: int, line: int) -> bool:
    """Whether a row has taken in others: a cell holds whole lines with columns of their own, or its quotation mark is open at the end."""
    if line == before + 1:
        return False
    if any(delimiter in part for cell in cells for part in cell.splitlines()[1:]):
        return True
    lines = text.splitlines()
    return line >= len(lines) and "".join(lines[before:]).count('"') % 2 == 1


def _decoded(data: bytes, name: str) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings: tuple[str, ...] = ("utf-16",)
    else:
        encodings = ("utf-8-sig", "cp1251")  # what a spreadsheet on Windows writes where Cyrillic is at home
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise bad_value("{name} is no text: give a CSV file in UTF-8, or an .xlsx workbook.", name=name or "–")


# ── Workbooks ────────────────────────────────────────────────────────────────
def _workbook(data: bytes, name: str) -> Iterator[Cells]:
    import warnings

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            inside = sum(part.file_size for part in packed.infolist())
        if inside > LARGEST_INSIDE:
            raise bad_value("{name} is larger than any list, once it is unpacked.", name=name or "–")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about looks that are not kept: nothing is written back
            rows = list(_cells(data))
    except CommandRefused:
        raise
    except _UNREADABLE as error:
        raise bad_value("{name} cannot be read as a workbook; save it anew as .xlsx, or as .csv.", name=name or "–") from error
    yield from rows


_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    ValueError,
    LookupError,
    TypeError,
    OSError,
    AttributeError,
    EOFError,
    SyntaxError,
    NotImplementedError,
    RuntimeError,
)
"""What a damaged workbook raises in its readers."""


def _cells(data: bytes) -> Iterator[Cells]:
    from openpyxl import load_workbook

    books = [load_workbook(io.BytesIO(data), read_only=True, data_only=values, keep_links=False) for values in (True, False)]
    try:
        both = (book.worksheets[0].iter_rows(max_row=MOST_ROWS + HEAD_WITHIN + 2, max_col=MOST_COLUMNS, values_only=True) for book in books)
        for n, (values, written) in enumerate(zip(*both, strict=True), 1):
            yield n, [UNWORKED if value is None and text is not None else _cell(value) for value, text in zip(values, written, strict=True)]
    finally:
        for book in books:
            book.close()


def _cell(value: Any) -> str:  # noqa: ANN401 - a workbook's cell holds anything
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float() if value.is_integer():
            return str(int(value))
        case datetime():
            return value.strftime("%Y-%m-%d %H:%M")
        case time():
            return value.strftime("%H:%M:%S") if value.second else value.strftime("%H:%M")
        case _:
            return str(value)


# ── What both become ─────────────────────────────────────────────────────────
def _listed(rows: Iterable[Cells], name: str, kind: Kind) -> RawList:
    columns: list[str | None] = []
    unknown: list[str] = []
    seen: list[str] = []
    found: list[RawRow] = []
    for n, cells in rows:
        if not any(cell.strip() for cell in cells):
            continue
        if not columns:
            columns, unknown = _heads(cells, kind)
            told = [" ".join(cell.split())[:LONGEST_SEEN] for cell in cells if cell.strip() and cell is not UNWORKED]
            seen = told if not seen or len(seen) == 1 < len(told) else seen  # a title stands alone above the heads
            if n > HEAD_WITHIN and not columns:
                break
            continue
        if len(found) == MOST_ROWS:
            raise bad_value("{name} has more than {most} rows; divide it.", name=name or "–", most=MOST_ROWS)
        unworked = tuple(column for column, cell in zip(columns, cells, strict=False) if column is not None and cell is UNWORKED)
        found.append(RawRow(n, _row(columns, cells, n), unworked))
    if not columns:
        raise bad_value(
            "{name} has no heads that are known: the first row names the columns, {needed} among them. Found there: {found}.",
            name=name or "–",
            needed=", ".join(kind.heads()[column] for column in kind.needed),
            found=", ".join(f"“{head}”" for head in seen[:MOST_SEEN]) or "–",
        )
    if not found:
        raise bad_value("{name} has heads, but no row below them.", name=name or "–")
    return RawList(tuple(found), tuple(unknown))


def _heads(cells: list[str], kind: Kind) -> tuple[list[str | None], list[str]]:
    """The columns that a row names, if it is the row of the heads; a title above it is none."""
    columns = [kind.column_of(cell) for cell in cells[:MOST_COLUMNS]]
    known = [column for column in columns if column is not None]
    if not set(kind.needed) <= set(known):
        return [], []
    twice = next((column for column in known if known.count(column) > 1), None)
    if twice is not None:
        raise bad_value("Two columns are {column}; name one of them otherwise.", column=kind.heads()[twice])
    return columns, [
        cell.strip()[:40] for cell, column in zip(cells, columns, strict=False) if column is None and cell.strip() and cell is not UNWORKED
    ]


def _row(columns: list[str | None], cells: list[str], n: int) -> dict[str, str]:
    made = {}
    for column, cell in zip(columns, cells, strict=False):
        if column is None:
            continue
        if len(cell) > LONGEST_CELL:
            raise bad_value("Row {n}: a cell has more than {most} characters.", n=n, most=LONGEST_CELL)
        made[column] = "" if cell is UNWORKED else cell.strip()
    return made


def template(form: str) -> bytes:
    """A list to be filled in, with one example, in the language spoken.

    Args:
        form: `csv` or `xlsx`.
    """
    known = heads(language())
    example = {"left": "Ana", "right": "Boris", "round": "1", "table": "12", "length": "7", "rulebook": "ibgf", "start": "14:30"}
    order = ("round", "table", "left", "right", "length", "rulebook", "start", "reserve", "delay", "practice")
    names, values = [known[column] for column in order], [example.get(column, "") for column in order]
    if form == "csv":
        return to_table(names, [dict(zip(names, values, strict=True))])
    from openpyxl import Workbook

    book = Workbook()
    page = book.active
    assert page is not None  # noqa: S101 - a new workbook has a page
    page.append(names)
    page.append([int(value) if value.isdigit() else value for value in values])
    for place, _column in enumerate(order):
        page.column_dimensions["ABCDEFGHIJ"[place]].width = 18
    page.freeze_panes = "A2"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
