"""Five wrong PINs lock the number pad for a minute."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kiosk.domain.types import Instant, Span, seconds

TRIES = 5
"""So many wrong PINs lock."""

LOCKED = seconds(60)
"""For this long."""


@dataclass(frozen=True, slots=True)
class Lockout:
    """How many wrong PINs there were, and until when none is taken.

    Decision (domain 4.6 says "five wrong ones lock for a minute" and no more): wrong PINs count from the last right one, however far
    apart they are, whoever entered them; a lock that has run out begins a new count, so that every fifth one locks. While it is locked
    no PIN is looked at, so that none is wrong, and none is right.

    Nothing here outlives the power: whoever keeps the wrong ones' instants rebuilds this with `from_history`, and `shifted` takes a lock
    into the next boot with what was left of it. Time spent without power is no time served: pulling the plug unlocks nothing.
    """

    count: int = 0
    """Wrong ones since the last right one or lock."""
    until: Instant | None = None
    """When the newest lock ends, run out or not; None where there was none since the last right PIN."""

    @classmethod
    def from_history(cls, wrong: Iterable[Instant]) -> Lockout:
        """What the wrong PINs since the last right one lead to.

        Args:
            wrong: Their instants in order, on one boot's clock.
        """
        lockout = cls()
        for at in wrong:
            lockout = lockout.wrong(at)
        return lockout

    def wrong(self, at: Instant) -> Lockout:
        """A wrong PIN was entered; while it is locked that changes nothing."""
        if self.locked_until(at) is not None:
            return self
        if self.count + 1 < TRIES:
            return Lockout(self.count + 1, self.until)
        return Lockout(0, Instant(at + LOCKED))

    def right(self) -> Lockout:
        """A right PIN was entered; the caller has asked `locked_until` before it looked at the PIN."""
        return Lockout()

    def locked_until(self, at: Instant) -> Instant | None:
        """When PINs are taken again, or None where they are taken now."""
        return self.until if self.until is not None and at < self.until else None

    def tries_left(self) -> int:
        """How many more wrong ones it takes to lock."""
        return TRIES - self.count

    def shifted(self, by: Span) -> Lockout:
        """The same on another boot's clock."""
        return Lockout(self.count, None if self.until is None else Instant(self.until + by))
