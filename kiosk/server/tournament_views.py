"""What pages, print-outs and files show of the tournament: names instead of numbers, lines instead of fixtures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from kiosk.domain.types import Side
from kiosk.say import _, mark
from kiosk.server import assignments
from kiosk.server.schema import assignment as assigned
from kiosk.server.schema import release as released
from kiosk.sheets.grid import Grid
from kiosk.tournament import bracket as br
from kiosk.tournament.event import KNOCK_OUT
from kiosk.tournament.happened import Leave, Outcome
from kiosk.tournament.plan import System
from kiosk.tournament.results import Result
from kiosk.tournament.stages import AT_THE_BOARD, Fixture, entries_of, fixtures, standing, still_in
from kiosk.tournament.standings import TieBreak
from kiosk.tournament.swiss import FirstRound
from kiosk.tournament.tables import Row, Table, tables
from kiosk.tournament.tiebreaks import Unplayed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    from kiosk.server.assignments import Assignment
    from kiosk.tournament.event import Event, Stage

SYSTEMS = {
    System.ROUND_ROBIN: mark("round robin"),
    System.SWISS: mark("Swiss"),
    System.SINGLE: mark("single elimination"),
    System.DOUBLE: mark("double elimination"),
    System.CONSOLATION: mark("consolation"),
}
BREAKS = {
    TieBreak.DIRECT: mark("direct encounter"),
    TieBreak.BUCHHOLZ: mark("Buchholz"),
    TieBreak.BUCHHOLZ_CUT1: mark("Buchholz, cut 1"),
    TieBreak.BUCHHOLZ_MEDIAN: mark("Buchholz, median"),
    TieBreak.SONNEBORN_BERGER: mark("Sonneborn-Berger"),
    TieBreak.WINS: mark("number of wins"),
    TieBreak.AGAINST_HIGHER: mark("results against those higher"),
    TieBreak.POINTS_DIFFERENCE: mark("points difference"),
    TieBreak.PROGRESSIVE: mark("progressive score"),
    TieBreak.LOTS: mark("lots"),
}
WHY_LEFT = {Leave.WITHDRAWN: mark("withdrawn"), Leave.DISQUALIFIED: mark("disqualified"), Leave.FIXING: mark("disqualified: fixed matches")}
FIRSTS = {
    FirstRound.DRAWN: mark("drawn by lots"),
    FirstRound.FOLDED: mark("first against last"),
    FirstRound.HALVES: mark("upper half against lower half"),
}
UNPLAYED = {Unplayed.VIRTUAL: mark("as against an opponent with one's own points"), Unplayed.PLAIN: mark("as they are")}
OUTCOMES = {
    Outcome.LEFT: ("1", "0"),
    Outcome.RIGHT: ("0", "1"),
    Outcome.LEFT_FORFEIT: ("+", "−"),
    Outcome.RIGHT_FORFEIT: ("−", "+"),
    Outcome.BOTH_FORFEIT: ("−", "−"),
}
"""How each side's outcome is written (000 §8)."""
MARKS = {
    Result.WIN: "1",
    Result.LOSS: "0",
    Result.DRAW: "½",
    Result.BYE_WIN: "1",
    Result.FORFEIT_WIN: "+",
    Result.FORFEIT_LOSS: "−",
    Result.ABSENT: "–",
}
PARTS = {
    br.Part.MAIN: mark("Main bracket"),
    br.Part.LOWER: mark("After one loss"),
    br.Part.FINAL: mark("Final"),
    br.Part.THIRD: mark("For the third place"),
    br.Part.CONSOLATION: mark("Consolation"),
}


# ── Matches ──────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Line:
    """A match as it is shown."""

    fixture: Fixture
    left: str
    """A name, or where he comes from."""
    right: str
    marks: tuple[str, str] | None
    """1 0 + −; None: it is open."""
    score: str
    """Points, where they are known."""
    match: Assignment | None
    """What a table plays; None: it was not released."""

    @property
    def table(self) -> str:
        """Where it is played; empty: nobody knows yet."""
        return self.match.plan.table if self.match is not None and self.match.state is not assignments.State.WITHDRAWN else ""


def matches_of(connection: Connection, stage: int) -> dict[str, Assignment]:
    """What was released of a stage, by the keys of its matches."""
    mine = select(released.c.assignment).where(released.c.stage == stage)
    found = {one.id: one for one in assignments.listed(connection, assigned.c.id.in_(mine))}
    rows = connection.execute(select(released).where(released.c.stage == stage))
    return {row.key: found[row.assignment] for row in rows if row.assignment in found}


def lines(event: Event, stage: Stage, played: Mapping[str, Assignment]) -> list[Line]:
    """Every match of a stage.

    Args:
        event: The whole of it.
        stage: Which.
        played: As `matches_of` gives it.
    """
    sources = _sources(event, stage)
    return [_line(event, stage, each, played.get(each.key), sources.get(each.key, ("", ""))) for each in fixtures(event, stage)]


