"""What goes into a spreadsheet's cell: letters that can be seen, and nothing that could become a formula."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

BOM = b"\xef\xbb\xbf"
"""By it a spreadsheet knows UTF-8."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""A spreadsheet would run a cell of a CSV that begins so."""


def clean(text: str) -> str:
    """The text with a space for each letter that cannot be seen."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def safe(value: object) -> object:
    """A value for a CSV's cell: a text that could become a formula gets an apostrophe before it."""
    if not isinstance(value, str):
        return value
    return "'" + clean(value) if value.startswith(FORMULA_STARTS) else clean(value)


def to_table(columns: Iterable[str], rows: Iterable[Mapping[str, object]]) -> bytes:
    """A CSV for spreadsheets: UTF-8 with BOM, CRLF, None as an empty cell, no cell that could become a formula."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(columns), restval="")
    writer.writeheader()
    for row in rows:
        writer.writerow({key: safe(value) for key, value in row.items()})
    return BOM + out.getvalue().encode("utf-8")
