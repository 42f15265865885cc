"""Limits that time alone passes: flags, refills, alerts, points for lateness.

No timer decides that time is up. `due` answers for the instant asked for, and `deadline` says when it will next have something to
say. A flag falls at the very instant (a press then comes too late); an alert's limit must be passed.
"""

from __future__ import annotations

from collections.abc import Iterator

from kiosk.domain import clock as ck
from kiosk.domain.facts import (
    AlertRaised,
    ChouetteFlagFell,
    Fact,
    FlagFell,
    LatePointGiven,
    OfficialSignedOut,
    Party,
    StopReason,
    TimeRefilled,
)
from kiosk.domain.flow import setup_of
from kiosk.domain.rulebook import FlagPolicy, LateRule
from kiosk.domain.state import Phase, Table
from kiosk.domain.table import evolve
from kiosk.domain.types import Instant, Side, present, seconds

SIGNED_IN = seconds(60)
"""An official who touches nothing for so long is signed out (domain rule 4.6)."""


def due(table: Table, at: Instant) -> Fact | None:
    """The earliest fact that time alone has brought about by `at`, or None."""
    first = min(_limits(table), key=lambda limit: limit[0], default=None)
    return first[1] if first is not None and first[0] <= at else None


def deadline(table: Table) -> Instant | None:
    """The first instant at which `due` will have something to say if nothing else happens."""
    return min((instant for instant, _ in _limits(table)), default=None)


def expire(table: Table, at: Instant) -> tuple[Table, tuple[Fact, ...]]:
    """The table with everything that time alone has brought about by `at`, and those facts in order."""
    found: list[Fact] = []
    while (fact := due(table, at)) is not None:
        table = evolve(table, fact)
        found.append(fact)
    return table, tuple(found)


def _limits(table: Table) -> Iterator[tuple[Instant, Fact]]:
    """(instant from which it holds, fact) for every limit that is still ahead."""
    yield from _match_limits(table) if table.chouette is None else _chouette_limits(table)
    if table.official is not None:  # last: whatever else falls due at that instant comes before
        at = Instant(table.official.touched + SIGNED_IN)
        yield at, OfficialSignedOut(at, idle=True)


def _chouette_limits(table: Table) -> Iterator[tuple[Instant, Fact]]:
    flag = None if table.clock is None else ck.next_flag(table.clock)
    if flag is not None:
        yield flag.at, ChouetteFlagFell(flag.at, Party.at(flag.side))


def _match_limits(table: Table) -> Iterator[tuple[Instant, Fact]]:
    if table.setup is None or table.clock is None:
        return
    flag = ck.next_flag(table.clock)
    if flag is not None:
        yield flag.at, _flag(table, flag)
    if table.hall.pause is not None:  # nothing runs, and no span of a stop, a break or a lateness runs out
        return
    if table.phase is Phase.LATE and table.setup.late.rule is LateRule.POINTS:
        for side in table.late.absent:
            at = Instant(present(table.late.started[side]) + table.setup.late.interval)
            yield at, LatePointGiven(at, side)
    for alert in _alerts(table):
        yield Instant(alert.at + 1), alert


def _flag(table: Table, flag: ck.Flag) -> Fact:
    """What happens when a side's time is used up (domain rule 2.5); in a late start it is a plain flag under every policy."""
    setup, clock = table.setup, table.clock
    if setup is None or clock is None or table.phase is Phase.LATE:
        return FlagFell(flag.at, flag.side)
    policy = setup.on_flag.policy
    if policy is FlagPolicy.OVERTIME and not clock.overtime_given[flag.side]:
        return TimeRefilled(flag.at, flag.side, policy, setup.on_flag.extra)
    if policy in {FlagPolicy.PENALTY_POINTS, FlagPolicy.GAME_LOSS}:
        return TimeRefilled(flag.at, flag.side, policy, setup.refill(flag.side))
    return FlagFell(flag.at, flag.side)


def _alerts(table: Table) -> Iterator[AlertRaised]:
    if table.phase is Phase.SUSPENDED:  # its spans go on where they stood when it is resumed
        return
    stop, recess, setup = table.stop, table.recess, setup_of(table)
    if stop is not None:
        by = Side(stop.by) if stop.by in set(Side) else None
        if stop.reason is None and "stop_without_reason" not in stop.alerted:
            yield AlertRaised(Instant(stop.since + setup.stops.unexplained), "stop_without_reason", by)
        limited = stop.reason in {StopReason.SETUP, StopReason.DICE}
        if limited and "stop_over_30s" not in stop.alerted:
            yield AlertRaised(Instant(stop.since + setup.stops.allowed), "stop_over_30s", by)
    if recess is not None and not recess.alerted:
        yield AlertRaised(Instant(recess.since + setup.break_longest), "break_overrun", recess.by)
