"""Whoever opens a connection and sends no request's head, or one letter by letter, is closed; whoever sends a body slowly is not."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator

import pytest

from kiosk.server import prompt
from tests.server.served import Served, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    before, prompt.HEAD_S = prompt.HEAD_S, 0.4
    with served(tmp_path_factory.mktemp("server")) as made:
        yield made
    prompt.HEAD_S = before


@pytest.fixture
def line(server: Served) -> Iterator[ssl.SSLSocket]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection((server.address.host, server.address.port), timeout=10) as raw, context.wrap_socket(raw) as made:
        yield made


HEAD = b"GET /api/v1/hello HTTP/1.1\r\nHost: hall\r\n\r\n"


def answered(line: ssl.SSLSocket) -> bytes:
    """The answer to a request, which ends with its JSON."""
    said = b""
    while not said.endswith(b"}"):
        part = line.recv(65536)
        assert part, said
        said += part
    return said


def test_who_says_nothing_is_closed(line: ssl.SSLSocket) -> None:
    assert line.recv(1) == b""


def test_who_sends_a_head_letter_by_letter_is_closed(line: ssl.SSLSocket) -> None:
    line.settimeout(0.05)
    sent = 0
    for letter in HEAD[:-1] * 20:
        line.sendall(bytes([letter]))
        sent += 1
        try:
            assert line.recv(1) == b""
        except TimeoutError:
            continue
        break
    assert sent < 40, "each letter would have begun the time anew"


def test_a_second_head_is_waited_for_as_long_as_the_first(line: ssl.SSLSocket) -> None:
    line.sendall(HEAD)
    assert answered(line).startswith(b"HTTP/1.1 200")
    line.sendall(HEAD[:9])
    assert line.recv(1) == b""


def test_who_asks_and_asks_again_is_answered(line: ssl.SSLSocket) -> None:
    for _each in range(3):
        line.sendall(HEAD)
        assert answered(line).startswith(b"HTTP/1.1 200")


def test_a_body_may_come_slowly(line: ssl.SSLSocket) -> None:
    line.sendall(b"POST /api/v1/enrol HTTP/1.1\r\nHost: hall\r\nContent-Length: 2\r\n\r\n{")
    line.settimeout(3 * prompt.HEAD_S)
    with pytest.raises(TimeoutError):
        line.recv(1)
    line.settimeout(10)
    line.sendall(b"}")
    assert answered(line).startswith(b"HTTP/1.1 4")
