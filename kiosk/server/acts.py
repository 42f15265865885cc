"""One act of a person: a transaction, what is written in the audit with it, and who is told once it has been committed."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import select

from kiosk import codec
from kiosk.server import audit, orders
from kiosk.server.clock import SECOND
from kiosk.server.schema import device as devices
from kiosk.server.schema import orders as given
from kiosk.server.store import hold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from kiosk.server.house import House
    from kiosk.sync import wire

TWICE_NS = 10 * SECOND
"""The same order, given again within this time by the same person, is a form that was sent twice."""


@dataclass(slots=True)
class Act:
    """What somebody is doing, as one transaction: all of it, or nothing."""

    connection: Connection
    """A writing one."""
    by: str
    """Who, for people: `Who.called`."""
    at_ns: int
    """Now, by the house's clock."""
    touched: set[tuple[str, str]] = field(default_factory=set)
    """What is published once it is committed: topics and keys."""

    def note(self, act: str, **what: object) -> None:
        """Write it into the audit; every organizer's page is told."""
        audit.note(self.connection, self.by, act, **what)
        self.touched.add(("desk", act))

    def order(self, device: str, what: wire.What) -> int:
        """Give a table an order; the same one again within ten seconds is not given twice.

        Args:
            device: Its id.
            what: The order.

        Returns:
            The order's number, also where it was there already.

        Raises:
            NoSuchDevice: The device was revoked.
        """
        number = self._there_already(device, what)
        if number is None:
            number = orders.give(self.connection, device, what, self.by, self.at_ns)
        self.touched.add(("orders", device))
        return number

    def _there_already(self, device: str, what: wire.What) -> int | None:
        newest = self.connection.execute(select(given).where(given.c.device == device).order_by(given.c.n.desc()).limit(1)).first()
        if newest is None or newest.by != self.by or newest.kind != codec.name_of(cast("Any", type(what))):
            return None
        same = json.loads(newest.data) == json.loads(json.dumps(codec.to_plain(what)))
        return int(newest.n) if same and self.at_ns - newest.at_ns < TWICE_NS else None


@contextmanager
def acting(house: House, by: str) -> Iterator[Act]:
    """Do something as somebody; whoever listens is told after the commit, and nobody where anything was raised.

    Args:
        house: Whose database and hub.
        by: Who acts, for people.
    """
    with house.store.write() as connection:
        hold(connection, "audit")  # first of all: whoever locked devices before it would wait for each other
        act = Act(connection, by, house.now_ns())
        yield act
    for topic, key in sorted(act.touched):
        house.hub.publish(topic, key)


def device_of(connection: Connection, table: str) -> str | None:
    """The device that stands at a table now, or None: no device has enrolled for it.

    Args:
        connection: Any.
        table: What the table is called; an empty text is no table.
    """
    if not table:
        return None
    found = connection.execute(select(devices.c.id).where(devices.c.table_name == table, devices.c.revoked_ns.is_(None))).scalar()
    return None if found is None else str(found)


def tables(connection: Connection) -> dict[str, str]:
    """Every device in the hall by what its table is called."""
    rows = connection.execute(select(devices.c.table_name, devices.c.id).where(devices.c.revoked_ns.is_(None)))
    return {row.table_name: row.id for row in rows}
