"""A sheet to be filled in by hand, at a table without a device: what is known stands there, everything else has room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.types import Pair
from kiosk.say import _, language
from kiosk.sheets.cells import Lasting
from kiosk.sheets.flow import PAIRED, Flow, in_one_line
from kiosk.sheets.paper import CAPITAL, LEADING, PT, QUIET, RULE, Paper, broken, longest_word, shortened, width
from kiosk.sheets.printed import control_words, length_words, provide_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kiosk.domain.setup import MatchSetup
    from kiosk.sheets.paper import Align

A4 = (210.0, 297.0)
MARGIN = 14.0
ROWS = (7.5, 7.0, 6.6, 6.2)
"""Heights of a line to write on, the best first."""
NATURAL = ("games", "breaks", "rulings", "end")
SIGNED_FIRST = ("games", "end", "breaks", "rulings")
HEADS = (7.5, 7.0, 6.5, 6.0)
"""Sizes of a table's headings, the best first."""
LINES, NAME_LINES = 3, 6
"""What is known has at most so many lines; a pair of the longest names has room in the latter."""
NOBODY = Pair("", "")
FEWEST, MOST = 7, 49
"""Lines for games: as many as the longest match of a length can have (2 · length − 1), within these."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is filled in."""

    setup: MatchSetup | None
    names: Pair[str]
    length: int | None
    places: tuple[tuple[str, str], ...]
    """Event, round, table, match."""
    agreed: tuple[tuple[str, str], ...]
    """Rulebook, length, control, times."""


def to_blank(
    setup: MatchSetup | None = None,
    *,
    names: Pair[str] = NOBODY,
    length: int | None = None,
    control: str = "",
    rulebook: str = "",
    event: str = "",
    round_name: str = "",
    table: str = "",
    match: str = "",
) -> bytes:
    """An empty sheet as a PDF of A4 pages, in the language spoken: one page where everything has room on it.

    Args:
        setup: What was agreed, filled in; None leaves everything to be written by hand but what is said here.
        names: Both sides' names, where there is no setup.
        length: Match length in points, where there is no setup.
        control: The time control in words, where there is no setup.
        rulebook: The regulation's title; without it the setup's word is taken.
        event: The tournament, where it is known.
        round_name: The round, where it is known.
        table: The table's name or number, where it is known.
        match: The match's id or number, where it is known.
    """
    if setup is not None:
        names, length = Pair(PAIRED.join(setup.players.left), PAIRED.join(setup.players.right)), setup.length
    places = ((_("Event"), event), (_("Round"), round_name), (_("Table"), table), (_("Match"), match))
    known = Known(setup, names, length, places, _agreed(setup, rulebook, "" if length is None else length_words(length), control))
    laid = (
        _tried(known, NATURAL, lambda paper, _signed: len(paper.pages) == 1)
        or _tried(known, SIGNED_FIRST, lambda _paper, signed: signed == 1)  # at least whatever is signed stands on one page with the games
        or _laid_out(known, ROWS[0], NATURAL)[0]
    )
    _feet(laid)
    return laid.written(_("Score sheet"), None, language())


def _tried(known: Known, order: tuple[str, ...], fits: Callable[[Paper, int], bool]) -> Paper | None:
    """All parts with the highest lines that fit."""
    return next((paper for paper, signed in (_laid_out(known, row, order) for row in ROWS) if fits(paper, signed)), None)


def _laid_out(known: Known, row: float, order: tuple[str, ...]) -> tuple[Paper, int]:
    """All parts with lines of a height; and how many pages there are when the signatures are in place."""
    wide, high = A4
    paper = Paper(wide, high)
    flow = Flow(paper, MARGIN, MARGIN - 3, wide - 2 * MARGIN, high - 14, lambda further: _running(further, known.names))
    form = Form(flow, row)
    flow.paragraph(_("Score sheet"), 18, bold=True)
    form.fields(known.places, 2)
    form.fields(((_("Left side"), known.names.left), (_("Right side"), known.names.right)), 2, NAME_LINES)
    form.fields(known.agreed, 2)
    signed = 0
    for part in order:
        if part == "games":
            _games(form, known)
        elif part == "breaks":
            _breaks(form, known.setup)
        elif part == "rulings":
            form.grid(_("Penalties and rulings"), _ruling_columns(), 3)
        else:
            _end(form, known.names)
            signed = len(paper.pages)
    return paper, signed


