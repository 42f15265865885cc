"""One transaction of the intake: a group of batches, at most one of a device, checked against the journals' heads and stored.

Everything is looked up at once for the whole group and written at once at its end, for what costs is the number of statements.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, insert, select, update

from kiosk import codec
from kiosk.chain import START
from kiosk.domain import facts as f
from kiosk.domain.errors import PeerError
from kiosk.server import orders
from kiosk.server.branches import Append, Branch, Fork, Gap, place
from kiosk.server.conflicts import flag
from kiosk.server.devices import stranger
from kiosk.server.history import newest_of, rows_of
from kiosk.server.schema import device, fact, journal
from kiosk.server.schema import orders as order_table
from kiosk.sync.wire import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from kiosk.domain.errors import KioskError
    from kiosk.ports import Row
    from kiosk.sync.wire import Batch, Moment

MOST_BRANCHES = 8
"""A journal is kept in no more histories; what parts from all of them again is refused."""

OPENING = codec.name_of(f.MatchOpened)


@dataclass(slots=True)
class Taken:
    """What became of a batch."""

    device: str
    ident: str
    verdict: Verdict
    want: int
    branch: int = 0
    at: tuple[int, str] | None = None
    """What the receipt is for: a row's number and hash."""
    answered: int = 0
    journal: int | None = None
    """The number of the branch that has news, or None."""
    now: Moment | None = None
    """The table's clocks when it sent the batch."""
    received_ns: int = 0
    forked: bool = False
    rows: Sequence[Row] = ()
    """The new ones."""
    told: bool = False
    """It brought answers to orders."""


@dataclass(slots=True)
class _Group:
    connection: Connection
    at_ns: int
    devices: dict[str, int] = field(default_factory=dict)
    """Last order of each device that is enrolled."""
    branches: dict[tuple[str, str], list[Branch]] = field(default_factory=dict)
    waiting_orders: dict[str, int] = field(default_factory=dict)
    """The lowest order that each device has not answered."""
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    moved: dict[int, Branch] = field(default_factory=dict)

    def look(self, branch: Branch, seq: int) -> str:
        """The hash of a row that a branch has."""
        if seq == branch.head_seq:
            return branch.head_hash
        by_id = {each.id: each for each in self.branches[branch.device, branch.ident]}
        while seq < branch.forked_at and branch.parent is not None:
            branch = by_id[branch.parent]
        found = select(fact.c.hash).where(fact.c.journal == branch.id, fact.c.seq == seq)
        return str(self.connection.execute(found).scalar_one())


def take_all(connection: Connection, batches: Sequence[tuple[str, Batch]], at_ns: int) -> list[Taken | KioskError]:
    """Store a group of batches, each of another device.

    Args:
        connection: A writing one; the caller commits.
        batches: Devices, in the order of their ids, and what they sent.
        at_ns: Now, by the house's clock.

    Returns:
        For each what became of it, or why it is refused.
    """
    group = _Group(connection, at_ns)
    _look_up(group, [each for each, _batch in batches])
    done = [_take(group, name, batch) for name, batch in batches]
    _store(group, [(name, batch) for (name, batch), each in zip(batches, done, strict=True) if isinstance(each, Taken)])
    return done


_DEVICES = (
    select(device.c.id, device.c.last_order)
    .where(device.c.id.in_(bindparam("ids", expanding=True)), device.c.revoked_ns.is_(None))
    .order_by(device.c.id)
)
_HEADS = select(journal).where(journal.c.device.in_(bindparam("ids", expanding=True))).order_by(journal.c.device, journal.c.id)
_OPEN = (
    select(order_table.c.device, order_table.c.n)
    .where(order_table.c.device.in_(bindparam("ids", expanding=True)), order_table.c.answered_ns.is_(None))
    .order_by(order_table.c.n.desc())
)


