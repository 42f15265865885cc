"""What the hall's desk brings about at a table: orders that came over the network, and a running match from elsewhere.

Such a fact names who ordered it, for that person is not signed in at the table.
"""

from __future__ import annotations

from dataclasses import dataclass

from kiosk.domain.officials import Role
from kiosk.domain.types import Instant, Side, Span


@dataclass(frozen=True, slots=True)
class MatchPlaced:
    """Where the match that was just opened belongs; it comes right behind its opening."""

    at: Instant
    event: str
    """The event, as the organizer calls it."""
    round: str
    """The round, as the organizer calls it."""
    table: str
    """What the table is called."""
    practice: bool
    """It never reaches results, exports or counts."""


@dataclass(frozen=True, slots=True)
class HallPaused:
    """All clocks of the hall were stopped: nothing runs until the pause is lifted and somebody resumes."""

    at: Instant
    by: str
    """Who ordered it; empty: nobody, the table itself stopped because another device goes on with its match."""
    why: str


@dataclass(frozen=True, slots=True)
class HallPauseLifted:
    """Clocks may run again, once somebody resumes them."""

    at: Instant
    by: str
    """Who lifted it."""


@dataclass(frozen=True, slots=True)
class MessageShown:
    """A line from the desk is on the screen until somebody says that it was read."""

    at: Instant
    n: int
    """Its number among the server's orders."""
    by: str
    text: str


@dataclass(frozen=True, slots=True)
class MessageRead:
    """Somebody at the table has read a message."""

    at: Instant
    n: int


@dataclass(frozen=True, slots=True)
class SeatConfirmed:
    """A player has confirmed, in his half, the organizer's match that is offered; or has taken that back. It is not open yet."""

    at: Instant
    match: str
    version: int
    """As it was shown to him."""
    side: Side
    here: bool


@dataclass(frozen=True, slots=True)
class RoundStartMoved:
    """The round begins at another time than was said when the match was opened."""

    at: Instant
    by: str
    start: Instant | None
    """None: its time is not set any more."""


@dataclass(frozen=True, slots=True)
class RefereeOnTheWay:
    """A referee has seen the call and is coming."""

    at: Instant
    by: str


@dataclass(frozen=True, slots=True)
class MatchTakenOver:
    """This table took a running match over from another one that failed: its entries before this one are copies from that one's journal."""

    at: Instant
    """When, on this boot's clock."""
    last_known: Instant
    """The instant of the last copied entry, on the clock of its own boot; nothing after it is charged."""
    uncertain: Span | None
    """How much running time may have passed after `last_known`; None where no clock can tell."""
    table: str
    """The table it comes from, as its organizer calls it."""
    digest: str
    """The hash of the last copied row in the journal it comes from."""
    name: str
    """The official who took it over, and who is signed in from here on."""
    role: Role


HallFact = (
    MatchPlaced
    | HallPaused
    | HallPauseLifted
    | MessageShown
    | MessageRead
    | SeatConfirmed
    | RoundStartMoved
    | RefereeOnTheWay
    | MatchTakenOver
)
"""What comes from the hall."""
