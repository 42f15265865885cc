"""Undo of officials' acts: always the last one, and only while it can still be undone."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from kiosk.domain import clock as ck
from kiosk.domain import facts as f
from kiosk.domain.flow import clock_of, setup_of
from kiosk.domain.flow_official import carried, seats_exchanged, stopped
from kiosk.domain.flow_ruling import voided
from kiosk.domain.state import Act, Table, progress
from kiosk.domain.types import SIDES, Instant, Span, present


def act_undone(table: Table, fact: f.ActUndone) -> Table:
    """The last act is undone; the session has asked `undoable` before."""
    act = table.acts[-1]
    after = _undone(table, act, fact.at)
    return replace(after, acts=table.acts[:-1])


def undoable(table: Table) -> bool:
    """Whether the last act can still be undone: time can be at any moment, the rest while play has not gone on over it."""
    if not table.acts:
        return False
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
)


def _undone(table: Table, act: Act, at: Instant) -> Table:
    before, made = act.before, act.fact
    match made:
        case f.TimeAdjusted() | f.ReservesSet() | f.ControlChanged() | f.DelayRestarted() | f.NextDelayCancelled() | f.FlagCleared():
            return _time_undone(table, before, made, at)
        case f.CubeSet():
            return replace(table, cube=before.cube)
        case f.SeatsExchanged():
            return seats_exchanged(table)
        case f.DiceChanged() | f.PermissionGiven() | f.PermissionEnded():
            return replace(table, dice_changed=before.dice_changed, permissions=before.permissions)
        case f.RulingMade():
            return voided(table, len(before.rulings) + 1, "undone", at)
        case f.AppealDecided() | f.RulingVoided():
            return replace(carried(table, stopped(before, made.at, at)), rulings=before.rulings, appeals=before.appeals)
        case _:
            return carried(table, stopped(before, made.at, at))


_TimeAct = f.TimeAdjusted | f.ReservesSet | f.ControlChanged | f.DelayRestarted | f.NextDelayCancelled | f.FlagCleared


def _time_undone(table: Table, before: Table, made: _TimeAct, at: Instant) -> Table:
    """What was given is taken again and the other way round; what has run since stays charged."""
    clock, old = ck.settle(clock_of(table), at), ck.settle(clock_of(before), made.at)
    match made:
        case f.TimeAdjusted():
            return replace(table, clock=ck.add(clock, made.side, Span(-made.span), at))
        case f.ReservesSet():
            for side in SIDES:
                clock = ck.add(clock, side, Span(old.reserve[side] - made.reserve[side]), at)
            return replace(table, clock=clock)
        case f.ControlChanged():
            control = clock_of(before).control
            setup = replace(setup_of(table), control=control)
            return replace(table, setup=setup, clock=replace(clock, control=control))
        case f.DelayRestarted():
            turn = present(clock.turn)
            return replace(table, clock=replace(clock, used=clock.used.put(turn, Span(clock.used[turn] + old.used[turn]))))
        case f.NextDelayCancelled():
            return replace(table, clock=replace(clock, no_delay=clock.no_delay.put(made.side, value=False)))
        case f.FlagCleared():
            return _flag_again(table, before, made, at)
        case _:
            assert_never(made)


def _flag_again(table: Table, before: Table, made: f.FlagCleared, at: Instant) -> Table:
    clock = ck.settle(clock_of(table), at)
    old = clock_of(before)
    flags = tuple(flag for flag in old.flags if flag.side is made.side or clock.flagged(flag.side))
    others = tuple(flag for flag in clock.flags if flag not in flags and flag.side is not made.side)
    overrun = Span(clock.overrun[made.side] + ck.settle(old, made.at).overrun[made.side])
    return replace(table, clock=replace(clock, flags=(*flags, *others), overrun=clock.overrun.put(made.side, overrun)))
