"""The rounds that are played now, for the desk: who sits at which table, who is missing, and when each match is over at the latest."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.state import Phase
from kiosk.server import checkin, faces, round_start
from kiosk.server import tournament_views as views
from kiosk.server.assignments import State, natural

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    from kiosk.server.assignments import Assignment
    from kiosk.server.faces import Face
    from kiosk.server.tournament import Now
    from kiosk.tournament.event import Event

AT_TABLE, AT_DESK, MISSING = "table", "desk", "missing"
"""How somebody's presence is known: by the table, noted at the desk, or not at all."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """One side of a match."""

    entrant: int
    name: str
    how: str
    """`table`, `desk` or `missing`."""

    @property
    def here(self) -> bool:
        """Whether he is known to be there."""
        return self.how != MISSING


@dataclass(frozen=True, slots=True)
class Playing:
    """A released match that has not ended."""

    stage: int
    key: str
    match: Assignment
    sides: tuple[Sitting, Sitting]
    late: bool
    """An absent side's time runs."""
    latest_ns: int | None
    """When it is over at the latest, nanoseconds since 1970; None: nobody can tell, or it has not begun."""

    @property
    def table(self) -> str:
        """Where; empty: it waits for a table."""
        return self.match.plan.table

    @property
    def opened(self) -> bool:
        """It was opened at its table, and has not begun."""
        return self.match.state is State.OPENED and round_start.waits(self.match)


@dataclass(frozen=True, slots=True)
class Round:
    """A round, as its matches are called at the tables."""

    name: str
    matches: tuple[Playing, ...]
    """Those that were released and have not ended, by their tables."""
    ended: int
    """How many of its released matches have."""
    unreleased: int
    """How many could be released."""
    told: tuple[round_start.Heard, ...]
    """What the tables have made of the newest word on its start."""

    @property
    def starts_ns(self) -> int | None:
        """When it begins, or began: the earliest time of those that have not begun."""
        return min((each.match.plan.starts_ns for each in self.matches if each.match.plan.starts_ns is not None), default=None)

    @property
    def told_ns(self) -> int:
        """When the desk last said something of its start; 0: never."""
        return max((each.at_ns for each in self.told), default=0)

    @property
    def waiting(self) -> int:
        """How many matches have not begun."""
        return sum(round_start.waits(each.match) for each in self.matches)

    @property
    def late(self) -> int:
        """At how many an absent side's time runs."""
        return sum(each.late for each in self.matches)

    @property
    def latest_ns(self) -> int | None:
        """When the last of those that are being played is over at the latest."""
        return max((each.latest_ns for each in self.matches if each.latest_ns is not None), default=None)


@dataclass(frozen=True, slots=True)
class Missed:
    """Somebody who is missing."""

    name: str
    table: str
    against: str
    round: str
    late: bool
    """His time runs."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of the tables."""

    event: Event
    faces: Mapping[tuple[str, str], Face]
    """By device and match."""
    confirmed: Mapping[tuple[str, str, int], Face]
    """Who has confirmed a match that is offered, by its table, its id and its version: a changed one is confirmed anew."""
    noted: checkin.Noted
    now_ns: int


def rounds(connection: Connection, now: Now, now_ns: int) -> list[Round]:
    """Every round with a match that was released and has not ended.

    Args:
        connection: Any.
        now: The event.
        now_ns: Now, by the house's clock.
    """
    every = faces.faces(connection)
    seen = {(each["device"], each["match"]): each for each in every if each["match"]}
    told = ((each["table"], each["offered"]) for each in every if each["offered"])
    confirmed = {(table, offered["match"], offered["version"]): offered for table, offered in told}
    known = _Known(now.event, seen, confirmed, checkin.noted(connection), now_ns)
    found: dict[str, list[Playing]] = {}
    ended, unreleased = Counter[str](), Counter[str]()
    for stage in now.event.stages:
        for line in views.lines(now.event, stage, views.matches_of(connection, stage.number)):
            name = f"{stage.plan.name} {line.fixture.round}"
            if line.marks is not None:
                ended[name] += line.match is not None
            elif line.match is None or line.match.state is State.WITHDRAWN:
                unreleased[name] += line.fixture.ready
            else:
                found.setdefault(line.match.plan.round, []).append(_playing(known, stage.number, line, line.match))
    heard = round_start.heard(connection, {each.match.id: each.match for those in found.values() for each in those})
    names = sorted(found, key=natural)
    return [_round(name, found[name], ended[name], unreleased[name], heard) for name in names]


def _round(name: str, matches: Sequence[Playing], ended: int, unreleased: int, told: Mapping[str, round_start.Heard]) -> Round:
    made = tuple(sorted(matches, key=lambda each: (not each.table, natural(each.table), natural(each.key))))
    return Round(name, made, ended, unreleased, tuple(told[each.match.id] for each in made if each.match.id in told))


def _playing(known: _Known, stage: int, line: views.Line, match: Assignment) -> Playing:
    row = match.match
    face = None if row is None else known.faces.get((row.device, row.id))
    late = row is not None and row.phase == Phase.LATE
    sides = []
    told = known.confirmed.get((match.plan.table, match.id, match.version), {}) if row is None else {}
    for who, at in ((line.fixture.left, "left"), (line.fixture.right, "right")):
        entrant = known.event.entrants[who or 0]
        at_table = match.begun or _at_table(face, entrant.names) or bool(told.get(at))
        by_desk = not late and known.noted.seated(stage, line.fixture.key, entrant.ident)  # whose time runs must be told to the table
        how = AT_TABLE if at_table else AT_DESK if by_desk else MISSING
        sides.append(Sitting(entrant.ident, entrant.name, how))
    latest = faces.latest_ns(face, known.now_ns) if face is not None and match.begun else None
    return Playing(stage, line.fixture.key, match, (sides[0], sides[1]), late, latest)


def _at_table(face: Face | None, names: Sequence[str]) -> bool:
    """Whether the table knows that they are there, on whichever side they sit."""
    if face is None or not face["here"] or not face["players"]:
        return False
    return any(face["here"][side] and face["players"][side] == list(names) for side in ("left", "right"))


def missing(played: Sequence[Round], by: str = "name") -> list[Missed]:
    """Who is missing now.

    Args:
        played: The rounds.
        by: `name` or `table`: in which order.
    """
    found = [
        Missed(side.name, each.table, other.name, one.name, each.late)
        for one in played
        for each in one.matches
        for side, other in (each.sides, each.sides[::-1])
        if not side.here
    ]
    if by == "table":
        return sorted(found, key=lambda each: (not each.table, natural(each.table), each.name.casefold()))
    return sorted(found, key=lambda each: (each.name.casefold(), natural(each.table)))
