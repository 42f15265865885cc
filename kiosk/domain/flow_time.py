"""What breaks, late starts and flags do to the table: the part of `kiosk.domain.flow` in which time itself is charged or runs out."""

from __future__ import annotations

from kiosk.domain import clock as ck
from kiosk.domain import facts as f
from kiosk.domain.asked import is_crawford_game, reached, unplayed
from kiosk.domain.flow import alerted, booked, clock_of, counted, ended, setup_of
from kiosk.domain.replacing import replace
from kiosk.domain.rulebook import FlagPolicy, LateRule
from kiosk.domain.state import Penalty, Phase, Recess, Stop, Table
from kiosk.domain.types import SIDES, Instant, Pair, Side


# ── Breaks and late start ────────────────────────────────────────────────────
def break_started(table: Table, fact: f.BreakStarted) -> Table:
    """Charged to whoever asks; no set-up limit runs meanwhile."""
    taken = table.breaks_taken.put(fact.by, table.breaks_taken[fact.by] + 1)
    return replace(table, phase=Phase.BREAK, recess=Recess(fact.by, fact.at), breaks_taken=taken, stop=None)


def break_ended(table: Table, fact: f.BreakEnded) -> Table:
    """The set-up allowance begins anew."""
    return replace(table, phase=Phase.OPENING, recess=None, stop=Stop(fact.at, f.StopReason.SETUP, None))


def late_started(table: Table, fact: f.LateStarted) -> Table:
    """The absent sides' time runs, delay first; under the alternative by points nothing is charged to the clock."""
    late = table.late
    absent = tuple(side for side in SIDES if side in late.absent or side in fact.sides)
    started: Pair[Instant | None] = late.started
    for side in fact.sides:
        started = started.put(side, fact.at if started[side] is None else started[side])
    clock = ck.settle(clock_of(table), fact.at)
    if setup_of(table).late.rule is LateRule.CLOCK:
        running = tuple(side for side in SIDES if side in clock.running or side in fact.sides)
        clock = replace(clock, running=running, since=fact.at)
    return replace(table, phase=Phase.LATE, clock=clock, late=replace(late, absent=absent, started=started), stop=None)


def player_arrived(table: Table, fact: f.PlayerArrived) -> Table:
    """That side's time stops; with both present it is the opening again, with fresh delays."""
    clock = ck.settle(clock_of(table), fact.at)
    for side in fact.sides:
        if ck.gives_back(clock):  # Decision: the delay is free in every method, so Bronstein gives it back on arrival.
            clock = replace(clock, reserve=ck.give_back(clock, side))
    clock = replace(clock, running=tuple(side for side in clock.running if side not in fact.sides))
    absent = tuple(side for side in table.late.absent if side not in fact.sides)
    started = table.late.started
    for side in fact.sides:
        started = started.put(side, None)
    lost = tuple(side for side in SIDES if side in table.late.lost_choice or side in fact.sides)
    table = replace(table, clock=clock, late=replace(table.late, absent=absent, started=started, lost_choice=lost))
    if not absent:
        return replace(table, phase=Phase.OPENING, clock=ck.fresh(clock, fact.at))
    return _forfeit_if_decided(table, fact.at)


def late_point_given(table: Table, fact: f.LatePointGiven) -> Table:
    """A penalty point per full interval; past half the match length the match is lost (domain rule 2.9)."""
    points = table.late.points.put(fact.side, table.late.points[fact.side] + 1)
    late = replace(table.late, points=points, started=table.late.started.put(fact.side, fact.at))
    table = replace(table, late=late, ledger=(*table.ledger, Penalty(fact.side, 1)))
    if _lost_by_lateness(table, fact.side):  # Decision: a forfeit first, so that the other absent side does not win by it.
        return _forfeit_if_decided(table, fact.at)
    winner = reached(setup_of(table), table.ledger)
    return table if winner is None else ended(table, winner, "score", fact.at)


def _lost_by_lateness(table: Table, side: Side) -> bool:
    setup = setup_of(table)
    if setup.late.rule is LateRule.POINTS:
        return setup.length is not None and 2 * table.late.points[side] > setup.length
    return setup.on_flag.policy is FlagPolicy.AUTO and clock_of(table).flagged(side)


def _forfeit_if_decided(table: Table, at: Instant) -> Table:
    """Without anybody's claim: all who are absent have lost by lateness."""
    absent = table.late.absent
    if not absent or not all(_lost_by_lateness(table, side) for side in absent):
        return table
    return _forfeited(table, absent, at)


def _forfeited(table: Table, losers: tuple[Side, ...], at: Instant) -> Table:
    if len(losers) == len(SIDES):
        return ended(table, None, "double_forfeit", at, unplayed=unplayed(table))
    return ended(table, losers[0].other, "forfeit", at, unplayed=unplayed(table))


# ── Flags ────────────────────────────────────────────────────────────────────
def flag_fell(table: Table, fact: f.FlagFell) -> Table:
    """Latched; only `auto` draws a consequence by itself."""
    table = replace(table, clock=ck.latch(clock_of(table), fact.side, fact.at))
    if table.phase is Phase.LATE:
        return _forfeit_if_decided(table, fact.at)
    if setup_of(table).on_flag.policy is FlagPolicy.AUTO:
        return ended(table, fact.side.other, "flag", fact.at)
    return table


def time_refilled(table: Table, fact: f.TimeRefilled) -> Table:
    """Time instead of a flag, and what it costs under the policy (domain rule 2.5)."""
    clock = ck.add(clock_of(table), fact.side, fact.span, fact.at)
    if fact.policy is FlagPolicy.OVERTIME:
        clock = replace(clock, overtime_given=clock.overtime_given.put(fact.side, value=True))
    table = alerted(replace(table, clock=clock), fact.at, "time_refilled", fact.side)
    if fact.policy is FlagPolicy.PENALTY_POINTS:
        return counted(table, Penalty(fact.side, setup_of(table).on_flag.points, flag=True), fact.at)
    if fact.policy is FlagPolicy.GAME_LOSS:
        plain = setup_of(table).kinds[0][0]  # single, or oin
        crawford = is_crawford_game(table)
        table = booked(table, fact.side.other, plain, table.cube.value, fact.at, crawford=crawford)
        # Decision: a press meant for the lost game, at the flag's instant or just after it, does not open the next one.
        return replace(table, clock=replace(clock_of(table), switched_at=fact.at))
    return table


def flag_claimed(table: Table, fact: f.FlagClaimed) -> Table:
    """The first flag decides; in a late start the match is forfeited, by both if both flags are down."""
    flags = clock_of(table).flags
    if table.phase is Phase.LATE:
        return _forfeited(table, tuple(side for side in SIDES if clock_of(table).flagged(side)), fact.at)
    return ended(table, flags[0].side.other, "flag", fact.at)
