"""The four tables of a whole event: what each column is called, what stands in it. Their renderings are in `kiosk.sheets.event`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from kiosk.domain.types import NS_PER_MS, SIDES, Side
from kiosk.say import mark
from kiosk.sheets.render import name_of
from kiosk.sheets.walk import ScoreSheet

if TYPE_CHECKING:
    from kiosk.sheets.official import RulingLine
    from kiosk.sheets.time_use import TimeUse
    from kiosk.sheets.walk import GameLine


class Form(Enum):
    """What a column's values are; any of them may be None."""

    TEXT = auto()
    """What people typed, or a code."""
    WORD = auto()
    """A word of ours, which has a translation."""
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
    get: Callable[[Any], Any]
    """Its value, from what a row is about."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One of the tables."""

    title: str
    """Before translation; at most 31 letters in every language."""
    columns: tuple[Column, ...]
    rows: Callable[[ScoreSheet], Iterator[Any]]
    """What a match brings, one item for each row."""


@dataclass(frozen=True, slots=True)
class _Game:
    sheet: ScoreSheet
    line: GameLine


@dataclass(frozen=True, slots=True)
class _Ruling:
    sheet: ScoreSheet
    line: RulingLine


@dataclass(frozen=True, slots=True)
class _Time:
    sheet: ScoreSheet
    side: Side

    @property
    def use(self) -> TimeUse:
        return self.sheet.time_use[self.side]

    @property
    def clocked(self) -> bool:
        return self.sheet.setup.control.clocked


def _names(sheet: ScoreSheet, sides: tuple[Side, ...]) -> str:
    return "; ".join(name_of(sheet, side) for side in sides)


def _reserve(row: _Game, side: Side) -> int | None:
    return None if row.line.reserve is None else row.line.reserve[side] // NS_PER_MS


def _ran(span: int, row: _Time) -> int | None:
    return span // NS_PER_MS if row.clocked else None


def _last(row: _Time) -> int | None:
    clock = row.sheet.table.clock
    return None if clock is None else _ran(clock.reserve[row.side], row)


NUMBER, TEXT, WORD, TIME, SPAN, MARK = Form.NUMBER, Form.TEXT, Form.WORD, Form.TIME, Form.SPAN, Form.MARK

RESULTS = Kind(
    mark("Results"),
    (
        Column("number", mark("Match"), NUMBER, 7, lambda s: s.number),
        Column("match", mark("Match id"), TEXT, 14, lambda s: s.match),
        Column("opened", mark("Opened"), TIME, 17, lambda s: s.opened),
        Column("left", mark("Left"), TEXT, 26, lambda s: name_of(s, Side.LEFT)),
        Column("right", mark("Right"), TEXT, 26, lambda s: name_of(s, Side.RIGHT)),
        Column("rulebook", mark("Rulebook"), TEXT, 13, lambda s: s.setup.rulebook),
        Column("length", mark("Length"), NUMBER, 8, lambda s: s.setup.length),
        Column("score_left", mark("Score left"), NUMBER, 8, lambda s: s.score.left),
        Column("score_right", mark("Score right"), NUMBER, 8, lambda s: s.score.right),
        Column("winner", mark("Winner"), WORD, 9, lambda s: s.winner),
        Column("winner_name", mark("Winner's name"), TEXT, 26, lambda s: None if s.winner is None else name_of(s, s.winner)),
        Column("how", mark("How it ended"), WORD, 16, lambda s: s.how),
        Column("standing_left", mark("Standing left"), TEXT, 9, lambda s: None if s.standing is None else s.standing.left),
        Column("standing_right", mark("Standing right"), TEXT, 9, lambda s: None if s.standing is None else s.standing.right),
        Column("provisional", mark("Provisional"), MARK, 12, lambda s: s.provisional),
        Column("signed", mark("Signed by"), TEXT, 26, lambda s: _names(s, tuple(each.side for each in s.signed))),
        Column("protest", mark("Under protest"), TEXT, 26, lambda s: _names(s, tuple(each.side for each in s.signed if each.protest))),
        Column("received", mark("Received"), TIME, 17, lambda s: None if s.received is None else s.received.when),
        Column("received_by", mark("Received by"), TEXT, 20, lambda s: None if s.received is None else _person(s.received.by)),
        Column("revision", mark("Revision"), NUMBER, 9, lambda s: s.revision),
        Column("digest", mark("Digest"), TEXT, 66, lambda s: s.digest),
    ),
    lambda sheet: iter((sheet,)),
)
"""A row for each match."""


def _person(official: Any) -> str | None:  # noqa: ANN401 - an official or nobody
    return None if official is None else f"{official.name} ({official.role})"


def _whose(title: str) -> tuple[Column, ...]:
    return (
        Column("match_number", title, NUMBER, 7, lambda row: row.sheet.number),
        Column("left", mark("Left"), TEXT, 24, lambda row: name_of(row.sheet, Side.LEFT)),
        Column("right", mark("Right"), TEXT, 24, lambda row: name_of(row.sheet, Side.RIGHT)),
    )


