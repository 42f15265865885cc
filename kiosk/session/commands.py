"""Commands: what people at the table may ask for. A command may be refused; a fact is what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kiosk.domain.facts import AppealTo, CheckItem, Outcome, Permit, StopReason, Strokes
from kiosk.domain.officials import Official
from kiosk.domain.rulebook import Kind, Method, Sanction
from kiosk.domain.setup import MatchSetup
from kiosk.domain.types import Pair, Side, Span


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """Open a match with a resolved setup."""

    match: str
    """A new unique id, drawn by the caller."""
    setup: MatchSetup


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
class Undo:
    """Take back the last act that can be undone."""


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
    wall_ns: int


@dataclass(frozen=True, slots=True)
class Rule:
    """Rule on an infraction; `sanction` None takes what is suggested."""

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


@dataclass(frozen=True, slots=True)
class Void:
    """Take a ruling back."""

    ruling: int
    reason: str


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


OfficialCommand = (
    SignIn
    | SignOut
    | NoteRecovery
    | Rule
    | Void
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
)
"""What officials ask for, and players of them."""

Command = (
    OpenMatch
    | SwapSeats
    | Check
    | StopClock
    | CallReferee
    | Resume
    | Double
    | Take
    | Pass
    | AutomaticDoubling
    | RecordGame
    | ConfirmGame
    | DisputeGame
    | CorrectGame
    | TakeBreak
    | EndBreak
    | ClaimFlag
    | StartLate
    | Arrive
    | PressBack
    | SwapStart
    | ResignMatch
    | EndSession
    | Sign
    | Undo
    | OfficialCommand
)
"""Every command; the phase × command table and the dispatcher are checked to be complete over it."""
