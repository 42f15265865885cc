"""From top to bottom: what does not fit goes to the next page, whole; a table says its headings there again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kiosk.sheets.cells import text_of
from kiosk.sheets.paper import CAPITAL, INK, LEADING, PT, QUIET, RULE, Paper, broken, levelled, longest_word, shortened, spelled, width

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kiosk.sheets.paper import Align, Grey
    from kiosk.sheets.sections import Column, Section

GAP = 1.2
"""Between columns, on each side."""
SIDES = 2 * GAP + 0.2
"""On both sides of a column together."""
LEAST = 10.0
"""A column of names has at least so many millimetres where that can be."""
WORD = 34.0
"""No word is kept whole that is wider, but in headings."""
NAMED = frozenset({"winner", "by", "sides", "names", "old", "new", "turn", "cube", "what", "reason"})
"""Columns that hold names, or words that people typed, where they share what is left: the first to be broken within words."""
PAIRED = " / "
"""Between the names of a pair."""
HEADS = (0.88, 0.8, 0.73)
"""Sizes of headings, as shares of the table's; the best first."""
UNDER = 0.92
"""The size of what stands under a row."""


@dataclass
class Flow:
    """Where the next thing stands."""

    paper: Paper
    left: float
    top: float
    wide: float
    bottom: float
    """Nothing stands below."""
    running: Callable[[Flow], None] | None = None
    """Draws the head of every further page."""
    y: float = field(init=False)

    def __post_init__(self) -> None:
        """Begin at the top."""
        self.y = self.top

    def room(self, high: float) -> bool:
        """Make room; True where a new page was begun for it.

        Args:
            high: As high as something is that must not be cut.
        """
        if self.y + high <= self.bottom or self.y <= self.top:
            return False
        self.turn()
        return True

    def turn(self) -> None:
        """Go on with a new page."""
        self.paper.turn_page()
        self.y = self.top
        if self.running is not None:
            self.running(self)

    def paragraph(self, text: str, size: float, *, bold: bool = False, grey: Grey = INK, align: Align = "left", indent: float = 0) -> None:
        """Words over the whole width, line by line."""
        for line in broken(text, size, self.wide - indent, bold=bold):
            high = size * LEADING * PT
            self.room(high)
            baseline = self.y + (high + size * CAPITAL * PT) / 2
            self.paper.text(self.left + indent, baseline, line, size, bold=bold, grey=grey, align=align, wide=self.wide - indent)
            self.y += high

    def heading(self, text: str, size: float, needs: float) -> None:
        """A heading that stays with what follows.

        Args:
            text: What it says.
            size: In points.
            needs: How much must fit below it.
        """
        self.room(size * LEADING * PT * 1.6 + needs)
        self.y += size * PT * 0.7
        self.paragraph(text, size, bold=True)
        self.y += 0.6


def in_one_line(left: Sequence[str], between: str, right: Sequence[str], size: float, wide: float, *, bold: bool = False) -> str:
    """Both sides' names with something between them, where need be each with an ellipsis.

    Args:
        left: One side's names.
        between: What stands between the sides, with its spaces.
        right: The other side's names.
        size: In points.
        wide: In millimetres.
        bold: In which face.
    """
    names = [*left, *right]
    rest = PAIRED.join(left) + between + PAIRED.join(right)
    room = wide - (width(spelled(rest), size, bold=bold) - sum(width(spelled(name), size, bold=bold) for name in names))
    wides = levelled([width(spelled(name), size, bold=bold) + 0.01 for name in names], room)
    told = [shortened(name, size, each, bold=bold)[0] for name, each in zip(names, wides, strict=True)]
    return PAIRED.join(told[: len(left)]) + between + PAIRED.join(told[len(left) :])


@dataclass(frozen=True)
class Look:
    """How a table looks on one kind of paper."""

    size: float
    """Of what stands in it, in points."""
    pad: float
    """Above and below a row."""
    under: Grey = QUIET
    """How dark what stands under a row is."""


@dataclass(frozen=True)
class _Row:
    cells: list[list[str]]
    below: list[str]
    struck: bool


@dataclass(frozen=True)
class _Head:
    row: _Row
    size: float


def table(flow: Flow, section: Section, look: Look, only: Sequence[str] | None = None) -> None:
    """One table with its heading, where it has one.

    Args:
        flow: Where it stands.
        section: What stands in it.
        look: How.
        only: The columns that there is room for, by their keys; all others stand under their rows. None: as the columns say.
    """
    beside = [i for i, column in enumerate(section.columns) if (not column.below if only is None else column.key in only)]
    under = [i for i in range(len(section.columns)) if i not in beside]
    columns = [section.columns[i] for i in beside]
    texts = [[text_of(row[i]) for i in beside] for row in section.rows]
    size, wides = _wides(columns, texts, look.size, flow.wide)
    rows = [_row(section, number, beside, under, wides, look, flow.wide) for number in range(len(section.rows))]
    head = _Head(_row_of([column.title for column in columns], wides, size, bold=False), size)
    first = _high(rows[0], look) if rows else 8.0
    if section.title:
        flow.heading(section.title, look.size * 1.25, _high(head.row, look) + first)
    else:
        flow.room(_high(head.row, look) + first)
    if not rows:
        flow.paragraph(section.none, look.size, grey=QUIET)
        return
    _headings(flow, head, columns, wides, look)
    for row in rows:
        _put_row(flow, row, head, columns, wides, look)


