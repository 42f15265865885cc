"""A sheet to be filled in by hand, at a table without a device: what is known stands there, everything else has room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.domain.types import Pair
from kiosk.say import _, language
from kiosk.sheets.cells import Lasting
from kiosk.sheets.flow import Flow
from kiosk.sheets.paper import CAPITAL, LEADING, PT, QUIET, RULE, Paper, broken, width
from kiosk.sheets.printed import control_words, length_words, provide_words

if TYPE_CHECKING:
    from kiosk.domain.setup import MatchSetup
    from kiosk.sheets.paper import Align

A4 = (210.0, 297.0)
MARGIN = 14.0
ROW = 7.5
"""The height of a line to write on."""
FEWEST, MOST = 7, 49
"""Lines for games: as many as the longest match of a length can have (2 · length − 1), within these."""


def to_blank(
    setup: MatchSetup | None = None, *, event: str = "", round_name: str = "", table: str = "", match: str = "", rulebook: str = ""
) -> bytes:
    """An empty sheet as a PDF of A4 pages, in the language spoken.

    Args:
        setup: What was agreed, filled in; None leaves everything to be written by hand.
        event: The tournament, where it is known.
        round_name: The round, where it is known.
        table: The table's name or number, where it is known.
        match: The match's id or number, where it is known.
        rulebook: The regulation's title; without it its word is taken.
    """
    wide, high = A4
    paper = Paper(wide, high)
    names = Pair("", "") if setup is None else Pair(" / ".join(setup.players.left), " / ".join(setup.players.right))
    flow = Flow(paper, MARGIN, MARGIN, wide - 2 * MARGIN, high - 16)
    flow.running = lambda further: _running(further, names)
    flow.paragraph(_("Score sheet"), 20, bold=True)
    flow.y += 2
    _fields(flow, ((_("Event"), event), (_("Round"), round_name), (_("Table"), table), (_("Match"), match)), 2)
    _fields(flow, ((_("Left side"), names.left), (_("Right side"), names.right)), 2)
    _fields(flow, _agreed(setup, rulebook), 2)
    _games(flow, setup)
    _breaks(flow, setup)
    _grid(flow, _("Penalties and rulings"), _ruling_columns(), 4)
    _end(flow, names)
    _feet(paper)
    return paper.written(_("Score sheet"), None, language())


def _agreed(setup: MatchSetup | None, rulebook: str) -> tuple[tuple[str, str], ...]:
    titles = (_("Rulebook"), _("Match length"), _("Time control"), _("Bonus time and breaks"))
    starts = (_("Reserve at the start, left"), _("Reserve at the start, right"), _("Date"), _("Begun at"))
    if setup is None:
        return tuple((title, "") for title in (titles[0], titles[1], titles[2], titles[3], *starts))
    told = (rulebook or setup.rulebook, length_words(setup.length), control_words(setup))
    if not setup.control.clocked:
        return (*zip(titles, told, strict=False), *((title, "") for title in starts[2:]))
    reserves = (Lasting(setup.reserve.left, exact=True).text, Lasting(setup.reserve.right, exact=True).text)
    return (*zip(titles, (*told, provide_words(setup)), strict=True), *zip(starts, (*reserves, "", ""), strict=True))


def _fields(flow: Flow, fields: tuple[tuple[str, str], ...], columns: int) -> None:
    """Titles with a line to write on, or with what is known."""
    gap, size = 6.0, 9.5
    wide = (flow.wide - gap * (columns - 1)) / columns
    for start in range(0, len(fields), columns):
        row = fields[start : start + columns]
        told = [broken(value, size, wide - width(title, 8) - 3, bold=True) for title, value in row]
        step = size * LEADING * PT
        high = max(ROW, max(len(lines) for lines in told) * step + 2)
        flow.room(high)
        for number, ((title, _value), lines) in enumerate(zip(row, told, strict=True)):
            x = flow.left + number * (wide + gap)
            flow.paper.text(x, flow.y + high - 1.6, title, 8, grey=QUIET)
            begin = x + width(title, 8) + 2
            for i, line in enumerate(lines):
                flow.paper.text(begin + 1, flow.y + high - 1.6 - (len(lines) - 1 - i) * step, line, size, bold=True)
            flow.paper.line((begin, flow.y + high - 0.6), (x + wide, flow.y + high - 0.6), grey=RULE)
        flow.y += high
    flow.y += 1.5


def _games(flow: Flow, setup: MatchSetup | None) -> None:
    length = 0 if setup is None or setup.length is None else setup.length
    rows = min(MOST, max(FEWEST, 2 * length - 1)) if length else 15
    cube = setup is None or setup.cube
    clocked = setup is None or setup.control.clocked
    columns: list[tuple[str, float, Align]] = [
        (_("Game"), 11, "right"),
        (_("Winner"), 42, "left"),
        (_("Win"), 24, "left"),
        *(((_("Cube"), 13, "left"),) if cube else ()),
        (_("Points"), 14, "left"),
        (_("Score, left"), 17, "left"),
        (_("Score, right"), 17, "left"),
        *(((_("Reserve, left"), 21, "left"), (_("Reserve, right"), 21, "left")) if clocked else ()),
    ]
    _grid(flow, _("Games"), tuple(columns), rows, numbered=True)


def _breaks(flow: Flow, setup: MatchSetup | None) -> None:
    rows = 4 if setup is None else 2 * setup.breaks
    if rows:
        columns: tuple[tuple[str, float, Align], ...] = (
            (_("After game"), 20, "left"),
            (_("Taken by"), 60, "left"),
            (_("From"), 22, "left"),
            (_("To"), 22, "left"),
            (_("Reserve, left"), 28, "left"),
            (_("Reserve, right"), 28, "left"),
        )
        _grid(flow, _("Breaks"), columns, rows)


def _ruling_columns() -> tuple[tuple[str, float, Align], ...]:
    return (
        (_("Time of day"), 18, "left"),
        (_("Game"), 13, "left"),
        (_("Against"), 36, "left"),
        (_("Infraction"), 52, "left"),
        (_("Sanction"), 32, "left"),
        (_("Ruled by"), 30, "left"),
    )


def _grid(flow: Flow, title: str, columns: tuple[tuple[str, float, Align], ...], rows: int, *, numbered: bool = False) -> None:
    """A table to write in; its headings are said again on each page."""
    share = flow.wide / sum(wide for _title, wide, _align in columns)
    wides = [wide * share for _title, wide, _align in columns]
    heads = [broken(name, 7.5, wide - 2) for (name, _wide, _align), wide in zip(columns, wides, strict=True)]
    high = max(len(lines) for lines in heads) * 7.5 * LEADING * PT + 1.4
    flow.heading(title, 10.6, high + 2 * ROW)
    _grid_head(flow, heads, wides, high)
    for number in range(1, rows + 1):
        if flow.room(ROW):
            _grid_head(flow, heads, wides, high)
        if numbered:
            flow.paper.text(flow.left, flow.y + ROW - 2.3, str(number), 9, grey=QUIET, align="right", wide=wides[0] - 2)
        x = flow.left
        for wide in wides:
            flow.paper.frame(x, flow.y, wide, ROW)
            x += wide
        flow.y += ROW
    flow.y += 1.5


def _grid_head(flow: Flow, heads: list[list[str]], wides: list[float], high: float) -> None:
    flow.paper.box(flow.left, flow.y, flow.wide, high)
    x, step = flow.left, 7.5 * LEADING * PT
    for lines, wide in zip(heads, wides, strict=True):
        for number, line in enumerate(lines):
            flow.paper.text(x + 1, flow.y + 0.7 + number * step + (step + 7.5 * CAPITAL * PT) / 2, line, 7.5, grey=QUIET)
        x += wide
    flow.y += high


def _end(flow: Flow, names: Pair[str]) -> None:
    """Result, signatures and referee together on one page."""
    flow.heading(_("Result"), 10.6, 78)
    _fields(flow, ((_("Winner"), ""), (_("Score"), ""), (_("How it ended"), ""), (_("Ended at"), "")), 2)
    _fields(flow, ((_("Notes"), ""),), 1)
    gap = 6.0
    half = (flow.wide - gap) / 2
    flow.heading(_("Signatures"), 10.6, 44)
    top = flow.y
    ends = []
    for name, side, x in ((names.left, _("Left side"), flow.left), (names.right, _("Right side"), flow.left + half + gap)):
        flow.paper.frame(x, top, half, 20)
        y = top + 20
        for line in broken(name or side, 9, half, bold=bool(name)):
            y += 9 * LEADING * PT
            flow.paper.text(x, y - 0.6, line, 9, bold=bool(name))
        flow.paper.frame(x, y + 1.2, 3.2, 3.2)
        flow.paper.text(x + 4.6, y + 3.9, _("under protest"), 8.5, grey=QUIET)
        ends.append(y + 6)
    flow.y = max(ends)
    _fields(flow, ((_("Referee"), ""), (_("Received by, time"), "")), 2)


def _running(flow: Flow, names: Pair[str]) -> None:
    words = f"{names.left} – {names.right}" if names.left else _("Score sheet")
    flow.paper.text(flow.left, flow.y + 3, broken(words, 8.5, flow.wide, bold=True)[0], 8.5, bold=True)
    flow.paper.line((flow.left, flow.y + 4.6), (flow.left + flow.wide, flow.y + 4.6), grey=RULE)
    flow.y += 7


def _feet(paper: Paper) -> None:
    count = len(paper.pages)
    wide, high = paper.wide - 2 * MARGIN, paper.high - 10
    for number, page in enumerate(paper.pages, 1):
        foot = Paper(paper.wide, paper.high)
        foot.text(MARGIN, high, _("page {n} of {count}", n=number, count=count), 7.5, grey=QUIET, align="right", wide=wide)
        page.extend(foot.pages[0])
