"""The four tables of a whole event: what each column is called, what stands in it. Their renderings are in `kiosk.sheets.event`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from kiosk.domain.rulebook import Kind
from kiosk.domain.types import NS_PER_MS, SIDES, Side
from kiosk.say import _, language, mark
from kiosk.sheets.render import name_of
from kiosk.words import infraction_words, kind_words, role_words, sanction_words, why_void_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kiosk.domain.types import Span
    from kiosk.sheets.walk import ScoreSheet


class Form(Enum):
    """What a column's values are; any of them may be None."""

    TEXT = auto()
    NUMBER = auto()
    TIME = auto()
    """A `When`: it makes two columns, the instant and whether it can be trusted."""
    SPAN = auto()
    """Whole milliseconds; in seconds in a CSV, as minutes and seconds in a workbook."""
    MARK = auto()
    """Yes or nothing."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column."""

    key: str
    """Its head in a CSV."""
    title: str
    """Its head in a workbook, before translation."""
    form: Form
    width: int
    """In a workbook: how many letters."""
    get: Callable[[Item], Any]
    """Its value, from what a row is about."""
    words: Callable[[Any], str] | None = None
    """How a workbook says it, in the language spoken; None: as it is."""


@dataclass(frozen=True, slots=True)
class Register:
    """One of the tables."""

    title: str
    """Before translation; at most 31 letters in every language."""
    columns: tuple[Column, ...]
    rows: Callable[[ScoreSheet, str], Iterator[Item]]
    """What a match at a table brings, one item for each row."""


@dataclass(frozen=True, slots=True)
class Item:
    """What a row is about."""

    table: str
    """The table's name."""
    sheet: ScoreSheet
    line: Any
    """A part of the sheet, as the register's rows are about."""


HOW = {
    "score": mark("by points"),
    "flag": mark("by the flag"),
    "resignation": mark("by resignation"),
    "ruling": mark("by a ruling"),
    "forfeit": mark("by forfeit"),
    "double_forfeit": mark("forfeited by both"),
    "session": mark("the session was ended"),
}
"""How a match ended, beside the winner's name."""


def _side_words(side: Side) -> str:
    return _(str(side))


def _by_words(by: str) -> str:
    return _(by) if by in set(Side) else by


def _how_words(how: str) -> str:
    return _(HOW[how])


def _kind_words(kind: str) -> str:
    return kind_words(Kind(kind))


def _names(sheet: ScoreSheet, sides: tuple[Side, ...]) -> str:
    return "; ".join(name_of(sheet, side) for side in sides)


def _reserve(row: Item, side: Side) -> int | None:
    return None if row.line.reserve is None else row.line.reserve[side] // NS_PER_MS


def _ran(span: Span, row: Item) -> int | None:
    return span // NS_PER_MS if row.sheet.clocked else None


def _last(row: Item) -> int | None:
    clock = row.sheet.table.clock
    return None if clock is None else _ran(clock.reserve[row.line], row)


def _used(what: str) -> Callable[[Item], int | None]:
    return lambda row: _ran(getattr(row.sheet.time_use[row.line], what), row)


NUMBER, TEXT, TIME, SPAN, MARK = Form.NUMBER, Form.TEXT, Form.TIME, Form.SPAN, Form.MARK

TABLE = Column("table", mark("Table"), TEXT, 8, lambda row: row.table)

