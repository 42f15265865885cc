"""When a picture will look different though nothing happens: running figures, countdowns, and what time alone brings about.

Instants are exact: a figure that is rounded up changes at the nanosecond at which it reaches the next one. How often that is painted
is the window's affair.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.domain.facts import StopReason
from kiosk.domain.rulebook import Method
from kiosk.domain.state import Phase
from kiosk.domain.types import NS_PER_S
from kiosk.session.decide_clock import put_back_window
from kiosk.session.limits import deadline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.domain.clock import Clock
    from kiosk.domain.types import Side
    from kiosk.session import Snapshot

TENTH = NS_PER_S // 10
TENTHS_BELOW = 20 * NS_PER_S
"""Below this a time is shown with tenths (`clock_text`)."""


def next_change(shot: Snapshot, bar: int) -> int | None:
    """When the table will look different by itself.

    Args:
        shot: The table at the instant shown.
        bar: The delay bar's length in pixels; 0 where none is drawn.

    Returns:
        An instant after that of the snapshot, or None while nothing changes.
    """
    instants = [shot.at + wait for wait in _waits(shot, bar)]
    limit = deadline(shot.table)
    start = None if shot.table.setup is None else shot.table.setup.round_start
    instants.extend(at for at in (limit, start) if at is not None)
    return min((at for at in instants if at > shot.at), default=None)


def _waits(shot: Snapshot, bar: int) -> Iterator[int]:
    clock = shot.clock
    if clock is not None:
        for side in clock.running:
            yield from _running(clock, side, bar)
        if clock.turn is not None and shot.phase is Phase.PLAYING:
            yield put_back_window(shot.table) - clock.used[clock.turn]
    yield from _counting(shot)


def _running(clock: Clock, side: Side, bar: int) -> Iterator[int]:
    if not clock.control.clocked:
        return
    delay = clock.delay_left(side)
    if delay:
        yield _down(delay, NS_PER_S)
        if bar:
            yield _down(delay, max(1, clock.control.delay // bar))
    if not delay or clock.control.method is not Method.DELAY:
        left, over = clock.reserve[side], clock.overrun[side]
        if left > TENTHS_BELOW:
            yield _down(left, NS_PER_S)
        elif left == TENTHS_BELOW:
            yield 1
        elif left:
            yield _down(left, TENTH)
        else:
            yield _up(over, TENTH if over < TENTHS_BELOW else NS_PER_S)


def _counting(shot: Snapshot) -> Iterator[int]:
    """Countdowns that are no clock: what is allowed for a set-up or the dice, and a break, which goes on counting past its end."""
    stop, recess, setup = shot.table.stop, shot.table.recess, shot.table.setup
    if setup is None:
        return
    if stop is not None and stop.reason in {StopReason.SETUP, StopReason.DICE}:
        if shot.at < stop.since:
            yield stop.since - shot.at
        elif shot.at - stop.since < setup.stops.allowed:
            yield _down(setup.stops.allowed - (shot.at - stop.since), NS_PER_S)
    if recess is not None:
        left = setup.break_longest - (shot.at - recess.since)
        yield _down(left, NS_PER_S) if left > 0 else _up(-left, NS_PER_S)


def next_second(since: int, at: int) -> int:
    """When a figure that counts whole seconds from an instant reads more: `since` may lie ahead."""
    return at + NS_PER_S - (at - since) % NS_PER_S


def _down(left: int, quantum: int) -> int:
    """How long until a figure that falls and is rounded up reads less."""
    return left % quantum or quantum


def _up(spent: int, quantum: int) -> int:
    """How long until a figure that grows and is rounded up reads more."""
    return -spent % quantum + 1
