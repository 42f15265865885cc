"""Real sockets for the tests: a TLS host that does what a test says, and a proxy that can become a black hole or a drip."""

from __future__ import annotations

import contextlib
import hashlib
import select
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

Handler = Callable[[socket.socket], None]


@dataclass(frozen=True)
class Certificate:
    path: Path
    fingerprint: str


def make_certificate(folder: Path, name: str = "host") -> Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    today = datetime(2026, 1, 1, tzinfo=UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(called)
        .issuer_name(called)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today)
        .not_valid_after(today + timedelta(days=1))  # a wrong date on either end keeps nobody from talking
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{name}.pem"
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return Certificate(path, hashlib.sha256(made.public_bytes(serialization.Encoding.DER)).hexdigest())


class Host:
    """Accepts connections and has each handled on a thread of its own."""

    def __init__(self, handler: Handler, certificate: Certificate | None) -> None:
        self.handler = handler
        self.connections = 0
        self._context: ssl.SSLContext | None = None
        if certificate is not None:
            self.show(certificate)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._open: set[socket.socket] = set()
        self._stopping = False
        self._threads: list[threading.Thread] = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def show(self, certificate: Certificate) -> None:
        """Show this certificate from now on."""
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate.path)

    def _accept(self) -> None:
        with self._listening:
            while not self._stopping:
                try:
                    sock, _ = self._listening.accept()
                except OSError:
                    return
                self.connections += 1
                thread = threading.Thread(target=self._handle, args=(sock,), daemon=True)
                self._threads.append(thread)
                thread.start()

    def _handle(self, sock: socket.socket) -> None:
        with contextlib.suppress(OSError, ssl.SSLError), sock:
            self._open.add(sock)
            if self._context is None:
                self.handler(sock)
                return
            sock.settimeout(10)  # a greeting that never comes keeps no thread
            with self._context.wrap_socket(sock, server_side=True) as safe:
                safe.settimeout(None)
                self._open.add(safe)
                if not self._stopping:
                    self.handler(safe)

    def close(self) -> None:
        """End everything. Each thread closes its own sockets: one that is closed under its thread gives the next socket its bytes."""
        self._stopping = True
        for sock in (self._listening, *tuple(self._open)):
            with contextlib.suppress(OSError):
                socket.socket.shutdown(sock, socket.SHUT_RDWR)
        for thread in tuple(self._threads):
            thread.join(2)


@contextlib.contextmanager
def host(handler: Handler, certificate: Certificate | None) -> Iterator[Host]:
    made = Host(handler, certificate)
    try:
        yield made
    finally:
        made.close()


def request(sock: socket.socket) -> bytes:
    """One request, head and body."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = sock.recv(65_536)
        if not part:
            return data
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")), 0)
    while len(body) < length:
        body += sock.recv(65_536)
    return head + b"\r\n\r\n" + body


def response(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


class Proxy:
    """Passes bytes on between a table and its server, until it is told not to."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._wake, self._woken = socket.socketpair()
        self._pairs: dict[socket.socket, socket.socket] = {}
        self._black = threading.Event()
        self._refusing = False
        self._stopping = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def black_hole(self) -> None:
        """Keep every connection open, take what comes, pass nothing on, and answer no new one."""
        self._black.set()

    def heal(self) -> None:
        """What was in the hole is gone; new connections work."""
        self.cut()
        self._black.clear()

    def cut(self) -> None:
        """Drop every connection as it stands."""
        for sock in list(self._pairs):
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._stopping = True
        self._wake.send(b"x")
        self._thread.join(5)
        self._listening.close()
        if self._thread.is_alive():
            raise TimeoutError("the proxy's thread hangs")
        for sock in list(self._pairs):
            sock.close()

    def _run(self) -> None:
        while not self._stopping:
            watched = [self._listening, self._woken, *self._pairs]
            ready = select.select([sock for sock in watched if sock.fileno() >= 0], [], [], 0.2)[0]
            for sock in ready:
                if sock is self._listening:
                    self._accept()
                elif sock is not self._woken:
                    self._pass(sock)

    def _accept(self) -> None:
        near, _ = self._listening.accept()
        if self._black.is_set():
            self._pairs[near] = near
            return
        far = socket.create_connection(("127.0.0.1", self._target))
        self._pairs[near], self._pairs[far] = far, near

    def _pass(self, sock: socket.socket) -> None:
        try:
            data = sock.recv(65_536)
        except OSError:
            data = b""
        other = self._pairs.get(sock)
        if other is None:
            return
        if data and (self._black.is_set() or other is sock):
            return
        if data:
            with contextlib.suppress(OSError):
                other.sendall(data)
            return
        for end in (sock, other):
            self._pairs.pop(end, None)
            end.close()
