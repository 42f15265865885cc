"""Undo of officials' acts: always the last one, and only while it can still be undone."""

from __future__ import annotations

from typing import assert_never

from kiosk.domain import clock as ck
from kiosk.domain import facts as f
from kiosk.domain.asked import progress
from kiosk.domain.flow import clock_of
from kiosk.domain.flow_back import carried, everywhere, stopped
from kiosk.domain.flow_official import seats_exchanged, under
from kiosk.domain.flow_ruling import play_taken_off, ruling_voided
from kiosk.domain.replacing import replace
from kiosk.domain.state import Act, Table
from kiosk.domain.types import SIDES, Instant, Pair, Side, Span


def act_undone(table: Table, fact: f.ActUndone) -> Table:
    """The last act is undone; the session has asked `undoable` before."""
    act = table.acts[-1]
    after = _undone(table, act, fact.at)
    return replace(after, acts=after.acts[:-1])


def undoable(table: Table) -> bool:
    """Whether the last act of those that there are can be undone: time at any moment, the rest while play has not gone on over it."""
    act = table.acts[-1]
    return isinstance(act.fact, _AT_ANY_TIME) or progress(table) == act.after


_AT_ANY_TIME = (
    f.TimeAdjusted,
    f.ReservesSet,
    f.ControlChanged,
    f.NextDelayCancelled,
    f.FlagCleared,
    f.DiceChanged,
    f.PermissionGiven,
    f.PermissionEnded,
    f.RulingMade,
    f.PlayAttached,
)


def _undone(table: Table, act: Act, at: Instant) -> Table:
    before, made = act.before, act.fact
    match made:
        case f.TimeAdjusted() | f.ReservesSet() | f.ControlChanged() | f.DelayRestarted() | f.NextDelayCancelled() | f.FlagCleared():
            after = _time_undone(table, act, made, at)
            return _as_remembered(after, before) if progress(table) == act.after else after
        case f.CubeSet():
            return replace(table, cube=before.cube, memory=before.memory)
        case f.SeatsExchanged():
            return seats_exchanged(table)
        case f.DiceChanged() | f.PermissionGiven() | f.PermissionEnded():
            return replace(table, dice_changed=before.dice_changed, permissions=before.permissions)
        case f.PlayAttached():
            return play_taken_off(table, made.ruling)
        case f.RulingMade():
            return ruling_voided(table, f.RulingVoided(at, len(before.rulings) + 1, "undone"))
        case f.RulingVoided() | f.AppealDecided() if _went_on(table, before):
            return _on_record(replace(table, ledger=before.ledger, cube=before.cube, ended=before.ended), table, before)
        case _:
            return _on_record(carried(table, stopped(before, at)), table, before)


def _went_on(table: Table, before: Table) -> bool:
    """Whether the act has changed nothing that runs: the clocks go on as they are when it is undone."""
    return (table.phase, table.game, table.started) == (before.phase, before.game, before.started)


def _on_record(after: Table, table: Table, before: Table) -> Table:
    """Each ruling and appeal of that time stands as it did then, the act's own stays on record as void."""
    known = len(before.rulings)
    rulings = tuple(
        replace(now, void=old.void, why_void=old.why_void, before=old.before)
        for now, old in zip(table.rulings[:known], before.rulings, strict=True)
    )
    own = tuple(ruling if ruling.void else replace(ruling, void=True, why_void="undone", before=None) for ruling in table.rulings[known:])
    appeals = tuple(replace(now, outcome=old.outcome, names=old.names) for now, old in zip(table.appeals, before.appeals, strict=True))
    return replace(after, rulings=(*rulings, *own), appeals=appeals, revision=before.revision)


def _as_remembered(table: Table, before: Table) -> Table:
    """Every past as it was kept before the act."""
    held, old = table.awaiting, before.awaiting
    awaiting = held if held is None or old is None else replace(held, before=old.before)
    known = len(before.rulings)
    pairs = zip(table.rulings[:known], before.rulings, strict=True)
    rulings = (*(replace(now, before=then.before) for now, then in pairs), *table.rulings[known:])
    return replace(table, memory=before.memory, awaiting=awaiting, rulings=rulings)


