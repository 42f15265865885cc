"""What of a request is no body has an end: whoever sends headers for ever is cut off, and harms nobody else."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest

from kiosk.server.heads import MOST_BYTES
from kiosk.sync import wire
from tests.server.serving import Server, serving

HELLO = f"GET {wire.HELLO} HTTP/1.1\r\nHost: hall\r\n".encode()
CHUNKED = f"POST {wire.SYNC} HTTP/1.1\r\nHost: hall\r\nAuthorization: Bearer x\r\nTransfer-Encoding: chunked\r\n\r\n".encode()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server")) as made:
        yield made


def answer(server: Server, begin: bytes, more: bytes, end: bytes = b"") -> bytes:
    """What comes back, up to the end of the line or to the whole answer of one that is kept."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        with suppress(ConnectionError):  # it is cut off in the middle
            line.sendall(begin)
            for at in range(0, len(more), 8192):
                line.sendall(more[at : at + 8192])
            line.sendall(end)
        got = b""
        with suppress(ConnectionError):
            while b"\r\n\r\n" not in got and (part := line.recv(65_536)):
                got += part
        return got


@pytest.mark.parametrize(
    ("begin", "more"),
    [
        (HELLO, b"X-More: 1\r\n" * 20_000),
        (HELLO + b"X-Long: ", b"x" * 200_000),
        (b"GET /", b"x" * 200_000),
        (CHUNKED + b"1\r\nx\r\n0\r\nX-Behind: ", b"x" * 200_000),
    ],
    ids=["many headers", "a long header", "a long path", "a long trailer"],
)
def test_whoever_sends_a_head_without_end_is_cut_off(server: Server, begin: bytes, more: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line, suppress(ConnectionError):
        line.sendall(begin)
        line.sendall(more)
        while line.recv(65_536):  # it ends by itself, although nothing said that the request was over
            pass
    assert b" 200 " in answer(server, HELLO, b"", b"\r\n")


def test_a_head_within_the_bound_is_read(server: Server) -> None:
    assert b" 200 " in answer(server, HELLO + b"X-Long: ", b"x" * (MOST_BYTES - 1000), b"\r\n\r\n")


def test_a_body_may_be_larger_than_a_head(server: Server) -> None:
    head = f"POST {wire.SYNC} HTTP/1.1\r\nHost: hall\r\nContent-Length: {4 * MOST_BYTES}\r\n\r\n".encode()
    assert b" 401 " in answer(server, head, b"x" * (4 * MOST_BYTES))


def test_what_is_no_http_is_refused(server: Server) -> None:
    assert b" 400 " in answer(server, b"\x16\x03\x01 hello\r\n\r\n", b"")
