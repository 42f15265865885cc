"""A real table's threads against a real server, through a proxy that fails: what is shown, and that nothing is lost or doubled."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from sqlalchemy import select

from kiosk.app import membership
from kiosk.app.clocks import Clocks
from kiosk.app.courier import Courier, Keeping
from kiosk.app.membership import Membership
from kiosk.app.order_book import INTERRUPTED, OrderBook
from kiosk.domain.officials import Role
from kiosk.domain.types import Side
from kiosk.journal import MemoryJournal
from kiosk.ports import Record, Row
from kiosk.server import orders
from kiosk.server.enrolment import make_code
from kiosk.server.schema import fact
from kiosk.server.schema import journal as journals
from kiosk.server.schema import orders as order_table
from kiosk.sync import wire
from kiosk.sync.enrol import Enrolled
from tests.patience import LONG_S, Stopwatch
from tests.server.served import Served, served
from tests.sync.hosts import Certificate, Proxy, host

OFFLINE_S = 5.0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("server") / "event") as made:
        yield made


@pytest.fixture
def proxy(server: Served) -> Iterator[Proxy]:
    made = Proxy(server.address.port)
    yield made
    made.close()


@dataclass
class Place:
    """A table with its threads."""

    joined: Membership
    folder: Path | None = None
    wall: tuple[int, bool] = (10**18, True)
    journal: MemoryJournal = field(default_factory=lambda: MemoryJournal(boot="boot"))
    jump_ns: int = 0
    changed: threading.Event = field(default_factory=threading.Event)

    def start(self, keeping: Keeping | None = None) -> Courier:
        clocks = Clocks("boot", lambda: self.wall, lambda: time.monotonic_ns() + self.jump_ns)
        book = OrderBook(self.folder, self.joined.server)
        self.courier = Courier(self.joined, self.journal, clocks, book=book, keeping=keeping or Keeping(), wake=self.changed.set)
        self.courier.start()
        return self.courier

    def write(self, count: int) -> None:
        self.journal.append([Record("noted", f'{{"n":{n}}}', n) for n in range(count)])
        self.courier.nudge()

    @property
    def unsynced(self) -> int:
        return self.journal.state().accepted - self.courier.standing().confirmed

    def until(self, what: Callable[[], bool]) -> float:
        """Wait for something, and say how long that took, less what a busy machine kept back."""
        watch, end = Stopwatch(), time.monotonic() + LONG_S
        while not what():
            assert time.monotonic() < end, (self.courier.standing(), self.unsynced)
            self.changed.wait(0.05)
            self.changed.clear()
        return watch.seconds()

    def online(self) -> bool:
        return self.courier.standing().connected


def member(url: str, ident: str, enrolled: Enrolled) -> Membership:
    answer = enrolled.answer
    return Membership(url, enrolled.fingerprint, ident, answer.secret, answer.server, answer.key, answer.table, answer.name)


@contextmanager
def place(server: Served, table: str, url: str = "", folder: Path | None = None) -> Iterator[Place]:
    code = make_code(server.house, "a test", table=table).code
    ident, enrolled = server.joined(code)
    made = Place(member(url or server.url, ident, enrolled), folder)
    made.start()
    try:
        yield made
    finally:
        made.courier.stop(0)


def stored(server: Served, device: str) -> list[Row]:
    columns = [fact.c[name] for name in ("seq", "boot", "mono_ns", "wall_ns", "wall_trusted", "type", "data", "prev", "hash")]
    with server.house.store.read() as connection:
        found = connection.execute(
            select(*columns).join(journals, journals.c.id == fact.c.journal).where(journals.c.device == device).order_by(fact.c.seq)
        )
        return [Row(*row) for row in found]


def same(server: Served, one: Place) -> None:
    one.until(lambda: one.unsynced == 0)
    assert stored(server, one.joined.device) == list(one.journal.rows())
    assert one.courier.standing().trouble == ""


def test_a_table_is_online_and_its_counter_reaches_zero(server: Served) -> None:
    with place(server, "1") as one:
        one.until(one.online)
        one.write(1300)
        same(server, one)
        one.write(1)
        assert one.until(lambda: one.unsynced == 0) < 2
        greeting = one.courier.standing().greeting
        assert greeting is not None
        assert (greeting.table, greeting.name) == ("1", "Open Skopje")


def test_a_black_hole_shows_as_offline_within_five_seconds_and_ten_minutes_of_it_lose_nothing(server: Served, proxy: Proxy) -> None:
    with place(server, "2", f"https://127.0.0.1:{proxy.port}") as one:
        one.until(one.online)
        one.write(3)
        one.until(lambda: one.unsynced == 0)
        proxy.black_hole()
        one.write(40)
        assert one.until(lambda: not one.online()) <= OFFLINE_S
        one.jump_ns = 600 * 10**9  # ten minutes later
        one.write(1200)
        assert one.unsynced == 1240
        assert not one.online()
        proxy.heal()
        one.until(one.online)
        same(server, one)


def test_the_end_waits_a_moment_for_a_server_that_does_not_answer_and_not_at_all_for_none(server: Served, proxy: Proxy) -> None:
    with place(server, "3e", f"https://127.0.0.1:{proxy.port}") as one:
        one.until(one.online)
        proxy.black_hole()
        one.write(1)
        before, watch = time.monotonic(), Stopwatch()
        one.courier.finish(0.3)
        assert time.monotonic() - before >= 0.3
        assert watch.seconds() < 2
        one.until(lambda: not one.online())
        watch = Stopwatch()
        one.courier.finish(5)
        assert watch.seconds() < 1
        assert one.unsynced == 1


def test_a_cut_in_every_batch_loses_and_doubles_nothing(server: Served, proxy: Proxy) -> None:
    with place(server, "3", f"https://127.0.0.1:{proxy.port}") as one:
        for _ in range(6):
            one.write(700)
            one.until(lambda: one.courier.standing().confirmed > 0 or one.online())
            proxy.cut()
        same(server, one)


def test_a_wrong_date_at_the_table_changes_nothing(server: Served) -> None:
    for table, wall in (("4", (0, False)), ("5", (2**62, True)), ("6", (-(2**62), True))):
        with place(server, table) as one:
            one.wall = wall
            one.write(5)
            same(server, one)


def test_a_wrong_date_at_the_server_changes_nothing(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    with place(server, "7") as one:
        monkeypatch.setattr(server.house.intake, "_now_ns", lambda: 1)
        one.write(5)
        same(server, one)
        assert one.courier._outbox.proved is not None
        assert one.courier._outbox.proved.at_ns == 1


def test_another_certificate_at_the_address_is_told_and_gets_nothing(server: Served, other_certificate: Certificate) -> None:
    heard: list[bytes] = []
    with host(lambda sock: heard.append(sock.recv(1)), other_certificate) as stranger:
        code = make_code(server.house, "a test", table="8").code
        ident, enrolled = server.joined(code)
        one = Place(member(f"https://127.0.0.1:{stranger.port}", ident, enrolled))
        one.start()
        try:
            one.write(2)
            one.until(lambda: "another certificate" in one.courier.standing().trouble)
            assert not one.online()
        finally:
            one.courier.stop(2)
    assert set(heard) <= {b""}


def test_a_table_that_was_revoked_is_told(server: Served) -> None:
    with place(server, "9") as one:
        one.until(one.online)
        one.courier.stop()
        one.joined = replace(one.joined, secret="0" * 64)
        one.start()
        one.write(1)
        one.until(lambda: one.courier.standing().trouble != "")
        assert not one.online()


def test_another_server_behind_the_same_certificate_is_not_served(server: Served) -> None:
    with place(server, "10") as one:
        one.courier.stop()
        one.joined = replace(one.joined, server="0" * 32)
        one.start()
        one.until(lambda: "Another server answers" in one.courier.standing().trouble)
        assert not one.online()


# ── Orders ───────────────────────────────────────────────────────────────────
def give(server: Served, device: str, what: wire.What) -> int:
    with server.house.store.write() as connection:
        number = orders.give(connection, device, what, "Eva", server.house.now_ns())
    server.house.hub.publish("orders", device)
    return number


def answers(server: Served, device: str) -> list[tuple[int, bool | None]]:
    with server.house.store.read() as connection:
        found = connection.execute(
            select(order_table.c.n, order_table.c.done).where(order_table.c.device == device).order_by(order_table.c.n)
        )
        return [(n, done) for n, done in found]


def done(order: wire.Order) -> wire.OrderAnswer:
    return wire.OrderAnswer(order.n, done=True, code="", sentence="", read=not isinstance(order.what, wire.ShowMessage))


def next_order(one: Place) -> wire.Order:
    found: list[wire.Order] = []

    def came() -> bool:
        order = one.courier.take()
        if order is not None:
            found.append(order)
        return bool(found)

    one.until(came)
    return found[0]


def test_an_order_comes_at_once_and_is_answered_once(server: Served) -> None:
    with place(server, "20") as one:
        one.until(one.online)
        number = give(server, one.joined.device, wire.PauseHall("Eva", "fire alarm"))
        watch = Stopwatch()
        order = next_order(one)
        assert watch.seconds() < 1
        assert order == wire.Order(number, wire.PauseHall("Eva", "fire alarm"))
        one.courier.tell(order, done(order))
        one.until(lambda: answers(server, one.joined.device) == [(number, True)])
        assert one.courier.take() is None


def test_an_order_whose_answer_was_lost_is_not_done_again(server: Served, proxy: Proxy, tmp_path: Path) -> None:
    with place(server, "21", f"https://127.0.0.1:{proxy.port}", tmp_path) as one:
        one.until(one.online)
        number = give(server, one.joined.device, wire.ShowMessage("Eva", "Coffee"))
        order = next_order(one)
        proxy.black_hole()
        one.courier.tell(order, done(order))
        one.courier.stop()  # switched off before the answer went
        proxy.heal()
        one.start()
        one.until(lambda: answers(server, one.joined.device) == [(number, True)])
        assert one.courier.take() is None
        one.courier.message_read(number)
        one.courier.message_read(99)  # there is none
        one.until(lambda: not one.courier._outbox._answers)


RULING = wire.RuleAt("m", "Eva", Role.REFEREE, (Side.LEFT,), "slow_play", None, True, None, "", False, ())


def test_a_ruling_that_was_interrupted_is_refused_not_doubled(server: Served, tmp_path: Path) -> None:
    with place(server, "22", folder=tmp_path) as one:
        one.until(one.online)
        number = give(server, one.joined.device, RULING)
        assert next_order(one).what == RULING
        one.courier.stop()  # the power goes before anybody knows what became of it
        one.start()
        one.until(lambda: answers(server, one.joined.device) == [(number, False)])
        assert one.courier.take() is None
        with server.house.store.read() as connection:
            text = connection.execute(select(order_table.c.answer).where(order_table.c.device == one.joined.device)).scalar()
        assert INTERRUPTED in str(text)


def test_a_ruling_that_cannot_be_written_down_is_refused(server: Served, tmp_path: Path) -> None:
    (tmp_path / membership.ORDERS).mkdir()  # nothing can be put in its place
    with place(server, "23", folder=tmp_path) as one:
        one.until(one.online)
        number = give(server, one.joined.device, RULING)
        one.until(lambda: answers(server, one.joined.device) == [(number, False)])
        assert one.courier.take() is None


def test_earlier_rulings_are_fetched_when_they_are_asked_for(server: Served) -> None:
    with place(server, "24") as one:
        assert one.courier.earlier(("Ana",)) is None  # offline: not known
        one.until(one.online)
        one.until(lambda: one.courier.earlier(("Ana",)) == ())


def test_the_events_officials_are_fetched(server: Served) -> None:
    kept: list[bytes] = []
    with place(server, "25") as one:
        one.until(one.online)
        one.courier.stop()
        one.start(Keeping(roster_version=lambda: "old", roster=kept.append))
        one.until(lambda: bool(kept))
        assert kept[0].startswith(b"{")


# ── A server of its own process ──────────────────────────────────────────────
def command(*words: str) -> list[str]:
    return [sys.executable, "-c", "from kiosk.server.main import main; main()", *words]


def started(folder: Path, port: int) -> tuple[subprocess.Popen[str], int]:
    process = subprocess.Popen(
        command("--data", str(folder), "run", "--host", "127.0.0.1", "--port", str(port), "--no-announce"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "LANGUAGE": "en", "LC_ALL": "C.UTF-8"},
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r":(\d+)/?", line)
    assert found is not None, line
    return process, int(found[1])


def test_a_server_that_is_killed_in_the_middle_of_batches_loses_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "event"
    with served(folder) as first:  # enrols the table, and makes way
        code = make_code(first.house, "a test", table="1").code
        ident, enrolled = first.joined(code)
        joined = member("", ident, enrolled)
    process, port = started(folder, 0)
    one = Place(replace(joined, url=f"https://127.0.0.1:{port}"))
    one.start()
    try:
        one.write(8000)
        one.until(lambda: one.courier.standing().confirmed > 0)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert one.unsynced > 0
        one.until(lambda: not one.online())
        process, _ = started(folder, port)
        one.until(lambda: one.unsynced == 0)
        assert one.courier.standing().trouble == ""
    finally:
        one.courier.stop(0)
        process.terminate()
        process.wait(60)
    with served(folder, fresh=False) as last:
        assert stored(last, ident) == list(one.journal.rows())
