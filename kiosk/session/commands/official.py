"""What officials ask for, and players of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kiosk.domain.facts import AppealTo, OnPaper, Outcome, Permit
from kiosk.domain.officials import Official
from kiosk.domain.rulebook import Kind, Method, Sanction
from kiosk.domain.setup import MatchSetup
from kiosk.domain.types import Pair, Side, Span


@dataclass(frozen=True, slots=True)
class SignIn:
    """An official signs in; whoever took the PIN has looked it up."""

    official: Official | None
    """Whose PIN it is; None where it is nobody's."""


@dataclass(frozen=True, slots=True)
class SignOut:
    """The official signs out."""


@dataclass(frozen=True, slots=True)
class NoteRecovery:
    """A PIN was set anew on the box itself: put it on record."""

    name: str
    """Whose."""
    by: str
    """The system's name of whoever did it."""
    wall_ns: int
    """The system's date then: nanoseconds since 1970 in UTC, right or not."""
    wall_trusted: bool
    """Whether that date had been set."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Rule on an infraction; `sanction` None takes what is suggested, unless it is for the record only."""

    sides: tuple[Side, ...]
    infraction: str
    sanction: Sanction | None = None
    kind: Kind | None = None
    """How a lost game counts."""
    note: str = ""
    panel: tuple[str, ...] = ()
    duplicate: Literal["keep", "merge"] | None = None
    """What to do with the same penalty entered within a minute; None asks."""
    affects_play: bool = False
    """The infraction directly affected play."""
    record_only: bool = False
    """On record, without a sanction, whatever is suggested."""


@dataclass(frozen=True, slots=True)
class Void:
    """Take a ruling back."""

    ruling: int
    reason: str


@dataclass(frozen=True, slots=True)
class AttachPlay:
    """Put a position, and what was played in it, on record with a ruling."""

    ruling: int
    position: str
    """The board as a text id, from the view of the side to move."""
    dice: str = ""
    move: str = ""
    verdict: str = ""
    """`legal`, the word of why it is not, or empty."""
    article: str = ""
    mover: Side | None = None


@dataclass(frozen=True, slots=True)
class LodgeAppeal:
    """A player appeals against a ruling; `to` None takes the next instance."""

    ruling: int
    by: Side
    to: AppealTo | None = None


@dataclass(frozen=True, slots=True)
class DecideAppeal:
    """Decide an appeal."""

    appeal: int
    outcome: Outcome
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Adjust:
    """Give a side time, or take it."""

    side: Side
    span: Span
    reason: str


@dataclass(frozen=True, slots=True)
class SetReserves:
    """Set both reserves."""

    reserve: Pair[Span]
    reason: str


@dataclass(frozen=True, slots=True)
class SetControl:
    """Change delay or method; None keeps."""

    delay: Span | None
    method: Method | None
    reason: str


@dataclass(frozen=True, slots=True)
class RestartDelay:
    """Give the side to move its whole delay again."""


@dataclass(frozen=True, slots=True)
class CancelNextDelay:
    """A side's next turn has no delay."""

    side: Side


@dataclass(frozen=True, slots=True)
class ClearFlag:
    """Take a flag back."""

    side: Side
    reason: str


@dataclass(frozen=True, slots=True)
class SetCube:
    """Set the cube to what lies on the board."""

    value: int
    owner: Side | None
    reason: str


@dataclass(frozen=True, slots=True)
class RestartGame:
    """Begin the running game anew."""

    reason: str


@dataclass(frozen=True, slots=True)
class SetState:
    """Set the whole table: a spare device takes the match over."""

    score: Pair[int]
    reserve: Pair[Span]
    turn: Side | None
    delay_used: Span
    cube: int
    owner: Side | None
    game: int
    crawford_played: bool
    breaks: Pair[int]


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Declare the match lost without play."""

    sides: tuple[Side, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Suspend:
    """Adjourn the match."""

    position: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class ResumeMatch:
    """Take the adjourned match up again."""


@dataclass(frozen=True, slots=True)
class ChangeDice:
    """A player has the dice changed."""

    by: Side


@dataclass(frozen=True, slots=True)
class Allow:
    """Permit a device, or leaving the hall."""

    side: Side
    what: Permit
    until: Span | None = None


@dataclass(frozen=True, slots=True)
class Back:
    """The player is back, or the device is put away."""

    side: Side
    what: Permit


@dataclass(frozen=True, slots=True)
class Receive:
    """The sheet is handed in."""


@dataclass(frozen=True, slots=True)
class PaperGame:
    """One game on a paper sheet."""

    winner: Side
    kind: Kind
    cube: int


@dataclass(frozen=True, slots=True)
class PaperEnd:
    """How the match on a paper sheet ended, where it was not by the score."""

    how: Literal["resignation", "flag", "forfeit"]
    sides: tuple[Side, ...]
    """Who resigned, whose flag fell, who has forfeited; both are possible in a forfeit only."""


@dataclass(frozen=True, slots=True)
class EnterPaper:
    """Enter the result of a match that was played without a device: all of it, or nothing."""

    match: str
    """A new unique id, drawn by the caller."""
    setup: MatchSetup
    games: tuple[PaperGame, ...]
    """In the order in which they were played."""
    end: PaperEnd | None
    """None: by the score; a free session was ended."""
    played: str = ""
    """When it was played, and the sheet's number: one line."""
    signed: Pair[OnPaper] = Pair(OnPaper.NO, OnPaper.NO)
    """The signatures on the paper."""


OfficialCommand = (
    SignIn
    | SignOut
    | NoteRecovery
    | Rule
    | Void
    | AttachPlay
    | LodgeAppeal
    | DecideAppeal
    | Adjust
    | SetReserves
    | SetControl
    | RestartDelay
    | CancelNextDelay
    | ClearFlag
    | SetCube
    | RestartGame
    | SetState
    | Forfeit
    | Suspend
    | ResumeMatch
    | ChangeDice
    | Allow
    | Back
    | Receive
    | EnterPaper
)
"""What officials ask for, and players of them."""
