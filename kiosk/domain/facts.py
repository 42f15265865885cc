"""The facts: everything that ever happens at a table, in the past tense, final.

A fact holds what happened and when, not what followed from it: `kiosk.domain.table.evolve` derives the consequences, so that a
replay of the journal and the live table are the same computation. Adding one: see CONTRIBUTING. `at` is the instant at which it
happened, in nanoseconds of the boot's monotonic clock; an alert carries its limit's own instant, not when it was noticed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kiosk.domain.officials import Role
from kiosk.domain.rulebook import FlagPolicy, Kind, Method, Sanction
from kiosk.domain.setup import MatchSetup
from kiosk.domain.types import Instant, Pair, Side, Span


class StopReason(StrEnum):
    """Why the clocks stand (domain rule 2.4)."""

    SETUP = "setup"
    DICE = "dice"
    REFEREE = "referee"
    FAULT = "fault"


class IgnoredWhy(StrEnum):
    """Why a press did nothing (domain rule 2.3)."""

    BOUNCE = "bounce"
    NOT_RUNNING = "not_running"
    OVER = "over"


class CheckItem(StrEnum):
    """What is looked over before game 1; the order is that of the list."""

    LEFT = "left"
    """The left side is seated."""
    RIGHT = "right"
    """The right side is seated."""
    CHECKERS = "checkers"
    CLOCK = "clock"
    DICE = "dice"
    CHOICE = "choice"
    """Seat, direction and colour were chosen by one die each."""


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


@dataclass(frozen=True, slots=True)
class MatchOpened:
    """A match was opened with this setup."""

    at: Instant
    match: str
    """The match's id, unique among all tables."""
    setup: MatchSetup


@dataclass(frozen=True, slots=True)
class SeatsSwapped:
    """The players changed seats; names, score and reserves followed."""

    at: Instant


@dataclass(frozen=True, slots=True)
class ItemChecked:
    """An item of the check-in list was ticked, or the tick was taken away."""

    at: Instant
    item: CheckItem
    done: bool


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The opening press: `by` started the other side's clock; it ended no turn."""

    at: Instant
    by: Side


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A checker play ended by its press."""

    at: Instant
    by: Side


@dataclass(frozen=True, slots=True)
class PressIgnored:
    """A press that changed nothing."""

    at: Instant
    side: Side
    why: IgnoredWhy


@dataclass(frozen=True, slots=True)
class AlertRaised:
    """A limit was passed."""

    at: Instant
    """The limit's own instant."""
    code: str
    side: Side | None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ClockStopped:
    """Somebody stopped both clocks, with a reason or not yet."""

    at: Instant
    by: str | None
    reason: StopReason | None


@dataclass(frozen=True, slots=True)
class StopReasonGiven:
    """The standing stop got its reason."""

    at: Instant
    by: str | None
    reason: StopReason


@dataclass(frozen=True, slots=True)
class RefereeCalled:
    """A referee was called; a running clock stopped."""

    at: Instant
    by: str | None


@dataclass(frozen=True, slots=True)
class ClockResumed:
    """The clock of the side to move runs on."""

    at: Instant


@dataclass(frozen=True, slots=True)
class DoubleOffered:
    """A side offered the cube: also its press, unless it was early, in the opponent's turn."""

    at: Instant
    by: Side
    early: bool


@dataclass(frozen=True, slots=True)
class DoubleTaken:
    """The offer was taken, by the button or on the screen: also that side's press."""

    at: Instant
    by: Side


@dataclass(frozen=True, slots=True)
class DoublePassed:
    """The offer was refused: the game is recorded for the offerer and waits for confirmation."""

    at: Instant
    by: Side


@dataclass(frozen=True, slots=True)
class AutomaticDouble:
    """A tied opening roll doubled the centred cube (free session)."""

    at: Instant


@dataclass(frozen=True, slots=True)
class GameRecorded:
    """A result was entered and waits for the loser."""

    at: Instant
    winner: Side
    kind: Kind
    cube: int
    mismatch: bool
    """The stated cube differs from the cube that was turned live."""


@dataclass(frozen=True, slots=True)
class GameConfirmed:
    """The loser confirmed the recorded game."""

    at: Instant
    by: str


@dataclass(frozen=True, slots=True)
class GameDisputed:
    """The loser disputed the recorded game: only a referee decides now."""

    at: Instant
    by: Side


@dataclass(frozen=True, slots=True)
class RecordUndone:
    """An unconfirmed record was taken back; the table is as before it."""

    at: Instant


@dataclass(frozen=True, slots=True)
class AutomaticDoubleUndone:
    """An automatic double was taken back before the game began."""

    at: Instant


@dataclass(frozen=True, slots=True)
class GameCorrected:
    """A confirmed game was corrected; the old values stay on record."""

    at: Instant
    game: int
    winner: Side
    kind: Kind
    cube: int
    reason: str
    old_winner: Side
    old_kind: Kind
    old_cube: int
    old_points: int


@dataclass(frozen=True, slots=True)
class BreakStarted:
    """A break between games, charged to `by`; both reserves are written down."""

    at: Instant
    by: Side
    reserve_left: Span
    reserve_right: Span


