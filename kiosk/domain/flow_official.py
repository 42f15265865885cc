"""What officials' acts do to the table: sign-in, time and board tools, adjournment, permissions, undo.

Whoever is signed in did it. Each act keeps the table before it (`Act`), so that the last one can be undone: time that was given is taken
again, a board or a match that was changed is as before, and what ran in between is charged to nobody.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

from kiosk.domain import clock as ck
from kiosk.domain import facts as f
from kiosk.domain.asked import is_crawford_game, progress, unplayed
from kiosk.domain.flow import NOBODY, booked, clock_of, ended, seats_swapped, setup_of
from kiosk.domain.flow_back import REFEREE, carried, everywhere, left, on_record_shifted, shifted, stopped
from kiosk.domain.lockout import Lockout
from kiosk.domain.officials import Official
from kiosk.domain.replacing import replace
from kiosk.domain.setup import Control
from kiosk.domain.state import Act, Cube, Game, Memory, OnDuty, Paper, Penalty, Permission, Phase, RefereeCall, Ruling, Stop, Table
from kiosk.domain.types import SIDES, Instant, Pair, Side, Span, present


# ── Sign-in ──────────────────────────────────────────────────────────────────
def signed_in(table: Table, fact: f.OfficialSignedIn) -> Table:
    """The right PIN forgets the wrong ones."""
    # Decision: an act from a phone says nothing about who gives wrong PINs at the table.
    lockout = Lockout() if fact.how is f.SignedInBy.PIN else table.lockout
    return replace(table, official=OnDuty(Official(fact.name, fact.role), fact.at), lockout=lockout)


def signed_out(table: Table) -> Table:
    """Nobody is signed in."""
    return replace(table, official=None)


def sign_in_failed(table: Table, fact: f.SignInFailed) -> Table:
    """Counted until the right one comes."""
    return replace(table, lockout=table.lockout.wrong(fact.at))


UNTOUCHED = (
    f.GameStarted,
    f.TurnEnded,
    f.DoubleTaken,  # Decision: on the screen it is a touch (the screen says so itself), by the button it is none.
    f.PressIgnored,
    f.FlagFell,
    f.TimeRefilled,
    f.LatePointGiven,
)
"""What the clock's buttons or time alone bring about: no touch of the screen."""


def touched(table: Table, fact: f.Fact) -> Table:
    """Whatever is done on the screen keeps an official signed in."""
    return table if isinstance(fact, UNTOUCHED) else touched_at(table, fact.at)


def touched_at(table: Table, at: Instant) -> Table:
    """The screen was touched."""
    on_duty = table.official
    if on_duty is None or at <= on_duty.touched:
        return table
    return replace(table, official=replace(on_duty, touched=at))


def acted(before: Table, after: Table, fact: f.Fact) -> Table:
    """Remember an act, for undoing it."""
    kept = replace(left(before, fact.at), rulings=before.rulings, appeals=before.appeals)
    act = Act(fact, None if before.official is None else before.official.official, kept, progress(after))
    return replace(after, acts=(*after.acts, act))


# ── Time ─────────────────────────────────────────────────────────────────────
def time_adjusted(table: Table, fact: f.TimeAdjusted) -> Table:
    """Giving time takes no flag back (domain rule 2.5)."""
    return everywhere(table, fact.at, lambda clock: ck.given(clock, fact.side, fact.span))


def reserves_set(table: Table, fact: f.ReservesSet) -> Table:
    """Both, from this instant on."""
    return everywhere(table, fact.at, lambda clock: replace(clock, reserve=fact.reserve))


def control_changed(table: Table, fact: f.ControlChanged) -> Table:
    """The running turn has the new delay less what it used (domain rule 2.10)."""
    control = replace(setup_of(table).control, delay=fact.delay, method=fact.method)
    return under(table, control, fact.at)


def under(table: Table, control: Control, at: Instant) -> Table:
    """The table under another control from `at` on."""

    def agreed(each: Table) -> Table:
        return replace(each, setup=replace(setup_of(each), control=control))

    return everywhere(table, at, lambda clock: ck.under(clock, control), agreed)


def delay_restarted(table: Table, fact: f.DelayRestarted) -> Table:
    """An invalid roll: the whole delay again."""
    return replace(table, clock=ck.delay_again(ck.settle(clock_of(table), fact.at)))


def next_delay_cancelled(table: Table, fact: f.NextDelayCancelled) -> Table:
    """Dice lifted early: the side's next turn begins with its reserve."""
    return next_delay(table, fact.side, fact.at, cancelled=True)


def next_delay(table: Table, side: Side, at: Instant, *, cancelled: bool) -> Table:
    """A side's next turn with or without its delay."""
    return everywhere(table, at, lambda clock: replace(clock, no_delay=clock.no_delay.put(side, value=cancelled)))


