"""Registers of an event, read back from their bytes as whoever files them reads them."""

from __future__ import annotations

import csv
import io
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evenings import rows_of
from openpyxl import load_workbook

if TYPE_CHECKING:
    from kiosk.ports import Row

SCENARIOS = Path(__file__).parents[1] / "scenarios"

RICH = (
    "05-crawford",
    "07-breaks",
    "09-power-cut-and-wrong-date",
    "10-correction-window",
    "28-bronstein-gives-back",
    "30-fischer-adds-at-the-start-of-the-turn",
    "35-double-forfeit",
    "56-a-correction-clears-the-signatures",
    "61-pairs",
    "62-players-swap-seats-before-the-first-press",
    "79-a-second-match",
    "80-a-free-session-has-no-clock",
    "100-drawn-signatures",
    "110-a-whole-match-with-appeals",
    "112-a-lost-game-comes-off-later",
    "116-suspended-over-a-power-cut",
    "117-a-spare-device-takes-over",
    "118-the-same-penalty-twice",
    "121-a-forfeit-is-received",
)
"""Scenarios that together hold whatever a sheet can hold."""


@cache
def played(name: str) -> tuple[Row, ...]:
    """The journal of a scenario."""
    text = (SCENARIOS / f"{name}.jsonl").read_text(encoding="utf-8")
    return tuple(rows_of(*(json.loads(line) for line in text.splitlines() if line.strip() and not line.startswith("#")), strict=False))


def book(data: bytes) -> dict[str, list[dict[str, Any]]]:
    """A workbook's worksheets as rows by their heads; of two heads alike the first one counts."""
    found = {}
    for page in load_workbook(io.BytesIO(data)):
        heads, *rows = page.iter_rows(values_only=True)
        found[page.title] = [dict(reversed(list(zip(heads, row, strict=True)))) for row in rows]
    return found


def table(data: bytes) -> list[dict[str, str]]:
    """A CSV's rows."""
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
