"""The two-player clock as a value: what was spent is stored, what remains is computed for the instant asked for.

A side is granted time per turn by one of three methods (domain rule 2.6):

* `delay`: the delay runs first, then the reserve; unused delay is lost (000 §11).
* `bronstein`: the reserve runs at once; the press gives back min(used, delay).
* `fischer`: the delay is added to the reserve at the start of each own turn; nothing runs apart.

The machine: `begin` starts a side's turn, `end_turn` closes it, `halt` stops whatever runs, `go` lets it run on. `settle`
moves the stored figures to an instant without changing what anybody would read there. In a late start one or both sides run
without a turn. Nothing here decides what a flag means; `next_flag` only says when delay and reserve are both used up.
"""

from __future__ import annotations

from dataclasses import dataclass

from kiosk.domain.replacing import replace
from kiosk.domain.rulebook import Method
from kiosk.domain.setup import Control
from kiosk.domain.types import SIDES, Instant, Pair, Side, Span, present

ZERO = Pair(Span(0), Span(0))


@dataclass(frozen=True, slots=True)
class Flag:
    """A reserve reached zero."""

    side: Side
    """Whose."""
    at: Instant
    """The computed instant, not when it was noticed."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Both sides' time as of `since`."""

    control: Control
    """Method and delay."""
    reserve: Pair[Span]
    """Bulk time left as of `since`."""
    used: Pair[Span] = ZERO
    """Time run in the current turn (in a late start: since the start) as of `since`."""
    overrun: Pair[Span] = ZERO
    """Time run after delay and reserve were used up."""
    turn: Side | None = None
    """Whose clock runs or would run on; None before a game's first press."""
    running: tuple[Side, ...] = ()
    """Whose time is running: none, one, or both in a late start."""
    since: Instant = Instant(0)
    """The instant that the figures belong to while something runs."""
    switched_at: Instant | None = None
    """The last press that moved the clock."""
    flags: tuple[Flag, ...] = ()
    """Latched, in order of falling; a later flag never hides the first."""
    overtime_given: Pair[bool] = Pair(left=False, right=False)
    """Who has had the once-per-match overtime."""
    turns: Pair[int] = Pair(0, 0)
    """Checker plays ended by a press, over the match."""
    no_delay: Pair[bool] = Pair(left=False, right=False)
    """Whose next turn has no delay: an official cancelled it."""
    bare: bool = False
    """The running turn has none."""

    def flagged(self, side: Side) -> bool:
        """Whether a side's flag is down."""
        return any(flag.side is side for flag in self.flags)

    def delay_left(self, side: Side) -> Span:
        """What is left of a side's delay as of `since` (0 under `fischer`, where nothing runs apart)."""
        if self.control.method is Method.FISCHER or (self.bare and side is self.turn):
            return Span(0)
        return Span(max(0, self.control.delay - self.used[side]))


def settle(clock: Clock, at: Instant) -> Clock:
    """The same clock with its figures moved to `at`; a time before `since` counts as `since`."""
    spent = at - clock.since
    if not clock.running or spent <= 0:
        return clock
    reserve, used, overrun = clock.reserve, clock.used, clock.overrun
    if clock.control.clocked:
        for side in clock.running:
            free = clock.delay_left(side) if clock.control.method is Method.DELAY else 0
            charge = spent - min(spent, free)
            paid = min(charge, reserve[side])
            reserve = reserve.put(side, Span(reserve[side] - paid))
            overrun = overrun.put(side, Span(overrun[side] + charge - paid))
    for side in clock.running:
        used = used.put(side, Span(used[side] + spent))
    return replace(clock, reserve=reserve, used=used, overrun=overrun, since=at)


def next_flag(clock: Clock) -> Flag | None:
    """The next flag that will fall if nothing happens, or None."""
    if not clock.control.clocked:
        return None
    found: Flag | None = None
    for side in clock.running:
        if clock.flagged(side):
            continue
        free = clock.delay_left(side) if clock.control.method is Method.DELAY else 0
        at = Instant(clock.since + free + clock.reserve[side])
        if found is None or at < found.at:
            found = Flag(side, at)
    return found


def begin(clock: Clock, side: Side, at: Instant, turns: Pair[int] | None = None) -> Clock:
    """Start a side's turn with a fresh delay; under `fischer` the increment is added now.

    Args:
        clock: The clock before.
        side: Who is on the clock from now on.
        at: The press.
        turns: The new count of checker plays; None leaves it.
    """
    clock = settle(clock, at)
    reserve, bare = clock.reserve, clock.no_delay[side]
    if adds_increment(clock) and not bare:
        reserve = reserve.put(side, Span(reserve[side] + clock.control.delay))
    turns = clock.turns if turns is None else turns
    begun = replace(clock, reserve=reserve, used=ZERO, turn=side, running=(side,), since=at, switched_at=at, turns=turns)
    return replace(begun, bare=bare, no_delay=clock.no_delay.put(side, value=False)) if bare or clock.bare else begun