def _line(event: Event, stage: Stage, each: Fixture, match: Assignment | None, sources: tuple[str, str]) -> Line:
    told = stage.ended.get(each.key)
    names = [event.name(who) if who is not None else source for who, source in zip((each.left, each.right), sources, strict=True)]
    if stage.plan.system not in KNOCK_OUT:
        names = [name or _("free") if stage.plan.system is System.ROUND_ROBIN else name or _("bye") for name in names]
    score = ""
    if told is not None and told.outcome in AT_THE_BOARD and (told.left_points or told.right_points):
        score = f"{told.left_points}–{told.right_points}"
    return Line(each, names[0], names[1], None if each.outcome is None else OUTCOMES[each.outcome], score, match)


def _sources(event: Event, stage: Stage) -> dict[str, tuple[str, str]]:
    """Where a place of a knock-out's match comes from, while nobody knows who it is."""
    if stage.plan.system not in KNOCK_OUT:
        return {}
    return {
        each.match.ident: (_source(each.match.left, each.left), _source(each.match.right, each.right)) for each in standing(event, stage)
    }


def _source(source: br.Source, seat: br.Seat) -> str:
    if seat.known:
        return _("bye")
    if isinstance(source, br.From):
        return _("winner of {match}", match=source.match) if source.winner else _("loser of {match}", match=source.match)
    return ""


def alone(each: Line) -> bool:
    """Whether there is no match to play: a place has nobody, for good."""
    return None in {each.fixture.left, each.fixture.right} and _("bye") in {each.left, each.right}


def rounds_of(made: Sequence[Line]) -> list[tuple[str, list[Line]]]:
    """Matches by their rounds, with what each is called; of a knock-out by its parts as well, without what nobody plays."""
    found: dict[tuple[str, int], list[Line]] = {}
    for each in made:
        if each.fixture.part in {str(part) for part in br.Part} and alone(each):
            continue
        part = each.fixture.part if each.fixture.part in {str(part) for part in br.Part} else ""
        found.setdefault((part, each.fixture.round), []).append(each)
    order = {str(part): n for n, part in enumerate(br.Part)}
    keys = sorted(found, key=lambda key: (order.get(key[0], 0), key[1]))
    return [(_round_name(part, number), found[part, number]) for part, number in keys]


def _round_name(part: str, number: int) -> str:
    if not part or part == br.Part.MAIN:
        return _("Round {n}", n=number)
    return (
        f"{_(PARTS[br.Part(part)])}, {_('Round {n}', n=number)}"
        if part in {br.Part.LOWER, br.Part.CONSOLATION}
        else _(PARTS[br.Part(part)])
    )


def current(stage: Stage, made: Sequence[Line]) -> list[Line]:
    """What is played now: of a knock-out every match that can be, else the first round that is open, or the last one."""
    open_ = [each for each in made if each.fixture.ready]
    if open_ and stage.plan.system in KNOCK_OUT:
        return open_
    number = min((each.fixture.round for each in open_), default=max((each.fixture.round for each in made), default=0))
    return [each for each in made if each.fixture.round == number and not (each.fixture.left is None and each.fixture.right is None)]


@dataclass(frozen=True, slots=True)
class Seat:
    """Where one of them plays."""

    name: str
    opponent: str
    table: str
    round: int
    stage: Stage
    line: Line
    side: int
    """0: sits left."""


def seats(event: Event, stage: Stage, made: Sequence[Line]) -> list[Seat]:
    """Who plays whom and where now, by name; of a pair both names lead there."""
    return seats_of(event, stage, current(stage, made))


def seats_of(event: Event, stage: Stage, chosen: Sequence[Line]) -> list[Seat]:
    """The same of these matches."""
    found = [
        Seat(name, opponent, each.table, each.fixture.round, stage, each, side)
        for each in chosen
        for who, opponent, side in ((each.fixture.left, each.right, 0), (each.fixture.right, each.left, 1))
        if who is not None
        for name in event.entrants[who].names
    ]
    return sorted(found, key=lambda seat: seat.name.casefold())


def over(event: Event, stage: Stage) -> bool:
    """Whether nothing of a stage is left to be played."""
    if any(each.outcome is None and None not in {each.left, each.right} for each in fixtures(event, stage)):
        return False
    if stage.plan.system in KNOCK_OUT:
        return all(each.winner.known for each in standing(event, stage))
    if stage.plan.system is System.SWISS:
        return len(still_in(event, stage)) < 2 or (not stage.plan.losses and len(stage.draws) >= stage.plan.rounds)
    return True


# ── Tables ───────────────────────────────────────────────────────────────────
def ranking(event: Event, stage: Stage) -> list[Grid]:
    """A stage's standings, a table for each group, each line with what decided it."""
    knock_out = stage.plan.system in KNOCK_OUT
    made = tables(event, stage)
    numbers = [] if knock_out else [each for each in stage.plan.tiebreaks if each not in {TieBreak.AGAINST_HIGHER, TieBreak.LOTS}]
    points = [] if knock_out else [_("Points"), *(_(BREAKS[each]) for each in numbers), _("Tie broken by")]
    heads = (_("Rank"), _("Name"), *points, _("Club"), _("Country"), _("Remark"))
    return [
        Grid(
            _("Group {n}", n=table.group) if len(made) > 1 else stage.plan.name,
            heads,
            tuple(_ranked(event, stage, row, numbers) for row in table.rows),
            tuple(_("{name}: struck out, fewer than half of the matches were played.", name=event.name(each)) for each in table.struck),
        )
        for table in made
    ]