def _agreed(setup: MatchSetup | None, rulebook: str, length: str, control: str) -> tuple[tuple[str, str], ...]:
    titles = (_("Rulebook"), _("Match length"), _("Time control"), _("Bonus time and breaks"))
    starts = (_("Reserve at the start, left"), _("Reserve at the start, right"), _("Date"), _("Begun at"))
    if setup is None:
        return (*zip(titles, (rulebook, length, control, ""), strict=True), *((title, "") for title in starts))
    told = (rulebook or setup.rulebook, length_words(setup.length), control_words(setup))
    if not setup.control.clocked:
        return (*zip(titles, told, strict=False), *((title, "") for title in starts[2:]))
    reserves = (Lasting(setup.reserve.left, exact=True).text, Lasting(setup.reserve.right, exact=True).text)
    return (*zip(titles, (*told, provide_words(setup)), strict=True), *zip(starts, (*reserves, "", ""), strict=True))


@dataclass(frozen=True)
class Form:
    """Lines and tables to write in."""

    flow: Flow
    row: float
    """The height of a line."""

    def fields(self, fields: tuple[tuple[str, str], ...], columns: int, lines: int = LINES) -> None:
        """Titles with a line to write on, or with what is known, in at most so many lines."""
        gap, size = 6.0, 9.5
        wide = (self.flow.wide - gap * (columns - 1)) / columns
        for start in range(0, len(fields), columns):
            row = fields[start : start + columns]
            told = [shortened(value, size, wide - width(title, 8) - 3, bold=True, lines=lines) for title, value in row]
            step = size * LEADING * PT
            high = max(self.row, max(map(len, told)) * step + 2)
            self.flow.room(high)
            for number, ((title, _value), words) in enumerate(zip(row, told, strict=True)):
                x = self.flow.left + number * (wide + gap)
                self.flow.paper.text(x, self.flow.y + high - 1.6, title, 8, grey=QUIET)
                begin = x + width(title, 8) + 2
                for i, line in enumerate(words):
                    self.flow.paper.text(begin + 1, self.flow.y + high - 1.6 - (len(words) - 1 - i) * step, line, size, bold=True)
                self.flow.paper.line((begin, self.flow.y + high - 0.6), (x + wide, self.flow.y + high - 0.6), grey=RULE)
            self.flow.y += high
        self.flow.y += 1.5

    def grid(self, title: str, columns: tuple[tuple[str, float, Align], ...], rows: int, *, numbered: bool = False) -> None:
        """A table to write in; its headings are said again on each page."""
        names = [name for name, _wide, _align in columns]
        size, wides = _headed(names, [wide for _name, wide, _align in columns], self.flow.wide)
        heads = [broken(name, size, wide - 2) for name, wide in zip(names, wides, strict=True)]
        high = max(map(len, heads)) * size * LEADING * PT + 1.4
        self.flow.heading(title, 10.6, high + 2 * self.row)
        self._grid_head(heads, wides, size, high)
        for number in range(1, rows + 1):
            if self.flow.room(self.row):
                self._grid_head(heads, wides, size, high)
            if numbered:
                self.flow.paper.text(
                    self.flow.left, self.flow.y + self.row - 2.3, str(number), 9, grey=QUIET, align="right", wide=wides[0] - 2
                )
            x = self.flow.left
            for wide in wides:
                self.flow.paper.frame(x, self.flow.y, wide, self.row)
                x += wide
            self.flow.y += self.row
        self.flow.y += 1.5

    def _grid_head(self, heads: list[list[str]], wides: list[float], size: float, high: float) -> None:
        self.flow.paper.box(self.flow.left, self.flow.y, self.flow.wide, high)
        x, step = self.flow.left, size * LEADING * PT
        for lines, wide in zip(heads, wides, strict=True):
            for number, line in enumerate(lines):
                self.flow.paper.text(x + 1, self.flow.y + 0.7 + number * step + (step + size * CAPITAL * PT) / 2, line, size, grey=QUIET)
            x += wide
        self.flow.y += high


