"""What happens in a chouette: three or more players at one board, one of them in the box, the others a team against him (002).

Players are told by their names, which are different from each other; seats have no meaning here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kiosk.domain.rulebook import Kind
from kiosk.domain.types import Instant


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


ChouetteFact = (
    ChouetteOpened
    | ChouetteTied
    | ChouetteDoubleWanted
    | ChouetteBoxDoubled
    | ChouetteAnswered
    | ChouetteGameWon
    | ChouetteJoined
    | ChouetteLeft
    | ChouetteEnded
    | ChouetteUndone
)
"""What happens in a chouette."""