GAMES = Kind(
    mark("Games"),
    (
        *_whose(mark("Match")),
        Column("game", mark("Game"), NUMBER, 7, lambda row: row.line.n),
        Column("winner", mark("Winner"), WORD, 9, lambda row: row.line.winner),
        Column("winner_name", mark("Winner's name"), TEXT, 24, lambda row: name_of(row.sheet, row.line.winner)),
        Column("kind", mark("Kind"), WORD, 12, lambda row: row.line.kind),
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
    lambda sheet: (_Game(sheet, line) for line in sheet.games),
)
"""A row for each game."""


def _called_by(row: _Ruling) -> str | None:
    return None if row.line.ruling.call is None else row.line.ruling.call.by


RULINGS = Kind(
    mark("Rulings"),
    (
        *_whose(mark("Match")),
        Column("ruling", mark("Ruling"), NUMBER, 7, lambda row: row.line.ruling.id),
        Column("time", mark("Time"), TIME, 17, lambda row: row.line.when),
        Column("game", mark("Game"), NUMBER, 7, lambda row: row.line.ruling.game),
        Column("sides", mark("Against"), TEXT, 10, lambda row: ", ".join(row.line.ruling.sides)),
        Column("names", mark("Names"), TEXT, 24, lambda row: _names(row.sheet, row.line.ruling.sides)),
        Column("infraction", mark("Infraction"), TEXT, 20, lambda row: row.line.ruling.infraction),
        Column("article", mark("Article"), TEXT, 16, lambda row: row.line.article),
        Column("sanction", mark("Sanction"), WORD, 16, lambda row: row.line.ruling.sanction),
        Column("suggested", mark("Suggested"), WORD, 16, lambda row: row.line.ruling.suggested),
        Column("referee", mark("Referee"), TEXT, 20, lambda row: row.line.ruling.by.name),
        Column("role", mark("Role"), WORD, 10, lambda row: row.line.ruling.by.role),
        Column("panel", mark("Panel"), TEXT, 24, lambda row: ", ".join(row.line.ruling.panel)),
        Column("called_by", mark("Called by"), WORD, 10, _called_by),
        Column("called", mark("Called"), TIME, 17, lambda row: row.line.called),
        Column("came", mark("Signed in"), TIME, 17, lambda row: row.line.came),
        Column("score_before", mark("Score before"), TEXT, 8, lambda row: "{0.left}:{0.right}".format(row.line.score[0])),
        Column("score_after", mark("Score after"), TEXT, 8, lambda row: "{0.left}:{0.right}".format(row.line.score[1])),
        Column("earlier", mark("Earlier ruling"), NUMBER, 8, lambda row: row.line.ruling.earlier),
        Column("duplicate", mark("Repeats ruling"), NUMBER, 8, lambda row: row.line.ruling.duplicate),
        Column("merged", mark("Entered again"), NUMBER, 8, lambda row: row.line.ruling.merged),
        Column("void", mark("Void"), MARK, 7, lambda row: row.line.ruling.void),
        Column("why_void", mark("Why void"), TEXT, 24, lambda row: row.line.ruling.why_void),
        Column("note", mark("Note"), TEXT, 40, lambda row: row.line.ruling.note),
    ),
    lambda sheet: (_Ruling(sheet, line) for line in sheet.rulings),
)
"""The rulings ledger: a row for each ruling, also those that were taken back."""

TIMES = Kind(
    mark("Time use"),
    (
        Column("match_number", mark("Match"), NUMBER, 7, lambda row: row.sheet.number),
        Column("side", mark("Side"), WORD, 9, lambda row: row.side),
        Column("name", mark("Name"), TEXT, 26, lambda row: name_of(row.sheet, row.side)),
        Column("reserve_start", mark("Reserve at the start"), SPAN, 11, lambda row: _ran(row.sheet.setup.reserve[row.side], row)),
        Column("reserve_end", mark("Reserve at the end"), SPAN, 11, _last),
        Column("delay_used", mark("Delay used"), SPAN, 11, lambda row: _ran(row.use.delay, row)),
        Column("reserve_used", mark("Reserve used"), SPAN, 11, lambda row: _ran(row.use.reserve, row)),
        Column("beyond", mark("After the flag"), SPAN, 11, lambda row: _ran(row.use.beyond, row)),
        Column("turns", mark("Turns"), NUMBER, 8, lambda row: row.use.turns),
        Column("longest_turn", mark("Longest turn"), SPAN, 11, lambda row: _ran(row.use.longest, row)),
        Column("flags", mark("Flags"), NUMBER, 8, lambda row: sum(e.kind == "flag_fell" and e.side is row.side for e in row.sheet.events)),
        Column("breaks", mark("Breaks"), NUMBER, 8, lambda row: sum(pause.by is row.side for pause in row.sheet.breaks)),
    ),
    lambda sheet: (_Time(sheet, side) for side in SIDES),
)
"""Two rows for each match, one for each side."""

WORKBOOK = (RESULTS, GAMES, RULINGS, TIMES)