def flag_cleared(table: Table, fact: f.FlagCleared) -> Table:
    """Only this takes a flag back; the overrun goes with it."""

    def cleared(clock: ck.Clock) -> ck.Clock:
        flags = tuple(flag for flag in clock.flags if flag.side is not fact.side)
        return replace(clock, flags=flags, overrun=clock.overrun.put(fact.side, Span(0)))

    return everywhere(table, fact.at, cleared)


# ── Board ────────────────────────────────────────────────────────────────────
def cube_set(table: Table, fact: f.CubeSet) -> Table:
    """Its place and value on the board decide (000 §11)."""
    cube = replace(table.cube, value=fact.value, owner=fact.owner, turned=fact.value > 1)
    return replace(table, cube=cube, memory=_with_cube(table.memory, cube))


def _with_cube(memory: Memory | None, cube: Cube) -> Memory | None:
    return None if memory is None else replace(memory, cube=cube, earlier=_with_cube(memory.earlier, cube))


def game_restarted(table: Table, fact: f.GameRestarted) -> Table:
    """The running game begins anew with the reserves as they stand."""
    return replace(
        table,
        phase=Phase.OPENING,
        clock=ck.fresh(clock_of(table), fact.at),
        cube=Cube(),
        game_began=None,
        game_turns=0,
        memory=None,
        stop=Stop(fact.at, f.StopReason.SETUP, REFEREE),
        referee_called=False,
    )


def game_ruled(table: Table, fact: f.GameRuled) -> Table:
    """The official's entry takes the place of the disputed one and counts at once (domain rule 3.5)."""
    held = present(table.awaiting)
    return booked(replace(table, awaiting=None), fact.winner, fact.kind, fact.cube, fact.at, crawford=held.crawford)


def state_set(table: Table, fact: f.StateSet) -> Table:
    """A spare device takes the match over: what is set here is all that counts from now on."""
    # Decision: flags, the count of turns and a cancelled delay are not part of the entry, so that there are none.
    setup = setup_of(table)
    away = Pair(*(setup.length is not None and fact.score[side] == setup.length - 1 for side in SIDES))
    started = fact.turn is not None
    # Decision: a cube that lies on the board at match point, before the Crawford game, is one that a penalty point has frozen (domain
    # rule 3.4): that point stands in the ledger, so that the next game is the Crawford game.
    frozen = started and setup.crawford and not fact.crawford_played and fact.cube > 1 and away.left is not away.right
    points = tuple(Penalty(side.other, 1) for side in SIDES if frozen and away[side])
    score = Pair(*(fact.score[side] - sum(1 for point in points if point.side is side.other) for side in SIDES))
    setup = replace(setup, score=score, crawford_played=fact.crawford_played or (away.left and away.right))
    clock = replace(ck.fresh(clock_of(table), fact.at), reserve=fact.reserve, turn=fact.turn, flags=(), overrun=ck.ZERO, no_delay=NOBODY)
    if fact.turn is not None:
        clock = replace(clock, used=ck.ZERO.put(fact.turn, fact.delay_used))
    return replace(
        table,
        setup=setup,
        phase=Phase.STOPPED if started else Phase.OPENING,
        clock=clock,
        cube=Cube(value=fact.cube, owner=fact.owner, turned=fact.cube > 1),
        ledger=points,
        game=fact.game,
        first_game=fact.game,
        game_began=0 if started else None,
        game_turns=2 if started else 0,  # Decision: how many turns were played is not known; the first one lies behind.
        awaiting=None,
        memory=None,
        recess=None,
        breaks_taken=fact.breaks,
        stop=Stop(fact.at, f.StopReason.REFEREE, REFEREE) if started else None,
    )


def seats_exchanged(table: Table) -> Table:
    """Everything that belongs to a side follows its players, whatever has happened by then; acts from before it too."""
    acts = tuple(
        Act(_turned(act.fact), act.by, _other_way_round(act.before), tuple(map(_value_other_way, act.after))) for act in table.acts
    )
    return replace(_other_way_round(table), acts=acts)


_Turned = TypeVar("_Turned", bound=f.Fact | Game | Penalty | Cube)


def _turned(value: _Turned) -> _Turned:
    """As it would have been with the seats as they are now."""
    changed: dict[str, Any] = {each.name: _value_other_way(getattr(value, each.name)) for each in fields(value)}
    return replace(value, **changed)


def _value_other_way(value: object) -> object:
    match value:
        case Game() | Penalty() | Cube():
            return _turned(value)
        case Side():
            return value.other
        case Pair():
            return value.swapped()
        case tuple():
            return tuple(_value_other_way(each) for each in value)
        case _:
            return value


