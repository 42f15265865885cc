from __future__ import annotations

import asyncio
import threading
from asyncio.sslproto import SSLProtocol
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from kiosk.domain.errors import KioskError
from kiosk.domain.types import Pair
from kiosk.server import desk, orders, streams
from kiosk.server.acts import acting
from kiosk.server.audit import COMMAND_LINE
from kiosk.server.beside import house_beside
from kiosk.server.devices import Doorkeeper
from kiosk.server.enrolment import make_code
from kiosk.server.problems import Problem
from kiosk.sync import wire
from kiosk.sync.transport import Connection, ServerRefused
from tests.server.served import Served, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("server")) as made:
        yield made


@pytest.fixture
def table(server: Served, request: pytest.FixtureRequest) -> tuple[str, Connection]:
    """A device's id, and a connection of its."""
    ident, enrolled = server.joined(make_code(server.house, COMMAND_LINE, table=request.node.name[-30:]).code)
    return ident, server.connection(ident, enrolled)


def lines(connection: Connection, after: int = 0) -> Iterator[Any]:
    return map(wire.line_from_json, connection.stream(f"{wire.STREAM}?after={after}"))


def next_order(stream: Iterator[Any]) -> wire.Order:
    return next(line for line in stream if isinstance(line, wire.Order))


def message(server: Served, ident: str, text: str) -> None:
    with acting(server.house, "Eva") as act:
        act.order(ident, wire.ShowMessage("Eva", text))


def test_a_stream_begins_with_a_greeting_and_then_says_that_it_is_there(server: Served, table: tuple[str, Connection]) -> None:
    stream = lines(table[1])
    greeting = next(stream)
    assert isinstance(greeting, wire.Greeting)
    assert (greeting.server, greeting.name) == (server.house.keys.server_id, "Open Skopje")
    assert next(stream) is None
    assert next(stream) is None


def test_what_waits_comes_first_in_order_and_what_comes_later_comes_at_once(server: Served, table: tuple[str, Connection]) -> None:
    ident, connection = table
    message(server, ident, "one")
    message(server, ident, "two")
    stream = lines(connection)
    next(stream)
    assert [next_order(stream).n for _ in range(2)] == [1, 2]
    message(server, ident, "three")
    assert next_order(stream) == wire.Order(3, wire.ShowMessage("Eva", "three"))


def test_what_was_had_before_does_not_come_again_and_what_was_answered_never(server: Served, table: tuple[str, Connection]) -> None:
    ident, connection = table
    for text in ("one", "two", "three"):
        message(server, ident, text)
    with server.house.store.write() as written:
        orders.answer(written, ident, [wire.OrderAnswer(2, done=True, code="", sentence="", read=True)], 1)
    assert next_order(lines(connection, after=1)).n == 3
    stream = lines(connection)
    assert [next_order(stream).n for _ in range(2)] == [1, 3]


def test_more_orders_than_are_read_at_once_come_all(server: Served, table: tuple[str, Connection], monkeypatch: pytest.MonkeyPatch) -> None:
    ident, connection = table
    monkeypatch.setattr(orders, "MOST", 2)
    for number in range(5):
        message(server, ident, str(number))
    stream = lines(connection)
    assert [next_order(stream).n for _ in range(5)] == [1, 2, 3, 4, 5]


def test_a_start_is_told_from_when_the_order_is_sent(server: Served, table: tuple[str, Connection]) -> None:
    ident, connection = table
    match = wire.AssignMatch("m", 1, Pair(("Ana",), ("Boris",)), "ibgf", 7, None, None, None, None, "Open", "3", 60_000, practice=False)
    with server.house.store.write() as written:
        orders.give(written, ident, match, "Eva", server.house.now_ns() - 30 * 10**9)
    what = next_order(lines(connection)).what
    assert isinstance(what, wire.AssignMatch)
    assert what.starts_in_ms is not None
    assert 20_000 < what.starts_in_ms <= 30_000


def test_what_a_command_beside_the_server_orders_comes_too(server: Served, table: tuple[str, Connection]) -> None:
    ident, connection = table
    stream = lines(connection)
    next(stream)
    with house_beside(server.house.settings.folder) as house, acting(house, COMMAND_LINE) as act:
        act.order(ident, wire.LiftPause("Eva"))
    assert next_order(stream).what == wire.LiftPause("Eva")


def test_a_newer_stream_of_a_device_ends_the_older_one(server: Served, table: tuple[str, Connection]) -> None:
    ident, connection = table
    older = lines(connection)
    next(older)
    newer = lines(Connection(connection.address, connection.fingerprint, connection._token))
    next(newer)
    with pytest.raises(KioskError):
        for _line in older:
            pass
    message(server, ident, "to the newer one")
    assert next_order(newer).n == 1


