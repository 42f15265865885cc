"""What officials did, as lines of the sheet: rulings, appeals, acts, adjournments, the hand-in."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kiosk import codec
from kiosk.domain import clock as ck
from kiosk.domain import facts as f
from kiosk.domain.asked import score_of
from kiosk.domain.officials import Official
from kiosk.domain.types import NS_PER_MS, Instant, Pair, Side, Span
from kiosk.sheets.turn import turned

if TYPE_CHECKING:
    from kiosk.domain.state import Appeal, Ruling, Table
    from kiosk.sheets.when import When


@dataclass(frozen=True, slots=True)
class RulingLine:
    """A ruling as it stands, and what it did."""

    ruling: Ruling
    """Who ruled on what and why, void or not."""
    article: str
    """What the infraction rests on."""
    when: When
    called: When | None
    """When the referee had been called, where he had been."""
    came: When | None
    """When whoever ruled had signed in."""
    score: tuple[Pair[int], Pair[int]]
    """Before and after."""
    fell: Appeal | None = None
    """The appeal on which it fell, or was replaced; None where it stands, or was taken back."""


@dataclass(frozen=True, slots=True)
class AppealLine:
    """An appeal."""

    appeal: Appeal
    when: When
    decided: When | None
    """None while it is open."""
    by: Official | None
    """The official who entered the decision; None while it is open, and where its ruling was taken back instead."""


@dataclass(frozen=True, slots=True)
class ActLine:
    """An official's act: who, what, why, and what it changed."""

    kind: str
    """The fact's name."""
    by: Official | None
    side: Side | None
    detail: str
    reason: str
    score: tuple[Pair[int], Pair[int]]
    """Before and after."""
    reserve: tuple[Pair[Span], Pair[Span]] | None
    """Before and after; None in an unclocked session."""
    when: When | None
    """None where it was entered with the match's paper sheet: when it was, nobody knows."""
    fact: f.Fact
    """The act itself, by the seats as they are at the end."""
    old: f.Fact | None
    """The same with the values that it replaced; None where it replaced none of its own."""
    undone: When | None = None


@dataclass(frozen=True, slots=True)
class TakenUp:
    """An adjourned match was taken up at another table."""

    by: Official
    table: str
    """The table it came from, as its organizer calls it; maybe nothing."""
    when: When


@dataclass(frozen=True, slots=True)
class AdjournmentLine:
    """The match was suspended: everything that is needed to take it up again."""

    by: Official | None
    position: str
    note: str
    game: int
    score: Pair[int]
    reserve: Pair[Span] | None
    turn: Side | None
    delay_left: Span
    cube: tuple[int, Side | None]
    """Value and owner."""
    when: When
    taken_up: TakenUp | None = None
    """None where it waited at its own table."""
    resumed: When | None = None


@dataclass(frozen=True, slots=True)
class Received:
    """Who received the sheet."""

    by: Official | None
    when: When


@dataclass(frozen=True, slots=True)
class PaperLine:
    """The match was played without a device, and entered from its paper sheet."""

    entered: When
    by: Official
    """Who entered it."""
    played: str
    """When it was played and which paper sheet it is, as the official put it; maybe nothing."""
    signed: Pair[f.OnPaper]
    """The signatures on the paper, by the seats as they are at the end; a later correction leaves them as they are there."""


ACTS = (
    f.TimeAdjusted
    | f.ReservesSet
    | f.ControlChanged
    | f.DelayRestarted
    | f.NextDelayCancelled
    | f.FlagCleared
    | f.CubeSet
    | f.SeatsExchanged
    | f.GameRestarted
    | f.GameRuled
    | f.StateSet
    | f.MatchForfeited
    | f.DiceChanged
    | f.PermissionGiven
    | f.PermissionEnded
)
"""Facts that are acts, on the sheet with what they changed."""