def _other_way_round(table: Table) -> Table:
    swapped = seats_swapped(table)
    held = table.awaiting
    return replace(
        swapped,
        cube=_cube_other_way(table.cube),
        breaks_taken=table.breaks_taken.swapped(),
        awaiting=None if held is None else replace(held, winner=held.winner.other, before=_other_way_round(held.before)),
        recess=None if table.recess is None else replace(table.recess, by=table.recess.by.other),
        stop=None if table.stop is None else replace(table.stop, by=_seat(table.stop.by)),
        call=_call(table.call),
        ended=None if table.ended is None else replace(table.ended, winner=_other(table.ended.winner)),
        signatures=tuple(replace(s, side=s.side.other) for s in table.signatures),
        memory=_memory_other_way(table.memory),
        rulings=tuple(_ruling_other_way(ruling) for ruling in table.rulings),
        appeals=tuple(replace(appeal, by=appeal.by.other) for appeal in table.appeals),
        dice_changed=tuple(side.other for side in table.dice_changed),
        permissions=tuple(replace(p, side=p.side.other) for p in table.permissions),
        adjourned=None if table.adjourned is None else _other_way_round(table.adjourned),
    )


def _other(side: Side | None) -> Side | None:
    return None if side is None else side.other


def _seat(by: str | None) -> str | None:
    return Side(by).other if by in set(Side) else by


def _call(call: RefereeCall | None) -> RefereeCall | None:
    return None if call is None else replace(call, by=_seat(call.by))


def _memory_other_way(memory: Memory | None) -> Memory | None:
    if memory is None:
        return None
    return replace(memory, clock=ck.swap(memory.clock), cube=_cube_other_way(memory.cube), earlier=_memory_other_way(memory.earlier))


def _cube_other_way(cube: Cube) -> Cube:
    return replace(cube, owner=_other(cube.owner), offered_by=_other(cube.offered_by))


def _ruling_other_way(ruling: Ruling) -> Ruling:
    before = None if ruling.before is None else _other_way_round(ruling.before)
    return replace(ruling, sides=tuple(side for side in SIDES if side.other in ruling.sides), call=_call(ruling.call), before=before)


# ── The match ────────────────────────────────────────────────────────────────
def match_forfeited(table: Table, fact: f.MatchForfeited) -> Table:
    """Before the first game began the match was not played; later the winner is raised to its length (domain rule 3.6)."""
    fresh = unplayed(table)
    if len(fact.sides) == len(SIDES):
        return ended(table, None, "double_forfeit", fact.at, unplayed=fresh)
    return ended(table, fact.sides[0].other, "forfeit", fact.at, unplayed=fresh)


def match_suspended(table: Table, fact: f.MatchSuspended) -> Table:
    """Everything stands as it is."""
    adjourned = left(table, fact.at)
    return replace(table, phase=Phase.SUSPENDED, clock=ck.halt(clock_of(table), fact.at), adjourned=adjourned, position=fact.position)


def match_resumed(table: Table, fact: f.MatchResumed) -> Table:
    """As it was adjourned; a clock that ran waits for somebody to resume it, and spans go on where they stood."""
    return replace(carried(table, stopped(present(table.adjourned), fact.at)), adjourned=None)


def match_taken_up(table: Table, fact: f.MatchTakenUp) -> Table:
    """The adjourned table on this boot's clock; wrong PINs that were given elsewhere lock nothing here."""
    moved = on_record_shifted(shifted(table, fact.at - fact.last_known), fact.at - fact.last_known)
    duty = OnDuty(Official(fact.name, fact.role), fact.at)
    return replace(moved, official=duty, lockout=Lockout(), hall=table.house, now=fact.at)


# ── Paper ────────────────────────────────────────────────────────────────────
def paper_entered(table: Table, fact: f.PaperEntered) -> Table:
    """A match that was played elsewhere, without a clock."""
    return replace(table, paper=Paper(fact.at, Official(fact.name, fact.role), fact.played, fact.signed))


def paper_game_entered(table: Table, fact: f.PaperGameEntered) -> Table:
    """It was confirmed on the paper: it counts, as the Crawford game where it is its turn."""
    return booked(table, fact.winner, fact.kind, fact.cube, fact.at, crawford=is_crawford_game(table))


# ── Permissions, hand-in ─────────────────────────────────────────────────────
def dice_changed(table: Table, fact: f.DiceChanged) -> Table:
    """Once a match and player."""
    return replace(table, dice_changed=(*table.dice_changed, fact.by))


def permission_given(table: Table, fact: f.PermissionGiven) -> Table:
    """In force until it ends."""
    others = tuple(p for p in table.permissions if (p.side, p.what) != (fact.side, fact.what))
    return replace(table, permissions=(*others, Permission(fact.side, fact.what, fact.at, fact.until)))


def permission_ended(table: Table, fact: f.PermissionEnded) -> Table:
    """The player is back."""
    return replace(table, permissions=tuple(p for p in table.permissions if (p.side, p.what) != (fact.side, fact.what)))


def sheet_received(table: Table) -> Table:
    """The result is final."""
    return replace(table, phase=Phase.RECEIVED)
