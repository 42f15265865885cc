"""Signed sheets are received at the desk, or from a referee's phone.

    its table's match now ──► an order to the table: the reception stands in its journal
    the table has gone on, or its device was revoked ──► the server itself records it, as a version of the result (`desk`)

Players sign, walk to the desk, and their table offers the next match meanwhile: then the table refuses the order, for it was meant for
another match (`match_over`), and the server records the reception in its stead. Whoever received it stands there, and in the audit.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, or_, select, update

from kiosk.domain.errors import Refusal
from kiosk.domain.officials import Official, Role
from kiosk.domain.setup import bad_value
from kiosk.domain.state import Phase
from kiosk.server import desk, result_acts, results
from kiosk.server.acts import acting
from kiosk.server.assignments import natural
from kiosk.server.problems import not_there
from kiosk.server.schema import assignment, journal
from kiosk.server.schema import device as devices
from kiosk.server.schema import match as matches
from kiosk.server.schema import orders as given
from kiosk.server.schema import result as versions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection, Row

    from kiosk.server.acts import Act
    from kiosk.server.house import House
    from kiosk.server.login import Who
    from kiosk.sync import wire

KIND = "receive_sheet"


@dataclass(frozen=True, slots=True)
class Signed:
    """A sheet that both have signed, and nobody has received."""

    match: str
    table: str
    """Where it was played, as its device is called."""
    players: dict[str, list[str]]


# ── Reading ──────────────────────────────────────────────────────────────────
_NEWEST = select(journal.c.device, func.max(journal.c.id).label("id")).group_by(journal.c.device).subquery()
_MATCHES = (
    select(
        matches,
        devices.c.table_name,
        devices.c.revoked_ns,
        (journal.c.opening_seq == matches.c.first_seq).label("newest"),
        (_NEWEST.c.id == journal.c.id).label("written"),
        assignment.c.practice.label("for_practice"),
    )
    .join(journal, journal.c.id == matches.c.journal)
    .join(_NEWEST, _NEWEST.c.device == matches.c.device)
    .join(devices, devices.c.id == matches.c.device)
    .outerjoin(assignment, assignment.c.id == matches.c.attached)
    .where(matches.c.left_out.is_(False))
)


def _here(row: Row[Any]) -> bool:
    """Whether the match is the one on its table now, so that the table can receive its sheet."""
    return bool(row.revoked_ns is None and row.newest and row.written)


def _counts(row: Row[Any]) -> bool:
    """Whether the match has a result: it is attached, and no practice."""
    return row.attached is not None and not row.practice and not row.for_practice


def _appealed(connection: Connection, row: Row[Any]) -> bool:
    """Whether an appeal is open, and no organizer has decided the result meanwhile."""
    if not json.loads(row.summary).get("provisional"):
        return False
    counts = results.standing(results.versions(connection, row.attached or ""))
    return counts is None or counts.source != results.ORGANIZER


def waiting(connection: Connection) -> list[Signed]:
    """Signed sheets that somebody is to receive, in the order of their tables.

    One that counts for nothing yet is there as long as its table can receive it.
    """
    rows = [row for row in connection.execute(_MATCHES.where(matches.c.phase == Phase.SIGNED)) if _counts(row) or _here(row)]
    ordered, received = _ordered(connection, rows), _received(connection, rows)
    left = [row for row in rows if (row.device, row.id) not in ordered and (row.attached, _of(row)) not in received]
    made = [Signed(row.id, row.table_name, json.loads(row.summary)["players"]) for row in left]
    return sorted(made, key=lambda one: natural(one.table))


def _of(row: Row[Any]) -> str:
    return f"{row.journal}-{row.first_seq}"


def _ordered(connection: Connection, rows: Iterable[Row[Any]]) -> set[tuple[str, str]]:
    """Those about which the table has been told, and has not said no: by device and match."""
    changed = {(row.device, row.id): row.changed_ns for row in rows if row.revoked_ns is None}
    mine = (given.c.kind == KIND, given.c.device.in_({device for device, _match in changed}))
    asked = select(given).where(*mine, or_(given.c.answered_ns.is_(None), given.c.done.is_(True)))
    found = [(order.answered_ns, (order.device, str(json.loads(order.data)["match"]))) for order in connection.execute(asked)]
    # What the table has done since is in the match's row by then: a sheet that was signed anew is to be received anew.
    return {key for answered, key in found if key in changed and (answered is None or answered >= changed[key])}


def _received(connection: Connection, rows: Iterable[Row[Any]]) -> set[tuple[str, str]]:
    """Those that the server has recorded as received: by assignment and history."""
    mine = (versions.c.source == results.DESK, versions.c.match.in_({row.attached for row in rows}))
    return {(row.match, str(json.loads(row.data)["of"])) for row in connection.execute(select(versions).where(*mine))}


# ── Receiving ────────────────────────────────────────────────────────────────
def receive(act: Act, match: str, who: Who) -> bool:
    """Receive a signed sheet; a form that was sent twice changes nothing more.

    Args:
        act: Who does it.
        match: Which match's.
        who: The same person, as the table knows officials.

    Returns:
        Whether the table is told; False: it stands received here.

    Raises:
        CommandRefused: There is no such match; or its table has gone on, and it is not signed, is appealed or counts for nothing.
    """
    row = _find(act.connection, match)
    if row is None:
        raise not_there("There is no such match.")
    if row.phase == Phase.RECEIVED or _received(act.connection, [row]) & {(row.attached, _of(row))}:
        return False
    if _here(row):
        if (row.device, row.id) not in _ordered(act.connection, [row]):
            desk.receive(act, row.device, match, who)
        return True
    if row.phase != Phase.SIGNED:
        raise bad_value("This sheet is not signed by both players yet: it cannot be received.")
    if _appealed(act.connection, row):
        raise bad_value("An appeal is open: it is decided before the sheet is received.")
    if not _counts(row):
        raise bad_value("This match counts for nothing yet: say first for which match it counts, then receive its sheet.")
    _record(act, row, Official(who.name, who.role), act.at_ns)
    return False


def _find(connection: Connection, match: str) -> Row[Any] | None:
    """The history of a match that counts, else the newest."""
    rows = connection.execute(_MATCHES.where(matches.c.id == match)).all()
    return max(rows, key=lambda row: (row.attached is not None, row.journal, row.first_seq), default=None)


def _record(act: Act, row: Row[Any], official: Official, at_ns: int) -> None:
    version = result_acts.receive(act, (row.journal, row.first_seq), official, at_ns)
    if version is not None:
        act.note("sheet_received", match=row.attached, device=row.device, version=version.n, by=f"{official.name} ({official.role})")
        act.touched.add(("match", row.id))


def turned_away(answer: wire.OrderAnswer) -> bool:
    """Whether a table says that an order was for a match that it has left."""
    return not answer.done and answer.code == Refusal.MATCH_OVER


def gone_on(house: House, device: str, answers: Iterable[wire.OrderAnswer]) -> None:
    """A table was told to receive a sheet and had gone on: the server records what the official has done; as often as one likes.

    Args:
        house: Whose database.
        device: Which table's.
        answers: What it said, and is stored.
    """
    numbers = {answer.n for answer in answers if turned_away(answer)}
    mine = (given.c.device == device, given.c.n.in_(numbers), given.c.kind == KIND, given.c.done.is_(False))
    with house.store.read() as connection:
        told = connection.execute(select(given).where(*mine)).all()
    for order in told:
        data = json.loads(order.data)
        with acting(house, order.by) as act:
            row = _find(act.connection, data["match"])
            if row is None or row.phase != Phase.SIGNED or not _counts(row) or _appealed(act.connection, row):
                continue
            _record(act, row, Official(data["by"], Role(data["role"])), order.at_ns)
            kept = json.dumps({**json.loads(order.answer), "kept": True}, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
            act.connection.execute(update(given).where(given.c.device == device, given.c.n == order.n).values(done=True, answer=kept))
            act.touched.add(("desk", "orders"))
