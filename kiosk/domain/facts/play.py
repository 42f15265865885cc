"""What players do, what time brings about, and what happens to the box."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kiosk.domain.officials import Role
from kiosk.domain.rulebook import FlagPolicy, Kind
from kiosk.domain.setup import MatchSetup
from kiosk.domain.types import Instant, Side, Span


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
class TurnNoted:
    """A turn of a game was written down, for its transcript; it changes nothing at the table."""

    at: Instant
    game: int
    n: int
    """Its place among the game's turns, from 1. What stood at this place, and after it, is written over."""
    side: Side
    what: str
    """`53: 8/3 6/3` (no move: the roll alone), `double`, `take`, `drop`; empty: written down by mistake."""


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
class MatchTakenUp:
    """An adjourned match was taken up at this table: its entries before this one are copies from another journal (domain rule 3.6)."""

    at: Instant
    """When, on this boot's clock."""
    last_known: Instant
    """The instant of the last copied entry, on the clock of its own boot."""
    table: str
    """The table it comes from, as its organizer calls it."""
    digest: str
    """The hash of the last copied row in the journal it comes from."""
    name: str
    """The official who took it up, and who is signed in from here on."""
    role: Role


@dataclass(frozen=True, slots=True)
class WallClockTrusted:
    """The system's date has been set: times of this boot can be corrected from here backwards."""

    at: Instant