@dataclass
class OfficialWalk:
    """What has been met on the way."""

    rulings: dict[int, tuple[When, When | None, When | None, tuple[Pair[int], Pair[int]]]] = field(default_factory=dict)
    lodged: dict[int, When] = field(default_factory=dict)
    decided: dict[int, tuple[When, Official | None]] = field(default_factory=dict)
    fell: dict[int, int] = field(default_factory=dict)
    """For each ruling that fell on appeal, or was replaced: which one."""
    acts: list[ActLine] = field(default_factory=list)
    adjournments: list[AdjournmentLine] = field(default_factory=list)
    received: Received | None = None
    entered: When | None = None
    """When the match was entered from paper."""
    called: When | None = None
    came: When | None = None
    away: bool = False
    """Somebody acts from elsewhere."""
    aside: When | None = None
    """Meanwhile: when who is at the table came."""
    stack: list[int | None] = field(default_factory=list)
    """For each act that may be undone, its line's place; None where it has no line of its own."""

    def step(self, fact: f.Fact, when: When, before: Table, after: Table) -> None:
        """Take one fact in."""
        # A call that comes with a table taken up again is none, and who called may be said after it.
        if isinstance(fact, f.RefereeCalled | f.GameDisputed) and after.call is not None and after.call.at == fact.at:
            self.called = when
        for ruling in after.rulings[len(before.rulings) :]:
            called = self.called if ruling.call is not None else None
            if isinstance(fact, f.AppealDecided):  # it is about what the ruling was about that it replaces
                called = self.rulings[after.appeals[fact.appeal - 1].ruling][1]
            self.rulings[ruling.id] = (when, called, self.came, (score_of(before), score_of(after)))
        for appeal in after.appeals[len(before.appeals) :]:
            self.lodged[appeal.id] = when
        for then, now in zip(before.appeals, after.appeals, strict=False):
            if then.outcome is not now.outcome:
                self.decided[now.id] = (when, _by(before) if isinstance(fact, f.AppealDecided) else None)
        if isinstance(fact, f.AppealDecided) and fact.outcome is not f.Outcome.UPHELD:
            self.fell[after.appeals[fact.appeal - 1].ruling] = fact.appeal
        self._note(fact, when, before, after)

    def turn(self) -> None:
        """Everything follows its players to the other seats."""
        self.rulings = {n: turned(line) for n, line in self.rulings.items()}
        self.acts = [turned(line) for line in self.acts]
        self.adjournments = [turned(line) for line in self.adjournments]

    def _note(self, fact: f.Fact, when: When, before: Table, after: Table) -> None:
        place = None
        match fact:
            case f.OfficialSignedIn() | f.OfficialSignedOut():
                self._come_or_go(fact, when)
            case f.PaperEntered():
                self.entered = when
            case f.MatchSuspended():
                self.adjournments.append(_adjournment(fact, when, after))
            case f.MatchTakenUp() if self.adjournments:
                taken = TakenUp(Official(fact.name, fact.role), fact.table, when)
                self.adjournments[-1] = replace(self.adjournments[-1], taken_up=taken)
            case f.MatchResumed():
                self.adjournments[-1] = replace(self.adjournments[-1], resumed=when)
            case f.SheetReceived():
                self.received = Received(_by(before), when)
            case f.ActUndone():
                self._undone(before, when)
            case _ if isinstance(fact, ACTS) or _in_the_players_stead(fact, before):
                place = len(self.acts)
                self.acts.append(_act(fact, when, before, after))
            case _:
                pass
        if after.acts is not before.acts and not isinstance(fact, f.ActUndone | f.MatchOpened):
            self.stack = [*self.stack[: len(after.acts) - 1], place]

    def _come_or_go(self, fact: f.OfficialSignedIn | f.OfficialSignedOut, when: When) -> None:
        if isinstance(fact, f.OfficialSignedOut):
            if self.away:
                self.away, self.came = False, self.aside
        elif fact.how is f.SignedInBy.PHONE:  # nobody came for what follows
            self.away, self.aside, self.came = True, self.came, None
        elif fact.how is f.SignedInBy.PIN:
            self.came = when

    def _undone(self, before: Table, when: When) -> None:
        place = self.stack.pop()
        if place is not None:
            self.acts[place] = replace(self.acts[place], undone=when)
        match before.acts[-1].fact:
            case f.AppealDecided() as decided:
                self.fell.pop(before.appeals[decided.appeal - 1].ruling, None)
            case f.MatchSuspended():
                self.adjournments[-1] = replace(self.adjournments[-1], resumed=when)
            case f.MatchResumed():
                self.adjournments[-1] = replace(self.adjournments[-1], resumed=None)
            case _:
                pass

    def ruling_lines(self, table: Table) -> tuple[RulingLine, ...]:
        """Every ruling, as it stands at the end."""
        articles = {} if table.setup is None else {infraction.code: infraction.article for infraction in table.setup.infractions}
        fell = {ruling: table.appeals[appeal - 1] for ruling, appeal in self.fell.items()}
        return tuple(
            RulingLine(ruling, articles.get(ruling.infraction, ""), *self.rulings[ruling.id], fell.get(ruling.id) if ruling.void else None)
            for ruling in table.rulings
        )

    def paper_line(self, table: Table) -> PaperLine | None:
        """That it was entered from paper, where it was."""
        paper = table.paper
        if paper is None or self.entered is None:
            return None
        return PaperLine(self.entered, paper.by, paper.played, paper.signed)

    def appeal_lines(self, table: Table) -> tuple[AppealLine, ...]:
        """Every appeal, as it stands at the end."""
        return tuple(
            AppealLine(appeal, self.lodged[appeal.id], *((None, None) if appeal.outcome is None else self.decided[appeal.id]))
            for appeal in table.appeals
        )


