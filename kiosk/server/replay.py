"""One table's match as the facts tell it, kept between batches so that each fact is worked out once.

What can't be worked out (a fault of ours, a hostile table) never reaches the intake: the match is shown as unreadable from there on, its
rows are kept, and the next match begins anew.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from kiosk import codec
from kiosk.domain import facts as f
from kiosk.domain.state import Hall, Table
from kiosk.domain.table import evolve
from kiosk.domain.types import Instant
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kiosk.domain.rulebook import Infraction
    from kiosk.ports import Row

log = logging.getLogger("tableside")

OPENING = codec.name_of(f.MatchOpened)

CHOUETTE = codec.name_of(f.ChouetteOpened)
"""No match is open behind it, and what it tells is no result."""

ORDERS = frozenset(codec.name_of(kind) for kind in (f.HallPaused, f.HallPauseLifted, f.MessageShown, f.MessageRead, f.SeatConfirmed))
"""What the hall's desk wants of a table, with or without a match."""


@dataclass(slots=True)
class Played:
    """A match up to a row."""

    first: Row
    """Its opening."""
    last: Row
    """The newest row that belongs to it; whatever comes before the next opening does."""
    table: Table
    came_from: str = ""
    """Where it was taken up or over from another journal: the hash of the last row there."""
    unreadable: str = ""
    """Why it cannot be worked out any further, for people; empty: it can."""
    unknown: set[str] = field(default_factory=set)
    """Types of facts that a newer program wrote."""


@dataclass(slots=True)
class Replay:
    """A branch of a journal, worked out up to a row."""

    seq: int = 0
    """The number of the last row that was taken in."""
    now: Played | None = None
    """The newest match."""
    hall: Hall = field(default_factory=Hall)
    """What the desk had ordered before the first match here."""
    boot: str = ""
    """On which boot's clock that is."""

    def take(self, rows: Iterable[Row]) -> Iterator[Played]:
        """Take rows in.

        Yields:
            Each match that they end or change, as it is after the last of its rows here.
        """
        touched = False
        for row in rows:
            if row.type in {OPENING, CHOUETTE} and self.now is not None and touched:
                yield self.now
            touched = self._step(row) or touched
            self.seq = row.seq
        if self.now is not None and touched:
            yield self.now

    def _step(self, row: Row) -> bool:
        played = self.now
        if row.type == OPENING:
            played = self.now = Played(row, row, self._before(row) if played is None else _fresh(played))
        elif row.type == CHOUETTE and played is not None:
            self.hall, self.boot = _fresh(played).hall, played.last.boot
            played = self.now = None
        if played is None:
            self.note(row)
            return False
        played.last = row
        if not played.unreadable:
            _take(played, row)
        return True

    def note(self, row: Row) -> None:
        """An entry before the first match here: the desk's orders outlast what they came in."""
        if row.type not in ORDERS:
            return
        try:
            fact = codec.decode(row.type, row.data)
            if not isinstance(fact, codec.UnknownFact):
                self.hall, self.boot = evolve(Table(hall=self.hall), fact).hall, row.boot
        except Exception as error:  # noqa: BLE001 - whatever a table sends, the other tables are shown
            log.warning("row %s (%s) of a journal cannot be worked out: %r", row.seq, row.type, error)

    def _before(self, opening: Row) -> Table:
        pause = self.hall.pause
        if pause is None or self.boot == opening.boot:
            return Table(hall=self.hall)
        return Table(hall=replace(self.hall, pause=replace(pause, since=Instant(opening.mono_ns))))  # another boot's clock tells nothing


def _take(played: Played, row: Row) -> None:
    try:
        fact = codec.decode(row.type, row.data)
        if isinstance(fact, codec.UnknownFact):
            played.unknown.add(row.type[:60])
            return
        if isinstance(fact, f.MatchOpened):
            fact = replace(fact, setup=replace(fact.setup, infractions=_shared(fact.setup.infractions)))
        played.table = evolve(played.table, fact)
    except Exception as error:  # noqa: BLE001 - whatever a table sends, the other tables are shown
        log.warning("row %s (%s) of a journal cannot be worked out: %r", row.seq, row.type, error)
        played.unreadable = _("Entry {seq} ({type}) cannot be read here.", seq=row.seq, type=row.type)
        return
    if isinstance(fact, f.MatchTakenUp | f.MatchTakenOver):  # what stands before it came from another journal
        played.came_from = fact.digest


def _fresh(before: Played) -> Table:
    """The table before an opening: what the hall's desk wants outlasts a match, an earlier boot's clock does not."""
    return Table() if before.unreadable else Table(hall=before.table.hall)


@lru_cache(maxsize=32)
def _shared(catalogue: tuple[Infraction, ...]) -> tuple[Infraction, ...]:
    """The same catalogue for all matches that have it: each is read from its own opening, and a hall plays by one or two."""
    return catalogue