# ── Time ─────────────────────────────────────────────────────────────────────
_TimeAct = f.TimeAdjusted | f.ReservesSet | f.ControlChanged | f.DelayRestarted | f.NextDelayCancelled | f.FlagCleared


def _time_undone(table: Table, act: Act, made: _TimeAct, at: Instant) -> Table:
    """What was given is taken again and the other way round; what has run since stays charged."""
    old, over = clock_of(act.before), table.ended is not None
    match made:
        case f.TimeAdjusted():
            return everywhere(table, at, lambda clock: _given_back(clock, made.side, Span(-made.span), old, over=over))
        case f.ReservesSet():
            return everywhere(table, at, lambda clock: _both_given_back(clock, old, made.reserve, over=over))
        case f.ControlChanged():
            back = under(table, old.control, at)
            if progress(table) != act.after:
                return back
            new = ck.under(old, replace(old.control, delay=made.delay, method=made.method))
            clock = _as_if(ck.settle(clock_of(table), at), old, new)
            return replace(back, clock=replace(clock, control=old.control))
        case f.DelayRestarted():
            return replace(table, clock=_as_if(ck.settle(clock_of(table), at), old, ck.delay_again(old)))
        case f.NextDelayCancelled():
            return everywhere(table, at, lambda clock: ck.delay_granted(clock, made.side))
        case f.FlagCleared():
            return everywhere(table, at, lambda clock: _flag_again(clock, old, made.side))
        case _:
            assert_never(made)


def _both_given_back(clock: ck.Clock, old: ck.Clock, made: Pair[Span], *, over: bool) -> ck.Clock:
    for side in SIDES:
        clock = _given_back(clock, side, Span(old.reserve[side] - made[side]), old, over=over)
    return clock


def _given_back(clock: ck.Clock, side: Side, span: Span, old: ck.Clock, *, over: bool) -> ck.Clock:
    """The reserve that an act had changed, changed back.

    A flag that fell only because time had been taken is taken back with it, where the time suffices for what has run over since; not
    where the match is over.
    """
    ran_over = clock.overrun[side] - old.overrun[side]
    if over or span <= 0 or not clock.flagged(side) or old.flagged(side) or clock.reserve[side] + span <= ran_over:
        return ck.given(clock, side, span)
    flags = tuple(flag for flag in clock.flags if flag.side is not side)
    clock = replace(clock, flags=flags, overrun=clock.overrun.put(side, old.overrun[side]))
    return ck.given(clock, side, Span(span - ran_over))


def _as_if(clock: ck.Clock, old: ck.Clock, new: ck.Clock) -> ck.Clock:
    """What the turn has run since an act on its delay is charged as if the act had not been.

    Args:
        clock: The settled clock now.
        old: The clock just before the act.
        new: The clock just after it.
    """
    turn = clock.turn
    if turn is None:
        return replace(clock, reserve=old.reserve)
    since = clock.used[turn] - new.used[turn]

    def run_on(from_then: ck.Clock) -> ck.Clock:
        return ck.settle(replace(from_then, running=(turn,), since=Instant(0)), Instant(since))

    without, given = run_on(old), run_on(new)
    clock = _given_back(clock, turn, Span(without.reserve[turn] - given.reserve[turn]), old, over=False)
    overrun = Span(max(0, clock.overrun[turn] + without.overrun[turn] - given.overrun[turn])) if clock.flagged(turn) else Span(0)
    return replace(clock, used=clock.used.put(turn, without.used[turn]), overrun=clock.overrun.put(turn, overrun), bare=old.bare)


def _flag_again(clock: ck.Clock, old: ck.Clock, side: Side) -> ck.Clock:
    flags = tuple(flag for flag in old.flags if flag.side is side or clock.flagged(flag.side))
    others = tuple(flag for flag in clock.flags if flag not in flags and flag.side is not side)
    overrun = Span(clock.overrun[side] + old.overrun[side])
    return replace(clock, flags=(*flags, *others), overrun=clock.overrun.put(side, overrun))
