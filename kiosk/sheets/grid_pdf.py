"""Tables of a tournament on A4: standings, crosstables, pairings, rankings, ratings.

Upright where everything has room so, else across. Every page says of what it is and which it is of how many; the heads of a table stand on
each page anew. How a crosstable is laid out is in `kiosk.sheets.cross`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.say import _, language
from kiosk.sheets import cross
from kiosk.sheets.flow import SIDES, Flow, Look, table
from kiosk.sheets.paper import CAPITAL, INK, LEADING, PT, QUIET, RULE, Paper, broken, shortened, spelled, width
from kiosk.sheets.sections import Column, Section

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from kiosk.sheets.grid import Grid
    from kiosk.sheets.sections import Align

A4 = (210.0, 297.0)
MARGIN = 12.0
FOOT = 9.0
"""From the paper's lower edge to the foot's baseline."""
SIZE, SMALLEST = 8.5, 7.5
"""Of letters in a table, in points: as it is, and where it has no room so."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands above the tables, and at the foot of every page."""

    event: str
    """What the event is called."""
    title: str
    """What this is: the stage and `Crosstable`, say."""
    at: datetime
    """When it was so, as it is told."""
    about: tuple[tuple[str, str], ...] = ()
    """How it was played, as (what, how): the order of tie-breaks, how unplayed rounds count, the draws' seed."""
    notes: tuple[str, ...] = ()
    """What stands behind the last table."""


def to_grid_pdf(grids: Sequence[Grid], heading: Heading) -> bytes:
    """The tables as a PDF, in the language spoken.

    Args:
        grids: The tables, in their order.
        heading: Of what they are.
    """
    return on_pages(grids, heading).written(f"{heading.event}: {heading.title}", heading.at, language())


def on_pages(grids: Sequence[Grid], heading: Heading) -> Paper:
    """The same as pages."""
    paper, flow = begun(heading, across=any(_wants_width(grid) for grid in grids))
    for grid in grids:
        if grid.crossed:
            cross.put(flow, grid, grid.title if len(grids) > 1 else "")
        else:
            _put(flow, grid, grid.title if len(grids) > 1 else "")
        for note in grid.notes:
            flow.paragraph(note, 8, grey=QUIET)
    if not grids:
        flow.paragraph(_("Nothing stands here yet."), 9, grey=QUIET)
    ended(paper, flow, heading)
    return paper


# ── The frame ────────────────────────────────────────────────────────────────
def begun(heading: Heading, *, across: bool) -> tuple[Paper, Flow]:
    """Paper with its first page's head.

    Args:
        heading: What it says.
        across: Whether the paper lies on its side.
    """
    high, wide = A4 if across else reversed(A4)
    paper = Paper(wide, high)
    flow = Flow(paper, MARGIN, MARGIN - 2, wide - 2 * MARGIN, high - FOOT - 6, lambda f: _running_head(f, heading))
    flow.paragraph(heading.event, 15, bold=True)
    flow.paragraph(heading.title, 11, bold=True)
    flow.paragraph(_as_of(heading), 8.5, grey=QUIET)
    flow.y += 1.2
    _about(flow, heading.about)
    return paper, flow


def ended(paper: Paper, flow: Flow, heading: Heading) -> None:
    """The notes, and the foot of every page."""
    flow.y += 1.5
    for note in heading.notes:
        flow.paragraph(note, 8, grey=QUIET)
    wide, high, count = paper.wide - 2 * MARGIN, paper.high - FOOT, len(paper.pages)
    for number, page in enumerate(paper.pages, 1):
        foot = Paper(paper.wide, paper.high)
        foot.line((MARGIN, high - 3.6), (MARGIN + wide, high - 3.6), grey=RULE)
        foot.text(MARGIN, high, shortened(f"{heading.event} · {heading.title}", 7.5, wide - 40)[0], 7.5, grey=QUIET)
        foot.text(MARGIN, high, _("page {n} of {count}", n=number, count=count), 7.5, grey=QUIET, align="right", wide=wide)
        page.extend(foot.pages[0])


def _as_of(heading: Heading) -> str:
    return _("As of {moment}", moment=f"{heading.at:%Y-%m-%d %H:%M}")


def _running_head(flow: Flow, heading: Heading) -> None:
    date = _as_of(heading)
    room = flow.wide - width(spelled(date), 8.5) - 6
    flow.paper.text(flow.left, flow.y + 3, shortened(f"{heading.event} · {heading.title}", 8.5, room, bold=True)[0], 8.5, bold=True)
    flow.paper.text(flow.left, flow.y + 3, date, 8.5, grey=QUIET, align="right", wide=flow.wide)
    flow.paper.line((flow.left, flow.y + 4.6), (flow.left + flow.wide, flow.y + 4.6), grey=RULE)
    flow.y += 6.5


def _about(flow: Flow, about: Sequence[tuple[str, str]]) -> None:
    """How it was played: what before how, on paper that lies across two beside each other."""
    beside = 2 if flow.wide > A4[0] else 1
    size, step, room = 8.0, 8.0 * LEADING * PT, flow.wide / beside
    wide = min(60.0, max((width(spelled(what), size) for what, _how in about), default=0.0) + 4)
    for row in (about[n : n + beside] for n in range(0, len(about), beside)):
        told = [(broken(what, size, wide - 2), broken(how, size, room - wide - 3)) for what, how in row]
        lines = max(len(part) for both in told for part in both)
        flow.room(lines * step)
        for at, both in enumerate(told):
            for x, part, grey in ((0.0, both[0], QUIET), (wide, both[1], INK)):
                for n, text in enumerate(part):
                    baseline = flow.y + n * step + (step + size * CAPITAL * PT) / 2
                    flow.paper.text(flow.left + at * room + x, baseline, text, size, grey=grey)
        flow.y += lines * step
    flow.y += 2.0


# ── Tables of words and numbers ──────────────────────────────────────────────
def _wants_width(grid: Grid) -> bool:
    """Whether a table has no room on upright paper."""
    room = A4[0] - 2 * MARGIN
    if grid.crossed:
        return cross.narrow(grid) > room
    return sum(_natural(grid)) > room


def _natural(grid: Grid) -> list[float]:
    """How wide its columns are where nothing is broken."""
    rows = [grid.heads, *grid.shown()]
    return [max(width(spelled(row[n]), SIZE) for row in rows) + SIDES for n in range(len(grid.heads))]


def _put(flow: Flow, grid: Grid, title: str) -> None:
    """A table; its first column is a rank or a number, the second one names."""
    numbers = [any(not isinstance(row[n], str) for row in grid.rows) for n in range(len(grid.heads))]
    wides = _natural(grid)
    filled = [n for n in range(len(grid.heads)) if n < 2 or not grid.rows or any(row[n] != "" for row in grid.rows)]
    columns = tuple(
        Column("names" if n == 1 else str(n), grid.heads[n], share=0 if numbers[n] or not n else round(wides[n]), align=_align(numbers[n]))
        for n in filled
    )
    rows = tuple(tuple(row[n] for n in filled) for row in grid.shown())
    small = len(columns) > 12
    table(flow, Section("grid", title, columns, rows, none=_("Nothing stands here yet.")), Look(SMALLEST if small else SIZE, 0.5))


def _align(number: bool) -> Align:  # noqa: FBT001 - a column's
    return "right" if number else "left"
