"""A journal's rows as the server has them: a branch's own, and below where it parts its parent's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from kiosk.ports import Row
from kiosk.server.schema import fact, journal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

_COLUMNS = [fact.c[name] for name in ("seq", "boot", "mono_ns", "wall_ns", "wall_trusted", "type", "data", "prev", "hash")]


def rows_of(connection: Connection, branch: int, first: int, last: int) -> Iterator[Row]:
    """Rows of a branch, in order.

    Args:
        connection: Any.
        branch: Its number in `journal`.
        first: The first row's number.
        last: The last row's; more there may be, but are not given.
    """
    for own, low, high in _pieces(connection, branch, first, last):
        wanted = select(*_COLUMNS).where(fact.c.journal == own, fact.c.seq.between(low, high)).order_by(fact.c.seq)
        for row in connection.execute(wanted):
            yield Row(*row)


def newest_of(connection: Connection, branch: int, kind: str, below: int) -> int:
    """The number of the newest row of a type below a number; 0: there is none."""
    for own, low, high in reversed(_pieces(connection, branch, 1, below - 1)):
        wanted = select(func.max(fact.c.seq)).where(fact.c.journal == own, fact.c.seq.between(low, high), fact.c.type == kind)
        found = connection.execute(wanted).scalar()
        if found is not None:
            return int(found)
    return 0


def dates_of(connection: Connection, branch: int) -> dict[str, int]:
    """For each boot whose date was once set in a branch's own rows: date minus monotonic clock, as `kiosk.sheets` wants it."""
    first = (
        select(fact.c.boot, func.min(fact.c.seq).label("seq"))
        .where(fact.c.journal == branch, fact.c.wall_trusted.is_(True))
        .group_by(fact.c.boot)
        .subquery()
    )
    wanted = select(fact.c.boot, fact.c.wall_ns - fact.c.mono_ns).join(first, (fact.c.seq == first.c.seq) & (fact.c.journal == branch))
    return {boot: int(offset) for boot, offset in connection.execute(wanted)}


def _pieces(connection: Connection, branch: int, first: int, last: int) -> list[tuple[int, int, int]]:
    """(whose own rows, from, to), in the order of the rows."""
    pieces: list[tuple[int, int, int]] = []
    at: int | None = branch
    while at is not None and last >= first:
        row = connection.execute(select(journal.c.parent, journal.c.forked_at).where(journal.c.id == at)).one()
        if last >= row.forked_at:
            pieces.append((at, max(first, row.forked_at), last))
        last, at = min(last, row.forked_at - 1), row.parent
    return pieces[::-1]
