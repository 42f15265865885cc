"""This device takes another one's place: the running match as the server has it, and how old its last entry is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.domain.types import Span
from kiosk.session import running_match

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.ports import Joining, Row
    from kiosk.session import Carried


def fetch_running(joining: Joining, date: Callable[[], tuple[int, bool]]) -> tuple[Carried, Span | None]:
    """The match that waits to be taken over, looked over like any that comes from elsewhere; it may take seconds.

    Args:
        joining: Fetches its rows.
        date: This system's date, and whether it was set.

    Returns:
        The match, and how long ago its last entry was made; None where the two dates cannot tell.

    Raises:
        KioskError: There is none, it cannot be had, or no table can have written it.
    """
    table, rows = joining.running()
    return running_match(table, rows), age(rows[-1], date())


def age(row: Row, date: tuple[int, bool]) -> Span | None:
    """How old an entry is by the dates of the two tables; None where one of them was not set, or they do not fit together."""
    now, trusted = date
    if not trusted or not row.wall_trusted or now < row.wall_ns:
        return None
    return Span(now - row.wall_ns)