def _look_up(group: _Group, ids: list[str]) -> None:
    connection, given = group.connection, {"ids": ids}
    locked = _DEVICES.with_for_update(key_share=True)  # SQLite has no such words, and needs none
    group.devices = {row.id: row.last_order for row in connection.execute(locked, given)}
    for row in connection.execute(_HEADS, given):
        known = Branch(
            row.id, row.device, row.ident, row.branch, row.parent, row.forked_at, row.head_seq, row.head_hash, row.opening_seq, row.pending
        )
        group.branches.setdefault((row.device, row.ident), []).append(known)
    for row in connection.execute(_OPEN, given):
        group.waiting_orders[row.device] = row.n


def _take(group: _Group, name: str, batch: Batch) -> Taken | KioskError:
    if name not in group.devices:
        return stranger()
    branches = group.branches.get((name, batch.journal), [])
    if batch.journal == "":
        done = Taken(name, "", Verdict.STORED, 1)
    else:
        made = _placed(group, name, batch, branches)
        if not isinstance(made, Taken):
            return made
        done = made
    done.now, done.received_ns, done.told = batch.now, group.at_ns, bool(batch.answers)
    done.answered = _answered(group, name, batch)
    return done


def _placed(group: _Group, name: str, batch: Batch, branches: list[Branch]) -> Taken | KioskError:
    match place(batch, branches, group.look):
        case None if not batch.rows:
            return Taken(name, batch.journal, Verdict.STORED, 1)
        case None:
            _another(group, name, batch)
            branch = _begin(group, Branch(0, name, batch.journal, 0, None, 1, 0, START, 0))
            return _append(group, branch, batch, batch.rows)
        case Append(branch, rows, upto):
            if rows or upto == branch.head_seq:
                return _append(group, branch, batch, rows)
            return _repeat(group, branch, batch, upto)
        case Fork(parent, rows):
            return _fork(group, parent, batch, rows, branches)
        case Gap(want, branch):
            at = None if branch is None else (branch.head_seq, branch.head_hash)
            return Taken(name, batch.journal, Verdict.GAP, want, 0 if branch is None else branch.branch, at)


def _another(group: _Group, name: str, batch: Batch) -> None:
    """The device begins another journal than the one whose entries the server has: that one was deleted, or another disk put in."""
    before = [branch for (owner, _ident), known in group.branches.items() if owner == name for branch in known]
    if before:
        last = max(before, key=lambda branch: branch.id)
        what = {"journal": batch.journal, "before": last.ident, "server_has": last.head_seq}
        flag(group.connection, "journal_gone", name, what, group.at_ns)


def _append(group: _Group, branch: Branch, batch: Batch, rows: Sequence[Row]) -> Taken:
    if rows:
        key, at = branch.id, group.at_ns
        group.rows.extend((key, r.seq, r.boot, r.mono_ns, r.wall_ns, r.wall_trusted, r.type, r.data, r.prev, r.hash, at) for r in rows)
        branch.head_seq, branch.head_hash = rows[-1].seq, rows[-1].hash
        branch.opening_seq = max((row.seq for row in rows if row.type == OPENING), default=branch.opening_seq)
    if rows or branch.pending != batch.pending:
        branch.pending = batch.pending
        group.moved[branch.id] = branch
    verdict = Verdict.FORK if branch.branch else Verdict.STORED
    at_head = (branch.head_seq, branch.head_hash)
    return Taken(branch.device, branch.ident, verdict, branch.head_seq + 1, branch.branch, at_head, journal=branch.id, rows=rows)


def _repeat(group: _Group, branch: Branch, batch: Batch, upto: int) -> Taken:
    """Rows that are known since long: the receipt is for the head all the same, so that both ends see who lacks what.

    On a fork it is for the batch's last row: there, what lies behind may be another history's.
    """
    if not batch.rows and not batch.pending:
        _truncated(group, branch, batch)
    if branch.branch:
        at = (upto, group.look(branch, upto))
        return Taken(branch.device, branch.ident, Verdict.FORK, upto + 1, branch.branch, at, journal=branch.id)
    at = (branch.head_seq, branch.head_hash)
    return Taken(branch.device, branch.ident, Verdict.STORED, branch.head_seq + 1, 0, at, journal=branch.id)


