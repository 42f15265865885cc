"""What officials do, and what is done about them (domain rules 2.10, 4).

Who did it is whoever is signed in when it happens: the stream itself says so, and no act carries a name of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kiosk.domain.officials import Role
from kiosk.domain.rulebook import Kind, Method, Sanction
from kiosk.domain.types import Instant, Pair, Side, Span


class AppealTo(StrEnum):
    """Who decides an appeal: against the referee the chief or his deputy, against those the committee (000 §11)."""

    CHIEF = "chief"
    COMMITTEE = "committee"


class Outcome(StrEnum):
    """How an appeal was decided: the two first, or the sanction that takes the ruling's place."""

    UPHELD = "upheld"
    VOID = "void"
    REMARK = "remark"
    WARNING = "warning"
    PENALTY_POINT = "penalty_point"
    GAME_LOSS = "game_loss"
    MATCH_LOSS = "match_loss"
    EXPULSION = "expulsion"


class Permit(StrEnum):
    """What a player may be permitted (domain rule 4.8)."""

    DEVICE = "device"
    LEAVE = "leave"


class OnPaper(StrEnum):
    """Whether a side signed the paper sheet."""

    YES = "yes"
    PROTEST = "protest"
    NO = "no"


class SignedInBy(StrEnum):
    """How an official came to be signed in."""

    PIN = "pin"
    """At the table, or since before the match that was just opened."""
    PHONE = "phone"
    """Far from it, for the one act that follows."""
    AGAIN = "again"
    """As before that act."""


@dataclass(frozen=True, slots=True)
class OfficialSignedIn:
    """An official signed in at the table, or does one act from elsewhere; whoever was signed in before is signed out."""

    at: Instant
    name: str
    role: Role
    how: SignedInBy = SignedInBy.PIN


@dataclass(frozen=True, slots=True)
class OfficialSignedOut:
    """The official signed out, or was signed out after a minute without touch."""

    at: Instant
    idle: bool


@dataclass(frozen=True, slots=True)
class SignInFailed:
    """A wrong PIN or a badge that is nobody's was given; the fifth in a row locks the number pad for a minute."""

    at: Instant


@dataclass(frozen=True, slots=True)
class PinRecovered:
    """An official's PIN was set anew on the box itself, without the old one."""

    at: Instant
    name: str
    """Whose; empty where the mark that was left of it could not be read."""
    by: str
    """The system's name of whoever did it; empty where that is not known."""
    wall_ns: int
    """The system's date when it was done: nanoseconds since 1970."""
    wall_trusted: bool
    """Whether that date had been set."""


@dataclass(frozen=True, slots=True)
class RulingMade:
    """A referee ruled on an infraction. Its number is its place among the match's rulings, from 1."""

    at: Instant
    sides: tuple[Side, ...]
    """Whom it names: one side or both."""
    infraction: str
    """The catalogue's code."""
    sanction: Sanction | None
    """None: on record only."""
    kind: Kind | None
    """How a lost game counts; None is single (oin), or not a lost game."""
    suggested: Sanction | None
    """What the ladder had suggested."""
    ground: str
    """What the suggestion rested on."""
    earlier: int | None
    """The earlier ruling that it rested on."""
    note: str
    """What the referee wrote down."""
    panel: tuple[str, ...]
    """Who decided an expulsion."""
    duplicate: int | None
    """An earlier ruling on the same within a minute, kept beside it on purpose."""


@dataclass(frozen=True, slots=True)
class RulingMerged:
    """The same penalty was entered twice; the second entry is on record here and has no effect."""

    at: Instant
    ruling: int
    """The ruling that it repeats."""
    note: str


@dataclass(frozen=True, slots=True)
class RulingVoided:
    """A ruling was taken back; what it did to score, game and match comes off again."""

    at: Instant
    ruling: int
    reason: str


@dataclass(frozen=True, slots=True)
class PlayAttached:
    """A position that was looked at on the touch board, with what was played in it, goes with a ruling (domain rule 5)."""

    at: Instant
    ruling: int
    position: str
    """The board as a text id, from the view of the side to move."""
    dice: str
    """As thrown, `5-3`; empty where the position alone is meant."""
    move: str
    """What was played, `13/8 6/3`; empty where nothing was."""
    verdict: str
    """`legal`, the word of why it is not, or empty where no move was looked at."""
    article: str
    """The article that it rests on, or empty."""
    mover: Side | None = None
    """Whose throw it was, where that was said."""


@dataclass(frozen=True, slots=True)
class AppealLodged:
    """A player appealed against a ruling. Its number is its place among the match's appeals, from 1."""

    at: Instant
    ruling: int
    by: Side
    to: AppealTo


@dataclass(frozen=True, slots=True)
class AppealDecided:
    """An appeal was decided: the ruling stands, falls, or another sanction takes its place as a new ruling."""

    at: Instant
    appeal: int
    outcome: Outcome
    names: tuple[str, ...]
    """Who sat on the committee."""


