"""What the lamps in the two buttons show, and what is heard. Pure: from the table at an instant, nothing kept.

A lamp is lit or dark; what it means is in how it is lit. The first line that holds counts:

| the table | left and right lamp |
|---|---|
| a clock runs | the running side's is lit, the other's dark; in a late start with both absent, both are lit |
| – in a reserve's last seconds, where the rulebook lets them be heard | lit, with a short gap at each full second |
| – after a flag, where the rulebook lets it be heard | flickers five times a second |
| a referee was called | they change places twice a second: left, right, left … |
| there is no match | dark; in a chouette with a clock as in a match: before a game, stopped or paused, and dark while the cube is offered |
| the match is over and not handed in | both flash twice every four seconds |
| it was handed in | dark |
| the hall is paused | both lit for a second, dark for a second |
| the clocks stand within a game | the lamp of the side to move blinks once a second, the other is dark |
| before a game: either button starts the other's clock | both flash once every two seconds |
| everything else: a result waits, a break, a suspended match, a late clock that stands | dark: the buttons do nothing now |

Only players and judges may point out the time (000 §11): so last seconds and flag are shown and heard only where `[sounds]` of the
rulebook says so. Heard are, besides, each start of a clock (a press above all: a soft one must not go unnoticed) and each alert.
A press that did nothing is silent.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from kiosk.domain import clock as ck
from kiosk.domain import facts as f
from kiosk.domain.rulebook import Method, Sounds
from kiosk.domain.state import Phase, Table
from kiosk.domain.types import NS_PER_S, SIDES, Instant, Pair, Side, Span, seconds
from kiosk.ports import Sound
from kiosk.session.snapshot import Snapshot


# ── Lamps ────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Glow:
    """How one lamp is lit over time: the same in every period."""

    base: bool = False
    """Lit or dark where a period begins, before its first flip."""
    flips: tuple[Span, ...] = ()
    """When it goes on or off within a period, in ascending order and an even number of times; none at all is a steady lamp."""
    period: Span = seconds(1)
    """How long a period lasts."""
    anchor: Instant = Instant(0)
    """An instant at which a period begins."""

    def is_lit(self, at: Instant) -> bool:
        """Whether it is lit at an instant."""
        return self.base is not bool(bisect_right(self.flips, self._phase(at)) % 2)

    def next_change(self, at: Instant) -> Instant | None:
        """The first instant after `at` at which it goes on or off; None for a steady one."""
        if not self.flips:
            return None
        phase = self._phase(at)
        later = next((flip for flip in self.flips if flip > phase), self.period + self.flips[0])
        return Instant(at - phase + later)

    def _phase(self, at: Instant) -> int:
        return (at - self.anchor) % self.period


DARK = Glow()
LIT = Glow(base=True)
BLINKS = Glow(flips=(Span(0), seconds(0.5)))
"""The side to move, while the clocks stand."""
BLINKS_BETWEEN = Glow(base=True, flips=BLINKS.flips)
"""The other way round."""
READY = Glow(flips=(Span(0), seconds(0.1)), period=seconds(2))
"""Either button starts the other's clock."""
OVER = Glow(flips=(Span(0), seconds(0.15), seconds(0.35), seconds(0.5)), period=seconds(4))
"""The sheet waits to be signed and handed in."""
PAUSED = Glow(flips=(Span(0), seconds(1)), period=seconds(2))
"""The hall is paused."""
FLICKERS = Glow(flips=(Span(0), seconds(0.1)), period=seconds(0.2))
"""A flag is down."""

GAP = seconds(0.1)
"""How long a lamp is dark at each of the last seconds."""


def lamps(shot: Snapshot) -> Pair[Glow]:
    """How the two lamps are lit at the snapshot's instant.

    Args:
        shot: The table as it is to be shown.
    """
    table, clock = shot.table, shot.clock
    if clock is not None and clock.running:
        return Pair(_running(table, clock, Side.LEFT), _running(table, clock, Side.RIGHT))
    if table.referee_called:
        return Pair(BLINKS, BLINKS_BETWEEN)
    match shot.phase:
        case None:
            return _beside_a_match(table)
        case Phase.RECEIVED:
            return Pair(DARK, DARK)
        case Phase.ENDED | Phase.SIGNED:
            return Pair(OVER, OVER)
        case _ if table.hall.pause is not None:
            return Pair(PAUSED, PAUSED)
        case Phase.STOPPED if clock is not None and clock.turn is not None:
            return Pair(DARK, DARK).put(clock.turn, BLINKS)
        case Phase.OPENING:
            return Pair(READY, READY)
        case _:
            return Pair(DARK, DARK)