RESULTS = Register(
    mark("Results"),
    (
        TABLE,
        Column("number", mark("Match"), NUMBER, 7, lambda row: row.sheet.number),
        Column("match", mark("Match id"), TEXT, 14, lambda row: row.sheet.match),
        Column("opened", mark("Opened"), TIME, 17, lambda row: row.sheet.opened),
        Column("left", mark("Left"), TEXT, 26, lambda row: name_of(row.sheet, Side.LEFT)),
        Column("right", mark("Right"), TEXT, 26, lambda row: name_of(row.sheet, Side.RIGHT)),
        Column("rulebook", mark("Rulebook"), TEXT, 13, lambda row: row.sheet.setup.rulebook),
        Column("length", mark("Length"), NUMBER, 8, lambda row: row.sheet.setup.length),
        Column("score_left", mark("Score left"), NUMBER, 8, lambda row: row.sheet.score.left),
        Column("score_right", mark("Score right"), NUMBER, 8, lambda row: row.sheet.score.right),
        Column("winner", mark("Winner"), TEXT, 9, lambda row: row.sheet.winner, _side_words),
        Column(
            "winner_name",
            mark("Winner's name"),
            TEXT,
            26,
            lambda row: None if row.sheet.winner is None else name_of(row.sheet, row.sheet.winner),
        ),
        Column("how", mark("How it ended"), TEXT, 16, lambda row: row.sheet.how, _how_words),
        Column(
            "standing_left", mark("Standing left"), TEXT, 9, lambda row: None if row.sheet.standing is None else row.sheet.standing.left
        ),
        Column(
            "standing_right", mark("Standing right"), TEXT, 9, lambda row: None if row.sheet.standing is None else row.sheet.standing.right
        ),
        Column("provisional", mark("Provisional"), MARK, 12, lambda row: row.sheet.provisional),
        Column("signed", mark("Signed by"), TEXT, 26, lambda row: _names(row.sheet, tuple(each.side for each in row.sheet.signed))),
        Column(
            "protest",
            mark("Under protest"),
            TEXT,
            26,
            lambda row: _names(row.sheet, tuple(each.side for each in row.sheet.signed if each.protest)),
        ),
        Column("received", mark("Received"), TIME, 17, lambda row: None if row.sheet.received is None else row.sheet.received.when),
        Column(
            "received_by", mark("Received by"), TEXT, 20, lambda row: None if row.sheet.received is None else _person(row.sheet.received.by)
        ),
        Column("revision", mark("Revision"), NUMBER, 9, lambda row: row.sheet.revision),
        Column("digest", mark("Digest"), TEXT, 66, lambda row: row.sheet.digest),
    ),
    lambda sheet, table: iter((Item(table, sheet, sheet),)),
)
"""A row for each match."""


def _person(official: Any) -> str | None:  # noqa: ANN401 - an official or nobody
    return None if official is None else f"{official.name} ({official.role})"


WHOSE = (
    TABLE,
    Column("match_number", mark("Match"), NUMBER, 7, lambda row: row.sheet.number),
    Column("left", mark("Left"), TEXT, 24, lambda row: name_of(row.sheet, Side.LEFT)),
    Column("right", mark("Right"), TEXT, 24, lambda row: name_of(row.sheet, Side.RIGHT)),
)


GAMES = Register(
    mark("Games"),
    (
        *WHOSE,
        Column("game", mark("Game"), NUMBER, 7, lambda row: row.line.n),
        Column("winner", mark("Winner"), TEXT, 9, lambda row: row.line.winner, _side_words),
        Column("winner_name", mark("Winner's name"), TEXT, 24, lambda row: name_of(row.sheet, row.line.winner)),
        Column("kind", mark("Kind"), TEXT, 12, lambda row: row.line.kind, _kind_words),
        Column("cube", mark("Cube"), NUMBER, 7, lambda row: row.line.cube),
        Column("points", mark("Points"), NUMBER, 8, lambda row: row.line.points),
        Column("score_left", mark("Score left"), NUMBER, 8, lambda row: row.line.score.left),
        Column("score_right", mark("Score right"), NUMBER, 8, lambda row: row.line.score.right),
        Column("crawford", mark("Crawford game"), MARK, 9, lambda row: row.line.crawford),
        Column("corrected", mark("Corrected"), MARK, 10, lambda row: row.line.corrected),
        Column("ruling", mark("Lost by ruling"), NUMBER, 9, lambda row: row.line.ruling),
        Column("void", mark("Void"), MARK, 7, lambda row: row.line.void),
        Column("reserve_left", mark("Reserve left"), SPAN, 9, lambda row: _reserve(row, Side.LEFT)),
        Column("reserve_right", mark("Reserve right"), SPAN, 9, lambda row: _reserve(row, Side.RIGHT)),
        Column("ended", mark("Ended"), TIME, 17, lambda row: row.line.when),
    ),
    lambda sheet, table: (Item(table, sheet, line) for line in sheet.games),
)
"""A row for each game."""


def _title(row: Item) -> str:
    return infraction_words(row.sheet.table.setup, row.line.ruling.infraction, language())


def _called_by(row: Item) -> str | None:
    return None if row.line.ruling.call is None else row.line.ruling.call.by