def _wides(columns: Sequence[Column], rows: Sequence[Sequence[str]], size: float, wide: float) -> tuple[float, list[float]]:
    """The headings' size, and columns as wide as what stands in them; those that share take what is left, none more than it needs first.

    Headings and the words of every column that holds no name stay whole; names are broken over more lines for it.
    """
    texts = [[spelled(row[i]) for row in rows] for i in range(len(columns))]
    words = [max((longest_word(text, size) for text in cells), default=0.0) + SIDES for cells in texts]
    most = [max((width(text, size) for text in cells), default=0.0) + SIDES for cells in texts]
    for small in (size * share for share in HEADS):
        heads = [longest_word(column.title, small) + SIDES for column in columns]
        named = [bool(column.share) and column.key in NAMED for column in columns]
        inner = [min(word, WORD) if column.share else whole for column, word, whole in zip(columns, words, most, strict=True)]
        wishes = [max(pair) for pair in zip(heads, inner, strict=True)]
        needs = [max(head, min(each, LEAST) if name else each) for head, each, name in zip(heads, inner, named, strict=True)]
        if sum(needs) <= wide:
            break
    needs = levelled(needs, wide)
    more = levelled([max(0.0, wish - need) for wish, need in zip(wishes, needs, strict=True)], wide - sum(needs))
    least = [need + extra for need, extra in zip(needs, more, strict=True)]
    given = {i: least[i] for i, column in enumerate(columns) if not column.share}
    whole_heads = [width(spelled(column.title), small) + SIDES for column in columns]
    sharing = {i: (column.share, least[i], max(most[i], whole_heads[i], least[i])) for i, column in enumerate(columns) if column.share}
    given |= _shared(sharing, wide - sum(given.values()))
    spread = wide / sum(given.values()) if columns else 1.0
    return small, [given[i] * spread for i in range(len(columns))]


def _shared(columns: dict[int, tuple[int, float, float]], room: float) -> dict[int, float]:
    """Room for columns by (share, least, most): each has its least, for which there is room; none more than its most before all have it."""
    given: dict[int, float] = {}
    open_, left = dict(columns), room
    while open_:
        part = left / sum(share for share, _least, _most in open_.values())
        wanting = {i: least for i, (share, least, _most) in open_.items() if share * part < least}
        content = {i: most for i, (share, _least, most) in open_.items() if share * part > most}
        settled = wanting or content
        if not settled or len(content) == len(open_):
            return given | {i: share * part for i, (share, _least, _most) in open_.items()}
        given |= settled
        left -= sum(settled.values())
        open_ = {i: column for i, column in open_.items() if i not in settled}
    return given


def _row_of(texts: Sequence[str], wides: Sequence[float], size: float, *, bold: bool) -> _Row:
    return _Row([broken(text, size, wide - 2 * GAP, bold=bold) for text, wide in zip(texts, wides, strict=True)], [], struck=False)


def _row(section: Section, number: int, beside: list[int], under: list[int], wides: list[float], look: Look, wide: float) -> _Row:
    row = section.rows[number]
    cells = _row_of([text_of(row[i]) for i in beside], wides, look.size, bold=False).cells
    told = [(section.columns[i].title, text_of(row[i])) for i in under]
    below = "   ".join(f"{title}: {text}" for title, text in told if text)
    indent = GAP if beside else 0
    lines = broken(below, look.size * UNDER, wide - 2 * GAP - indent) if below else []
    return _Row(cells, lines, number in section.struck)


def _high(row: _Row, look: Look) -> float:
    lines = max((len(cell) for cell in row.cells), default=0)
    return lines * look.size * LEADING * PT + len(row.below) * look.size * UNDER * LEADING * PT + 2 * look.pad


def _headings(flow: Flow, head: _Head, columns: Sequence[Column], wides: Sequence[float], look: Look) -> None:
    if not columns:
        return
    size = head.size
    high = max(len(cell) for cell in head.row.cells) * size * LEADING * PT + 2 * look.pad
    flow.paper.box(flow.left, flow.y, flow.wide, high)
    _cells(flow, head.row, columns, wides, size, look.pad, grey=QUIET)
    flow.y += high


def _cells(flow: Flow, row: _Row, columns: Sequence[Column], wides: Sequence[float], size: float, pad: float, *, grey: Grey) -> None:
    x, step = flow.left, size * LEADING * PT
    for cell, column, wide in zip(row.cells, columns, wides, strict=True):
        for number, line in enumerate(cell):
            baseline = flow.y + pad + number * step + (step + size * CAPITAL * PT) / 2
            flow.paper.text(x + GAP, baseline, line, size, grey=grey, align=column.align, wide=wide - 2 * GAP)
            if row.struck and line:
                middle = baseline - size * CAPITAL * PT / 2
                long = width(line, size)
                start = x + GAP + {"left": 0.0, "centre": (wide - 2 * GAP - long) / 2, "right": wide - 2 * GAP - long}[column.align]
                flow.paper.line((start, middle), (start + long, middle), thick=0.2, grey=INK)
        x += wide


def _put_row(flow: Flow, row: _Row, head: _Head, columns: Sequence[Column], wides: Sequence[float], look: Look) -> None:
    high = _high(row, look)
    if flow.room(min(high, flow.bottom - flow.top - 20)):
        _headings(flow, head, columns, wides, look)
    _cells(flow, row, columns, wides, look.size, look.pad, grey=INK)
    lines = max((len(cell) for cell in row.cells), default=0)
    flow.y += look.pad + lines * look.size * LEADING * PT
    small = look.size * UNDER
    step = small * LEADING * PT
    for line in row.below:  # a row that is longer than a page goes on on the next one
        if flow.room(step):
            _headings(flow, head, columns, wides, look)
        flow.paper.text(flow.left + GAP + (GAP if columns else 0), flow.y + (step + small * CAPITAL * PT) / 2, line, small, grey=look.under)
        flow.y += step
    flow.y += look.pad
    flow.paper.line((flow.left, flow.y), (flow.left + flow.wide, flow.y), grey=RULE)
