"""How bright a panel is to be: full, dim, or dark. A pure decision from the table and from how long nobody has touched anything.

It never dims while somebody's time runs, an answer or a referee is awaited, or a match is on; a table at rest dims after some minutes,
and goes dark after some more. A dim picture can be read, so that a touch on it acts; on a dark one the first touch only wakes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from kiosk.domain.state import OVER, Phase
from kiosk.domain.types import NS_PER_S

if TYPE_CHECKING:
    from kiosk.domain.state import Table

RESTING = frozenset({None, Phase.OPENING, Phase.SUSPENDED}) | OVER
"""Where a table that nobody touches may dim: nobody's time runs, and nobody is waited for."""

MINUTE = 60 * NS_PER_S


class Light(IntEnum):
    """How bright it is."""

    DARK = 0
    DIM = 1
    FULL = 2


def awaited(table: Table) -> bool:
    """Whether the panel must be seen: time runs, a referee was called, or a match is on.

    Decision: a match is on from its first press to its end, between its games too; not while it is suspended. A chouette
    is on from its first entry.
    """
    if table.phase not in RESTING or table.referee_called:
        return True
    if table.chouette is not None and not table.chouette.ended and len(table.chouette.told) > 1:
        return True
    if table.phase is Phase.OPENING and table.games:
        return True
    return table.clock is not None and bool(table.clock.running)


@dataclass(slots=True)
class Rest:
    """Since when nobody has touched anything, and what that leads to."""

    dim_after: int = 0
    """After how many minutes a table at rest dims; 0 is never."""
    touched_at: int = 0
    """When somebody was there last, in nanoseconds of the monotonic clock."""

    def light(self, table: Table, dark_after: int, at: int) -> Light:
        """How bright it is to be.

        Args:
            table: The table.
            dark_after: After how many minutes it goes dark; 0 is never.
            at: Nanoseconds of the monotonic clock.
        """
        if awaited(table):
            return Light.FULL
        idle = at - self.touched_at
        if dark_after and idle >= dark_after * MINUTE:
            return Light.DARK
        return Light.DIM if self.dim_after and idle >= self.dim_after * MINUTE else Light.FULL

    def changes(self, table: Table, dark_after: int, at: int) -> int | None:
        """When it will be less bright though nothing happens: an instant after `at`, or None."""
        if awaited(table):
            return None
        instants = [self.touched_at + minutes * MINUTE for minutes in (self.dim_after, dark_after) if minutes]
        return min((instant for instant in instants if instant > at), default=None)
