"""A small model of both ends: a table's journal with its outbox, and a server that keeps rows and answers as the wire's contract says.

The server here is the contract in thirty lines, not the product's intake; `test_both_ends_agree_whatever_the_wire_does` runs the same
against the real one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kiosk.chain import START
from kiosk.journal import MemoryJournal
from kiosk.ports import Record, Row
from kiosk.sync.outbox import Outbox, Peers
from kiosk.sync.wire import Batch, Moment, OrderAnswer, Receipt, SyncAnswer, Verdict, batch_from_json, batch_to_json

SERVER, DEVICE = "5" * 32, "d" * 32
PEERS = Peers(SERVER, DEVICE)
NOW = Moment("boot", 0, 0, wall_trusted=False)
S = 1_000_000_000


def journal_of(count: int, text: str = "{}", start: int = 0) -> MemoryJournal:
    journal = MemoryJournal(boot="boot")
    journal.append([Record("turn_ended", text, start + n) for n in range(count)])
    return journal


def receipt(journal: str, seq: int, digest: str, branch: int = 0) -> Receipt:
    return Receipt(SERVER, DEVICE, journal, branch, seq, digest, 0, "0" * 128)


@dataclass
class ModelServer:
    """One device's rows by journal; every fork is a branch of its own."""

    branches: dict[str, list[list[Row]]] = field(default_factory=dict)
    answers: dict[int, OrderAnswer] = field(default_factory=dict)
    heard: list[OrderAnswer] = field(default_factory=list)

    def submit(self, batch: Batch) -> SyncAnswer:
        self.heard.extend(batch.answers)
        for answer in batch.answers:
            self.answers[answer.n] = answer
        answered = 0
        while answered + 1 in self.answers:
            answered += 1
        verdict, found = self._take(batch)
        return SyncAnswer(verdict, found, 1 if found is None else found.seq + 1, answered)

    def _take(self, batch: Batch) -> tuple[Verdict, Receipt | None]:
        if not batch.journal:
            return Verdict.STORED, None
        known = self.branches.setdefault(batch.journal, [[]])
        best = max(range(len(known)), key=lambda n: (self._fits(known[n], batch), _common(known[n], batch), -n))
        rows = known[best]
        if not self._fits(rows, batch):
            main = known[0]
            return Verdict.GAP, _receipt(batch.journal, 0, main if len(main) < batch.after else [])
        common = _common(rows, batch)
        new = batch.rows[common - batch.after :]
        if new and common < len(rows):
            known.append([*rows[:common], *new])
            return Verdict.FORK, _receipt(batch.journal, len(known) - 1, known[-1])
        rows.extend(new)
        return Verdict.STORED, _receipt(batch.journal, best, rows)

    @staticmethod
    def _fits(rows: list[Row], batch: Batch) -> bool:
        return len(rows) >= batch.after and (rows[batch.after - 1].hash if batch.after else START) == batch.prev


def _common(rows: list[Row], batch: Batch) -> int:
    """Up to which row a history and a batch are the same."""
    common = batch.after
    for row in batch.rows:
        if row.seq > len(rows) or rows[row.seq - 1].hash != row.hash:
            break
        common = row.seq
    return common


def _receipt(journal: str, branch: int, rows: list[Row]) -> Receipt | None:
    return receipt(journal, len(rows), rows[-1].hash, branch) if rows else None


@dataclass
class Table:
    """A table's end."""

    journal: MemoryJournal
    outbox: Outbox = field(default_factory=lambda: Outbox(PEERS))
    at: int = 0

    @property
    def accepted(self) -> int:
        return self.journal.state().accepted

    def batch(self) -> Batch | None:
        """What it sends now, over the wire's own text."""
        wish = self.outbox.wish(self.at, self.accepted)
        if wish is None:
            return None
        made = self.outbox.batch(wish, self.journal.rows(max(0, wish.after - 1)), NOW, self.accepted)
        return batch_from_json(batch_to_json(made))

    def hear(self, batch: Batch, answer: SyncAnswer) -> None:
        self.outbox.answered(batch, answer, self.own_hash, self.at)

    def own_hash(self, seq: int) -> str | None:
        rows = list(self.journal.rows())
        return rows[seq - 1].hash if 0 < seq <= len(rows) else None

    def sync(self, server: ModelServer, rounds: int = 50) -> None:
        """Until everything is confirmed."""
        for _ in range(rounds):
            batch = self.batch()
            if batch is not None:
                self.hear(batch, server.submit(batch))
            if self.outbox.progress().confirmed >= self.accepted and not self.outbox._answers:
                return
            self.at += S
        raise AssertionError(self.outbox.progress())
