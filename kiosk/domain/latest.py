"""The latest instant at which a match can be over, from its score, what both reserves still hold, and what the rulebook gives besides.

No rule bounds how many turns a game takes, so that nothing but a stated assumption makes a bound of what is known. Decision:

* every point that is still open is played out, one at a time: at a–b in a match to L there are at most (L−a)+(L−b)−1 games to come, the
  running one included;
* a game takes `GAME_TURNS` turns of both sides together, which is about the mean of a game that is played to its end without a cube; the
  running one at least `TURNS_LEFT` more, however long it has been;
* every turn uses its delay up (an increment, what is given back, alike), and both reserves are used up as well, an overtime too;
* every break that is left is taken in full, and so is every set-up between games.

Real matches end sooner: cubes are turned, doubles passed, gammons won, and hardly anybody uses every delay. Not counted is what nobody can
know: rulings and the time that an official gives, refills, calls of the referee, and clocks that stand. While they stand, the latest finish
moves on with the time of day; while one runs it stays where it is, or comes nearer with each turn.
"""

from __future__ import annotations

from dataclasses import dataclass

from kiosk.domain.asked import score_of
from kiosk.domain.clock import Clock
from kiosk.domain.facts import StopReason
from kiosk.domain.rulebook import FlagPolicy, Method
from kiosk.domain.setup import MatchSetup
from kiosk.domain.state import OVER, Phase, Table
from kiosk.domain.types import SIDES, Instant, Span

GAME_TURNS = 50
"""Turns of both sides together that a whole game is taken to have."""
TURNS_LEFT = 10
"""So many turns are taken to be left of a running game, however many it has had."""


@dataclass(frozen=True, slots=True)
class Bound:
    """How long a match may still take."""

    since: Instant
    """From here on it counts."""
    left: Span
    """The most that is left of it."""
    waits: bool
    """Nothing of it is used up now: the clocks stand."""

    def at(self, now: Instant) -> Instant:
        """The latest finish, as it is seen at an instant."""
        return Instant(max(now, (max(now, self.since) if self.waits else self.since) + self.left))


def bound(table: Table) -> Bound | None:
    """How long the match at a table may still take; None where nobody can tell: no match goes on, it has no length, or no clock.

    Args:
        table: With everything in it that is due by now.
    """
    setup, clock = table.setup, table.clock
    if setup is None or clock is None or setup.length is None or not clock.control.clocked:
        return None
    if table.phase is Phase.SUSPENDED or table.phase in OVER:
        return None
    score = score_of(table)
    games = max(1, sum(max(0, setup.length - score[side]) for side in SIDES) - 1)
    left = _of_clock(table, setup, clock, games) + _besides(table, setup, games)
    if clock.running:
        return Bound(clock.since, Span(left), waits=False)
    return Bound(_allowed_until(table, setup), Span(left), waits=True)


def _of_clock(table: Table, setup: MatchSetup, clock: Clock, games: int) -> int:
    """Reserves and delays."""
    turns = GAME_TURNS * (games - 1) + max(TURNS_LEFT, GAME_TURNS - table.game_turns)
    extra = setup.on_flag.extra if setup.on_flag.policy is FlagPolicy.OVERTIME else 0
    overtimes = sum(extra for side in SIDES if not clock.overtime_given[side])
    late = sum(clock.delay_left(side) for side in clock.running) if clock.turn is None else 0
    return clock.reserve.left + clock.reserve.right + overtimes + late + turns * clock.control.delay - _used(clock)


def _used(clock: Clock) -> int:
    """What the running turn has had of its delay already; under `bronstein` the press may still give all of it back."""
    if clock.turn is None or (clock.control.method is Method.BRONSTEIN and not clock.bare):
        return 0
    return clock.control.delay - clock.delay_left(clock.turn)


def _besides(table: Table, setup: MatchSetup, games: int) -> int:
    """Breaks and set-ups between the games to come."""
    breaks = sum(max(0, setup.breaks - table.breaks_taken[side]) for side in SIDES)
    last = games == 1 and table.started
    return (0 if last else breaks * setup.break_longest) + (games - 1) * setup.stops.allowed


def _allowed_until(table: Table, setup: MatchSetup) -> Instant:
    """Until when the clocks may stand by the rules: a break, a set-up, or what comes before the round's start."""
    stop, recess = table.stop, table.recess
    if recess is not None:
        return Instant(recess.since + setup.break_longest)
    if stop is not None and stop.reason in {StopReason.SETUP, StopReason.DICE}:
        return Instant(stop.since + setup.stops.allowed)
    if setup.round_start is not None and not table.games and not table.started:
        return Instant(max(table.now, setup.round_start))
    return table.now