@dataclass(frozen=True, slots=True)
class TimeAdjusted:
    """Time was given to a side, or taken from it."""

    at: Instant
    side: Side
    span: Span
    """Added to the reserve; negative takes."""
    reason: str


@dataclass(frozen=True, slots=True)
class ReservesSet:
    """Both reserves were set."""

    at: Instant
    reserve: Pair[Span]
    reason: str


@dataclass(frozen=True, slots=True)
class ControlChanged:
    """Delay or method were changed: a wrong setting was found."""

    at: Instant
    delay: Span
    method: Method
    reason: str


@dataclass(frozen=True, slots=True)
class DelayRestarted:
    """The side to move has its whole delay again: the roll was invalid."""

    at: Instant


@dataclass(frozen=True, slots=True)
class NextDelayCancelled:
    """A side's next turn has no delay: it lifted the dice early."""

    at: Instant
    side: Side


@dataclass(frozen=True, slots=True)
class FlagCleared:
    """A flag was taken back."""

    at: Instant
    side: Side
    reason: str


@dataclass(frozen=True, slots=True)
class CubeSet:
    """The cube was set to what lies on the board (000 §11)."""

    at: Instant
    value: int
    owner: Side | None
    reason: str


@dataclass(frozen=True, slots=True)
class SeatsExchanged:
    """An official swapped the seats after the first press; names, score and reserves followed."""

    at: Instant


@dataclass(frozen=True, slots=True)
class GameRestarted:
    """The running game begins anew: its set-up was wrong; the clocks keep what they show."""

    at: Instant
    reason: str


@dataclass(frozen=True, slots=True)
class GameRuled:
    """An official decided the game that was disputed: his entry counts at once."""

    at: Instant
    winner: Side
    kind: Kind
    cube: int


@dataclass(frozen=True, slots=True)
class StateSet:
    """The whole table was set by a referee: a spare device takes a match over."""

    at: Instant
    score: Pair[int]
    reserve: Pair[Span]
    turn: Side | None
    delay_used: Span
    cube: int
    owner: Side | None
    game: int
    crawford_played: bool
    breaks: Pair[int]
    """Breaks taken."""


@dataclass(frozen=True, slots=True)
class MatchForfeited:
    """An official declared the match lost without play."""

    at: Instant
    sides: tuple[Side, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class MatchSuspended:
    """The match was adjourned; everything that is needed to resume it is on the sheet."""

    at: Instant
    position: str
    """The board, as a text id or a reference to a photograph."""
    note: str


@dataclass(frozen=True, slots=True)
class MatchResumed:
    """The adjourned match goes on; the clocks stand until somebody resumes."""

    at: Instant


@dataclass(frozen=True, slots=True)
class DiceChanged:
    """A player had the dice changed: once a match, between games (000 §11, 004 5.4.8)."""

    at: Instant
    by: Side


@dataclass(frozen=True, slots=True)
class PermissionGiven:
    """A side may use a device, or leave the hall."""

    at: Instant
    side: Side
    what: Permit
    until: Span | None
    """For how long; None without limit."""


@dataclass(frozen=True, slots=True)
class PermissionEnded:
    """The player is back, or the device is put away."""

    at: Instant
    side: Side
    what: Permit


@dataclass(frozen=True, slots=True)
class SheetReceived:
    """The sheet was handed in: the result is final."""

    at: Instant


@dataclass(frozen=True, slots=True)
class PaperEntered:
    """The match was played without a device; what its paper sheet says is entered here, and no clock runs in it."""

    at: Instant
    """When it was entered."""
    played: str
    """When it was played and which sheet it is, as the official put it: one line, or nothing."""
    name: str
    """Who entered it."""
    role: Role
    signed: Pair[OnPaper]
    """The signatures on the paper."""


@dataclass(frozen=True, slots=True)
class PaperGameEntered:
    """The next game on the paper sheet; it counts at once."""

    at: Instant
    winner: Side
    kind: Kind
    cube: int


@dataclass(frozen=True, slots=True)
class ActUndone:
    """The last official act that can be undone was undone."""

    at: Instant


OfficialFact = (
    OfficialSignedIn
    | OfficialSignedOut
    | SignInFailed
    | PinRecovered
    | RulingMade
    | RulingMerged
    | RulingVoided
    | PlayAttached
    | AppealLodged
    | AppealDecided
    | TimeAdjusted
    | ReservesSet
    | ControlChanged
    | DelayRestarted
    | NextDelayCancelled
    | FlagCleared
    | CubeSet
    | SeatsExchanged
    | GameRestarted
    | GameRuled
    | StateSet
    | MatchForfeited
    | MatchSuspended
    | MatchResumed
    | DiceChanged
    | PermissionGiven
    | PermissionEnded
    | SheetReceived
    | PaperEntered
    | PaperGameEntered
    | ActUndone
)
"""What officials do, and what is done about them."""
