"""Both ends joined in one process by a wire that drops, doubles, delays and reorders: at the end the server has the table's facts, once
each, in order. The same runs against a small model of a server and against the product's own intake on SQLite.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from kiosk.domain.errors import PeerError
from kiosk.journal import MemoryJournal
from kiosk.ports import Record, Row
from kiosk.server.hub import LocalHub
from kiosk.server.intake import Intake
from kiosk.server.schema import fact
from kiosk.server.schema import journal as journals
from kiosk.server.store import Store
from kiosk.sync.outbox import Outbox, Peers
from kiosk.sync.wire import Batch, SyncAnswer, batch_from_json, batch_to_json
from tests.server.devices import FakeKeys, enrol
from tests.sync.model import PEERS, SERVER, ModelServer, S, Table

Submit = Callable[[Batch], SyncAnswer]


@dataclass
class Wire:
    """A table at one end, a server at the other, and between them whatever a script says."""

    submit: Submit
    peers: Peers = PEERS
    journal: MemoryJournal = field(default_factory=lambda: MemoryJournal(boot="boot"))
    delayed: list[Batch] = field(default_factory=list)
    written: int = 0

    def __post_init__(self) -> None:
        self.table = Table(self.journal, Outbox(self.peers))
        self.kept = None if self.table.outbox.proved is None else self.table.outbox.proved

    def do(self, act: str) -> None:
        """One act of the script."""
        if act in {"write", "write many"}:
            count = 1 if act == "write" else 520
            self.journal.append([Record("turn_ended", f'{{"n":{self.written + n}}}', n) for n in range(count)])
            self.written += count
        elif act == "restart":  # with whatever receipt had been kept by then
            self.table = Table(self.journal, Outbox(self.peers, self.kept), self.table.at)
        elif act == "keep the receipt":
            self.kept = self.table.outbox.proved
        elif act == "what was delayed comes":
            if self.delayed:
                self.submit(self.delayed.pop(0))  # nobody waits for the answer any more
        else:
            self.send(act)

    def send(self, fate: str) -> None:
        batch = self.table.batch()
        self.table.at += S
        if batch is None:
            return
        over = batch_from_json(batch_to_json(batch))
        if fate == "lost on the way there":
            self.fail()
        elif fate == "delayed":
            self.delayed.append(over)
            self.fail()
        elif fate == "lost on the way back":
            self.submit(over)
            self.fail()
        elif fate == "garbled on the way back":
            answer = self.submit(over)
            with pytest.raises(PeerError):
                self.table.hear(batch, replace(answer, want=answer.want + 1))
            self.fail()
        else:
            if fate == "doubled":
                self.submit(over)
            self.table.hear(batch, self.submit(over))

    def fail(self) -> None:
        self.table.outbox.failed(self.table.at, 0.5)
        self.table.at += 20 * S

    def heal(self) -> None:
        """The network is whole again; what was delayed still comes in between."""
        for late in self.delayed:
            self.submit(late)
        self.table.outbox.reached(self.table.at)
        for _ in range(100):
            batch = self.table.batch()
            if batch is not None:
                self.table.hear(batch, self.submit(batch))
            elif self.table.outbox.progress().confirmed == self.written:
                return
            self.table.at += S
        raise AssertionError(self.table.outbox.progress())

    @property
    def rows(self) -> list[Row]:
        return list(self.journal.rows())


FATES = ["arrives", "doubled", "delayed", "lost on the way there", "lost on the way back", "garbled on the way back"]
ACTS = [*FATES, "write", "write", "write many", "restart", "keep the receipt", "what was delayed comes"]

SCRIPTS = {
    "nothing goes wrong": ["write", "arrives", "write", "arrives"],
    "every answer is lost": ["write", "lost on the way back"] * 5,
    "everything twice": ["write many", "doubled", "doubled", "write", "doubled"],
    "an old batch comes after newer ones": [
        "write",
        "delayed",
        "write many",
        "arrives",
        "arrives",
        "what was delayed comes",
        "write",
        "arrives",
    ],
    "long offline": ["write many", "lost on the way there"] * 6,
    "a restart without a receipt": ["write many", "arrives", "arrives", "restart", "arrives"],
    "a restart with an old receipt": ["write", "arrives", "keep the receipt", "write many", "arrives", "restart", "arrives"],
    "garbled": ["write", "garbled on the way back", "write", "garbled on the way back"],
    "a restart while a batch is under way": ["write many", "delayed", "restart", "write", "arrives", "what was delayed comes"],
}


def played(wire: Wire, script: list[str]) -> Wire:
    for act in script:
        wire.do(act)
    wire.heal()
    return wire


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_ends_with_everything_once_and_in_order(script: str) -> None:
    server = ModelServer()
    wire = played(Wire(server.submit), SCRIPTS[script])
    assert next(iter(server.branches.values())) == [wire.rows]
    assert wire.table.outbox.progress().trouble == ""


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(ACTS), max_size=25))
def test_whatever_the_wire_does_the_servers_facts_are_the_tables(script: list[str]) -> None:
    server = ModelServer()
    wire = played(Wire(server.submit), script)
    assert [rows for branches in server.branches.values() for rows in branches] == ([wire.rows] if wire.rows else [])


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(ACTS), max_size=12), st.lists(st.integers(0, 1500), min_size=1, max_size=3))
def test_a_server_that_is_set_back_gets_everything_again(script: list[str], lost: list[int]) -> None:
    server = ModelServer()
    wire = played(Wire(server.submit), ["write many", *script])
    for count in lost:
        for branches in server.branches.values():
            del branches[0][len(branches[0]) - min(count, len(branches[0])) :]
        wire.do("write")
        wire.heal()
    wire.table.outbox.reached(wire.table.at)
    wire.heal()
    assert next(iter(server.branches.values())) == [wire.rows]
    assert wire.table.outbox.progress().trouble == ""


# ── The product's own intake ─────────────────────────────────────────────────
class ModelKeys(FakeKeys):
    server_id = SERVER


NAMES = itertools.count(1)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    opened = Store.open(f"sqlite:///{tmp_path_factory.mktemp('store')}/event.db")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    made = asyncio.new_event_loop()
    yield made
    made.close()


@pytest.fixture(scope="module")
def real(store: Store, loop: asyncio.AbstractEventLoop) -> Callable[[], tuple[Submit, Peers]]:
    taken = Intake(store, LocalHub(), ModelKeys(), lambda: 10**18)

    def device() -> tuple[Submit, Peers]:
        ident = enrol(store, f"wire {next(NAMES)}")
        return (lambda batch: loop.run_until_complete(taken.submit(ident, batch))), Peers(SERVER, ident)

    return device


def stored(store: Store, device: str) -> list[Row]:
    columns = [fact.c[name] for name in ("seq", "boot", "mono_ns", "wall_ns", "wall_trusted", "type", "data", "prev", "hash")]
    with store.read() as connection:
        found = connection.execute(
            select(*columns).join(journals, journals.c.id == fact.c.journal).where(journals.c.device == device).order_by(fact.c.seq)
        )
        return [Row(*row) for row in found]


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_products_own_intake_ends_with_everything_once_and_in_order(
    script: str, store: Store, real: Callable[[], tuple[Submit, Peers]]
) -> None:
    submit, peers = real()
    wire = played(Wire(submit, peers), SCRIPTS[script])
    assert stored(store, peers.device) == wire.rows
    assert wire.table.outbox.progress().trouble == ""


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.sampled_from(ACTS), max_size=14))
def test_whatever_the_wire_does_the_products_own_intake_has_the_tables_facts(
    store: Store, real: Callable[[], tuple[Submit, Peers]], script: list[str]
) -> None:
    submit, peers = real()
    wire = played(Wire(submit, peers), script)
    assert stored(store, peers.device) == wire.rows


def test_a_journal_that_was_set_back_is_kept_as_a_branch_by_the_products_own_intake(
    store: Store, real: Callable[[], tuple[Submit, Peers]]
) -> None:
    submit, peers = real()
    first = played(Wire(submit, peers), ["write many", "arrives", "write", "arrives"])
    back = MemoryJournal(boot="boot", rows=first.rows[:300])
    second = Wire(submit, peers, back, written=300)
    back.append([Record("turn_ended", '{"other":1}', 1)])
    second.written += 1
    second.heal()
    assert second.table.outbox.progress().trouble != ""
    second.do("write")
    second.heal()
    assert stored(store, peers.device)[:300] == first.rows[:300]
    assert [row.seq for row in stored(store, peers.device)].count(301) == 2
