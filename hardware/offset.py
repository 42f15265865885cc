"""Where a button box's own clock stands against this machine's. Pure: stamps in, stamps out, no clock.

Two clocks, one question: at which instant of this machine did the box's counter say `b`? Their difference, *host − box*, is not known, but
it is fenced in by what cannot be otherwise:

* a line with the box's stamp `b` that arrived at `a` was stamped before: **difference ≤ a − b**. Every line says this one;
* a ping that was sent at `s` and answered with `b` was answered after: **difference ≥ s − b**.

Nothing is averaged. Between two lines both fences move apart, by the most and the least that the clocks can drift; every line moves them
together again, or does nothing. So a line that was stuck for tens of milliseconds harms nothing: its fence lies outside the one that
stands. The difference is taken to be in the middle, and half the distance is an error that can't be exceeded.

The drift is fenced in the same way. Fences of half a minute ago and those of now leave only so many rates; a rate itself changes slowly,
for a crystal warms up slowly. At first a whole percent is allowed, soon tens of parts in a million are left.

**Fences that cross** say that the box's counter was not the same clock all the time: the box began anew, this machine slept, or its own
clock was pushed. Then only what crossed them last is believed, and everything begins again. So does a counter that goes back by more than
a second. It wraps after 71.6 minutes, which is no jump: a stamp is taken to be the one nearest to the last.

**Until the estimate stands** (round trips agree for a while, and the error is at most 2 ms) a stamp is the latest instant that the upper
fence allows: never after its arrival, never before the truth, and without what the line was late beyond the quickest one.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

COUNTER = 1 << 32
"""The box's counter of microseconds has 32 bits."""

NS_PER_US = 1_000

PPB = 1_000_000_000

GRAIN_NS = 10_000
"""A counter may say less than it should by this: small boards count in steps of 4 or 8 µs."""

RATE_LIMIT = 10_000_000
"""The most that the two clocks may drift: 1 %, in parts in 1e9. A crystal has 0.01 %, a ceramic resonator 0.5 %."""

WANDER = 1_000
"""The most that the rate changes in a second: 1 ppm, in parts in 1e9. Warming by a degree a second would do that to a crystal."""

TRUSTED_NS = 2_000_000
"""A stamp with a larger error is not taken for the button's."""

AGREEING = 3
"""So many round trips must agree before the estimate stands,"""

AGREED_FOR_NS = 200_000_000
"""and for so long, so that a counter that counts something else is found out."""

BACK_NS = 1_000_000_000
"""A counter that goes back further than this began anew; by less, lines overtook each other inside the box."""

MARK_EVERY_NS = 2_000_000_000
"""Fences are kept this often for fencing in the rate,"""

MARKS = 32
"""and so many of them: the last minute."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """An instant of the box in this machine's time."""

    at_ns: int
    """Nanoseconds of the monotonic clock; never after the line's arrival."""
    error_ns: int | None
    """The truth is within this of it; None while that is not known."""
    trusted: bool
    """False: it was made from the arrival, because the estimate does not stand."""


@dataclass(frozen=True, slots=True)
class _Mark:
    at: int
    low: int
    high: int


