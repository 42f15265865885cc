"""The only HTTP client against real sockets: whoever answers, and however, it ends in time, in bounds, and in a sentence."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from kiosk.domain.errors import KioskError, PeerError
from kiosk.sync import transport
from kiosk.sync.transport import Address, AddressError, Connection, ServerRefused, ServerUnreachable, WrongServer, read_address
from tests.patience import Stopwatch
from tests.sync.hosts import Certificate, Handler, Host, host, request, response


def at(port: int, *, plain: bool = False) -> Address:
    return Address("127.0.0.1", port, plain)


@pytest.fixture
def serve(certificate: Certificate) -> Iterator[Callable[[Handler], Host]]:
    made: list[Host] = []

    def start(handler: Handler) -> Host:
        made.append(Host(handler, certificate))
        return made[-1]

    yield start
    for one in made:
        one.close()


def answering(body: bytes, status: str = "200 OK", *headers: str) -> Handler:
    def handle(sock: socket.socket) -> None:
        while request(sock):
            sock.sendall(response(body, status, *headers))

    return handle


# ── Addresses ────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("10.0.0.5", "https://10.0.0.5:8443"),
        (" hall.local:99 ", "https://hall.local:99"),
        ("https://10.0.0.5:1/", "https://10.0.0.5:1"),
        ("[::1]:8", "https://[::1]:8"),
        ("https://[fe80::1]", "https://[fe80::1]:8443"),
        ("::1", "https://[::1]:8443"),
        (" fe80::8443 ", "https://[fe80::8443]:8443"),
    ],
)
def test_an_address_is_read_as_people_type_it(text: str, url: str) -> None:
    assert read_address(text).url == url


@pytest.mark.parametrize(
    "text",
    [
        "",
        "https://",
        "ftp://a",
        "a:b",
        "https://a/path",
        "https://a?x=1",
        "https://u@a",
        "https://[::1",
        "a b",
        "a:99999",
        "a..b",
        "x" * 64,
        "http://10.0.0.5",
    ],
)
def test_what_is_no_address_is_said(text: str) -> None:
    with pytest.raises(AddressError, match="ADDRESS"):
        read_address(text)


@pytest.mark.parametrize("text", ["http://127.0.0.1:80", "http://localhost:80", "http://[::1]:80", "http://10.0.0.5:80", "http://hall:80"])
def test_plain_text_is_spoken_to_this_machine_alone_and_only_when_asked_for(text: str) -> None:
    with pytest.raises(AddressError, match="plain text"):
        read_address(text)
    if "10.0.0.5" in text or "hall" in text:
        with pytest.raises(AddressError, match="plain text"):
            read_address(text, plain=True)
    else:
        assert read_address(text, plain=True).plain


# ── Who answers ──────────────────────────────────────────────────────────────
def test_one_connection_serves_many_requests(serve: Callable[[Handler], Host], certificate: Certificate) -> None:
    heard: list[bytes] = []

    def handle(sock: socket.socket) -> None:
        while data := request(sock):
            heard.append(data)
            sock.sendall(response(b"{}"))

    there = serve(handle)
    connection = Connection(at(there.port), certificate.fingerprint, "dev.secret")
    assert connection.ask("POST", "/a", b"[1]") == b"{}"
    assert connection.ask("GET", "/b") == b"{}"
    connection.close()
    assert there.connections == 1
    assert b"Authorization: Bearer dev.secret\r\n" in heard[0]
    assert heard[0].endswith(b"\r\n\r\n[1]")
    assert heard[1].startswith(b"GET /b HTTP/1.1\r\n")


def test_a_connection_that_is_gone_is_opened_again(serve: Callable[[Handler], Host], certificate: Certificate) -> None:
    def once(sock: socket.socket) -> None:
        request(sock)
        sock.sendall(response(b"{}"))

    there = serve(once)
    connection = Connection(at(there.port), certificate.fingerprint)
    assert connection.ask("GET", "/") == b"{}"
    assert connection.ask("GET", "/") == b"{}"
    assert there.connections == 2


def test_another_certificate_is_refused_and_nothing_is_sent(other_certificate: Certificate, certificate: Certificate) -> None:
    heard: list[bytes] = []
    done = threading.Event()

    def handle(sock: socket.socket) -> None:
        try:
            heard.append(sock.recv(1))
        finally:
            done.set()

    with host(handle, other_certificate) as there:
        with pytest.raises(WrongServer, match="another certificate"):
            Connection(at(there.port), certificate.fingerprint, "dev.secret").ask("POST", "/", b"secret")
        assert done.wait(60)
    assert heard in ([], [b""])


def test_the_first_certificate_is_held_to(certificate: Certificate, other_certificate: Certificate) -> None:
    def once(sock: socket.socket) -> None:
        request(sock)
        sock.sendall(response(b"{}", "200 OK", "Connection: close"))

    with host(once, certificate) as there:
        connection = Connection(at(there.port), None)
        connection.ask("GET", "/")
        assert connection.fingerprint == certificate.fingerprint
        there.show(other_certificate)
        with pytest.raises(WrongServer):
            connection.ask("GET", "/")


def test_plain_text_is_no_tls() -> None:
    with host(lambda sock: sock.sendall(b"HTTP/1.1 200 OK\r\n\r\n" * 100), None) as there, pytest.raises(ServerUnreachable, match="TLS"):
        Connection(at(there.port), "0" * 64).ask("GET", "/")


def test_to_this_machine_plain_text_works_where_it_was_asked_for() -> None:
    with host(answering(b"{}"), None) as there:
        assert Connection(read_address(f"http://127.0.0.1:{there.port}", plain=True), None).ask("GET", "/") == b"{}"


def test_nobody_there_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    with pytest.raises(ServerUnreachable, match="Nobody answers"):
        Connection(at(port), None).ask("GET", "/")


def test_a_name_that_nobody_has_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_args: object, **_more: object) -> None:
        raise socket.gaierror(-2, "unknown")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(ServerUnreachable, match="No machine is called nowhere"):
        Connection(Address("nowhere", 1), None).ask("GET", "/")


def test_an_unreachable_network_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_args: object) -> None:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(transport, "_connect", unreachable)
    with pytest.raises(ServerUnreachable, match="cannot be reached: Network is unreachable"):
        Connection(at(1), None).ask("GET", "/")


def test_connecting_gives_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "CONNECT_S", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as mute:  # takes the connection, never says hello
        watch = Stopwatch()
        with pytest.raises(ServerUnreachable, match="in time"):
            Connection(at(mute.getsockname()[1]), None).ask("GET", "/")
        assert watch.seconds() < 2
    monkeypatch.setattr(transport, "CONNECT_S", -1)
    with pytest.raises(ServerUnreachable, match="in time"):
        Connection(at(1), None).ask("GET", "/")


# ── How it answers ───────────────────────────────────────────────────────────
def test_no_redirect_is_followed(serve: Callable[[Handler], Host], certificate: Certificate) -> None:
    there = serve(answering(b"", "302 Found", "Location: https://127.0.0.1:1/"))
    with pytest.raises(ServerRefused, match="status 302") as caught:
        Connection(at(there.port), certificate.fingerprint).ask("GET", "/")
    assert caught.value.status == 302
    assert there.connections == 1


def test_a_refusal_tells_the_servers_own_sentence_without_driving_a_terminal(
    serve: Callable[[Handler], Host], certificate: Certificate
) -> None:
    there = serve(answering(b'{"error":"Not \\u001b[31m you."}', "429 Slow", "Retry-After: 7"))
    with pytest.raises(ServerRefused) as caught:
        Connection(at(there.port), certificate.fingerprint).ask("GET", "/")
    assert (caught.value.status, caught.value.retry_s) == (429, 7.0)
    assert "\x1b" not in str(caught.value)
    assert "you." in str(caught.value)


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"x":1}', b'{"error":5}', b"", b"[" * 5000])
def test_a_refusal_without_a_sentence_is_told_by_its_status(
    serve: Callable[[Handler], Host], certificate: Certificate, body: bytes
) -> None:
    there = serve(answering(body, "500 Oh", "Retry-After: soon"))
    with pytest.raises(ServerRefused, match="status 500") as caught:
        Connection(at(there.port), certificate.fingerprint).ask("GET", "/")
    assert caught.value.retry_s is None


def dripping(part: bytes, pause: float) -> Handler:
    def handle(sock: socket.socket) -> None:
        request(sock)
        while True:
            sock.sendall(part)
            time.sleep(pause)

    return handle


@pytest.mark.parametrize("part", [b"H", b"HTTP/1.1 200 OK\r\nX: y\r\n", b"HTTP/1.1 100 Continue\r\n\r\n"])
def test_an_answer_that_drips_ends_at_its_deadline(serve: Callable[[Handler], Host], certificate: Certificate, part: bytes) -> None:
    there = serve(dripping(part, 0.02))
    watch = Stopwatch()
    with pytest.raises(KioskError):
        Connection(at(there.port), certificate.fingerprint).ask("GET", "/", seconds=0.5)
    assert watch.seconds() < 1.5


def test_a_body_that_drips_ends_at_its_deadline(serve: Callable[[Handler], Host], certificate: Certificate) -> None:
    def handle(sock: socket.socket) -> None:
        sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        dripping(b"x", 0.02)(sock)

    there = serve(handle)
    watch = Stopwatch()
    with pytest.raises(ServerUnreachable, match="in time"):
        Connection(at(there.port), certificate.fingerprint).ask("GET", "/", seconds=0.5)
    assert watch.seconds() < 1.5


@pytest.mark.parametrize("head", ["Content-Length: 5000000", "Transfer-Encoding: chunked", "X: y"])
def test_an_answer_has_a_largest_size(serve: Callable[[Handler], Host], certificate: Certificate, head: str) -> None:
    def handle(sock: socket.socket) -> None:
        request(sock)
        sock.sendall(f"HTTP/1.1 200 OK\r\n{head}\r\n\r\n".encode())
        for _ in range(1000):
            sock.sendall(b"1388\r\n" + b"x" * 5000 + b"\r\n" if "chunked" in head else b"x" * 5000)

    there = serve(handle)
    with pytest.raises(PeerError, match="larger than any may be"):
        Connection(at(there.port), certificate.fingerprint).ask("GET", "/", largest=20_000)


def test_endless_headers_end(serve: Callable[[Handler], Host], certificate: Certificate) -> None:
    def handle(sock: socket.socket) -> None:
        request(sock)
        sock.sendall(b"HTTP/1.1 200 OK\r\n")
        while True:
            sock.sendall(b"X: " + b"y" * 60_000 + b"\r\n")

    there = serve(handle)
    with pytest.raises(PeerError):
        Connection(at(there.port), certificate.fingerprint).ask("GET", "/", largest=1000)


@pytest.mark.parametrize(
    "said",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nshort",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Le",
        b"HTTP/1.1 200",
        b"",
    ],
)
def test_a_server_that_dies_in_the_middle_of_an_answer_is_out_of_reach_and_no_stranger(
    serve: Callable[[Handler], Host], certificate: Certificate, said: bytes
) -> None:
    def handle(sock: socket.socket) -> None:
        request(sock)
        sock.sendall(said)

    there = serve(handle)
    with pytest.raises(ServerUnreachable):
        Connection(at(there.port), certificate.fingerprint).ask("GET", "/")


@pytest.mark.parametrize("said", [b"no http at all\r\n\r\n", b"HTTP/1.1 xyz OK\r\n\r\n"])
def test_what_is_no_answer_is_said(serve: Callable[[Handler], Host], certificate: Certificate, said: bytes) -> None:
    def handle(sock: socket.socket) -> None:
        request(sock)
        sock.sendall(said)

    there = serve(handle)
    with pytest.raises(KioskError, match="no tournament server"):
        Connection(at(there.port), certificate.fingerprint).ask("GET", "/")


# ── Streams ──────────────────────────────────────────────────────────────────
def streaming(*parts: bytes, forever: bytes = b"", pause: float = 0.02) -> Handler:
    def handle(sock: socket.socket) -> None:
        request(sock)
        sock.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        for part in parts:
            sock.sendall(f"{len(part):x}\r\n".encode() + part + b"\r\n")
        while forever:
            sock.sendall(f"{len(forever):x}\r\n".encode() + forever + b"\r\n")
            time.sleep(pause)
        sock.recv(1)

    return handle


def test_a_stream_brings_its_lines_however_they_are_cut(serve: Callable[[Handler], Host], certificate: Certificate) -> None:
    there = serve(streaming(b"on", b"e\ntwo\n", b"\nth", b"ree\n"))
    lines = Connection(at(there.port), certificate.fingerprint).stream("/", silence_s=30)
    assert list(islice(lines, 4)) == [b"one", b"two", b"", b"three"]


def test_a_silent_stream_is_dead_and_drips_are_silence(serve: Callable[[Handler], Host], certificate: Certificate) -> None:
    for handler in (streaming(b"one\n"), streaming(b"one\n", forever=b"x")):
        there = serve(handler)
        lines = Connection(at(there.port), certificate.fingerprint).stream("/", silence_s=1)
        assert next(lines) == b"one"
        watch = Stopwatch()
        with pytest.raises(ServerUnreachable, match="in time"):
            next(lines)
        assert watch.seconds() < 2.5


def test_a_stream_that_ends_is_told(serve: Callable[[Handler], Host], certificate: Certificate) -> None:
    def handle(sock: socket.socket) -> None:
        request(sock)
        sock.sendall(b"HTTP/1.1 200 OK\r\n\r\none\n")

    there = serve(handle)
    lines = Connection(at(there.port), certificate.fingerprint).stream("/")
    assert next(lines) == b"one"
    with pytest.raises(ServerUnreachable):
        next(lines)


def test_a_refused_stream_tells_why(serve: Callable[[Handler], Host], certificate: Certificate) -> None:
    there = serve(answering(b'{"error":"Unknown table."}', "401 No"))
    with pytest.raises(ServerRefused, match="Unknown table") as caught:
        next(Connection(at(there.port), certificate.fingerprint).stream("/"))
    assert caught.value.status == 401


def test_a_flood_is_left(serve: Callable[[Handler], Host], certificate: Certificate) -> None:
    there = serve(streaming(forever=b"{}\n" * 5000, pause=0))
    with pytest.raises(PeerError, match="more than any table needs"):
        for _ in Connection(at(there.port), certificate.fingerprint).stream("/"):
            pass


def test_a_line_without_an_end_ends(serve: Callable[[Handler], Host], certificate: Certificate) -> None:
    there = serve(streaming(forever=b"x" * 60_000, pause=0))
    with pytest.raises(PeerError, match="line of the server's is longer"):
        next(Connection(at(there.port), certificate.fingerprint).stream("/"))


def test_ending_from_another_thread_ends_the_reading(serve: Callable[[Handler], Host], certificate: Certificate) -> None:
    there = serve(streaming(b"one\n"))
    connection = Connection(at(there.port), certificate.fingerprint)
    lines = connection.stream("/", silence_s=60)
    assert next(lines) == b"one"
    threading.Timer(0.1, connection.end).start()
    watch = Stopwatch()
    with pytest.raises(KioskError):
        next(lines)
    assert watch.seconds() < 5


def test_what_another_thread_ended_reads_nothing_of_the_next_socket(serve: Callable[[Handler], Host], certificate: Certificate) -> None:
    connection = Connection(at(serve(streaming(b"one\n")).port), certificate.fingerprint)
    lines = connection.stream("/", silence_s=30)
    assert next(lines) == b"one"
    held = connection._sock
    assert held is not None
    number = held.fileno()
    connection.end()
    here, there = socket.socketpair()
    with here, there:
        assert number not in {here.fileno(), there.fileno()}
    with pytest.raises(KioskError):
        next(lines)
    with pytest.raises(KioskError):
        connection.ask("GET", "/")
