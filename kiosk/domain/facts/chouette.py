"""What happens in a chouette: three or more players at one board, one of them in the box, the others a team against him (002).

Players are told by their names, which are different from each other; seats have no meaning here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kiosk.domain.rulebook import Kind
from kiosk.domain.types import Instant, Side, Span


class Party(StrEnum):
    """One of the two who play against each other."""

    BOX = "box"
    """The player in the box."""
    TEAM = "team"
    """All others, with their captain."""

    @property
    def other(self) -> Party:
        """The opponent."""
        return Party.TEAM if self is Party.BOX else Party.BOX

    @property
    def side(self) -> Side:
        """Whose button is theirs: the box plays at the left, the team at the right."""
        return Side.LEFT if self is Party.BOX else Side.RIGHT

    @classmethod
    def at(cls, side: Side) -> Party:
        """Who plays at a side."""
        return cls.BOX if side is Side.LEFT else cls.TEAM


@dataclass(frozen=True, slots=True)
class ChouetteOpened:
    """A chouette began."""

    at: Instant
    match: str
    """Its id, unique among all tables and matches."""
    players: tuple[str, ...]
    """Their names: as they were entered where dice decided, else the box, the captain and the team in its order."""
    throws: tuple[tuple[int, ...], ...]
    """What each of them threw, again where it was a tie; empty where the order was agreed without dice."""
    jacoby: bool
    """Gammons and backgammons count only once the cube was turned."""
    automatic: bool
    """A tied opening roll doubles the cube, at most once a game."""
    backgammon: int
    """What a backgammon counts: 3 or 2."""


@dataclass(frozen=True, slots=True)
class ChouetteTied:
    """A tied opening roll doubled the centred cube; that is not a turned cube."""

    at: Instant


@dataclass(frozen=True, slots=True)
class ChouetteDoubleWanted:
    """A member of the team wants to double, or does not: then nobody's yes stands any more. The last yes offers the cube."""

    at: Instant
    player: str
    wants: bool


@dataclass(frozen=True, slots=True)
class ChouetteBoxDoubled:
    """The box offered the cube; every member of the team takes or passes for himself."""

    at: Instant


@dataclass(frozen=True, slots=True)
class ChouetteAnswered:
    """A player took the offered cube, or passed: then he has lost the stake as it was, and a member of the team is out of this game."""

    at: Instant
    player: str
    takes: bool


@dataclass(frozen=True, slots=True)
class ChouetteGameWon:
    """The game was played to its end, or given up at this value."""

    at: Instant
    winner: Party
    kind: Kind


@dataclass(frozen=True, slots=True)
class ChouetteJoined:
    """Somebody joined between games, at the end of the team; who was there before goes on with his points."""

    at: Instant
    player: str


@dataclass(frozen=True, slots=True)
class ChouetteLeft:
    """Somebody left between games; his points stay."""

    at: Instant
    player: str


@dataclass(frozen=True, slots=True)
class ChouetteEnded:
    """The chouette is over; a game that was running is dropped, and nobody has paid anything in it."""

    at: Instant


@dataclass(frozen=True, slots=True)
class ChouetteUndone:
    """The last entry that still stood was a mistake: all is as it was before it."""

    at: Instant


@dataclass(frozen=True, slots=True)
class ChouetteClockSet:
    """The players agreed on a clock, or to play on without one; whatever it showed, it begins anew."""

    at: Instant
    delay: Span
    """What each turn has before the reserve runs, in nanoseconds."""
    reserve: Span
    """What the box and the team have each for a game, in nanoseconds; with neither, no clock runs."""


@dataclass(frozen=True, slots=True)
class ChouettePressed:
    """A turn was ended by a press, or the game's first turn began."""

    at: Instant
    party: Party
    """Who pressed; the other one's time runs from now on."""


@dataclass(frozen=True, slots=True)
class ChouetteClockStopped:
    """Somebody stopped the clock."""

    at: Instant


@dataclass(frozen=True, slots=True)
class ChouetteClockResumed:
    """The clock runs on."""

    at: Instant


@dataclass(frozen=True, slots=True)
class ChouetteFlagFell:
    """A party's time for this game was used up; what that means is for the players to agree."""

    at: Instant
    party: Party


ChouetteClockFact = ChouettePressed | ChouetteClockStopped | ChouetteClockResumed | ChouetteFlagFell
"""What its clock does: no entry, so nobody takes it back."""

ChouetteEntry = (
    ChouetteOpened
    | ChouetteTied
    | ChouetteDoubleWanted
    | ChouetteBoxDoubled
    | ChouetteAnswered
    | ChouetteGameWon
    | ChouetteJoined
    | ChouetteLeft
    | ChouetteEnded
    | ChouetteClockSet
    | ChouetteUndone
)
"""What is entered in a chouette."""

ChouetteFact = ChouetteEntry | ChouetteClockFact
"""What happens in a chouette."""