def test_a_pause_of_the_hall_reaches_a_device_that_comes_in_meanwhile(server: Served) -> None:
    with acting(server.house, "Eva") as act:
        desk.pause(act, "Fire alarm")
    ident, enrolled = server.joined(make_code(server.house, COMMAND_LINE, table="late").code)
    assert next_order(lines(server.connection(ident, enrolled))).what == wire.PauseHall("Eva", "Fire alarm")
    with acting(server.house, "Eva") as act:
        desk.lift(act)


@pytest.mark.parametrize("after", ["-1", str(2**63), "x", "1.5"])
def test_a_number_that_is_none_is_refused(table: tuple[str, Connection], after: str) -> None:
    with pytest.raises(ServerRefused) as told:
        next(table[1].stream(f"{wire.STREAM}?after={after}"))
    assert told.value.status in {400, 422}


def test_a_device_is_present_while_its_stream_is_open(
    server: Served, table: tuple[str, Connection], monkeypatch: pytest.MonkeyPatch
) -> None:
    ident, connection = table
    gone = threading.Event()
    told: list[tuple[str, bool]] = []

    def presence(device: str, online: bool) -> None:  # noqa: FBT001 - as the intake has it
        told.append((device, online))
        if not online:
            gone.set()

    monkeypatch.setattr(server.house.intake, "presence", presence)
    stream = connection.stream(f"{wire.STREAM}?after=0")
    next(stream)
    assert told == [(ident, True)]
    connection.close()
    assert gone.wait(60)
    assert told == [(ident, True), (ident, False)]


# ── What a stream does with a reader that reads nothing ──────────────────────
class Sink:
    """The server's side of a connection, as ASGI has it."""

    def __init__(self, takes: int = 100) -> None:
        self.sent: list[dict[str, Any]] = []
        self.gone = asyncio.Event()
        self.quiet = asyncio.Event()
        self._takes = takes

    async def receive(self) -> dict[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if len(self.sent) == self._takes:
            await asyncio.Event().wait()
        self.sent.append(message)
        if len(self.sent) == 4:
            self.quiet.set()


async def _source(ended: list[bool], count: int = 3) -> AsyncIterator[bytes]:
    try:
        for _ in range(count):
            yield b"{}\n"
        await asyncio.Event().wait()
    finally:
        ended.append(True)


def test_a_reader_that_takes_nothing_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "PATIENCE_S", 0.01)
    ended: list[bool] = []

    async def play() -> None:
        sink = Sink(takes=2)
        await asyncio.wait_for(streams.Lines(_source(ended))({}, sink.receive, sink.send), 60)
        assert len(sink.sent) == 2

    asyncio.run(play())
    assert ended == [True]


def test_a_reader_that_leaves_ends_the_source() -> None:
    ended: list[bool] = []

    async def play() -> list[dict[str, Any]]:
        sink = Sink()
        task = asyncio.create_task(streams.Lines(_source(ended))({}, sink.receive, sink.send))
        await sink.quiet.wait()
        sink.gone.set()
        await asyncio.wait_for(task, 60)
        return sink.sent

    sent = asyncio.run(play())
    assert ended == [True]
    assert sent[0]["status"] == 200
    assert (b"content-type", b"application/x-ndjson") in sent[0]["headers"]


def test_a_source_that_ends_ends_the_answer() -> None:
    async def source() -> AsyncIterator[bytes]:
        yield b"{}\n"

    async def play() -> list[dict[str, Any]]:
        sink = Sink()
        await asyncio.wait_for(streams.Lines(source())({}, sink.receive, sink.send), 60)
        return sink.sent

    assert asyncio.run(play())[-1] == {"type": "http.response.body", "body": b"", "more_body": False}


# ── Who may come in ──────────────────────────────────────────────────────────
def test_a_device_is_remembered_for_a_short_while_and_forgotten_when_told(server: Served) -> None:
    ident, enrolled = server.joined(make_code(server.house, COMMAND_LINE, table="remembered").code)
    words = f"Bearer {ident}.{enrolled.answer.secret}"
    door = Doorkeeper(server.house)
    assert door.remembered(words) is None
    assert door.look_up(words) == ident
    assert door.remembered(words) == ident
    assert door.remembered(f"bearer {ident}.{'0' * 64}") is None
    door.forget(ident)
    assert door.remembered(words) is None
    door.look_up(words)
    door.forget(None)
    assert door.remembered(words) is None
    with pytest.raises(Problem):
        door.look_up(f"Bearer {ident}.{'0' * 64}")


def test_so_many_devices_are_remembered_and_no_more(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kiosk.server.devices.MOST_REMEMBERED", 1)
    door = Doorkeeper(server.house)
    for name in ("r1", "r2"):
        ident, enrolled = server.joined(make_code(server.house, COMMAND_LINE, table=name).code)
        door.look_up(f"Bearer {ident}.{enrolled.answer.secret}")
    assert len(door._known) == 1


def test_a_connection_keeps_a_small_buffer_so_that_a_thousand_tables_fit(server: Served) -> None:
    assert server.address.plain is False
    assert SSLProtocol.max_size == 32 * 1024