def end_turn(clock: Clock, at: Instant) -> Clock:
    """Close the running turn at the first edge of its press; under `bronstein` the press gives back min(used, delay)."""
    clock = settle(clock, at)
    side = clock.turn
    if side is None or not gives_back(clock):
        return clock
    return replace(clock, reserve=give_back(clock, side))


def give_back(clock: Clock, side: Side) -> Pair[Span]:
    """The reserves after Bronstein's give-back to a side."""
    back = min(clock.used[side], clock.control.delay)
    return clock.reserve.put(side, Span(clock.reserve[side] + back))


def adds_increment(clock: Clock) -> bool:
    """Whether a turn's start adds to the reserve."""
    return clock.control.clocked and clock.control.method is Method.FISCHER


def gives_back(clock: Clock) -> bool:
    """Whether a press gives time back."""
    return clock.control.clocked and clock.control.method is Method.BRONSTEIN and not clock.bare


def halt(clock: Clock, at: Instant) -> Clock:
    """Stop whatever runs; how much delay was used stays (domain rule 2.4)."""
    return replace(settle(clock, at), running=(), since=at)


def go(clock: Clock, at: Instant) -> Clock:
    """Let the side to move run on."""
    return replace(clock, running=() if clock.turn is None else (clock.turn,), since=at)


def fresh(clock: Clock, at: Instant) -> Clock:
    """Nobody's turn, full delays: before a game."""
    return replace(halt(clock, at), used=ZERO, turn=None, bare=False)


def add(clock: Clock, side: Side, span: Span, at: Instant) -> Clock:
    """Give a side time (overtime, a refill); it takes no flag back."""
    clock = settle(clock, at)
    return replace(clock, reserve=clock.reserve.put(side, Span(clock.reserve[side] + span)))


def given(clock: Clock, side: Side, span: Span) -> Clock:
    """The settled clock with more or less reserve, never less than none."""
    return replace(clock, reserve=clock.reserve.put(side, Span(max(0, clock.reserve[side] + span))))


def under(clock: Clock, control: Control) -> Clock:
    """The settled clock under another control; the running turn has the new delay less what it used (domain rule 2.10).

    Decision: what a turn's method had put into the reserve beforehand (`fischer`) and is not used up comes off again, what it would
    have given back (`bronstein`) is given back now, so that changing a wrong method costs nobody the turn's delay. `bronstein` begins
    anew in the running turn: its reserve pays from now on, and the press gives back at most a delay of that.
    """
    old, side = clock.control, clock.turn
    changed = replace(clock, control=control)
    if side is None or not old.clocked or clock.bare:
        return changed
    used, span = clock.used[side], 0
    if old.method is Method.FISCHER:
        span -= max(0, old.delay - used)
    if control.method is Method.FISCHER:
        span += max(0, control.delay - used)
    if old.method is Method.BRONSTEIN and control.method is not Method.BRONSTEIN:
        span += min(used, old.delay)
    if control.method is Method.BRONSTEIN and old.method is not Method.BRONSTEIN:
        changed = replace(changed, used=clock.used.put(side, Span(0)))
    return given(changed, side, Span(span))


def delay_again(clock: Clock) -> Clock:
    """The settled clock with a whole delay for the side to move: what the turn has run by now counts as no delay used.

    Where the reserve pays for the delay itself (`fischer`, `bronstein`), it gets that part back.
    """
    side, control, span = present(clock.turn), clock.control, 0
    if control.method is not Method.DELAY and not clock.bare:
        span = min(clock.used[side], control.delay)
    elif control.method is Method.FISCHER:  # it was cancelled, and is given after all
        span = control.delay
    clock = given(clock, side, Span(span))
    return replace(clock, used=clock.used.put(side, Span(0)), bare=False)


def delay_granted(clock: Clock, side: Side) -> Clock:
    """The settled clock with a cancelled delay given after all; a turn that runs without it already gets it back."""
    if clock.no_delay[side] or not clock.bare or clock.turn is not side:
        return replace(clock, no_delay=clock.no_delay.put(side, value=False))
    control = clock.control
    span = {Method.FISCHER: control.delay, Method.DELAY: Span(min(clock.used[side], control.delay))}.get(control.method, Span(0))
    return replace(given(clock, side, span), bare=False)


def latch(clock: Clock, side: Side, at: Instant) -> Clock:
    """Latch a flag at its instant."""
    return replace(settle(clock, at), flags=(*clock.flags, Flag(side, at)))


def swap(clock: Clock) -> Clock:
    """Everything follows the players to the other seat."""
    return replace(
        clock,
        reserve=clock.reserve.swapped(),
        used=clock.used.swapped(),
        overrun=clock.overrun.swapped(),
        overtime_given=clock.overtime_given.swapped(),
        turns=clock.turns.swapped(),
        no_delay=clock.no_delay.swapped(),
        turn=None if clock.turn is None else clock.turn.other,
        running=tuple(side for side in SIDES if side.other in clock.running),
        flags=tuple(Flag(flag.side.other, flag.at) for flag in clock.flags),
    )
