"""Orders from the hall's desk and from referees' phones to the tables: given, sent until they are answered, answered once.

Each device has numbers of its own, 1, 2, 3 … without a gap: the number is counted up in the device's row, under that row's lock, in the
transaction that stores the order. What an order says of a time is relative to when it is sent, for no date is trusted at a table: it is
kept relative to `at_ns` and brought up to date on its way (`as_sent`).
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from sqlalchemy import insert, select, update

from kiosk import codec
from kiosk.server.schema import device as devices
from kiosk.server.schema import orders
from kiosk.sync import wire

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Row

MILLISECOND = 1_000_000
"""Nanoseconds."""

MOST = 500
"""Orders that are read at once."""


class NoSuchDevice(LookupError):
    """There is no device of that id, or it was revoked: nobody would do the order."""


def give(connection: Connection, device: str, what: wire.What, by: str, at_ns: int) -> int:
    """Give a device an order; whoever calls publishes `("orders", device)` once the transaction has been committed.

    Args:
        connection: A writing one.
        device: Its id.
        what: What it is to do; a time in it is relative to `at_ns`.
        by: Who gives it, for people.
        at_ns: Now, by the house's clock.

    Returns:
        The order's number.

    Raises:
        NoSuchDevice: Nobody would do it.
    """
    counted = update(devices).where(devices.c.id == device, devices.c.revoked_ns.is_(None)).values(last_order=devices.c.last_order + 1)
    number = connection.execute(counted.returning(devices.c.last_order)).scalar()
    if number is None:
        raise NoSuchDevice(device)
    row = {"device": device, "n": number, "kind": codec.name_of(cast("Any", type(what))), "data": _json(codec.to_plain(what)), "by": by}
    connection.execute(insert(orders).values(at_ns=at_ns, **row))
    return int(number)


def give_all(connection: Connection, what: wire.What, by: str, at_ns: int) -> list[str]:
    """Give every device in the hall the same order.

    Returns:
        The devices, each of which is to be published.
    """
    everybody = list(connection.execute(select(devices.c.id).where(devices.c.revoked_ns.is_(None)).order_by(devices.c.id)).scalars())
    for device in everybody:
        give(connection, device, what, by, at_ns)
    return everybody


class Open(NamedTuple):
    """An order that waits for its answer."""

    order: wire.Order
    at_ns: int
    """When it was given."""


def open_orders(connection: Connection, device: str, after: int = 0) -> list[Open]:
    """What a device has not answered yet, in order.

    Args:
        connection: Any.
        device: Its id.
        after: The highest number that it has had.
    """
    wanted = select(orders).where(orders.c.device == device, orders.c.answered_ns.is_(None), orders.c.n > after)
    return [_read(row) for row in connection.execute(wanted.order_by(orders.c.n).limit(MOST))]


def _read(row: Row[tuple[object, ...]]) -> Open:
    return Open(wire.order_from_plain({"n": row.n, "kind": row.kind, "data": json.loads(row.data)}), row.at_ns)


def as_sent(waiting: Open, now_ns: int) -> wire.Order:
    """An order as it goes out now: its times are relative to this instant.

    Args:
        waiting: As it was given.
        now_ns: Now, by the house's clock.
    """
    what = waiting.order.what
    if isinstance(what, wire.AssignMatch | wire.DelayStart) and what.starts_in_ms is not None:
        passed = (now_ns - waiting.at_ns) // MILLISECOND
        return wire.Order(waiting.order.n, replace(what, starts_in_ms=what.starts_in_ms - passed))
    return waiting.order


def answer(connection: Connection, device: str, answers: Sequence[wire.OrderAnswer], at_ns: int) -> int:
    """Keep what a table answered. A repeat changes nothing, but that a message was read may come later than that it was shown.

    Args:
        connection: A writing one.
        device: Its id.
        answers: What it said.
        at_ns: Now, by the house's clock.

    Returns:
        The number up to which every order is answered: the table forgets its answers up to there.
    """
    for told in answers:
        text = _json(codec.to_plain(told))
        mine = (orders.c.device == device) & (orders.c.n == told.n)
        connection.execute(
            update(orders).where(mine, orders.c.answered_ns.is_(None)).values(answered_ns=at_ns, done=told.done, answer=text)
        )
        if told.done and told.read:
            connection.execute(update(orders).where(mine, orders.c.kind == "show_message", orders.c.done.is_(True)).values(answer=text))
    return answered_upto(connection, device)


def answered_upto(connection: Connection, device: str) -> int:
    """The number up to which every order of a device is answered."""
    waits = select(orders.c.n).where(orders.c.device == device, orders.c.answered_ns.is_(None)).order_by(orders.c.n).limit(1)
    first = connection.execute(waits).scalar()
    if first is not None:
        return int(first) - 1
    return int(connection.execute(select(devices.c.last_order).where(devices.c.id == device)).scalar() or 0)


def _json(plain: object) -> str:
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