def _headed(names: Sequence[str], shares: Sequence[float], wide: float) -> tuple[float, list[float]]:
    """The largest size of headings, and the columns' widths, in which no heading is broken within a word; else the smallest."""
    spread = wide / sum(shares)
    plain = [share * spread for share in shares]
    for size in HEADS:
        needs = [longest_word(name, size) + 2.1 for name in names]
        lack = sum(max(0.0, need - each) for need, each in zip(needs, plain, strict=True))
        spare = sum(max(0.0, each - need) for need, each in zip(needs, plain, strict=True))
        if lack < spare:  # those that have more than they need give by what they have
            kept = 1 - lack / spare
            return size, [need + max(0.0, each - need) * kept for need, each in zip(needs, plain, strict=True)]
    return HEADS[-1], plain


def _games(form: Form, known: Known) -> None:
    setup, length = known.setup, known.length or 0
    rows = min(MOST, max(FEWEST, 2 * length - 1)) if length else 13
    cube = setup is None or setup.cube
    clocked = setup is None or setup.control.clocked
    columns: list[tuple[str, float, Align]] = [
        (_("Game"), 14, "right"),
        (_("Winner"), 39, "left"),
        (_("Win"), 24, "left"),
        *(((_("Cube"), 13, "left"),) if cube else ()),
        (_("Points"), 14, "left"),
        (_("Score, left"), 17, "left"),
        (_("Score, right"), 17, "left"),
        *(((_("Reserve, left"), 21, "left"), (_("Reserve, right"), 21, "left")) if clocked else ()),
    ]
    form.grid(_("Games"), tuple(columns), rows, numbered=True)


def _breaks(form: Form, setup: MatchSetup | None) -> None:
    rows = 2 if setup is None else 2 * setup.breaks
    if rows:
        columns: tuple[tuple[str, float, Align], ...] = (
            (_("After game"), 20, "left"),
            (_("Taken by"), 60, "left"),
            (_("From"), 22, "left"),
            (_("To"), 22, "left"),
            (_("Reserve, left"), 28, "left"),
            (_("Reserve, right"), 28, "left"),
        )
        form.grid(_("Breaks"), columns, rows)


def _ruling_columns() -> tuple[tuple[str, float, Align], ...]:
    return (
        (_("Time of day"), 18, "left"),
        (_("Game"), 13, "left"),
        (_("Against"), 36, "left"),
        (_("Infraction"), 52, "left"),
        (_("Sanction"), 32, "left"),
        (_("Ruled by"), 30, "left"),
    )


def _end(form: Form, names: Pair[str]) -> None:
    """Result, signatures and referee together on one page."""
    flow = form.flow
    flow.heading(_("Result"), 10.6, 4 * form.row + 57)
    form.fields(((_("Winner"), ""), (_("Score"), ""), (_("How it ended"), ""), (_("Ended at"), "")), 2)
    form.fields(((_("Notes"), ""),), 1)
    gap = 6.0
    half = (flow.wide - gap) / 2
    flow.heading(_("Signatures"), 10.6, 0)
    top = flow.y
    ends = []
    for name, side, x in ((names.left, _("Left side"), flow.left), (names.right, _("Right side"), flow.left + half + gap)):
        flow.paper.frame(x, top, half, 20)
        y = top + 20
        for line in shortened(name or side, 9, half, bold=bool(name), lines=NAME_LINES):
            y += 9 * LEADING * PT
            flow.paper.text(x, y - 0.6, line, 9, bold=bool(name))
        flow.paper.frame(x, y + 1.2, 3.2, 3.2)
        flow.paper.text(x + 4.6, y + 3.9, _("under protest"), 8.5, grey=QUIET)
        ends.append(y + 6)
    flow.y = max(ends)
    form.fields(((_("Referee"), ""), (_("Received by, time"), "")), 2)


def _running(flow: Flow, names: Pair[str]) -> None:
    told = in_one_line(names.left.split(PAIRED), " – ", names.right.split(PAIRED), 8.5, flow.wide, bold=True)
    words = told if names.left else _("Score sheet")
    flow.paper.text(flow.left, flow.y + 3, words, 8.5, bold=True)
    flow.paper.line((flow.left, flow.y + 4.6), (flow.left + flow.wide, flow.y + 4.6), grey=RULE)
    flow.y += 7


def _feet(paper: Paper) -> None:
    count = len(paper.pages)
    wide, high = paper.wide - 2 * MARGIN, paper.high - 10
    for number, page in enumerate(paper.pages, 1):
        foot = Paper(paper.wide, paper.high)
        foot.text(MARGIN, high, _("page {n} of {count}", n=number, count=count), 7.5, grey=QUIET, align="right", wide=wide)
        page.extend(foot.pages[0])
