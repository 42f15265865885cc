"""The audit: every act of a person, of a device and of the command line, appended and never changed.

The database itself refuses to change or delete a row (triggers, made by the migrations), and each row's hash covers the row and the hash
before it, so that whoever works around the database is seen by `fault`.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from sqlalchemy import insert, select

from kiosk.chain import START
from kiosk.server import clock
from kiosk.server.schema import audit
from kiosk.server.store import hold

if TYPE_CHECKING:
    from sqlalchemy import Connection

COMMAND_LINE = "command line"
"""Who acts where no person has logged in."""
A_SHEET = "signed sheet"
"""Whose act it is that follows from a sheet as it comes in from its table."""


def note(connection: Connection, who: str, act: str, **what: object) -> None:
    """Write an act down, within the transaction that does it: either both stand or neither does.

    Args:
        connection: A writing one.
        who: A person's name and role (`Who.called`), a device, `COMMAND_LINE` or `A_SHEET`.
        act: In snake_case: `match_assigned`, `device_revoked`.
        what: What it was done to, old and new values, the reason: whatever JSON can hold; never a secret.
    """
    hold(connection, "audit")
    prev = connection.execute(select(audit.c.hash).order_by(audit.c.id.desc()).limit(1)).scalar() or START
    at_ns = clock.now_ns()
    told = json.dumps(what, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)
    digest = _digest(at_ns, who, act, told, prev)
    connection.execute(insert(audit).values(at_ns=at_ns, who=who, act=act, what=told, prev=prev, hash=digest))


def fault(connection: Connection) -> str | None:
    """A sentence about the first row that was altered, or None: every row holds."""
    prev = START
    for row in connection.execute(select(audit).order_by(audit.c.id)):
        if row.prev != prev:
            return f"Row {row.id} of the audit does not follow the row before it: one of them was changed, dropped or slipped in."
        if row.hash != _digest(row.at_ns, row.who, row.act, row.what, prev):
            return f"Row {row.id} of the audit was altered: its hash does not fit its contents."
        prev = row.hash
    return None


def _digest(at_ns: int, who: str, act: str, what: str, prev: str) -> str:
    said = json.dumps([at_ns, who, act, what, prev], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()
