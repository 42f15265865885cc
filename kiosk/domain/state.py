"""The table's state as one frozen value. What can be asked of it is in `kiosk.domain.asked`."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from kiosk.domain.chouette import Chouette
from kiosk.domain.clock import Clock
from kiosk.domain.facts import AppealTo, CheckItem, Fact, OnPaper, Outcome, Permit, StopReason, Strokes
from kiosk.domain.lockout import Lockout
from kiosk.domain.officials import Official
from kiosk.domain.rulebook import Kind, Sanction
from kiosk.domain.setup import MatchSetup
from kiosk.domain.types import Instant, Pair, Side, Span

CUBE_LIMIT = 64
CUBE_VALUES = (1, 2, 4, 8, 16, 32, 64)


class Phase(StrEnum):
    """Where the table stands."""

    OPENING = "opening"
    LATE = "late"
    PLAYING = "playing"
    STOPPED = "stopped"
    RECORDING = "recording"
    BREAK = "break"
    SUSPENDED = "suspended"
    ENDED = "ended"
    SIGNED = "signed"
    RECEIVED = "received"


OVER = frozenset({Phase.ENDED, Phase.SIGNED, Phase.RECEIVED})
"""The phases after a match's end."""


@dataclass(frozen=True, slots=True)
class Cube:
    """The doubling cube of the running game."""

    value: int = 1
    """The stake."""
    owner: Side | None = None
    """Who may redouble; None while centred."""
    offered_by: Side | None = None
    """Who has offered and waits for an answer."""
    early: bool = False
    """The offer waits for the opponent's press (offered too early, 000 §11)."""
    turned: bool = False
    """A live take happened, so the value is known."""
    automatic: bool = False
    """A tied opening roll doubled it; that is not a turned cube (002)."""

    @property
    def open_offer(self) -> bool:
        """Whether the responder is on the clock for an answer."""
        return self.offered_by is not None and not self.early


@dataclass(frozen=True, slots=True)
class Game:
    """A finished game in the ledger."""

    n: int
    winner: Side
    kind: Kind
    cube: int
    points: int
    crawford: bool
    """It was played as the Crawford game; that stays true whatever is corrected later."""
    automatic: bool
    """A tied opening roll had doubled its cube."""
    corrected: bool = False
    """Its values are not the first ones."""
    ruling: int | None = None
    """The ruling by which it was lost; None where it was played, or a flag's price."""
    void: bool = False
    """Its ruling was taken back after the next game had begun: it counts no more, its number stays."""
    begun: bool = True
    """It had its first press; a game that was lost by a ruling before that, and is void, was not played."""


@dataclass(frozen=True, slots=True)
class Penalty:
    """Penalty points in the ledger: added to the opponent's score at once."""

    side: Side
    """Who has them."""
    points: int
    flag: bool = False
    """The price of a refill; it is undone with the press that led to the flag (domain rule 2.10)."""
    ruling: int | None = None
    """The ruling that gave them."""
    void: bool = False
    """Their ruling was taken back."""


Entry = Game | Penalty


class Halt(StrEnum):
    """Why the clocks stand where nobody at the table stopped them; it follows from another fact and is part of none."""

    HALL = "hall"
    """The hall's desk had paused the hall."""
    TAKEN = "taken"
    """This device took the running match over from another one."""
    REPLACED = "replaced"
    """Another device goes on with the match that was played here."""
    POWER = "power"
    """The table had no power."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A standing stop; between games the set-up allowance is one too."""

    since: Instant
    reason: StopReason | Halt | None
    by: str | None
    alerted: tuple[str, ...] = ()
    """Alerts already raised for it."""


@dataclass(frozen=True, slots=True)
class Recess:
    """A running break."""

    by: Side
    since: Instant
    alerted: bool = False


@dataclass(frozen=True, slots=True)
class Late:
    """A late start."""

    absent: tuple[Side, ...] = ()
    """Who has not arrived."""
    started: Pair[Instant | None] = Pair(None, None)
    """When each absent side's time was started, for the alternative by points."""
    points: Pair[int] = Pair(0, 0)
    """Penalty points for lateness."""
    lost_choice: tuple[Side, ...] = ()
    """Who came late and has lost the choice of seat, direction and colour (000 §11)."""


