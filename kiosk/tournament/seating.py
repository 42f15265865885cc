"""Which match of a round sits at which table."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_Table = TypeVar("_Table")


def seated(
    pairs: Sequence[tuple[int, int]], tables: Sequence[_Table], fixed: Mapping[int, _Table] | None = None
) -> tuple[_Table | None, ...]:
    """A table for each pair: fixed ones first (a seat that somebody needs, the stream's), the others in order.

    Args:
        pairs: Entrants, the most important pair first.
        tables: Those that are free, the first one first.
        fixed: Whose table is fixed. Of two pairs that want the same one the first has it.

    Returns:
        A table or None (there are too few) for each pair.
    """
    wanted = fixed or {}
    free = list(tables)
    given: dict[int, _Table] = {}
    for n, both in enumerate(pairs):
        mine = next((wanted[each] for each in both if each in wanted and wanted[each] in free), None)
        if mine is not None:
            free.remove(mine)
            given[n] = mine
    left = iter(free)
    return tuple(given[n] if n in given else next(left, None) for n in range(len(pairs)))