def _in_the_players_stead(fact: f.Fact, before: Table) -> bool:
    stands_in = isinstance(fact, f.GameConfirmed | f.PressPutBack | f.StartSwapped) and fact.by not in set(Side)
    return stands_in and before.official is not None


def measured(when: When, at: Instant, table: Table) -> When | None:
    """When something was; None where it was entered with the match's paper sheet."""
    return None if table.paper is not None and table.paper.at == at else when


def _by(table: Table) -> Official | None:
    return None if table.official is None else table.official.official


def _reserve(table: Table, at: Instant) -> Pair[Span] | None:
    clock = table.clock
    clocked = clock is not None and clock.control.clocked and table.paper is None  # paper claims no time
    return ck.settle(clock, at).reserve if clock is not None and clocked else None


def _act(fact: f.Fact, when: When, before: Table, after: Table) -> ActLine:
    was, now = _reserve(before, fact.at), _reserve(after, fact.at)
    side = getattr(fact, "side", None) or getattr(fact, "by", None)
    return ActLine(
        kind=codec.name_of(type(fact)),
        by=_by(before),
        side=Side(side) if side in set(Side) else None,
        detail=_detail(fact, before),
        reason=getattr(fact, "reason", ""),
        score=(score_of(before), score_of(after)),
        reserve=None if was is None or now is None else (was, now),
        when=measured(when, fact.at, after),
        fact=fact,
        old=_old(fact, before),
    )


def _old(fact: f.Fact, before: Table) -> f.Fact | None:
    match fact:
        case f.ControlChanged() if before.clock is not None:
            control = before.clock.control
            return replace(fact, delay=control.delay, method=control.method)
        case f.CubeSet():
            return replace(fact, value=before.cube.value, owner=before.cube.owner)
        case f.GameRuled() if before.awaiting is not None:
            held = before.awaiting
            return replace(fact, winner=held.winner, kind=held.kind, cube=held.cube)
        case _:
            return None


def _seconds(span: int) -> str:
    return f"{span // NS_PER_MS / 1000:g} s"


def _cube(value: int, owner: Side | None) -> str:
    return f"{value}, {'centred' if owner is None else owner}"


def _detail(fact: f.Fact, before: Table) -> str:
    match fact:
        case f.TimeAdjusted():
            return f"{fact.span / 1e9:+g} s"
        case f.ControlChanged() if before.clock is not None:
            old = before.clock.control
            return f"{old.method} {_seconds(old.delay)} to {fact.method} {_seconds(fact.delay)}"
        case f.CubeSet():
            return f"{_cube(before.cube.value, before.cube.owner)} to {_cube(fact.value, fact.owner)}"
        case f.GameRuled() if before.awaiting is not None:
            held = before.awaiting
            return f"{held.winner} {held.kind} {held.cube} to {fact.winner} {fact.kind} {fact.cube}"
        case f.GameConfirmed() if before.awaiting is not None:
            return f"{before.awaiting.winner} {before.awaiting.kind} {before.awaiting.cube}"
        case f.MatchForfeited():
            return ", ".join(fact.sides)
        case f.StateSet():
            turn = "before the game" if fact.turn is None else f"{fact.turn} to move, {_seconds(fact.delay_used)} of the delay used"
            crawford = ", Crawford played" if fact.crawford_played else ""
            return f"game {fact.game}, cube {_cube(fact.cube, fact.owner)}, {turn}{crawford}"
        case f.PermissionGiven():
            return str(fact.what) if fact.until is None else f"{fact.what} for {_seconds(fact.until)}"
        case f.PermissionEnded():
            return str(fact.what)
        case _:
            return ""


def _adjournment(fact: f.MatchSuspended, when: When, after: Table) -> AdjournmentLine:
    clock = after.clock
    turn = None if clock is None else clock.turn
    return AdjournmentLine(
        by=_by(after),
        position=fact.position,
        note=fact.note,
        game=after.game,
        score=score_of(after),
        reserve=_reserve(after, fact.at),
        turn=turn,
        delay_left=Span(0) if clock is None or turn is None else clock.delay_left(turn),
        cube=(after.cube.value, after.cube.owner),
        when=when,
    )
