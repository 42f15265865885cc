"""An adjourned match as what can be carried to another table, or taken up at this one later: its own entries, and nothing else.

Taking one up copies its entries into the journal, each with the boot and the date of the journal that it was written in, and puts one
entry behind them (`MatchTakenUp`) that moves the whole table onto this boot's clock. So score, cube, reserves, whose turn it was, rulings,
appeals and the history are there as they were, and everything that undoes or corrects works on.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from kiosk import codec
from kiosk.domain import facts as f
from kiosk.domain.errors import KioskError
from kiosk.domain.officials import Role
from kiosk.domain.state import Phase, Table
from kiosk.domain.table import evolve
from kiosk.domain.types import Span
from kiosk.ports import Origin, Record, Row
from kiosk.say import _
from kiosk.session.authority import require
from kiosk.session.permits import refuse_while_in_use

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kiosk.domain.officials import Official
    from kiosk.domain.types import Instant

OPENING = codec.name_of(f.MatchOpened)

_BEGINNINGS = frozenset({OPENING, codec.name_of(f.ChouetteOpened)})
"""A match's entries go as far as the next of these."""

_BESIDE = (
    f.OfficialSignedIn,
    f.OfficialSignedOut,
    f.SignInFailed,
    f.PinRecovered,
    f.WallClockTrusted,
    f.PressIgnored,
    f.AlertRaised,
    f.PowerRestored,
    f.HallPaused,
    f.HallPauseLifted,
    f.MessageShown,
    f.MessageRead,
    f.SeatConfirmed,
)
_ASIDE = frozenset(map(codec.name_of, _BESIDE))
"""What comes after an adjournment and is no part of the match."""


class NotAdjourned(KioskError, ValueError):
    """You erred: these entries are no adjourned match; the text says why."""


@dataclass(frozen=True, slots=True)
class Carried:
    """An adjourned match."""

    table: str
    """The table it comes from, as its organizer calls it."""
    rows: tuple[Row, ...]
    """Its entries, from the opening to the adjournment, as they stand in the journal in which they were written."""
    state: Table
    """The table that they lead to: suspended, or, where its table has failed, as it was."""

    @property
    def match(self) -> str:
        """Its id."""
        return self.state.match or ""

    @property
    def digest(self) -> str:
        """The hash of its last entry in the journal that it comes from."""
        return self.rows[-1].hash


def carried(table: str, rows: Sequence[Row]) -> Carried:
    """A match as what can be carried.

    Args:
        table: The table it comes from.
        rows: Its entries in order, the opening first.

    Raises:
        NotAdjourned: They are no match that is suspended, or a newer Tableside has written some of them.
        CodecError: An entry does not have the shape that it promises.
    """
    state = _state(rows)
    if state.phase is not Phase.SUSPENDED:
        raise NotAdjourned(_("This match is not suspended; a referee suspends it at its own table first."))
    kept = len(rows)
    while rows[kept - 1].type in _ASIDE:
        kept -= 1
    return Carried(table, tuple(rows[:kept]), state) if kept == len(rows) else carried(table, rows[:kept])


def gone_on(table: str, rows: Sequence[Row]) -> Carried:
    """A running match whose table has failed, as what a spare one can take over.

    Args:
        table: The table it comes from.
        rows: All of its entries that are known, in order, the opening first.

    Raises:
        NotAdjourned: They are no match, it is over and handed in, or a newer Tableside has written some of them.
        CodecError: An entry does not have the shape that it promises.
    """
    state = _state(rows)
    if state.phase is Phase.RECEIVED:
        raise NotAdjourned(_("This match is over, and its sheet was handed in; there is nothing to take over."))
    return Carried(table, tuple(rows), state)


