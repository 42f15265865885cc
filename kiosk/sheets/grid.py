"""Tables of texts and numbers, standings and crosstables, as CSV and as a workbook: what stands on a page, for a spreadsheet."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.say import _
from kiosk.sheets.spreadsheet import to_table
from kiosk.sheets.xlsx import Formats, opened, paper, sheet_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from xlsxwriter.worksheet import Worksheet

WIDEST = 40
"""A column has no more characters."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str | int | float, ...], ...]
    notes: tuple[str, ...] = ()
    """What stands below it."""
    crossed: int = 0
    """Of a crosstable: so many columns from the third on are one and the same thing each, a round or an opponent."""
    signed: frozenset[int] = frozenset()
    """Columns whose numbers are told with their sign: what has changed."""
    places: tuple[tuple[int, int], ...] = ()
    """Columns of money, each with the digits that stand behind its point whatever the amount."""

    def text(self, column: int, cell: str | float) -> str | float:
        """A cell as a CSV has it: money with all of its digits."""
        places = dict(self.places).get(column)
        return cell if places is None or isinstance(cell, str) else format(cell, f".{places}f")

    def shown(self) -> tuple[tuple[str, ...], ...]:
        """The rows as they are read: a column's numbers all with as many places behind the point as one of them needs, up to two."""
        money = dict(self.places)
        places = [money.get(n, max((_places(row[n]) for row in self.rows), default=0)) for n in range(len(self.heads))]
        forms = [f"{'+' if n in self.signed else ''}.{each}f" for n, each in enumerate(places)]
        return tuple(tuple(cell if isinstance(cell, str) else format(cell, forms[n]) for n, cell in enumerate(row)) for row in self.rows)


def _places(cell: str | float) -> int:
    return 0 if isinstance(cell, str) else len(f"{cell:.2f}".rstrip("0").partition(".")[2])


def to_grid_csv(grids: Sequence[Grid], *, title: str, at: datetime) -> bytes:  # noqa: ARG001 - a CSV has no place for them
    """The tables as one CSV; of several, the groups of a stage, each row begins with its table's title.

    Args:
        grids: The tables; where their heads differ, the longest hold for all.
        title: What they are of.
        at: When they were made.
    """
    group = _("Group")
    heads = max((grid.heads for grid in grids), key=len, default=())
    rows = [
        {group: grid.title, **{head: grid.text(n, cell) for n, (head, cell) in enumerate(zip(grid.heads, row, strict=True))}}
        for grid in grids
        for row in grid.rows
    ]
    return to_table([group, *heads], rows) if len(grids) > 1 else to_table(heads, [_without(row, group) for row in rows])


def _without(row: dict[str, str | int | float], column: str) -> dict[str, str | int | float]:
    return {key: cell for key, cell in row.items() if key != column}


def to_grid_xlsx(grids: Sequence[Grid], *, title: str, at: datetime) -> bytes:
    """The tables as a workbook, each on a worksheet of its own, with numbers as numbers.

    Args:
        grids: The tables.
        title: What they are of.
        at: When they were made, as it is told.
    """
    out = io.BytesIO()
    workbook = opened(out, title, at)
    formats = Formats(workbook)
    taken: set[str] = set()
    for grid in grids:
        _write(workbook.add_worksheet(sheet_name(grid.title, taken)), formats, grid, f"{title}, {at:%Y-%m-%d %H:%M}")
    if not grids:
        workbook.add_worksheet(sheet_name(title, taken))
    workbook.close()
    return out.getvalue()


def _write(page: Worksheet, formats: Formats, grid: Grid, title: str) -> None:
    paper(page, landscape=True)
    page.write_string(0, 0, title, formats.get("title"))
    for across, head in enumerate(grid.heads):
        page.write_string(2, across, head, formats.get("head"))
        longest = max((len(str(row[across])) for row in grid.rows), default=0)
        page.set_column(across, across, min(WIDEST, max(longest, *map(len, head.split(" "))) + 2))
    page.freeze_panes(3, 0)
    page.repeat_rows(2)
    places = dict(grid.places)
    for down, row in enumerate(grid.rows, 3):
        for across, cell in enumerate(row):
            if isinstance(cell, str):
                page.write_string(down, across, cell, formats.get("text"))
            else:
                page.write_number(down, across, cell, formats.get("plain" if across not in places else f"money{places[across]}"))
    for down, note in enumerate(grid.notes, 4 + len(grid.rows)):
        page.write_string(down, 0, note, formats.get("note"))