@dataclass(frozen=True, slots=True)
class Alert:
    """A limit that was passed."""

    at: Instant
    code: str
    side: Side | None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class OnDuty:
    """Who is signed in."""

    official: Official
    touched: Instant = field(compare=False)
    """The last touch of the screen; a minute later the official is signed out. Touches without a fact are not in the journal, so that
    a replay may know an earlier one: it makes no other table."""


@dataclass(frozen=True, slots=True)
class RefereeCall:
    """A referee was called."""

    by: str | None
    at: Instant
    coming: str | None = None
    """Who has seen the call and is on the way."""


@dataclass(frozen=True, slots=True)
class Pause:
    """All clocks of the hall stand by order of its desk."""

    by: str
    """Who ordered it; empty: nobody, another device goes on with this table's match."""
    why: str
    since: Instant


@dataclass(frozen=True, slots=True)
class Message:
    """A line from the desk that nobody has read yet."""

    n: int
    """Its number among the server's orders."""
    by: str
    text: str
    at: Instant


@dataclass(frozen=True, slots=True)
class Confirmed:
    """Who has confirmed the organizer's match that is offered."""

    match: str
    version: int
    """As it was shown to them; another one is confirmed anew."""
    here: Pair[bool]


@dataclass(frozen=True, slots=True)
class Hall:
    """What the hall's desk wants of this table, whatever match is on it."""

    pause: Pause | None = None
    messages: tuple[Message, ...] = ()
    """Unread, the oldest first."""
    confirmed: Confirmed | None = None
    """None: nobody has; so it is from an opening on."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a match belongs in its event."""

    event: str
    round: str
    table: str
    practice: bool


@dataclass(frozen=True, slots=True)
class ExaminedPlay:
    """A position with what was played in it, as it was looked at on the touch board."""

    position: str
    """The board as a text id, from the view of the side to move."""
    dice: str
    """As thrown, `5-3`, or empty."""
    move: str
    """What was played, or empty."""
    verdict: str
    """`legal`, the word of why it is not, or empty."""
    article: str
    """The article that it rests on, or empty."""
    mover: Side | None = None
    """Whose throw it was."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling as it stands now."""

    id: int
    """1, 2, 3 … in the order of ruling."""
    at: Instant
    game: int
    """The game in which it was made."""
    sides: tuple[Side, ...]
    infraction: str
    sanction: Sanction | None
    by: Official
    """Who ruled."""
    call: RefereeCall | None = None
    """Who had called the referee, and when."""
    note: str = ""
    ground: str = ""
    earlier: int | None = None
    suggested: Sanction | None = None
    panel: tuple[str, ...] = ()
    duplicate: int | None = None
    void: bool = False
    """Taken back, or replaced by another on appeal."""
    why_void: str = ""
    merged: int = 0
    """How often the same was entered again and merged with it."""
    plays: tuple[ExaminedPlay, ...] = ()
    """What was looked at on the touch board for it."""
    before: Table | None = field(default=None, repr=False)
    """The table just before, where the ruling ended a game or the match: for opening it again."""


@dataclass(frozen=True, slots=True)
class Appeal:
    """An appeal against a ruling."""

    id: int
    ruling: int
    by: Side
    to: AppealTo
    at: Instant
    outcome: Outcome | None = None
    """None while it is open."""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Permission:
    """A permission in force."""

    side: Side
    what: Permit
    at: Instant
    until: Span | None


@dataclass(frozen=True, slots=True)
class Act:
    """An official's act that may be undone: only the last one, and only while play has not gone on over it."""

    fact: Fact
    by: Official | None
    """Who did it; None where the players did, by a claim or a resignation."""
    before: Table = field(repr=False)
    """The table just before it, with everything due by then; its rulings and appeals are those of then."""
    after: tuple[object, ...] = ()
    """`progress` just after it."""