@dataclass(slots=True)
class ClockOffset:
    """One box's clock against this machine's."""

    restarts: int = 0
    """How often everything had to begin again because the counter was no longer the same clock."""
    _at: int | None = None
    """The latest instant of the box: its counter without the wraps, in nanoseconds."""
    _low: int | None = None
    _high: int | None = None
    _slowest: int = -RATE_LIMIT
    _fastest: int = RATE_LIMIT
    _trips: int = 0
    _first_trip: int = 0
    _marks: deque[_Mark] = field(default_factory=lambda: deque(maxlen=MARKS))

    @property
    def error_ns(self) -> int | None:
        """Half the distance of the fences as of the latest line, or None while one of them is missing."""
        return None if self._low is None or self._high is None else (self._high - self._low + 1) // 2

    @property
    def stands(self) -> bool:
        """Whether stamps can be taken for the button's."""
        error = self.error_ns
        if error is None or self._at is None or self._trips < AGREEING:
            return False
        return error <= TRUSTED_NS and self._at - self._first_trip >= AGREED_FOR_NS

    def forget(self) -> None:
        """Begin anew: the box said hello, or its cable was out."""
        self._at = None
        self._begin()

    def seen(self, counter_us: int, arrived_ns: int) -> None:
        """Take a line with a stamp.

        Args:
            counter_us: The box's counter as the line says it, 0 to 2³² − 1.
            arrived_ns: When the line had been read: nanoseconds of the monotonic clock.
        """
        self._take(self._unwrapped(counter_us), None, arrived_ns)

    def pong(self, sent_ns: int, counter_us: int, arrived_ns: int) -> None:
        """Take the answer to a ping.

        Args:
            sent_ns: When the ping was handed over, or earlier.
            counter_us: The box's counter when it answered.
            arrived_ns: When the answer had been read.
        """
        at = self._unwrapped(counter_us)
        self._take(at, sent_ns, arrived_ns)
        self._fence_rate()
        if self._trips == 0:
            self._first_trip = at
        self._trips += 1

    def stamp(self, counter_us: int, arrived_ns: int) -> Stamp:
        """When something happened at the box; the line counts as seen.

        Args:
            counter_us: The box's counter at that instant.
            arrived_ns: When the line had been read.
        """
        at = self._unwrapped(counter_us)
        low, high = self._take(at, None, arrived_ns)
        if low is not None and self.stands:
            error = (high - low + 1) // 2
            if error <= TRUSTED_NS:
                return Stamp(min(at + (low + high) // 2, arrived_ns), error, trusted=True)
        return Stamp(min(at + high, arrived_ns), None, trusted=False)

    def _begin(self) -> None:
        self._low = self._high = None
        self._slowest, self._fastest = -RATE_LIMIT, RATE_LIMIT
        self._trips = 0
        self._marks.clear()

    def _unwrapped(self, counter_us: int) -> int:
        """A counter's value as nanoseconds that go on through the wraps."""
        if self._at is None:
            return counter_us * NS_PER_US
        last = self._at // NS_PER_US
        step = (counter_us - last + COUNTER // 2) % COUNTER - COUNTER // 2
        if step * NS_PER_US < -BACK_NS:
            self.restarts += 1
            self.forget()
        return (last + step) * NS_PER_US

    def _take(self, at: int, sent: int | None, arrived: int) -> tuple[int | None, int]:
        """Move the fences by one line; where they would cross, only this line counts from here on.

        Returns:
            The fences as they are at the line's instant, which may lie a little before the latest.
        """
        late = self._go_on(at) - at
        low = None if sent is None else sent - at - GRAIN_NS + _down(self._slowest, late)
        high = arrived - at + _up(self._fastest, late)
        if self._crossed(low, high):
            self.restarts += 1
            self._begin()
        if low is not None:
            self._low = low if self._low is None else max(self._low, low)
        self._high = high if self._high is None else min(self._high, high)
        lowest = None if self._low is None else self._low - _up(self._fastest, late)
        return lowest, self._high - _down(self._slowest, late)

    def _crossed(self, low: int | None, high: int) -> bool:
        lows = [fence for fence in (self._low, low) if fence is not None]
        highs = [fence for fence in (self._high, high) if fence is not None]
        return bool(lows) and max(lows) > min(highs)

    def _go_on(self, at: int) -> int:
        """Let the fences move apart up to a later instant of the box, and say which is the latest."""
        if self._at is None or at <= self._at:
            self._at = at if self._at is None else self._at
            return self._at
        span, self._at = at - self._at, at
        wander = _up(WANDER, span)
        self._slowest, self._fastest = max(self._slowest - wander, -RATE_LIMIT), min(self._fastest + wander, RATE_LIMIT)
        if self._low is not None:
            self._low += _down(self._slowest, span)
        if self._high is not None:
            self._high += _up(self._fastest, span)
        return at

    def _fence_rate(self) -> None:
        """Leave out the rates that the fences of the last minute do not allow; some are always left, else the fences had crossed."""
        if self._at is None or self._low is None or self._high is None:
            return
        for mark in self._marks:
            span = self._at - mark.at
            if span <= 0:
                continue
            wander = _up(WANDER, span) // 2 + 1  # a rate that changes evenly is off its mean by half of what it changes
            self._slowest = max(self._slowest, (self._low - mark.high) * PPB // span - wander)
            self._fastest = min(self._fastest, -((mark.low - self._high) * PPB // span) + wander)
        if not self._marks or self._at - self._marks[-1].at >= MARK_EVERY_NS:
            self._marks.append(_Mark(self._at, self._low, self._high))


def _down(rate: int, span: int) -> int:
    """What a rate makes of a span, rounded down."""
    return rate * span // PPB


def _up(rate: int, span: int) -> int:
    """What a rate makes of a span, rounded up."""
    return -(-rate * span // PPB)
