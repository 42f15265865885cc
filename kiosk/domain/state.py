"""The table's state as one frozen value, and the questions that can be asked of it.

Score, Crawford and cube are never stored: they are worked out from the ledger of games and points, so that a correction or a
voided penalty changes them everywhere at once (domain rule 3.4).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from kiosk.domain.clock import Clock
from kiosk.domain.facts import AppealTo, CheckItem, Fact, GameRestarted, OnPaper, Outcome, Permit, StopReason, Strokes
from kiosk.domain.lockout import Lockout
from kiosk.domain.officials import Official
from kiosk.domain.rulebook import Kind, Sanction
from kiosk.domain.setup import MatchSetup
from kiosk.domain.types import SIDES, Instant, Pair, Side, Span

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


@dataclass(frozen=True, slots=True)
class Stop:
    """A standing stop; between games the set-up allowance is one too."""

    since: Instant
    reason: StopReason | None
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

    @property
    def started(self) -> bool:
        """Whether the running game has had its first press."""
        return self.game_began is not None

    @property
    def games(self) -> tuple[Game, ...]:
        """The games that count, in order."""
        return tuple(entry for entry in self.ledger if isinstance(entry, Game) and not entry.void)


def next_number(table: Table) -> int:
    """The number of the game after the last one in the ledger; the number of a void game is not given again."""
    return max((entry.n for entry in table.ledger if isinstance(entry, Game)), default=table.first_game - 1) + 1


def progress(table: Table) -> tuple[object, ...]:
    """How far play has come: what must be unchanged for an official's act to be undone as if it had not been."""
    clock = table.clock
    return (
        table.phase,
        table.game,
        table.started,
        tuple(entry for entry in table.ledger if not entry.void),
        table.game_turns,
        table.cube,
        tuple(ruling.id for ruling in table.rulings if not ruling.void),
        len(table.appeals),
        None if clock is None else (clock.turns, clock.turn),
    )


def plain_score(setup: MatchSetup, entries: tuple[Entry, ...]) -> Pair[int]:
    """The plain sum of games and penalty points on top of the opening score, also past the length."""
    score = setup.score
    for entry in entries:
        if entry.void:
            continue
        gainer = entry.winner if isinstance(entry, Game) else entry.side.other
        score = score.put(gainer, score[gainer] + entry.points)
    return score


def score_of(table: Table) -> Pair[int]:
    """The score as it counts: flag, resignation, ruling and a later forfeit raise the winner to the length (domain rule 3.2)."""
    if table.setup is None:
        return Pair(0, 0)
    score = plain_score(table.setup, table.ledger)
    end = table.ended
    if end is None or end.winner is None or end.how == "score" or end.unplayed or table.setup.length is None:
        return score
    return score.put(end.winner, max(score[end.winner], table.setup.length))


def reached(setup: MatchSetup, entries: tuple[Entry, ...]) -> Side | None:
    """Who has the points needed to win; the latest entry decides where both would."""
    if setup.length is None:
        return None
    score = plain_score(setup, entries)
    there = [side for side in SIDES if score[side] >= setup.length]
    if len(there) < 2:
        return there[0] if there else None
    return reached(setup, entries[:-1]) or there[0]


def _at_match_point(setup: MatchSetup, entries: tuple[Entry, ...]) -> bool:
    if setup.length is None or setup.length == 1:  # At length 1 no game is called Crawford.
        return False
    score = plain_score(setup, entries)
    return max(score.left, score.right) >= setup.length - 1


def crawford_played(table: Table) -> bool:
    """Whether the one Crawford game lies behind; one that was played is never repeated."""
    # A Crawford game that was lost by a ruling since voided was played all the same, if it had begun; where it is open again it is not
    # in the ledger.
    games = (entry for entry in table.ledger if isinstance(entry, Game))
    return table.setup is not None and (
        table.setup.crawford_played or any(game.crawford and (game.begun or not game.void) for game in games)
    )


def unplayed(table: Table) -> bool:
    """Whether the match has not begun, here or before it was brought here: a forfeit is then written `+` and `−` (domain rule 3.6)."""
    fresh = table.first_game == 1 and table.setup is not None and table.setup.score == Pair(0, 0)
    restarted = any(isinstance(act.fact, GameRestarted) for act in table.acts)
    return fresh and not restarted and not table.started and not table.games


def is_crawford_game(table: Table) -> bool:
    """Whether the running (or next) game is played without cube because a side stood at length − 1 when it began (000 §8)."""
    setup = table.setup
    if setup is None or not setup.crawford or not setup.cube or crawford_played(table):
        return False
    if table.ended is not None and not table.started:  # the match ended between games: there is no next one
        return False
    return _at_match_point(setup, table.ledger[: table.game_began])


def cube_frozen(table: Table) -> bool:
    """Whether a penalty point in mid-game froze the cube: the next game is the Crawford game (domain rule 3.4)."""
    setup = table.setup
    if setup is None or not setup.crawford or not setup.cube or not table.started or crawford_played(table):
        return False
    return not is_crawford_game(table) and _at_match_point(setup, table.ledger)


def cube_in_play(table: Table) -> bool:
    """Whether there is a cube in this game; a frozen cube is in play, at length 1 there is no use for one."""
    setup = table.setup
    return setup is not None and setup.cube and setup.length != 1 and not is_crawford_game(table)


def double_match_point(table: Table) -> bool:
    """Whether both sides need one point."""
    if table.setup is None or table.setup.length is None or table.phase in OVER:
        return False
    score = plain_score(table.setup, table.ledger)
    return score.left == score.right == table.setup.length - 1


def game_points(setup: MatchSetup, kind: Kind, cube: int, *, automatic: bool) -> int:
    """What a game is worth: cube × factor; under Jacoby gammons count only if the cube was turned (002).

    Args:
        setup: The match's setup.
        kind: How it was won.
        cube: The final cube (for a pass: before the refused double).
        automatic: A tied opening roll doubled it, which is not a turn.
    """
    factor = setup.factor(kind) or 1
    was_turned = cube > (2 if automatic else 1)
    if setup.jacoby and not was_turned:
        factor = 1
    return cube * factor


def provisional(table: Table) -> bool:
    """Whether the result may still change: an appeal is open, or a game is disputed (domain rule 3.6)."""
    disputed = table.awaiting is not None and table.awaiting.disputed
    return disputed or any(appeal.outcome is None for appeal in table.appeals)


def standing_of(table: Table) -> Pair[str] | None:
    """`1` and `0`, `+` and `−` for a match that was not played, None while it goes on (000 §8); `=` for a session that ended level."""
    end = table.ended
    if end is None:
        return None
    if end.winner is None and end.how == "session":  # Decision: 000 knows no draw; level is nobody's loss, so no double forfeit's signs.
        return Pair("=", "=")
    if end.winner is None:  # Decision: both lost by a ruling have lost a match that was played.
        return Pair("0", "0") if end.how == "ruling" else Pair("−", "−")
    won, lost = ("+", "−") if end.unplayed else ("1", "0")
    return Pair(won, lost) if end.winner is Side.LEFT else Pair(lost, won)
