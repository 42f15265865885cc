"""The small values everything else is made of: instants, spans, sides and pairs.

All times are integer nanoseconds. An `Instant` is a reading of the machine's monotonic clock, a `Span` the difference of two.
Nothing here ever holds a wall-clock time (domain rule: nothing about a clock reads the wall clock).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, NewType, TypeVar

Instant = NewType("Instant", int)
"""Nanoseconds on the monotonic clock of one boot."""

Span = NewType("Span", int)
"""A length of time in nanoseconds."""

T = TypeVar("T")

NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000


class Side(StrEnum):
    """A seat at the table, seen from the box with the two buttons."""

    LEFT = "left"
    RIGHT = "right"

    @property
    def other(self) -> Side:
        """The opposite side."""
        return Side.RIGHT if self is Side.LEFT else Side.LEFT


SIDES = (Side.LEFT, Side.RIGHT)


@dataclass(frozen=True, slots=True)
class Pair(Generic[T]):
    """One value for each side."""

    left: T
    """The left side's value."""
    right: T
    """The right side's value."""

    def __getitem__(self, side: Side) -> T:
        return self.left if side is Side.LEFT else self.right

    def __iter__(self) -> Iterator[T]:
        yield self.left  # without this, Python would ask for [0], [1], [2] … and get the right side's value for ever
        yield self.right

    def put(self, side: Side, value: T) -> Pair[T]:
        """The same pair with one side's value replaced."""
        return Pair(value, self.right) if side is Side.LEFT else Pair(self.left, value)

    def swapped(self) -> Pair[T]:
        """The same values with the seats exchanged."""
        return Pair(self.right, self.left)


def seconds(value: float) -> Span:
    """A span from seconds, rounded to the nearest nanosecond.

    Args:
        value: Seconds; a float keeps its decimal meaning to the microsecond and beyond for any span a match can have.
    """
    return Span(round(value * NS_PER_S))


def present(value: T | None) -> T:
    """The value, which lawful facts guarantee to be there.

    Raises:
        LookupError: The stream of facts is not lawful.
    """
    if value is None:
        raise LookupError("this fact needs something that the table does not have")
    return value


def span_text(span: Span) -> str:
    """A time that was agreed on, as `clock_text` shows it: whole seconds have no tenths.

    Args:
        span: Nanoseconds, 0 or more.
    """
    return clock_text(span).removesuffix(".0")


def clock_text(left: Span) -> str:
    """A remaining time as every clock of the product shows it (domain rule 2.11).

    Rounded up, so that zero is shown only when nothing is left: `m:ss`, below 20 s `m:ss.t`, from 100 minutes on `h:mm:ss`.

    Args:
        left: Remaining nanoseconds, 0 or more.
    """
    if left < 20 * NS_PER_S:
        tenths = -(-left // (NS_PER_S // 10))
        return f"{tenths // 600}:{tenths // 10 % 60:02d}.{tenths % 10}"
    whole = -(-left // NS_PER_S)
    if whole >= 6000:
        return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"
    return f"{whole // 60}:{whole % 60:02d}"
