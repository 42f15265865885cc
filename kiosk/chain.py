"""The hash chain: each row's hash covers the row and the hash before it, so that no row can be changed, dropped or slipped in unseen.

A row's hash is the SHA-256 (hex) of the UTF-8 JSON text of the list
`[seq, boot, mono_ns, wall_ns, wall_trusted, type, data, prev]`, without spaces, `wall_trusted` as true or false, `prev` being the
hash of the row before, and 64 zeros before the first.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from json.encoder import encode_basestring as quoted
from typing import TYPE_CHECKING

from kiosk.ports import Record, Row

if TYPE_CHECKING:
    from collections.abc import Iterable

START = "0" * 64
"""What the first row follows."""

_TEXT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def link_all(records: Iterable[Record], seq: int, prev: str, boot: str, wall: tuple[int, bool]) -> list[Row]:
    """The rows that records become behind the row `seq` with the hash `prev`: all of them, or an error and none.

    Raises:
        ValueError: No file could hold one of them: half of a surrogate pair, or an instant or a date beyond 64 bits.
    """
    rows = []
    for record in records:
        row = link(record, seq + 1, prev, boot, wall)
        _check_storable(row)
        seq, prev = row.seq, row.hash
        rows.append(row)
    return rows


def _check_storable(row: Row) -> None:
    """What the record and its origin bring: one row that the disk can't take would keep all those behind it from it."""
    for what, number in (("instant", row.mono_ns), ("date", row.wall_ns)):
        if not -(2**63) <= number < 2**63:
            raise ValueError(f"The {what} {number} of an entry is beyond 64 bits.")
    for text in (row.boot, row.type, row.data):
        text.encode()


def link(record: Record, seq: int, prev: str, boot: str, wall: tuple[int, bool]) -> Row:
    """The row that a record becomes behind `prev`.

    Args:
        record: What to store.
        seq: Its sequence number.
        prev: The hash of the row before.
        boot: The boot that its instant belongs to, unless it was first written down elsewhere.
        wall: The system's date in nanoseconds since 1970, and whether it is trusted; likewise.
    """
    if record.origin is not None:
        boot, wall = record.origin.boot, (record.origin.wall_ns, record.origin.wall_trusted)
    digest = digest_of(seq, boot, record.mono_ns, wall, record.type, record.data, prev)
    return Row(seq, boot, record.mono_ns, wall[0], wall[1], record.type, record.data, prev, digest)


def digest_of(seq: int, boot: str, mono_ns: int, wall: tuple[int, bool], kind: str, data: str, prev: str) -> str:  # noqa: PLR0917
    """A row's hash."""
    date, trusted = wall
    if type(seq) is type(mono_ns) is type(date) is int and type(boot) is type(kind) is type(data) is type(prev) is str:
        # the usual case by hand: a JSON encoder takes three times as long; it writes whatever a damaged row may hold
        word = "true" if trusted is True else "false" if trusted is False else _TEXT(trusted)
        text = f"[{seq},{quoted(boot)},{mono_ns},{date},{word},{quoted(kind)},{quoted(data)},{quoted(prev)}]"
    else:
        text = _TEXT([seq, boot, mono_ns, date, trusted, kind, data, prev])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """What a walk along the chain found."""

    rows: int
    """Rows that hold, counted from the start."""
    head: str
    """The hash of the last of them."""
    fault: str | None
    """A sentence about the first row that does not hold, or None."""


def verify(rows: Iterable[Row], seq: int = 0, prev: str = START) -> VerifyReport:
    """Walk the chain and say where it first does not hold.

    Args:
        rows: Rows in order.
        seq: The number of the row before the first of them.
        prev: That row's hash.
    """
    for row in rows:
        fault = _fault(row, seq + 1, prev)
        if fault is not None:
            return VerifyReport(seq, prev, fault)
        seq, prev = row.seq, row.hash
    return VerifyReport(seq, prev, None)


def _fault(row: Row, seq: int, prev: str) -> str | None:
    if row.seq != seq:
        return f"Row {seq} is missing; row {row.seq} stands in its place."
    if row.prev != prev:
        return f"Row {seq} does not follow the row before it: one of them was changed or exchanged."
    wall = (row.wall_ns, row.wall_trusted)
    if row.hash != digest_of(row.seq, row.boot, row.mono_ns, wall, row.type, row.data, row.prev):
        return f"Row {seq} was altered: its hash does not fit its contents."
    return None
