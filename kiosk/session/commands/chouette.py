"""What the players of a chouette ask for; players are told by their names."""

from __future__ import annotations

from dataclasses import dataclass

from kiosk.domain.facts import Party
from kiosk.domain.rulebook import Kind
from kiosk.domain.types import Span


@dataclass(frozen=True, slots=True)
class OpenChouette:
    """Begin a chouette."""

    match: str
    """A new unique id, drawn by the caller."""
    players: tuple[str, ...]
    """In any order where dice decide, else the box, the captain, the team."""
    throws: tuple[tuple[int, ...], ...]
    """What each of them threw, in the order of the names; empty: the order was agreed."""
    jacoby: bool
    automatic: bool
    """A tied opening roll doubles the cube."""
    backgammon: int
    """What a backgammon counts: 3 or 2."""
    clock: SetChouetteClock | None = None
    """The clock that was agreed on; None: it is played without one."""


@dataclass(frozen=True, slots=True)
class TieChouette:
    """A tied opening roll doubles the cube."""


@dataclass(frozen=True, slots=True)
class WantDouble:
    """A member of the team says whether he wants to double; once all do, the cube is offered."""

    by: str
    wants: bool


@dataclass(frozen=True, slots=True)
class DoubleByBox:
    """The box offers the cube."""


@dataclass(frozen=True, slots=True)
class AnswerDouble:
    """A player takes the offered cube, or passes."""

    by: str
    takes: bool


@dataclass(frozen=True, slots=True)
class WinChouette:
    """The running game is won."""

    by: Party
    kind: Kind


@dataclass(frozen=True, slots=True)
class JoinChouette:
    """Somebody joins at the end of the team."""

    player: str


@dataclass(frozen=True, slots=True)
class LeaveChouette:
    """Somebody leaves."""

    player: str


@dataclass(frozen=True, slots=True)
class EndChouette:
    """The chouette is over."""


@dataclass(frozen=True, slots=True)
class UndoChouette:
    """The last entry was a mistake."""


@dataclass(frozen=True, slots=True)
class SetChouetteClock:
    """Play on with this clock, which begins anew; with neither delay nor reserve, without one."""

    delay: Span
    """What each turn has before the reserve runs, in nanoseconds."""
    reserve: Span
    """What the box and the team have each for a game, in nanoseconds."""


@dataclass(frozen=True, slots=True)
class StopChouetteClock:
    """Stop its clock."""


@dataclass(frozen=True, slots=True)
class ResumeChouetteClock:
    """Let its clock run on."""


ChouetteCommand = (
    OpenChouette
    | TieChouette
    | WantDouble
    | DoubleByBox
    | AnswerDouble
    | WinChouette
    | JoinChouette
    | LeaveChouette
    | EndChouette
    | UndoChouette
    | SetChouetteClock
    | StopChouetteClock
    | ResumeChouetteClock
)
"""What the players of a chouette ask for."""
