"""A server that was joined and turned bad: it floods, comes and goes, sends nonsense; the loop is not held up, and little is taken."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, pairwise

import pytest

from kiosk.app import courier as couriers
from kiosk.app.clocks import Clocks
from kiosk.app.courier import Courier, Keeping
from kiosk.app.membership import Membership
from kiosk.app.order_book import MOST, OrderBook
from kiosk.domain.types import NS_PER_S
from kiosk.journal import MemoryJournal
from kiosk.ports import Record
from kiosk.sync import wire
from kiosk.sync.outbox import FIRST_PAUSE_NS
from tests.patience import LONG_S, Stopwatch, until
from tests.sync.hosts import Certificate, Host, host, request, response

SERVER = "5" * 32
TOO_MUCH = "more than any table needs"
GREETING = wire.to_json(wire.Greeting(SERVER, "1", "", "Open", "")) + b"\n"
GOOD = wire.to_json(wire.SyncAnswer(wire.Verdict.STORED, None, 1, 0))
HEAD = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


def chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


@contextmanager
def table(there: Host, certificate: Certificate, keeping: Keeping | None = None) -> Iterator[tuple[Courier, MemoryJournal]]:
    journal = MemoryJournal(boot="boot")
    joined = Membership(f"https://127.0.0.1:{there.port}", certificate.fingerprint, "d" * 32, "e" * 64, SERVER, "0" * 64, "1", "Open")
    made = Courier(
        joined, journal, Clocks("boot", lambda: (0, False)), book=OrderBook(None, SERVER), keeping=keeping or Keeping(), wake=lambda: None
    )
    made.start()
    try:
        yield made, journal
    finally:
        made.stop(0)


def serving(stream: Callable[[socket.socket], None], answer: bytes = b"{}") -> Callable[[socket.socket], None]:
    """A server that streams as it is told, and answers everything else with the same."""

    def handle(sock: socket.socket) -> None:
        while data := request(sock):
            if b"/stream" in data.split(b"\r\n")[0]:
                stream(sock)
                return
            sock.sendall(response(answer))

    return handle


def test_a_flood_of_orders_is_cut_off_and_holds_up_no_turn(certificate: Certificate) -> None:
    numbers = count(1)

    def flood(sock: socket.socket) -> None:
        sock.sendall(HEAD + chunk(GREETING))
        while True:
            sock.sendall(chunk(wire.order_to_json(wire.Order(next(numbers), wire.PauseHall("x", "y"))) + b"\n"))

    with host(serving(flood, GOOD), certificate) as there, table(there, certificate) as (one, _journal):
        taken, slowest, troubles = 0, 0.0, set[str]()
        began = time.monotonic()
        while (lasts := time.monotonic() - began) < 4 or (lasts < LONG_S and not (taken and any(TOO_MUCH in each for each in troubles))):
            watch = Stopwatch()
            one.nudge()
            order = one.take()
            troubles.add(one.standing().trouble)
            slowest = max(slowest, watch.seconds())
            if order is not None:
                taken += 1
                one.tell(order, wire.OrderAnswer(order.n, done=True, code="", sentence="", read=True))
            else:
                threading.Event().wait(0.005)
        assert 1 <= taken <= couriers.MOST_AT_ONCE + lasts * NS_PER_S / couriers.ORDER_NS + 10
        assert slowest < 0.5  # a busy build machine; it is some microseconds
        assert any(TOO_MUCH in each for each in troubles), troubles
        assert len(one._book._known) <= MOST


def test_a_server_that_greets_and_goes_is_asked_less_and_less_often(certificate: Certificate) -> None:
    came: list[float] = []

    def rude(sock: socket.socket) -> None:
        came.append(time.monotonic())
        sock.sendall(HEAD + chunk(GREETING))

    with host(serving(rude), certificate) as there, table(there, certificate):
        until(lambda: len(came) >= 4)
    pauses = [later - before for before, later in pairwise(came)]
    least = FIRST_PAUSE_NS / NS_PER_S / 2  # jitter takes half of a pause at most
    assert all(pause >= least * 2**n for n, pause in enumerate(pauses[:3])), pauses


@pytest.mark.parametrize("line", [b"[]", b'{"n":1}', b'{"server":5}', b"\xff", b'{"n":1,"kind":"lift_pause","data":{"by":"E"}}'])
def test_a_stream_that_begins_with_anything_but_a_greeting_is_left(certificate: Certificate, line: bytes) -> None:
    def nonsense(sock: socket.socket) -> None:
        sock.sendall(HEAD + chunk(line + b"\n"))
        sock.recv(1)

    with host(serving(nonsense), certificate) as there, table(there, certificate) as (one, _journal):
        until(lambda: one.standing().trouble != "")
        assert not one.standing().connected
        assert one.take() is None


@pytest.mark.parametrize("answer", [b"{}", b"[]", b'{"verdict":"stored","receipt":null,"want":1,"answered":0}'])
def test_answers_that_make_no_sense_confirm_nothing(certificate: Certificate, answer: bytes) -> None:
    def quiet(sock: socket.socket) -> None:
        sock.sendall(HEAD + chunk(GREETING))
        sock.recv(1)

    with host(serving(quiet, answer), certificate) as there, table(there, certificate) as (one, journal):
        journal.append([Record("noted", "{}", 0)])
        until(lambda: one.standing().trouble != "")
        assert one.standing().confirmed == 0


def test_a_roster_that_cannot_be_had_is_asked_for_again_later(certificate: Certificate) -> None:
    asked: list[bytes] = []

    def quiet(sock: socket.socket) -> None:
        greeting = wire.to_json(wire.Greeting(SERVER, "1", "v", "Open", "")) + b"\n"
        sock.sendall(HEAD + chunk(greeting))
        sock.recv(1)

    def refuse(text: bytes) -> None:
        asked.append(text)
        raise ValueError("no roster")

    with host(serving(quiet, GOOD), certificate) as there, table(there, certificate, Keeping(roster=refuse)) as (one, _journal):
        until(lambda: bool(asked))
        until(lambda: "no roster" in one.standing().trouble)
        assert one._jobs  # it waits for its time
    assert len(asked) == 1


def test_officials_that_are_there_no_more_are_forgotten(certificate: Certificate) -> None:
    kept: list[bytes] = []

    def quiet(sock: socket.socket) -> None:
        sock.sendall(HEAD + chunk(GREETING))
        sock.recv(1)

    keeping = Keeping(roster_version=lambda: "old", roster=kept.append)
    with host(serving(quiet, GOOD), certificate) as there, table(there, certificate, keeping):
        until(lambda: kept == [b""])
