"""A hall for the desk's tests: a database, acts of a person, tables, and matches as the projections keep them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import insert, select, update

from kiosk.books import Library
from kiosk.domain.types import Pair
from kiosk.server import assignments, orders
from kiosk.server.acts import Act
from kiosk.server.plans import Plan
from kiosk.server.schema import audit, journal
from kiosk.server.schema import match as matches
from kiosk.server.store import Store
from kiosk.sync import wire
from tests.server.devices import enrol

SECOND = 1_000_000_000
ANA_BORIS = Plan(Pair(("Ana",), ("Boris",)), "ibgf", 7, "12", "3")


@dataclass
class Hall:
    """A hall with whatever a test puts into it."""

    store: Store
    now_ns: int = 1_700_000_000 * SECOND
    library: Library = field(default_factory=Library)
    journals: dict[str, int] = field(default_factory=dict)

    @contextmanager
    def act(self, by: str = "Eva (organizer)") -> Iterator[Act]:
        """One act, a second after the last one."""
        self.now_ns += SECOND
        with self.store.write() as connection:
            yield Act(connection, by, self.now_ns)

    def table(self, name: str) -> str:
        """A device at a table."""
        return enrol(self.store, f"device of {name}", name)

    def make(self, plan: Plan = ANA_BORIS, **changes: Any) -> str:
        """An assignment."""
        with self.act() as act:
            return assignments.make(act, replace(plan, **changes), self.library).id

    def find(self, ident: str) -> assignments.Assignment:
        """An assignment as it stands."""
        with self.store.read() as connection:
            return assignments.find(connection, ident)

    def orders(self, device: str) -> list[wire.What | wire.UnknownOrder]:
        """What waits for a table."""
        with self.store.read() as connection:
            return [one.order.what for one in orders.open_orders(connection, device)]

    def answer(self, device: str, n: int, *, done: bool = True, sentence: str = "", read: bool = True) -> None:
        """A table's answer to an order."""
        self.now_ns += SECOND
        code = "" if done else "wrong_phase"
        with self.store.write() as connection:
            orders.answer(connection, device, [wire.OrderAnswer(n, done, code, sentence, read)], self.now_ns)

    def played(self, device: str, ident: str, **changes: Any) -> tuple[int, int]:
        """A match as the projections keep it; its key."""
        self.now_ns += SECOND
        opened_by_order = changes.pop("attached", None)
        row = {
            "device": device, "id": ident, "attached": opened_by_order, "left_out": False, "practice": False, "phase": "playing",
            "search": "", "opened_ns": self.now_ns, "changed_ns": self.now_ns, "last_seq": 9,
        }  # fmt: skip
        summary = {**SUMMARY, **changes.pop("summary", {})}
        with self.store.write() as connection:
            if device not in self.journals:
                made = {"device": device, "ident": device * 2, "branch": 0, "forked_at": 1, "head_seq": 0, "head_hash": "", "pending": 0}
                self.journals[device] = connection.execute(
                    insert(journal).values(created_ns=0, opening_seq=0, **made).returning(journal.c.id)
                ).scalar_one()
            first = changes.pop("first_seq", self.now_ns // SECOND % 100_000)
            connection.execute(
                insert(matches).values(**{**row, **changes}, journal=self.journals[device], first_seq=first, summary=json.dumps(summary))
            )
        return self.journals[device], first

    def now_is(self, key: tuple[int, int], **changes: Any) -> None:
        """The table has gone on: another phase, another summary."""
        mine = (matches.c.journal == key[0], matches.c.first_seq == key[1])
        with self.store.write() as connection:
            if "summary" in changes:
                kept = connection.execute(select(matches.c.summary).where(*mine)).scalar_one()
                changes["summary"] = json.dumps({**json.loads(kept), **changes["summary"]})
            connection.execute(update(matches).where(*mine).values(**changes))

    def acts(self) -> list[str]:
        """What the audit says was done, in order."""
        with self.store.read() as connection:
            return list(connection.execute(select(audit.c.act).order_by(audit.c.id)).scalars())


SUMMARY = {
    "players": {"left": ["Ana"], "right": ["Boris"]},
    "length": 7,
    "rulebook": "ibgf",
    "score": {"left": 7, "right": 3},
    "standing": {"left": "1", "right": "0"},
    "winner": "left",
    "how": "score",
    "revision": 1,
    "digest": "d" * 64,
    "provisional": False,
}
