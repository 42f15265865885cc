"""A crosstable on paper: its columns of equal width, its letters as large as they can be, its names beside every part of it.

Where not even small letters leave room for all columns, they stand on several pages beside each other, each with the names, and the last
with the sum. Every fifth line and column is a little darker, and heads stand on each page anew: in two hundred lines by eleven rounds
the eye finds its way.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from kiosk.say import _
from kiosk.sheets.paper import CAPITAL, INK, LEADING, PT, QUIET, RULE, shortened, spelled, width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kiosk.sheets.flow import Flow
    from kiosk.sheets.grid import Grid
    from kiosk.sheets.paper import Align

SIZES = (9.0, 8.5, 8.0, 7.5, 7.0)
"""Of letters, in points, the best first; none smaller, for it is read on a wall."""
PAD, SIDE = 0.45, 0.9
"""Above and below a line; left and right in a cell."""
NARROWEST, WIDEST = 4.6, 13.0
"""A column's width, whatever stands in it, and of several that have room to spare."""
NAMES = (40.0, 62.0)
"""The width of the names: at least, and no more."""
BELOW = 8.0
"""What notes need below a table."""
LIGHT, STRONG = 215, 150
"""Greys of lines, and of every fifth."""
SELF = "■"
"""Where somebody would meet himself; drawn, for not every face has it."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """One part of a crosstable: which of its columns stand here, and how wide."""

    size: float
    columns: tuple[int, ...]
    wides: tuple[float, ...]
    crossed: range
    """Those of them that are all alike."""

    @property
    def high(self) -> float:
        """A line's height."""
        return self.size * LEADING * PT + 2 * PAD


def narrow(grid: Grid) -> float:
    """The least width at which a crosstable stands as it should, with the middle size of letters."""
    return _Measured.of(grid).wide(SIZES[2], grid.crossed, NAMES[1])


def put(flow: Flow, grid: Grid, title: str) -> None:
    """Put a crosstable on paper.

    Args:
        flow: Where it stands.
        grid: What stands in it.
        title: Its own, where it is one of several.
    """
    if title:
        flow.heading(title, 10.5, 25)
    plans = _plans(grid, flow.wide, flow.bottom - flow.y - BELOW)
    for n, plan in enumerate(plans):
        if n:
            flow.room(min(plan.high * (len(grid.rows) + 2) + 8, flow.bottom - flow.top - 20))
        if len(plans) > 1:
            first, last = grid.heads[2 + plan.crossed[0]], grid.heads[2 + plan.crossed[-1]]
            flow.heading(_("Columns {first} to {last}", first=first, last=last), 9, 5 * plan.high)
        _part(flow, grid, plan)


# ── How wide, how large ──────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class _Measured:
    """The widths of a crosstable's columns with letters of one point, without what is left free in a cell."""

    rank: float
    names: float
    cell: float
    """Of the widest of those that are alike."""
    tail: tuple[float, ...]

    @staticmethod
    def of(grid: Grid) -> _Measured:
        rows = grid.shown()
        wides = [
            max([width(spelled(head), 1.0, bold=True), *(width(spelled(row[n]), 1.0) for row in rows)]) for n, head in enumerate(grid.heads)
        ]
        behind = 2 + grid.crossed
        return _Measured(wides[0], wides[1], max(wides[2:behind]), tuple(wides[behind:]))

    def cell_at(self, size: float) -> float:
        return max(NARROWEST, self.cell * size + 2 * SIDE)

    def names_at(self, size: float, most: float) -> float:
        return min(self.names * size + 2 * SIDE + 0.1, most)

    def wide(self, size: float, cells: int, names: float) -> float:
        """How wide all of it is, with so many cells and names not wider than that."""
        outer = (self.rank + sum(self.tail)) * size + 2 * SIDE * (1 + len(self.tail))
        return outer + self.names_at(size, names) + cells * self.cell_at(size)


