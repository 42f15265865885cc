"""Who begins a chouette where: everybody throws one die, the highest is in the box, the second captain, the rest follow (002).

Decision: 002 does not say what a tie is worth. Those who are level throw again among themselves, until nobody is level any more.
"""

from __future__ import annotations

from collections.abc import Sequence

Throws = Sequence[tuple[int, ...]]
"""What each player has thrown so far, in the order in which they were entered."""


def still_to_throw(throws: Throws) -> tuple[int, ...]:
    """Whose throw is missing: everybody at first, then those who are level with somebody; who has thrown least comes first.

    Args:
        throws: What each has thrown.
    """
    level = (n for n, own in enumerate(throws) if any(_begins(other, own) for m, other in enumerate(throws) if m != n))
    return tuple(sorted(level, key=lambda n: len(throws[n])))


def thrown_too_often(throws: Throws) -> tuple[int, ...]:
    """Who has thrown again although nobody was level with him."""
    others = [[other for m, other in enumerate(throws) if m != n] for n in range(len(throws))]
    return tuple(n for n, own in enumerate(throws) if len(own) > 1 and not any(_begins(other, own[:-1]) for other in others[n]))


def ranked(throws: Throws) -> tuple[int, ...]:
    """The players' numbers, the highest throw first; between those who were level the later throws decide."""
    return tuple(sorted(range(len(throws)), key=lambda n: throws[n], reverse=True))


def _begins(other: tuple[int, ...], own: tuple[int, ...]) -> bool:
    return other[: len(own)] == own
