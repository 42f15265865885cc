"""Going back: tables of the past that may be taken up again, and what holds in all of them.

A record, a ruling, an adjournment and an official's act keep the table before them. Such a past is settled at the instant at which it was
left, and bare of what is on record anyway (rulings, appeals, acts): nothing that was written down is lost by going back. What an official
sets on the clock meanwhile is set in every past as well (`everywhere`), so that no way back undoes it.
"""

from __future__ import annotations

from collections.abc import Callable

from kiosk.domain import clock as ck
from kiosk.domain.facts import StopReason
from kiosk.domain.replacing import replace
from kiosk.domain.state import Hall, Memory, Phase, Stop, Table
from kiosk.domain.types import SIDES, Instant, Span

REFEREE = "referee"

ClockChange = Callable[[ck.Clock], ck.Clock]
TableChange = Callable[[Table], Table]


def left(table: Table, at: Instant) -> Table:
    """The table as it is left at `at`, for taking it up again."""
    clock = None if table.clock is None else ck.settle(table.clock, at)
    return replace(table, now=at, clock=clock, rulings=(), appeals=(), acts=(), alerts=())


def shifted(table: Table, by: int) -> Table:
    """The same table with its running instants moved: spans are kept, instants die with the power."""
    stop, recess, clock, late = table.stop, table.recess, table.clock, table.late
    started = late.started
    for side in SIDES:
        began = started[side]
        started = started.put(side, None if began is None else Instant(began + by))
    return replace(
        table,
        stop=None if stop is None else replace(stop, since=Instant(stop.since + by)),
        recess=None if recess is None else replace(recess, since=Instant(recess.since + by)),
        clock=None if clock is None else replace(clock, since=Instant(clock.since + by), switched_at=None),
        call=None if table.call is None else replace(table.call, at=Instant(table.call.at + by)),
        late=replace(late, started=started),
    )


def on_record_shifted(table: Table, by: int) -> Table:
    """What is on record moved to another boot's clock: how long ago it was is kept. A past keeps the instants at which it was left."""
    return replace(
        table,
        lockout=table.lockout.shifted(Span(by)),
        permissions=tuple(replace(p, at=Instant(p.at + by)) for p in table.permissions),
        rulings=tuple(replace(ruling, at=Instant(ruling.at + by)) for ruling in table.rulings),
        appeals=tuple(replace(appeal, at=Instant(appeal.at + by)) for appeal in table.appeals),
        hall=_hall_shifted(table.hall, by),
    )


def _hall_shifted(hall: Hall, by: int) -> Hall:
    pause = None if hall.pause is None else replace(hall.pause, since=Instant(hall.pause.since + by))
    return Hall(pause, tuple(replace(message, at=Instant(message.at + by)) for message in hall.messages), hall.confirmed)


def stopped(past: Table, at: Instant) -> Table:
    """A past taken up again at `at`: what ran stands, the time in between is charged to nobody."""
    halted = past if past.clock is None else replace(past, clock=ck.halt(past.clock, past.now))
    moved = shifted(halted, at - past.now)
    if past.phase is Phase.PLAYING:
        return replace(moved, phase=Phase.STOPPED, stop=Stop(at, StopReason.REFEREE, REFEREE))
    return moved


def carried(now: Table, then: Table) -> Table:
    """An earlier table with everything on record that has come since: nothing that was written down is lost by going back."""
    return replace(
        then,
        now=now.now,
        alerts=now.alerts,
        official=now.official,
        lockout=now.lockout,
        rulings=now.rulings,
        appeals=now.appeals,
        acts=now.acts,
        dice_changed=now.dice_changed,
        permissions=now.permissions,
        revision=now.revision,
        checked=now.checked,
        hall=now.hall,
    )


def everywhere(table: Table, at: Instant, clocks: ClockChange, tables: TableChange = lambda table: table) -> Table:
    """Change the clock as it stands at `at`, and in every past that may be taken up again.

    Args:
        table: The table.
        at: When it is changed.
        clocks: What becomes of a settled clock.
        tables: What becomes of the rest.
    """
    clock = None if table.clock is None else ck.settle(table.clock, at)
    return _changed(replace(table, clock=clock), clocks, tables)


def _changed(table: Table, clocks: ClockChange, tables: TableChange) -> Table:
    def past(before: Table | None) -> Table | None:
        return None if before is None else _changed(before, clocks, tables)

    held, end = table.awaiting, table.ended
    return tables(
        replace(
            table,
            clock=None if table.clock is None else clocks(table.clock),
            memory=_remembered(table.memory, clocks),
            awaiting=None if held is None else replace(held, before=_changed(held.before, clocks, tables)),
            ended=None if end is None else replace(end, before=past(end.before)),
            rulings=tuple(ruling if ruling.before is None else replace(ruling, before=past(ruling.before)) for ruling in table.rulings),
        )
    )


def _remembered(memory: Memory | None, clocks: ClockChange) -> Memory | None:
    if memory is None:
        return None
    return replace(memory, clock=clocks(memory.clock), earlier=_remembered(memory.earlier, clocks))
