"""Tables of a printed sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from kiosk.sheets.cells import Cell

Align = Literal["left", "right", "centre"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column."""

    key: str
    """Its word for programs: the same as in the JSON where there is one."""
    title: str
    share: int = 0
    """Its part of the width that is left over; 0 is as wide as what stands in it."""
    align: Align = "left"
    below: bool = False
    """On paper it stands under the row, with its title before it, and only where there is something."""


@dataclass(frozen=True, slots=True)
class Section:
    """One table with its heading."""

    key: str
    """Its word for programs: `games`, `rulings` …"""
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    struck: frozenset[int] = frozenset()
    """Rows that count no more."""
    none: str = ""
    """What stands there where there are no rows."""