@dataclass(frozen=True, slots=True)
class Paper:
    """The match was entered from its paper sheet: where it says nothing of time, nothing is claimed."""

    at: Instant
    """When it was entered."""
    by: Official
    played: str
    signed: Pair[OnPaper]


How = Literal["score", "flag", "resignation", "ruling", "forfeit", "double_forfeit", "session"]


@dataclass(frozen=True, slots=True)
class End:
    """How the match ended."""

    winner: Side | None
    """None in a double forfeit, and in a free session that ended level."""
    how: How
    unplayed: bool = False
    """By forfeit before the first game began: `+` and `−`, score unchanged."""
    before: Table | None = None
    """A free session's table at the instant of its end, for undoing it; gone once the sheet was corrected."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature on the finished sheet."""

    side: Side
    protest: bool
    strokes: Strokes = ()


@dataclass(frozen=True, slots=True)
class Memory:
    """The table just before the last press, for putting it back."""

    clock: Clock
    cube: Cube
    game_turns: int
    entries: int
    """Length of the ledger: a flag's penalty points after it are undone with the press."""
    opening: bool
    """The press started the game: there is no turn to put back, only a start to swap."""
    earlier: Memory | None = None
    """The game's start, kept through the first turn's press: once that is put back, the start can still be swapped."""


@dataclass(frozen=True, slots=True)
class Awaiting:
    """A recorded game that waits for its confirmation."""

    winner: Side
    kind: Kind
    cube: int
    crawford: bool
    disputed: bool
    before: Table
    """The table before the record, for undoing it."""
    at: Instant


@dataclass(frozen=True, slots=True)
class Table:
    """Everything about one table at the instant `now`."""

    now: Instant = Instant(0)
    match: str = ""
    setup: MatchSetup | None = None
    phase: Phase | None = None
    clock: Clock | None = None
    cube: Cube = Cube()
    ledger: tuple[Entry, ...] = ()
    game: int = 1
    game_began: int | None = None
    """Ledger length when the running game had its first press; None before."""
    game_turns: int = 0
    """Checker plays ended in the running game."""
    awaiting: Awaiting | None = None
    stop: Stop | None = None
    recess: Recess | None = None
    breaks_taken: Pair[int] = Pair(0, 0)
    late: Late = Late()
    ended: End | None = None
    signatures: tuple[Signature, ...] = ()
    revision: int = 1
    referee_called: bool = False
    alerts: tuple[Alert, ...] = ()
    memory: Memory | None = None
    official: OnDuty | None = None
    lockout: Lockout = Lockout()
    """Wrong PINs since the last right one."""
    call: RefereeCall | None = None
    """The standing call of a referee."""
    rulings: tuple[Ruling, ...] = ()
    appeals: tuple[Appeal, ...] = ()
    acts: tuple[Act, ...] = ()
    """Official acts that were not undone, the last one last."""
    dice_changed: tuple[Side, ...] = ()
    """Who has had the dice changed."""
    permissions: tuple[Permission, ...] = ()
    adjourned: Table | None = field(default=None, repr=False)
    """The table as it was when the match was suspended."""
    position: str = ""
    """The board at the adjournment."""
    first_game: int = 1
    """The number of the first game at this device: a match taken over goes on with its own numbers."""
    checked: tuple[CheckItem, ...] = ()
    """What is ticked on the check-in list, in the list's order; a match may be played without any of it."""
    paper: Paper | None = None
    """Set where the match was entered from paper: no clock runs in it, whatever comes next."""
    place: Place | None = None
    """Where the organizer's match belongs; None where it was opened by hand."""
    hall: Hall = Hall()
    """It outlives the match."""
    house: Hall = field(default=Hall(), repr=False)
    """As it was when the match was opened: where its entries are another table's, this counts, and not what was ordered there."""
    chouette: Chouette | None = None
    """It goes on at this table, or was the last that did; there is no match then."""

    @property
    def started(self) -> bool:
        """Whether the running game has had its first press."""
        return self.game_began is not None

    @property
    def games(self) -> tuple[Game, ...]:
        """The games that count, in order."""
        return tuple(entry for entry in self.ledger if isinstance(entry, Game) and not entry.void)
