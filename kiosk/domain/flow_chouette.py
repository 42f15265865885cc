"""What a chouette's facts do to its table: the chouette itself (`kiosk.domain.chouette`), and the clock where one was agreed on.

002 knows no clock, so all of this is decided here. The box plays at the left, the team at the right; each of them has a delay a turn and a
reserve a game, so that the clock begins anew after every game, with the first press. While the cube is offered the clock stands: several
people answer in their own time. Once it is taken the clock of who doubled runs on, with what was left of his delay. A flag is shown and
kept, and ends nothing. What was used up stays used up when an entry is taken back; only with a game's result its whole clock comes back.
"""

from __future__ import annotations

from typing import assert_never

from kiosk.domain import clock as ck
from kiosk.domain import facts as f
from kiosk.domain.chouette import Agreed, Chouette, told
from kiosk.domain.replacing import replace
from kiosk.domain.rulebook import Method
from kiosk.domain.setup import Control
from kiosk.domain.state import Table
from kiosk.domain.types import Instant, Pair, present


def entered(table: Table, fact: f.ChouetteEntry) -> Table:
    """The table after an entry that was made, or taken back."""
    before = present(table.chouette)
    after = told(before, fact)
    if isinstance(fact, f.ChouetteUndone):
        return _undone(table, before, after, fact.at)
    after = replace(after, clocks=(*before.clocks, None if table.clock is None else ck.halt(table.clock, fact.at)))
    if isinstance(fact, f.ChouetteClockSet) or len(after.games) > len(before.games):
        return replace(table, chouette=replace(after, held=False), clock=new_clock(after.agreed))
    clock = table.clock
    if clock is None:
        return replace(table, chouette=after)
    if after.ended:
        clock = ck.halt(clock, fact.at)
    elif after.offered is not None and before.offered is None:
        after, clock = replace(after, held=bool(clock.running)), ck.halt(clock, fact.at)
    elif before.offered is not None and after.offered is None:
        after, clock = replace(after, held=False), ck.go(clock, fact.at) if before.held else clock
    return replace(table, chouette=after, clock=clock)


def _undone(table: Table, before: Chouette, after: Chouette, at: Instant) -> Table:
    """Whatever is taken back, the clock stands: somebody lets it run on."""
    same = len(after.games) == len(before.games) and after.agreed == before.agreed
    clock = table.clock if same else before.clocks[-1]
    return replace(
        table,
        chouette=replace(after, clocks=before.clocks[:-1]),
        clock=None if clock is None else replace(ck.halt(clock, at), switched_at=None),
    )


def clocked(table: Table, fact: f.ChouetteClockFact) -> Table:
    """The table after its chouette's clock was pressed, stopped or resumed, or a flag fell."""
    clock = present(table.clock)
    match fact:
        case f.ChouettePressed():
            clock = ck.begin(clock, fact.party.side.other, fact.at)
        case f.ChouetteClockStopped():
            clock = ck.halt(clock, fact.at)
        case f.ChouetteClockResumed():
            clock = ck.go(clock, fact.at)
        case f.ChouetteFlagFell():
            clock = ck.latch(clock, fact.party.side, fact.at)
        case _:
            assert_never(fact)
    return replace(table, clock=clock)


def new_clock(agreed: Agreed | None) -> ck.Clock | None:
    """The clock before a game's first press; None where none was agreed on."""
    if agreed is None:
        return None
    return ck.Clock(Control(Method.DELAY, agreed.delay, clocked=True), Pair(agreed.reserve, agreed.reserve))


def begun(table: Table) -> bool:
    """Whether the running game's clock has had its first press."""
    return table.clock is not None and table.clock.turn is not None


def power_restored(table: Table, fact: f.PowerRestored) -> Table:
    """A running clock comes back stopped; what ran after the last heartbeat is not charged (domain rule 2.12)."""
    if table.clock is None:
        return table
    stood = replace(ck.halt(table.clock, fact.last_known), since=fact.at, switched_at=None)
    return replace(table, chouette=replace(present(table.chouette), held=False), clock=stood)