RULINGS = Register(
    mark("Rulings"),
    (
        *WHOSE,
        Column("ruling", mark("Ruling"), NUMBER, 7, lambda row: row.line.ruling.id),
        Column("time", mark("Time"), TIME, 17, lambda row: row.line.when),
        Column("game", mark("Game"), NUMBER, 7, lambda row: row.line.ruling.game),
        Column("sides", mark("Against"), TEXT, 10, lambda row: ", ".join(row.line.ruling.sides)),
        Column("names", mark("Names"), TEXT, 24, lambda row: _names(row.sheet, row.line.ruling.sides)),
        Column("infraction", mark("Infraction"), TEXT, 20, lambda row: row.line.ruling.infraction),
        Column("title", mark("What it is"), TEXT, 30, _title),
        Column("article", mark("Article"), TEXT, 16, lambda row: row.line.article),
        Column("sanction", mark("Sanction"), TEXT, 16, lambda row: row.line.ruling.sanction, sanction_words),
        Column("suggested", mark("Suggested"), TEXT, 16, lambda row: row.line.ruling.suggested, sanction_words),
        Column("referee", mark("Referee"), TEXT, 20, lambda row: row.line.ruling.by.name),
        Column("role", mark("Role"), TEXT, 10, lambda row: row.line.ruling.by.role, role_words),
        Column("panel", mark("Panel"), TEXT, 24, lambda row: ", ".join(row.line.ruling.panel)),
        Column("called_by", mark("Called by"), TEXT, 10, _called_by, _by_words),
        Column("called", mark("Called"), TIME, 17, lambda row: row.line.called),
        Column("came", mark("Signed in"), TIME, 17, lambda row: row.line.came),
        Column("score_before", mark("Score before"), TEXT, 8, lambda row: "{0.left}:{0.right}".format(row.line.score[0])),
        Column("score_after", mark("Score after"), TEXT, 8, lambda row: "{0.left}:{0.right}".format(row.line.score[1])),
        Column("earlier", mark("Earlier ruling"), NUMBER, 8, lambda row: row.line.ruling.earlier),
        Column("duplicate", mark("Repeats ruling"), NUMBER, 8, lambda row: row.line.ruling.duplicate),
        Column("merged", mark("Entered again"), NUMBER, 8, lambda row: row.line.ruling.merged),
        Column("void", mark("Void"), MARK, 7, lambda row: row.line.ruling.void),
        Column("why_void", mark("Why void"), TEXT, 24, lambda row: row.line.ruling.why_void, why_void_words),
        Column("appeal", mark("Fell on appeal"), NUMBER, 8, lambda row: None if row.line.fell is None else row.line.fell.id),
        Column("note", mark("Note"), TEXT, 40, lambda row: row.line.ruling.note),
    ),
    lambda sheet, table: (Item(table, sheet, line) for line in sheet.rulings),
)
"""The rulings ledger: a row for each ruling, also those that were taken back."""

TIMES = Register(
    mark("Time use"),
    (
        TABLE,
        Column("match_number", mark("Match"), NUMBER, 7, lambda row: row.sheet.number),
        Column("side", mark("Side"), TEXT, 9, lambda row: row.line, _side_words),
        Column("name", mark("Name"), TEXT, 26, lambda row: name_of(row.sheet, row.line)),
        Column("reserve_start", mark("Reserve at the start"), SPAN, 11, lambda row: _ran(row.sheet.setup.reserve[row.line], row)),
        Column("reserve_end", mark("Reserve at the end"), SPAN, 11, _last),
        Column("delay_used", mark("Delay used"), SPAN, 11, _used("delay")),
        Column("reserve_used", mark("Reserve used"), SPAN, 11, _used("reserve")),
        Column("beyond", mark("After the flag"), SPAN, 11, _used("beyond")),
        Column("turns", mark("Turns"), NUMBER, 8, lambda row: row.sheet.time_use[row.line].turns if row.sheet.clocked else None),
        Column("longest_turn", mark("Longest turn"), SPAN, 11, _used("longest")),
        Column("flags", mark("Flags"), NUMBER, 8, lambda row: sum(e.kind == "flag_fell" and e.side is row.line for e in row.sheet.events)),
        Column("breaks", mark("Breaks"), NUMBER, 8, lambda row: sum(pause.by is row.line for pause in row.sheet.breaks)),
    ),
    lambda sheet, table: (Item(table, sheet, side) for side in SIDES),
)
"""Two rows for each match, one for each side."""

REGISTERS = {"results": RESULTS, "games": GAMES, "rulings": RULINGS, "times": TIMES}
"""Every register by name, in the order of a workbook."""
