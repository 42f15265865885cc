"""What players ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kiosk.domain.facts import CheckItem, StopReason, Strokes
from kiosk.domain.rulebook import Kind
from kiosk.domain.setup import MatchSetup
from kiosk.domain.state import Place
from kiosk.domain.types import Side


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """Open a match with a resolved setup."""

    match: str
    """A new unique id, drawn by the caller; an organizer's match has its own."""
    setup: MatchSetup
    place: Place | None = None
    """Where it belongs; None where it is opened by hand."""


@dataclass(frozen=True, slots=True)
class SwapSeats:
    """Exchange the seats before the first press."""


@dataclass(frozen=True, slots=True)
class Check:
    """Tick an item of the check-in list before game 1, or take the tick away."""

    item: CheckItem
    done: bool


@dataclass(frozen=True, slots=True)
class StopClock:
    """Stop both clocks, or give the standing stop its reason."""

    by: str | None
    """A side, `referee`, or unknown."""
    reason: StopReason | None


@dataclass(frozen=True, slots=True)
class CallReferee:
    """Call a referee; a running clock stops."""

    by: str | None


@dataclass(frozen=True, slots=True)
class Resume:
    """Let the clock run on."""


@dataclass(frozen=True, slots=True)
class Double:
    """Offer the cube."""

    by: Side


@dataclass(frozen=True, slots=True)
class Take:
    """Take the offered cube."""

    by: Side


@dataclass(frozen=True, slots=True)
class Pass:
    """Refuse the offered cube."""

    by: Side


@dataclass(frozen=True, slots=True)
class AutomaticDoubling:
    """A tied opening roll doubles the cube (free session)."""


@dataclass(frozen=True, slots=True)
class RecordGame:
    """The winner enters the game; `cube` None means: as it was turned live."""

    winner: Side
    kind: Kind
    cube: int | None


@dataclass(frozen=True, slots=True)
class ConfirmGame:
    """The loser confirms the recorded game."""

    by: Side


@dataclass(frozen=True, slots=True)
class DisputeGame:
    """The loser disputes the recorded game."""

    by: Side


@dataclass(frozen=True, slots=True)
class CorrectGame:
    """Both players agree to correct a confirmed game; `cube` None keeps the recorded one."""

    game: int
    winner: Side
    kind: Kind
    cube: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class TakeBreak:
    """Take a break between games."""

    by: Side


@dataclass(frozen=True, slots=True)
class EndBreak:
    """End the break."""

    by: Side


@dataclass(frozen=True, slots=True)
class ClaimFlag:
    """Claim a flag that is down."""

    by: str
    """A side or `referee`."""


@dataclass(frozen=True, slots=True)
class StartLate:
    """Start the absent sides' clocks."""

    sides: tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class Arrive:
    """Late sides are here."""

    sides: tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class PressBack:
    """Put the last press back."""

    by: str
    """A side or `referee`."""


@dataclass(frozen=True, slots=True)
class SwapStart:
    """The wrong clock was started: turn the start over."""

    by: str
    """A side or `referee`."""


@dataclass(frozen=True, slots=True)
class ResignMatch:
    """Give up the match."""

    by: Side


@dataclass(frozen=True, slots=True)
class EndSession:
    """End a free session, which has no end by itself; a game that is running is dropped and not counted."""


@dataclass(frozen=True, slots=True)
class Sign:
    """Sign the finished sheet."""

    side: Side
    protest: bool
    strokes: Strokes = ()
    """Empty: signed without drawing."""


@dataclass(frozen=True, slots=True)
class NoteTurn:
    """Write a turn down, for the game's transcript."""

    game: int
    n: int
    """Its place among the game's turns, from 1; what stood there and after it is written over."""
    side: Side
    what: str
    """As in `TurnNoted`; empty erases from there on."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last act that can be undone."""

    of: Literal["last", "play", "act"] = "last"
    """`play`: what players did, whoever is signed in; `act`: what an official did; `last`: whichever of the two came last."""