def _beside_a_match(table: Table) -> Pair[Glow]:
    """A chouette's clock that stands; without one there is nothing to show."""
    clock, chouette = table.clock, table.chouette
    if clock is None or chouette is None or chouette.ended or chouette.offered is not None:
        return Pair(DARK, DARK)
    if table.hall.pause is not None:
        return Pair(PAUSED, PAUSED)
    return Pair(READY, READY) if clock.turn is None else Pair(DARK, DARK).put(clock.turn, BLINKS)


def next_light(shot: Snapshot) -> Instant | None:
    """The first instant after the snapshot's at which a lamp will look different if nothing happens before; None: it never will."""
    times = [glow.next_change(shot.at) for glow in lamps(shot)]
    return min((at for at in (*times, *_turns_of_time(shot)) if at is not None and at > shot.at), default=None)


def _running(table: Table, clock: ck.Clock, side: Side) -> Glow:
    if side not in clock.running:
        return DARK
    may = may_sound(table)
    if clock.flagged(side):
        return FLICKERS if may.flag else LIT
    if clock.control.clocked and _reserve_runs(clock, side) and 0 < clock.reserve[side] <= may.last_seconds * NS_PER_S:
        return Glow(base=True, flips=(Span(0), GAP), anchor=Instant(clock.since + clock.reserve[side]))
    return LIT


def _turns_of_time(shot: Snapshot) -> Iterator[Instant]:
    """When the last seconds of a running reserve begin, and when it ends, where that is shown."""
    clock, may = shot.clock, may_sound(shot.table)
    if clock is None or not clock.control.clocked:
        return
    for side in clock.running:
        if clock.flagged(side):
            continue
        begins = clock.since + _free(clock, side)
        ends = begins + clock.reserve[side]
        if may.last_seconds:
            yield Instant(max(begins, ends - may.last_seconds * NS_PER_S))
        if may.flag:
            yield Instant(ends)


def _free(clock: ck.Clock, side: Side) -> Span:
    """What runs before the reserve does."""
    return clock.delay_left(side) if clock.control.method is Method.DELAY else Span(0)


def _reserve_runs(clock: ck.Clock, side: Side) -> bool:
    return _free(clock, side) == 0


# ── Sounds ───────────────────────────────────────────────────────────────────
def may_sound(table: Table) -> Sounds:
    """What of the time this match's rulebook lets be seen on a lamp and heard."""
    return Sounds() if table.setup is None else table.setup.sounds


def heard(fact: f.Fact, before: tuple[Side, ...], table: Table) -> Sound | None:
    """What a fact sounds like.

    Args:
        fact: What happened.
        before: Whose clock ran before it.
        table: The table after it.

    Returns:
        None where it is silent: most are, a press without effect too.
    """
    match fact:
        case f.AlertRaised() | f.MessageShown() | f.HallPaused():
            return Sound.ALERT
        case f.FlagFell() | f.TimeRefilled():
            return Sound.FLAG if may_sound(table).flag else None
        case _:
            clock = table.clock
            if clock is None or not clock.running:
                return None
            # A press that leaves the same clock running opens an offer that came too early: it has switched all the same.
            pressed = isinstance(fact, f.TurnEnded) and clock.switched_at == fact.at
            return Sound.PRESS if pressed or clock.running != before else None


def second_between(table: Table, after: Instant, until: Instant) -> bool:
    """Whether another of a running reserve's last seconds began after one instant and by another, where that may be heard.

    Args:
        table: The table with everything in it that is due by `until`.
        after: The earlier instant, exclusive.
        until: The later one, inclusive.
    """
    for ends, most in _last_seconds(table):
        n = max(1, -(-(ends - until) // NS_PER_S))  # the seconds left at the last mark by `until`
        if n <= most and after < ends - n * NS_PER_S:
            return True
    return False


def next_second(table: Table, at: Instant) -> Instant | None:
    """When the next of the last seconds will begin after `at` if nothing happens before; None: none will."""
    marks = []
    for ends, most in _last_seconds(table):
        n = min(most, -(-(ends - at) // NS_PER_S) - 1)
        if n >= 1:
            marks.append(Instant(ends - n * NS_PER_S))
    return min(marks, default=None)


def _last_seconds(table: Table) -> Iterator[tuple[Instant, int]]:
    """Of each reserve that runs: when it ends, and how many of its last seconds are told."""
    clock, told = table.clock, may_sound(table).last_seconds
    if clock is None or not clock.control.clocked or not told:
        return
    for side in SIDES:
        if side in clock.running and not clock.flagged(side):
            ends = Instant(clock.since + _free(clock, side) + clock.reserve[side])
            yield ends, min(told, clock.reserve[side] // NS_PER_S)