def _ranked(event: Event, stage: Stage, row: Row, numbers: Sequence[TieBreak]) -> tuple[str | int | float, ...]:
    who = event.entrants[row.entrant]
    cells: list[str | int | float] = [row.rank, who.name]
    if row.place is not None:
        cells.append(plain(row.place.has.points))
        cells += [row.place.direct or "" if each is TieBreak.DIRECT else plain(getattr(row.place.has, each)) for each in numbers]
        cells.append("" if row.place.decided_by is None else _(BREAKS[row.place.decided_by]))
    remarks = went_out(stage, row)
    remarks += [] if row.left is None else [_(WHY_LEFT[row.left])]
    return (*cells, who.club, who.country, ", ".join(remarks))


def went_out(stage: Stage, row: Row) -> list[str]:
    """The round in which somebody went out; not of a double elimination, whose parts count their own."""
    return [_("out in round {n}", n=row.out)] if row.out and stage.plan.system is not System.DOUBLE else []


def plain(value: float) -> int | float:
    """A whole number without its point."""
    return int(value) if float(value).is_integer() else value


def crosstable(event: Event, stage: Stage) -> list[Grid]:
    """Who did what against whom: of a round robin everybody against everybody, of a Swiss stage round by round; a knock-out has none."""
    if stage.plan.system in KNOCK_OUT:
        return []
    listed = fixtures(event, stage)
    entries = [entry for each in listed for entry in entries_of(event, stage, each)]
    told: dict[tuple[int, int], tuple[int | None, str]] = {}
    for entry in entries:
        told[int(entry.player), entry.round] = (None if entry.opponent is None else int(entry.opponent), MARKS[entry.result])
    made = tables(event, stage)
    draw = _swiss_cross if stage.plan.system is System.SWISS else _round_cross
    return [draw(event, stage, table, told, several=len(made) > 1) for table in made]


_Told = dict[tuple[int, int], tuple[int | None, str]]


def _round_cross(event: Event, stage: Stage, table: Table, told: _Told, *, several: bool) -> Grid:
    ranked = [row.entrant for row in table.rows]
    met: dict[tuple[int, int], list[str]] = {}
    for (player, _round), (opponent, sign) in sorted(told.items()):
        if opponent is not None:
            met.setdefault((player, opponent), []).append(sign)
    rows = tuple(
        (
            row.rank,
            event.name(row.entrant),
            *("■" if other == row.entrant else " ".join(met.get((row.entrant, other), [])) for other in ranked),
            plain(row.place.has.points) if row.place is not None else "",
        )
        for row in table.rows
    )
    title = _("Group {n}", n=table.group) if several else stage.plan.name
    return Grid(title, (_("Rank"), _("Name"), *(str(n) for n in range(1, len(ranked) + 1)), _("Points")), rows, crossed=len(ranked))


def _swiss_cross(event: Event, stage: Stage, table: Table, told: _Told, *, several: bool) -> Grid:  # noqa: ARG001 - a Swiss stage has one table
    place = {row.entrant: n for n, row in enumerate(table.rows, 1)}
    rounds = range(1, len(stage.draws) + 1)

    def cell(player: int, number: int) -> str:
        found = told.get((player, number))
        if found is None:
            return ""
        opponent, sign = found
        return _("bye") if opponent is None else f"{sign} ({place[opponent]})"

    rows = tuple(
        (n, event.name(row.entrant), *(cell(row.entrant, each) for each in rounds), plain(row.place.has.points) if row.place else "")
        for n, row in enumerate(table.rows, 1)
    )
    note = _("In brackets stands the opponent's line in this table.")
    return Grid(stage.plan.name, (_("Line"), _("Name"), *(str(each) for each in rounds), _("Points")), rows, (note,), len(rounds))


# ── Brackets ─────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Box:
    """A match in a drawn bracket."""

    line: Line
    won: Side | None
    void: bool
    """Nobody plays it: one goes on without a match, or it is not needed."""


@dataclass(frozen=True, slots=True)
class Tree:
    """One part of a bracket: its rounds from left to right."""

    title: str
    rounds: tuple[tuple[Box, ...], ...]


def trees(event: Event, stage: Stage, made: Sequence[Line]) -> list[Tree]:
    """A knock-out's parts, to be drawn."""
    if stage.plan.system not in KNOCK_OUT:
        return []
    by_key = {each.fixture.key: each for each in made}
    found: dict[br.Part, dict[int, list[Box]]] = {}
    for each in standing(event, stage):
        won = None
        if each.winner.player is not None:
            won = Side.LEFT if each.winner == each.left else Side.RIGHT
        line = by_key[each.match.ident]
        found.setdefault(each.match.part, {}).setdefault(each.match.round, []).append(Box(line, won, alone(line)))
    return [Tree(_(PARTS[part]), tuple(tuple(boxes) for _n, boxes in sorted(found[part].items()))) for part in br.Part if part in found]
