"""Devices that send rows, for tests of the intake: short hands for what tables do at length."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import insert

from kiosk.chain import START, link
from kiosk.ports import Record, Row
from kiosk.server.intake import Intake
from kiosk.server.schema import code, device
from kiosk.server.store import Store
from kiosk.sync import wire


class FakeKeys:
    """Keys whose signature is a hash."""

    server_id = "5" * 32

    def sign(self, data: bytes) -> bytes:
        """64 bytes."""
        return hashlib.sha512(data).digest()


def enrol(store: Store, name: str, table: str = "", *, practice: bool = False) -> str:
    """Enrol a device, and give its id."""
    ident = hashlib.md5(name.encode()).hexdigest()  # noqa: S324 - only 32 digits are wanted
    with store.write() as connection:
        by = connection.execute(
            insert(code).values(key=b"", table_name="", created_ns=0, until_ns=0, uses_left=0, made_by="a test").returning(code.c.id)
        ).scalar_one()
        connection.execute(
            insert(device).values(
                id=ident, table_name=table or name, secret_hash="", version="1", code=by, nonce="", enrolled_ns=0, practice=practice,
                seen_ns=0, last_order=0,
            )
        )  # fmt: skip
    return ident


def chained(records: Sequence[Record], after: Row | None = None, boot: str = "boot", wall_ns: int = 10**18) -> list[Row]:
    """Rows behind a row."""
    seq, prev = (0, START) if after is None else (after.seq, after.hash)
    rows = []
    for record in records:
        row = link(record, seq + 1, prev, boot, (wall_ns + record.mono_ns, True))
        rows.append(row)
        seq, prev = row.seq, row.hash
    return rows


def plain_rows(count: int, after: Row | None = None, word: str = "x") -> list[Row]:
    """Rows of a type that no program knows: nothing is worked out from them."""
    start = 0 if after is None else after.seq
    return chained([Record("noted", f'{{"n":{start + n},"v":1,"word":"{word}"}}', 1000 * (start + n)) for n in range(count)], after)


@dataclass
class Sender:
    """A device with a journal."""

    intake: Intake
    device: str
    rows: list[Row] = field(default_factory=list)

    @property
    def journal(self) -> str:
        """The journal's name."""
        return self.rows[0].hash if self.rows else ""

    def batch(self, first: int, last: int, *answers: wire.OrderAnswer, pending: int = 0) -> wire.Batch:
        """A batch of the rows from `first` to `last`, counted from 1."""
        prev = START if first == 1 else self.rows[first - 2].hash
        now = wire.Moment("boot", 10**12, 10**18 + 10**12, True)
        return wire.Batch(self.journal, first - 1, prev, tuple(self.rows[first - 1 : last]), answers, now, pending)

    async def send(self, first: int, last: int, *answers: wire.OrderAnswer) -> wire.SyncAnswer:
        """Send them."""
        return await self.intake.submit(self.device, self.batch(first, last, *answers))


def parted(rows: Sequence[Row], at: int, count: int, word: str = "other") -> list[Row]:
    """The same rows below number `at`, and others from there."""
    kept = list(rows[: at - 1])
    return [*kept, *plain_rows(count, kept[-1] if kept else None, word)]


__all__ = ["FakeKeys", "Sender", "chained", "enrol", "parted", "plain_rows", "replace"]