@dataclass(frozen=True, slots=True)
class BreakEnded:
    """The break is over."""

    at: Instant
    by: Side


@dataclass(frozen=True, slots=True)
class LateStarted:
    """A person started the absent sides' clocks."""

    at: Instant
    sides: tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class PlayerArrived:
    """Late sides arrived before their time ran out."""

    at: Instant
    sides: tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class LatePointGiven:
    """A full interval of lateness cost `side` a penalty point (the rulebook's alternative)."""

    at: Instant
    side: Side


@dataclass(frozen=True, slots=True)
class FlagFell:
    """Delay and reserve of a side were both used up at this computed instant."""

    at: Instant
    side: Side


@dataclass(frozen=True, slots=True)
class TimeRefilled:
    """A side got time instead of a flag; under `penalty_points` and `game_loss` it also paid for it."""

    at: Instant
    side: Side
    policy: FlagPolicy
    span: Span


@dataclass(frozen=True, slots=True)
class FlagClaimed:
    """The flag was claimed; the first flag decides, or in a late start the match is forfeited."""

    at: Instant
    by: str


@dataclass(frozen=True, slots=True)
class MatchResigned:
    """A side gave up the match."""

    at: Instant
    by: Side


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """A free session was ended; a game that was running is dropped and not counted."""

    at: Instant


@dataclass(frozen=True, slots=True)
class SessionEndUndone:
    """The end of a free session was taken back; the table is as before it."""

    at: Instant


@dataclass(frozen=True, slots=True)
class PressPutBack:
    """The last press was undone by the side whose turn it had begun."""

    at: Instant
    by: str


@dataclass(frozen=True, slots=True)
class StartSwapped:
    """The wrong clock had been started; the start was turned over."""

    at: Instant
    by: str


Strokes = tuple[tuple[tuple[int, int], ...], ...]
"""A drawn signature: its strokes, each the points (x, y) of a line in a box `STROKES_WIDE` by `STROKES_HIGH`, from its upper left."""

STROKES_WIDE = 1000
STROKES_HIGH = 400
MOST_POINTS = 2000
"""Of a signature's strokes together; a finger that writes for ten seconds stays below it."""


@dataclass(frozen=True, slots=True)
class SheetSigned:
    """A side signed the finished sheet."""

    at: Instant
    side: Side
    protest: bool
    strokes: Strokes = ()
    """Empty where it was signed without drawing."""


@dataclass(frozen=True, slots=True)
class PowerRestored:
    """The table is on again after its process died with a match open."""

    at: Instant
    """When it was on again, on the new boot's clock."""
    last_known: Instant
    """The last instant known to have been lived through, on the old boot's clock; nothing after it is charged."""
    off: Span | None
    """How long the table was off, or None where no clock can tell."""
    uncertain: Span
    """Running time that may have passed after `last_known` and is not charged."""


@dataclass(frozen=True, slots=True)
class WallClockTrusted:
    """The system's date has been set: times of this boot can be corrected from here backwards."""

    at: Instant


# ── Officials (domain rules 2.10, 4) ─────────────────────────────────────────
# Who did it is whoever is signed in when it happens: the stream itself says so, and no act carries a name of its own.
@dataclass(frozen=True, slots=True)
class OfficialSignedIn:
    """An official signed in at the table; whoever was signed in before is signed out."""

    at: Instant
    name: str
    role: Role


@dataclass(frozen=True, slots=True)
class OfficialSignedOut:
    """The official signed out, or was signed out after a minute without touch."""

    at: Instant
    idle: bool


@dataclass(frozen=True, slots=True)
class SignInFailed:
    """A wrong PIN was given; the fifth in a row locks the number pad for a minute."""

    at: Instant


@dataclass(frozen=True, slots=True)
class PinRecovered:
    """An official's PIN was set anew on the box itself, without the old one."""

    at: Instant
    name: str
    wall_ns: int
    """The system's date when it was done: nanoseconds since 1970."""


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
    | ActUndone
)
"""What officials do, and what is done about them."""

Fact = (
    MatchOpened
    | SeatsSwapped
    | ItemChecked
    | GameStarted
    | TurnEnded
    | PressIgnored
    | AlertRaised
    | ClockStopped
    | StopReasonGiven
    | RefereeCalled
    | ClockResumed
    | DoubleOffered
    | DoubleTaken
    | DoublePassed
    | AutomaticDouble
    | AutomaticDoubleUndone
    | GameRecorded
    | GameConfirmed
    | GameDisputed
    | RecordUndone
    | GameCorrected
    | BreakStarted
    | BreakEnded
    | LateStarted
    | PlayerArrived
    | LatePointGiven
    | FlagFell
    | TimeRefilled
    | FlagClaimed
    | MatchResigned
    | SessionEnded
    | SessionEndUndone
    | PressPutBack
    | StartSwapped
    | SheetSigned
    | PowerRestored
    | WallClockTrusted
    | OfficialFact
)
"""Every fact there is; `evolve` and the codec are checked to be complete over it."""
