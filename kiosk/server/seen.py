"""One look at what stands at the tables, in one read of the store."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from kiosk.server.house import get
from kiosk.server.schema import device, face

if TYPE_CHECKING:
    from collections.abc import Collection

    from kiosk.server.house import House
    from kiosk.server.public import Face

PAUSE = "pause"
"""The setting that holds who paused the hall, why and since when; empty while it is not paused."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What stood there."""

    faces: list[Face]
    """Whole ones, one for each table."""
    asked: frozenset[str]
    """The devices that were asked for; empty: all."""
    pause: Face | None
    """That all clocks are paused: `why`, `since_ms`."""


def look(house: House, devices: Collection[str] | None = None) -> Seen:
    """Look at tables.

    Args:
        house: Whose.
        devices: Which; None: all.
    """
    with house.store.read() as connection:
        asked = select(face.c.data).join(device).where(device.c.revoked_ns.is_(None)).order_by(device.c.table_name)
        if devices is not None:
            asked = asked.where(device.c.id.in_(devices))
        found = [json.loads(data) for data in connection.execute(asked).scalars()]
        said = json.loads(get(connection, PAUSE) or "null")
    pause = {"why": said.get("why", ""), "since_ms": said.get("since_ms")} if said else None
    return Seen(found, frozenset(devices or ()), pause)