def _plans(grid: Grid, wide: float, high: float) -> list[_Plan]:
    """As few parts as can be; then whole names before large letters, and all lines on one page before larger ones."""
    measured = _Measured.of(grid)
    parts = next(
        (n for n in range(1, grid.crossed + 1) if measured.wide(SIZES[-1], ceil(grid.crossed / n), NAMES[0]) <= wide), grid.crossed
    )
    each = ceil(grid.crossed / parts)
    fitting = next(
        (found for names in reversed(NAMES) if (found := [s for s in SIZES if measured.wide(s, each, names) <= wide])), [SIZES[-1]]
    )
    size = next((size for size in fitting if (len(grid.rows) + 1) * (size * LEADING * PT + 2 * PAD) <= high), fitting[0])
    return [_plan(grid, measured, size, range(at, min(at + each, grid.crossed)), wide) for at in range(0, grid.crossed, each)]


def _plan(grid: Grid, measured: _Measured, size: float, crossed: range, wide: float) -> _Plan:
    """With what is left over given to names first, then to the cells."""
    outer = measured.wide(size, 0, 0.0)
    names = min(measured.names_at(size, wide), wide - outer - len(crossed) * measured.cell_at(size))
    cell = min(WIDEST, (wide - outer - names) / len(crossed))
    tail = range(2 + grid.crossed, len(grid.heads))
    wides = (measured.rank * size + 2 * SIDE, names, *(cell for _n in crossed), *(each * size + 2 * SIDE for each in measured.tail))
    return _Plan(size, (0, 1, *(2 + n for n in crossed), *tail), wides, crossed)


# ── Drawn ────────────────────────────────────────────────────────────────────
def _part(flow: Flow, grid: Grid, plan: _Plan) -> None:
    """Its lines; the heads on each page anew."""
    flow.room(4 * plan.high)
    top = _heads(flow, grid, plan)
    shown = grid.shown()
    for n, row in enumerate(shown, 1):
        if flow.y + plan.high > flow.bottom:
            _upright(flow, plan, top)
            flow.turn()
            top = _heads(flow, grid, plan)
        _row(flow, row, plan)
        strong = n % 5 == 0 or n == len(shown)
        flow.paper.line((flow.left, flow.y), (flow.left + sum(plan.wides), flow.y), grey=STRONG if strong else LIGHT)
    _upright(flow, plan, top)
    flow.y += 2


def _heads(flow: Flow, grid: Grid, plan: _Plan) -> float:
    """The heads; where they began."""
    top = flow.y
    flow.paper.box(flow.left, flow.y, sum(plan.wides), plan.high)
    _cells(flow, [grid.heads[n] for n in plan.columns], plan, bold=True)
    return top


def _row(flow: Flow, row: Sequence[str], plan: _Plan) -> None:
    _cells(flow, [row[n] for n in plan.columns], plan, bold=False)


def _cells(flow: Flow, texts: Sequence[str], plan: _Plan, *, bold: bool) -> None:
    x = flow.left
    baseline = flow.y + (plan.high + plan.size * CAPITAL * PT) / 2
    for n, (text, wide) in enumerate(zip(texts, plan.wides, strict=True)):
        inner = wide - 2 * SIDE
        if text == SELF:
            flow.paper.box(x, flow.y, wide, plan.high, RULE)
        elif text:
            told = shortened(text, plan.size, inner, bold=bold)[0]
            flow.paper.text(x + SIDE, baseline, told, plan.size, bold=bold, grey=QUIET if bold else INK, align=_align(n, plan), wide=inner)
        x += wide
    flow.y += plan.high


def _align(n: int, plan: _Plan) -> Align:
    if n == 1:
        return "left"
    return "centre" if 2 <= n < 2 + len(plan.crossed) else "right"


def _upright(flow: Flow, plan: _Plan, top: float) -> None:
    """The lines between the columns."""
    x = flow.left
    for n, wide in enumerate((0.0, *plan.wides)):
        x += wide
        fifth = n >= 2 and (n - 2 + plan.crossed[0]) % 5 == 0
        flow.paper.line((x, top), (x, flow.y), grey=STRONG if fifth or n in {0, 2, len(plan.wides)} else LIGHT)
