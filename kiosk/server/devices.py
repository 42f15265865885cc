"""The tables' devices: who is asking, and what the organizer does with them.

A device's key is kept as its SHA-256. It is looked up once and remembered for a short while; a revocation is published, so that every
worker forgets it at once, and the intake looks at the device's row in each of its transactions besides.
"""

from __future__ import annotations

import hashlib
import hmac
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from kiosk.domain.errors import RosterError
from kiosk.domain.setup import LONGEST_NAME
from kiosk.domain.text import seen
from kiosk.say import _
from kiosk.server import assignments, clock, desk
from kiosk.server.acts import Act, acting
from kiosk.server.problems import Problem, WrongUse
from kiosk.server.schema import device
from kiosk.sync import wire

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from kiosk.server.house import House

REMEMBERED_NS = 60 * clock.SECOND
MOST_REMEMBERED = 5_000


@dataclass(frozen=True, slots=True)
class Device:
    """A device of the hall."""

    id: str
    """32 hexadecimal digits."""
    table: str
    version: str
    """The program's."""
    enrolled_ns: int
    revoked_ns: int | None
    replaced_by: str | None
    practice: bool
    seen_ns: int
    takes_over: str | None


def listed(connection: Connection, *, revoked: bool = False) -> list[Device]:
    """The devices of the hall.

    Args:
        connection: Any.
        revoked: Those too that were revoked.
    """
    wanted = select(device).order_by(device.c.table_name, device.c.enrolled_ns)
    return [_device(row) for row in connection.execute(wanted if revoked else wanted.where(device.c.revoked_ns.is_(None)))]


def _device(row: object) -> Device:
    get = row._mapping.__getitem__  # type: ignore[attr-defined] # noqa: SLF001 - SQLAlchemy's public name for a row as a mapping
    names = ("id", "table_name", "version", "enrolled_ns", "revoked_ns", "replaced_by", "practice", "seen_ns", "takes_over")
    return Device(*(get(name) for name in names))


def of_table(connection: Connection, table: str) -> Device:
    """The device at a table.

    Raises:
        RosterError: There is none.
    """
    row = connection.execute(select(device).where(device.c.table_name == table, device.c.revoked_ns.is_(None))).first()
    if row is None:
        known = ", ".join(each.table for each in listed(connection)) or _("none yet")
        raise RosterError(_("TABLE: no table is called {table}; enrolled are: {known}.", table=repr(table), known=known))
    return _device(row)


def check_table(name: str) -> str:
    """A table's name as it is stored.

    Raises:
        WrongUse: It cannot be shown on one line.
    """
    name = name.strip()
    if not name:
        raise WrongUse(_("The table's name is missing."))
    if len(name) > LONGEST_NAME:
        raise WrongUse(_("A table's name has at most {longest} characters; this one has {n}.", longest=LONGEST_NAME, n=len(name)))
    if not seen(name):
        raise WrongUse(_("A table's name is one line, each character of which can be seen; in this one some cannot."))
    return name


def holder(connection: Connection, table: str) -> str | None:
    """The id of the device that a table has, or None."""
    return connection.execute(select(device.c.id).where(device.c.table_name == table, device.c.revoked_ns.is_(None))).scalar()


def check_free(connection: Connection, table: str, but: str = "") -> None:
    """Refuse a name that another device has.

    Raises:
        Problem: It is taken (403).
    """
    if holder(connection, table) not in {None, but}:
        raise Problem(
            403,
            _(
                "There is a table {table} already. To put another device in its place, make a code that replaces it: "
                "`kiosk-server code --replaces {table}`, or on the page of devices.",
                table=table,
            ),
        )


# ── What the organizer does ──────────────────────────────────────────────────
def revoke(house: House, by: str, ident: str) -> Device:
    """Take a device's key away: nothing that it sends is taken any more, and its stream ends.

    Raises:
        RosterError: There is none, or it was revoked before.
    """
    with acting(house, by) as act:
        one = _alive(act.connection, ident)
        act.connection.execute(update(device).where(device.c.id == ident).values(revoked_ns=act.at_ns))
        act.note("device_revoked", device=ident, table=one.table)
        assignments.device_left(act, None, one.table)
        touch(act, ident)
    return one