def _truncated(group: _Group, branch: Branch, batch: Batch) -> None:
    """The device says that it has nothing behind a row, and the server has: its journal was cut, or an older disk put in."""
    newest = next(rows_of(group.connection, branch.id, branch.head_seq, branch.head_seq))
    if newest.boot == batch.now.boot and newest.mono_ns > batch.now.mono_ns:
        return  # it was under way for long: the rows came after it was sent
    what = {"journal": branch.ident, "device_has": batch.after, "server_has": branch.head_seq}
    flag(group.connection, "truncated", branch.device, what, group.at_ns)


def _fork(group: _Group, parent: Branch, batch: Batch, rows: Sequence[Row], branches: list[Branch]) -> Taken | KioskError:
    if len(branches) >= MOST_BRANCHES:
        return PeerError(
            f"This journal has parted into {len(branches)} histories already, and row {rows[0].seq} parts again; the organizer must look "
            "after the device: is its disk restored again and again, or do two devices use one identity?"
        )
    opening = parent.opening_seq if parent.opening_seq < rows[0].seq else newest_of(group.connection, parent.id, OPENING, rows[0].seq)
    made = Branch(0, parent.device, parent.ident, branches[-1].branch + 1, parent.id, rows[0].seq, rows[0].seq - 1, rows[0].prev, opening)
    what = {
        "journal": parent.ident,
        "seq": rows[0].seq,
        "branch": made.branch,
        "parent": parent.branch,
        "had": group.look(parent, rows[0].seq),
        "sent": rows[0].hash,
    }
    flag(group.connection, "fork", parent.device, what, group.at_ns)
    done = _append(group, _begin(group, made), batch, rows)
    done.forked = True
    return done


def _begin(group: _Group, branch: Branch) -> Branch:
    values = {
        "device": branch.device,
        "ident": branch.ident,
        "branch": branch.branch,
        "parent": branch.parent,
        "forked_at": branch.forked_at,
        "head_seq": branch.head_seq,
        "head_hash": branch.head_hash,
        "pending": 0,
        "created_ns": group.at_ns,
        "opening_seq": branch.opening_seq,
    }
    branch.id = int(group.connection.execute(insert(journal).values(values).returning(journal.c.id)).scalar_one())
    group.branches.setdefault((branch.device, branch.ident), []).append(branch)
    return branch


def _answered(group: _Group, name: str, batch: Batch) -> int:
    if batch.answers:
        return orders.answer(group.connection, name, batch.answers, group.at_ns)
    waits = group.waiting_orders.get(name)
    return group.devices[name] if waits is None else waits - 1


# ── What is written at the end ───────────────────────────────────────────────
_COLUMNS = ("journal", "seq", "boot", "mono_ns", "wall_ns", "wall_trusted", "type", "data", "prev", "hash", "received_ns")
_ROWS_SQLITE = f"INSERT INTO fact ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608 - its own words
_ROWS_POSTGRES = f"COPY fact ({', '.join(_COLUMNS)}) FROM STDIN"
_MOVED = (
    update(journal)
    .where(journal.c.id == bindparam("key"))
    .values(
        head_seq=bindparam("new_head"), head_hash=bindparam("new_hash"), pending=bindparam("new_pending"), opening_seq=bindparam("new_open")
    )
)
_SEEN = update(device).where(device.c.id == bindparam("key")).values(seen_ns=bindparam("now"))


def _store(group: _Group, taken: list[tuple[str, Batch]]) -> None:
    connection = group.connection
    if group.rows:
        driver: Any = connection.connection.driver_connection
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql(_ROWS_SQLITE, group.rows)
        else:
            with driver.cursor() as cursor, cursor.copy(_ROWS_POSTGRES) as copy:
                for row in group.rows:
                    copy.write_row(row)
    if group.moved:
        connection.execute(
            _MOVED,
            [
                {"key": b.id, "new_head": b.head_seq, "new_hash": b.head_hash, "new_pending": b.pending, "new_open": b.opening_seq}
                for b in group.moved.values()
            ],
        )
    if taken:
        connection.execute(_SEEN, [{"key": name, "now": group.at_ns} for name, _batch in taken])
