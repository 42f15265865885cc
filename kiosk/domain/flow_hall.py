"""What the hall's desk does to a table: a pause over everything, messages, a moved start, and a running match that comes from elsewhere."""

from __future__ import annotations

from typing import assert_never

from kiosk.domain import clock as ck
from kiosk.domain import facts as f
from kiosk.domain.flow import alerted, clock_of, setup_of
from kiosk.domain.flow_back import on_record_shifted, shifted
from kiosk.domain.lockout import Lockout
from kiosk.domain.officials import Official
from kiosk.domain.replacing import replace
from kiosk.domain.state import Confirmed, Hall, Halt, Message, OnDuty, Pause, Phase, Place, RefereeCall, Stop, Table
from kiosk.domain.types import SIDES, Instant, Pair

Ordered = (
    f.MatchPlaced
    | f.HallPaused
    | f.HallPauseLifted
    | f.MessageShown
    | f.MessageRead
    | f.SeatConfirmed
    | f.RoundStartMoved
    | f.RefereeOnTheWay
)


def kept(before: Table, opened: Table) -> Table:
    """A match that was just opened, at a table where wrong PINs were given and the desk has ordered something."""
    hall = replace(before.hall, confirmed=None)
    return replace(opened, lockout=before.lockout, hall=hall, house=hall)


def ordered(table: Table, fact: Ordered) -> Table:
    """The table after an order of the desk."""
    hall = table.hall
    match fact:
        case f.MatchPlaced():
            return replace(table, place=Place(fact.event, fact.round, fact.table, fact.practice))
        case f.HallPaused():
            since = fact.at if hall.pause is None else hall.pause.since  # said again, maybe with another reason
            return replace(table, hall=replace(hall, pause=Pause(fact.by, fact.why, since)))
        case f.HallPauseLifted():
            return _lifted(table, fact.at)
        case f.MessageShown():
            return replace(table, hall=replace(hall, messages=(*hall.messages, Message(fact.n, fact.by, fact.text, fact.at))))
        case f.MessageRead():
            return replace(table, hall=replace(hall, messages=tuple(each for each in hall.messages if each.n != fact.n)))
        case f.SeatConfirmed():
            return replace(table, hall=replace(hall, confirmed=_confirmed(hall, fact)))
        case f.RoundStartMoved():
            return replace(table, setup=replace(setup_of(table), round_start=fact.start))
        case f.RefereeOnTheWay():
            return replace(table, call=_coming(table, fact))
        case _:
            assert_never(fact)


def _confirmed(hall: Hall, fact: f.SeatConfirmed) -> Confirmed | None:
    before = hall.confirmed
    same = before is not None and (before.match, before.version) == (fact.match, fact.version)
    here = (before.here if before is not None and same else Pair(left=False, right=False)).put(fact.side, fact.here)
    return Confirmed(fact.match, fact.version, here) if here.left or here.right else None


def _coming(table: Table, fact: f.RefereeOnTheWay) -> RefereeCall:
    # A stop by hand for the referee is a call too, by whoever stopped.
    standing = table.call
    if standing is None:
        by = None if table.stop is None else table.stop.by
        return RefereeCall(by, fact.at, fact.by)
    return replace(standing, coming=fact.by)


# ── Pause ────────────────────────────────────────────────────────────────────
def held(table: Table, at: Instant) -> Table:
    """While the hall is paused nothing runs, whatever has just happened: a record taken back comes back stopped."""
    if table.hall.pause is None or table.clock is None or not table.clock.running:
        return table
    halted = replace(table, clock=ck.halt(table.clock, at))
    # Decision: as with a fault no limit runs out in it, and afterwards somebody resumes. A late side's clock stands until it is started
    # again, as after a power cut.
    why = Halt.HALL if table.hall.pause.by else Halt.REPLACED
    return replace(halted, phase=Phase.STOPPED, stop=Stop(at, why, None)) if table.phase is Phase.PLAYING else halted


def _lifted(table: Table, at: Instant) -> Table:
    """The limits of a stop, a break and a lateness by points go on where they stood."""
    pause = table.hall.pause
    if pause is None:  # among entries of another table, whose pause had begun before the match was opened there
        return table
    began = pause.since

    def later(since: Instant) -> Instant:
        return Instant(since + at - max(since, began))

    started = table.late.started
    for side in SIDES:
        start = started[side]
        started = started.put(side, None if start is None else later(start))
    return replace(
        table,
        hall=replace(table.hall, pause=None),
        stop=None if table.stop is None else replace(table.stop, since=later(table.stop.since)),
        recess=None if table.recess is None else replace(table.recess, since=later(table.recess.since)),
        late=replace(table.late, started=started),
    )


# ── A spare device ───────────────────────────────────────────────────────────
def match_taken_over(table: Table, fact: f.MatchTakenOver) -> Table:
    """A running match on this boot's clock: what ran stands at the last entry that is known, all else is as it was (domain rule 2.12)."""
    halted = replace(table, clock=ck.halt(clock_of(table), fact.last_known))
    moved = on_record_shifted(shifted(halted, fact.at - fact.last_known), fact.at - fact.last_known)
    if table.phase is Phase.PLAYING:
        moved = replace(moved, phase=Phase.STOPPED, stop=Stop(fact.at, Halt.TAKEN, None))
    duty = OnDuty(Official(fact.name, fact.role), fact.at)
    return replace(alerted(moved, fact.at, "match_taken_over", None), official=duty, lockout=Lockout(), hall=table.house, now=fact.at)