def _state(rows: Sequence[Row]) -> Table:
    if not rows or rows[0].type != OPENING:
        raise NotAdjourned(_("These entries do not begin with the opening of a match."))
    state = Table()
    for row in rows:
        fact = codec.decode(row.type, row.data)
        if isinstance(fact, codec.UnknownFact):
            raise NotAdjourned(
                _(
                    "Entry {seq} ({type}) was written by a newer Tableside; update this one to take the match up.",
                    seq=row.seq,
                    type=row.type,
                )
            )
        if isinstance(fact, f.ChouetteFact):
            raise NotAdjourned(_("Entry {seq} ({type}) is one of a chouette; no match holds such.", seq=row.seq, type=row.type))
        state = evolve(state, fact)
    return state


def adjourned(table: str, rows: Sequence[Row]) -> list[Carried]:
    """The adjourned matches of a journal, the newest first; one that was taken up again here counts as it is now.

    Args:
        table: What its organizer calls the table that the journal is of.
        rows: The whole journal.
    """
    found: dict[str, Carried] = {}
    for match in _matches(rows):
        opened = codec.decode(match[0].type, match[0].data)
        if isinstance(opened, f.MatchOpened):
            found.pop(opened.match, None)
            with suppress(NotAdjourned):
                found[opened.match] = carried(table, match)
    return list(reversed(found.values()))


def last_entries(rows: Sequence[Row]) -> dict[str, Sequence[Row]]:
    """The entries of each match of a journal where it stands last, without what comes behind them and is no part of it.

    Args:
        rows: The whole journal.
    """
    found: dict[str, Sequence[Row]] = {}
    for match in _matches(rows):
        opened = codec.decode(match[0].type, match[0].data)
        if isinstance(opened, f.MatchOpened):
            kept = len(match)
            while match[kept - 1].type in _ASIDE:
                kept -= 1
            found[opened.match] = match[:kept]
    return found


def last_match(rows: Sequence[Row]) -> Sequence[Row]:
    """The entries of the last match that a journal holds, and of what came behind it; none where it holds no match.

    Args:
        rows: The whole journal.
    """
    return next(reversed(list(_matches(rows))), ())


def goes_on_from(rows: Sequence[Row], earlier: Sequence[Row]) -> bool:
    """Whether entries begin with those of another occurrence of the match, and have more behind them.

    Args:
        rows: A match's entries.
        earlier: Entries of the same match, maybe in another journal.
    """
    return len(rows) > len(earlier) and all(_content(row) == _content(old) for row, old in zip(rows, earlier, strict=False))


def _content(row: Row) -> tuple[object, ...]:
    """What a copy in another journal keeps of an entry."""
    return row.boot, row.mono_ns, row.wall_ns, row.type, row.data


def _matches(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    starts = [n for n, row in enumerate(rows) if row.type in _BEGINNINGS]
    for start, end in pairwise([*starts, len(rows)]):
        if rows[start].type == OPENING:
            yield rows[start:end]


def admit(table: Table) -> Official:
    """Who may take a match up at this table now.

    Raises:
        CommandRefused: Nobody is signed in, or a match is going on here.
    """
    official = require(table, Role.REFEREE)
    refuse_while_in_use(table)
    return official


def copies(match: Carried) -> list[Record]:
    """Its entries on their way into another journal."""
    return [Record(row.type, row.data, row.mono_ns, Origin(row.boot, row.wall_ns, row.wall_trusted)) for row in match.rows]


def taken_up(match: Carried, official: Official, at: Instant) -> f.MatchTakenUp:
    """The entry behind the copies."""
    return f.MatchTakenUp(at, match.state.now, match.table, match.digest, official.name, official.role)


Came = TypeVar("Came", f.MatchTakenUp, f.MatchTakenOver)
"""The entry behind the copies of a match that comes from elsewhere."""


def taken_over(match: Carried, official: Official, uncertain: Span | None, at: Instant) -> f.MatchTakenOver:
    """The entry behind the copies of a running match; where no clock ran, nothing is uncertain."""
    last, clock = match.state.now, match.state.clock
    doubt = uncertain if clock is not None and clock.running else Span(0)
    return f.MatchTakenOver(at, last, doubt, match.table, match.digest, official.name, official.role)
