"""What a button source delivers, and what it must be able to do: one interface for every kind of source.

A source tells of *contacts*, not of presses: closed or open, with the kernel's stamp. It judges nothing; the debouncer does. Edges are
delivered on whatever thread the source has, so whoever takes them only puts them into a queue.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

Line = Literal["left", "right"]
"""Which clock button."""

LINES: tuple[Line, Line] = ("left", "right")
"""Both buttons, in the order in which events of the same instant are told."""


class HardwareFault(RuntimeError):
    """The world failed: a part of the box is missing or dead; the text says which, why, and what to do."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One change of a button's contact."""

    line: Line
    """Which button."""
    closed: bool
    """The level after the change: closed is pressed."""
    at_ns: int
    """The kernel's stamp: nanoseconds of the monotonic clock."""


@dataclass(frozen=True, slots=True)
class SourceHealth:
    """What a source knows about itself."""

    alive: bool
    """Edges can still arrive."""
    lost: int = 0
    """Edges known to be lost since the source was started."""
    strange_stamps: int = 0
    """Stamps more than a second away from the present, replaced by it."""
    fault: str | None = None
    """A sentence when it is not alive."""
    by_arrival: int = 0
    """Edges that were stamped when they arrived, because the clock of the part that stamps them was not known well enough."""
    mends_itself: bool = False
    """After lost edges its levels are right and it goes on: a new source would be no better."""


Deliver = Callable[[Edge], None]
"""Takes an edge on any thread; it only puts it into a queue."""


class EdgeSource(Protocol):
    """Where edges come from."""

    def start(self, deliver: Deliver) -> None:
        """Begin to deliver.

        Args:
            deliver: Takes each edge, on any thread.

        Raises:
            HardwareFault: A pin or chip cannot be had.
        """
        ...

    def levels(self) -> dict[Line, bool]:
        """The contacts as they are now: True is closed.

        Raises:
            HardwareFault: They cannot be read, or the source is not running.
        """
        ...

    def health(self) -> SourceHealth:
        """What the source knows about itself; never raises."""
        ...

    def close(self) -> None:
        """Let go of the pins; may be called twice, and never raises."""
        ...


STRANGE_NS = 1_000_000_000
"""A stamp further than this from the present is not believed."""


def plausible(stamp_ns: int, now_ns: int) -> bool:
    """Whether a stamp is within a second of the present (a driver with another clock would charge nonsense)."""
    return abs(stamp_ns - now_ns) <= STRANGE_NS
