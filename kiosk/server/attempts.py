"""How often somebody may try: passwords and codes, by address and by account, all workers of the server counted together.

An attempt is counted before it is looked at, so that many at the same time count too, and is taken back when it succeeds. The numbers
stand in the database; those of the past go, and there are never more than `MOST` of them, however many addresses somebody makes up.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import case, delete, func, insert, select, update

from kiosk.say import _
from kiosk.server import clock
from kiosk.server.problems import Problem
from kiosk.server.schema import attempt
from kiosk.server.store import hold

if TYPE_CHECKING:
    from sqlalchemy import Connection

WINDOW_NS = 15 * 60 * clock.SECOND
"""A count begins anew after so long."""
MOST = 10_000
"""So many counts are kept."""


@dataclass(frozen=True, slots=True)
class Limit:
    """What may be tried how often."""

    what: str
    most: int
    """So often in a quarter of an hour."""


LOGIN_ADDRESS = Limit("login address", 20)
LOGIN_ACCOUNT = Limit("login account", 60)
"""Higher than an address's: whoever tries in the hall must not lock the organizer out."""
ENROL_ADDRESS = Limit("enrol address", 20)


def count(connection: Connection, limit: Limit, key: str, now_ns: int) -> None:
    """Count an attempt.

    Args:
        connection: A writing one, committed even where the attempt fails.
        limit: What is tried.
        key: By whom: an address, an account.
        now_ns: Now, by the house's clock.

    Raises:
        Problem: It was tried too often lately (429).
    """
    what = _name(limit, key)
    hold(connection, what)
    row = connection.execute(select(attempt).where(attempt.c.what == what)).first()
    if row is None:
        _make_room(connection, now_ns)
        connection.execute(insert(attempt).values(what=what, failures=1, since_ns=now_ns))
        return
    old = now_ns - row.since_ns > WINDOW_NS
    if not old and row.failures >= limit.most:
        wait_s = max(1, (row.since_ns + WINDOW_NS - now_ns) // clock.SECOND)
        raise Problem(429, _("That was tried too often; try again in {minutes} min.", minutes=-(-wait_s // 60)), retry_s=wait_s)
    mine = update(attempt).where(attempt.c.what == what)
    connection.execute(mine.values(failures=1, since_ns=now_ns) if old else mine.values(failures=attempt.c.failures + 1))


def take_back(connection: Connection, limit: Limit, key: str) -> None:
    """It succeeded: it does not count."""
    fewer = case((attempt.c.failures > 0, attempt.c.failures - 1), else_=0)
    connection.execute(update(attempt).where(attempt.c.what == _name(limit, key)).values(failures=fewer))


def _make_room(connection: Connection, now_ns: int) -> None:
    connection.execute(delete(attempt).where(attempt.c.since_ns < now_ns - WINDOW_NS))
    held = connection.execute(select(func.count()).select_from(attempt)).scalar() or 0
    if held >= MOST:
        oldest = select(attempt.c.what).order_by(attempt.c.since_ns).limit(held - MOST + 1)
        connection.execute(delete(attempt).where(attempt.c.what.in_(oldest)))


def _name(limit: Limit, key: str) -> str:
    return f"{limit.what} {key[:200]}"


def address_of(host: str) -> str:
    """Whom an address counts for: a whole IPv6 network is one customer's.

    Args:
        host: The address that the request came from.
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 6:
        return str(address.ipv4_mapped) if address.ipv4_mapped else str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return str(address)
