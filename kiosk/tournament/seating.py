"""Which match of a round sits at which table.

Some tables are not like the others: at an accessible one anybody can sit, also in a wheelchair, and the stream shows what is played at its
own. They are given in this order, each to the more important pair first:

1. a table that is somebody's own (`fixed`);
2. an accessible one to whoever needs it; where none is free the match waits, for no other table would do;
3. a stream's table to the match that was chosen for it;
4. all others in order, the accessible and the stream's tables last: another round, or a late choice, may want them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

_Table = TypeVar("_Table")


@dataclass(frozen=True, slots=True)
class Wishes(Generic[_Table]):
    """Which pairs and tables are not like the others."""

    fixed: Mapping[int, _Table] = field(default_factory=dict)
    """Whose table is fixed, by entrant. Of two pairs that want the same one the first has it."""
    needs: Collection[int] = ()
    """Entrants who need an accessible table."""
    accessible: Collection[_Table] = ()
    """The tables that are."""
    chosen: Mapping[int, _Table] = field(default_factory=dict)
    """The stream's table of a pair, by its place among the pairs."""
    stream: Collection[_Table] = ()
    """All tables that a stream shows."""


def seated(pairs: Sequence[tuple[int, int]], tables: Sequence[_Table], wishes: Wishes[_Table] | None = None) -> tuple[_Table | None, ...]:
    """A table for each pair.

    Args:
        pairs: Entrants, the most important pair first.
        tables: Those that are free, the first one first.
        wishes: Which are not like the others; None: all are alike.

    Returns:
        A table or None (there are too few, or none that would do) for each pair.
    """
    hall = _Hall(list(tables), Wishes() if wishes is None else wishes)
    everybody = list(enumerate(pairs))
    for n, both in everybody:
        hall.give_own(n, both)
    for n, both in everybody:
        hall.give_accessible(n, both)
    for n, _both in everybody:
        hall.give_chosen(n)
    for n, _both in everybody:
        hall.give_any(n)
    return tuple(hall.given[n] for n, _both in everybody)


@dataclass(slots=True)
class _Hall(Generic[_Table]):
    free: list[_Table]
    wishes: Wishes[_Table]
    given: dict[int, _Table | None] = field(default_factory=dict)

    def give_own(self, n: int, both: tuple[int, int]) -> None:
        self._give_one_of(n, [self.wishes.fixed[each] for each in both if each in self.wishes.fixed])

    def give_accessible(self, n: int, both: tuple[int, int]) -> None:
        """An accessible table to whoever needs one, the stream's if it is one and was chosen for them; else none at all."""
        if n in self.given or not any(each in self.wishes.needs for each in both):
            return
        chosen = [self.wishes.chosen[n]] if n in self.wishes.chosen else []
        self._give_one_of(n, [table for table in (*chosen, *self._plain_first()) if table in self.wishes.accessible])
        self.given.setdefault(n, None)

    def give_chosen(self, n: int) -> None:
        if n in self.wishes.chosen:
            self._give_one_of(n, [self.wishes.chosen[n]])

    def give_any(self, n: int) -> None:
        self._give_one_of(n, self._plain_first())
        self.given.setdefault(n, None)

    def _give_one_of(self, n: int, tables: Sequence[_Table]) -> None:
        mine = next((table for table in tables if table in self.free), None)
        if n not in self.given and mine is not None:
            self.given[n] = mine
            self.free.remove(mine)

    def _plain_first(self) -> list[_Table]:
        return sorted(self.free, key=lambda table: (table in self.wishes.accessible, table in self.wishes.stream))
