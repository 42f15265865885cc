"""What a person has to look at, noted once: both sides of it are kept, and nothing goes on by itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select

from kiosk.server.schema import conflict

if TYPE_CHECKING:
    from sqlalchemy import Connection


def flag(connection: Connection, kind: str, device: str, what: dict[str, Any], at_ns: int, *, match: str = "") -> bool:
    """Note a conflict, unless the same is noted already, settled or not.

    Args:
        connection: A writing one.
        kind: As in `schema.conflict`.
        device: Whose rows brought it up.
        what: Both sides of it.
        at_ns: Now, by the house's clock.
        match: The match's id; empty: it is about none.

    Returns:
        Whether it is new.
    """
    told = json.dumps(what, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    same = (conflict.c.kind == kind, conflict.c.match == match, conflict.c.what == told)
    owner = () if kind == "two_devices" else (conflict.c.device == device,)
    if connection.execute(select(conflict.c.id).where(*same, *owner)).first() is not None:
        return False
    connection.execute(insert(conflict).values(kind=kind, device=device, match=match, what=told, at_ns=at_ns))
    return True
