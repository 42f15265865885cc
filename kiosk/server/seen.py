"""One look at what stands at the tables, in one read of the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.types import NS_PER_MS
from kiosk.server.desk import pause_now
from kiosk.server.faces import faces

if TYPE_CHECKING:
    from collections.abc import Collection

    from kiosk.server.house import House
    from kiosk.server.public import Face


@dataclass(frozen=True, slots=True)
class Seen:
    """What stood there."""

    faces: list[Face]
    """Whole ones, one for each table, in the order of the tables' names."""
    asked: frozenset[str]
    """The devices that were asked for; empty: all."""
    pause: Face | None
    """That the whole hall is paused: `why`, `since_ms`."""


def look(house: House, devices: Collection[str] | None = None) -> Seen:
    """Look at tables.

    Args:
        house: Whose.
        devices: Which; None: all.
    """
    with house.store.read() as connection:
        found, lasting = faces(connection, devices), pause_now(connection)
    whole = lasting is not None and lasting.tables is None
    pause = {"why": lasting.why, "since_ms": lasting.since_ns // NS_PER_MS} if lasting is not None and whole else None
    return Seen(found, frozenset(devices or ()), pause)