def rename(house: House, by: str, ident: str, table: str) -> Device:
    """Call a table otherwise; it learns of it by an order.

    Raises:
        RosterError: There is no such device.
        Problem: Another one is called so.
        WrongUse: The name cannot be shown.
    """
    table = check_table(table)
    with acting(house, by) as act:
        one = _alive(act.connection, ident)
        check_free(act.connection, table, but=ident)
        assignments.device_left(act, ident, one.table)
        act.connection.execute(update(device).where(device.c.id == ident).values(table_name=table))
        act.order(ident, wire.RenameTable(table))
        act.note("table_renamed", device=ident, old=one.table, new=table)
        desk.device_came(act, ident, table)
        touch(act, ident)
    return one


def set_practice(house: House, by: str, ident: str, *, practice: bool) -> Device:
    """Say whether what is played at a table is practice: it never reaches results, exports or counts.

    Raises:
        RosterError: There is no such device.
    """
    with acting(house, by) as act:
        one = _alive(act.connection, ident)
        act.connection.execute(update(device).where(device.c.id == ident).values(practice=practice))
        act.note("practice_set", device=ident, table=one.table, practice=practice)
        touch(act, ident)
    return one


def touch(act: Act, ident: str) -> None:
    """Tell everybody who shows or serves a device, once the act is stored."""
    act.touched |= {("orders", ident), ("face", ident), ("desk", "devices")}


def _alive(connection: Connection, ident: str) -> Device:
    row = connection.execute(select(device).where(device.c.id == ident, device.c.revoked_ns.is_(None))).first()
    if row is None:
        raise RosterError(_("There is no such device, or it was revoked before."))
    return _device(row)


# ── Who is asking ────────────────────────────────────────────────────────────
def secret_hash(secret: str) -> str:
    """What is kept of a device's key."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def stranger(barred: str = "") -> Problem:
    """What a device is told that is unknown or was revoked; why it was, is for whoever proves that he had its key."""
    return Problem(401, _("This device is not enrolled here, or not any more: the organizer makes a new code for it."), barred=barred)


class Doorkeeper:
    """Who may come in by `Authorization: Bearer DEVICE.SECRET`."""

    def __init__(self, house: House) -> None:
        """Know nobody yet."""
        self._house = house
        self._known: dict[str, tuple[str, int]] = {}
        self._lock = threading.Lock()

    def remembered(self, authorization: str) -> str | None:
        """The device that asks, if it was looked up just now; else None: `look_up` asks the database."""
        ident, secret = _taken_apart(authorization)
        with self._lock:
            kept, until = self._known.get(ident, ("", 0))
        same = hmac.compare_digest(kept, secret_hash(secret)) and self._house.now_ns() < until
        return ident if same else None

    def look_up(self, authorization: str) -> str:
        """The device that asks.

        Raises:
            Problem: It is unknown or was revoked (401).
        """
        ident, secret = _taken_apart(authorization)
        with self._house.store.read() as connection:
            known = connection.execute(select(device).where(device.c.id == ident)).first()
        if known is None or not hmac.compare_digest(known.secret_hash, secret_hash(secret)):
            raise stranger()
        if known.revoked_ns is not None:
            raise stranger(wire.REPLACED if known.replaced_by else wire.REVOKED)
        with self._lock:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            self._known[ident] = (known.secret_hash, self._house.now_ns() + REMEMBERED_NS)
        return ident

    def forget(self, ident: str | None) -> None:
        """Look a device up again at its next request; None: every device."""
        with self._lock:
            if ident is None:
                self._known.clear()
            else:
                self._known.pop(ident, None)


def _taken_apart(authorization: str) -> tuple[str, str]:
    kind, _space, rest = authorization.partition(" ")
    ident, dot, secret = rest.strip().partition(".")
    if kind.lower() != "bearer" or not dot or len(ident) != 32 or len(secret) != 64:
        raise stranger()
    return ident, secret
