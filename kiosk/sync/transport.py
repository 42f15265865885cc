"""The only HTTP client: TLS with a pinned certificate, and never without.

What may go wrong with a peer is bounded here, whoever it is:

- nothing is sent before the certificate's fingerprint has been compared; who the certificate says it is for does not matter, no authority
  is asked, and no redirect is followed;
- plain text is spoken to this machine itself only, and only where that was asked for;
- an answer has one deadline for all of it, however it drips, and a largest size; a stream must bring a whole line every few seconds,
  and not too many of them.

Nothing here knows what is sent. Whoever calls is on a thread of his own: connecting and reading wait.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import http.client
import io
import ipaddress
import json
import socket
import ssl
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from kiosk.domain.errors import KioskError, PeerError
from kiosk.domain.text import escaped
from kiosk.say import _
from kiosk.sync import wire

if TYPE_CHECKING:
    from collections.abc import Iterator

    from _typeshed import WriteableBuffer

PORT = 8443
"""Where a server listens, if nothing else is said."""
CONNECT_S = 3.0
"""How long reaching a server, its handshake included, may take."""
ANSWER_S = 10.0
"""How long an answer may take, all of it."""
HEADERS = 65_536
"""Bytes that an answer may have beside its body."""
BURST, RATE = 2_000_000, 50_000
"""Bytes that a stream may bring at once, and each second."""
LONGEST_TOLD = 300
"""Characters of a server's own sentence that are shown."""


class AddressError(KioskError, ValueError):
    """You erred: this is no server's address, or one that is not spoken to."""


class ServerUnreachable(KioskError, OSError):
    """The world failed: the server cannot be reached, or does not answer in time."""


class WrongServer(PeerError):
    """The peer erred: somebody else answers in the server's place; nothing was sent."""


class ServerRefused(PeerError):
    """The server answered, and refused."""

    def __init__(self, status: int, sentence: str, retry_s: float | None = None, barred: str = "") -> None:
        """Keep the status and the sentence.

        Args:
            status: HTTP.
            sentence: The server's own, or ours about it.
            retry_s: In how many seconds it may go.
            barred: Why this device's key is good no more; else empty.
        """
        self.status = status
        self.barred = barred
        self.retry_s = retry_s
        super().__init__(sentence)


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens."""

    host: str
    port: int
    plain: bool = False
    """Without TLS: to this machine itself, where it was asked for."""

    @property
    def url(self) -> str:
        """As people write it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'http' if self.plain else 'https'}://{host}:{self.port}"


def read_address(text: str, *, plain: bool = False) -> Address:
    """An address as people type it: `10.0.0.5`, `hall.local:8443`, `fe80::1`, `https://[fe80::1]:8443/`.

    Args:
        text: What was typed.
        plain: Whether `http://` to this machine itself is allowed: for trials and benches.

    Raises:
        AddressError: It is none, or asks for plain text where there is none.
    """
    text = text.strip()
    if _is_bare_ipv6(text):
        return Address(text, PORT)
    try:
        parts = urlsplit(text if "://" in text else f"https://{text}")
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise AddressError(_("ADDRESS: {text} is no address; write it as in https://10.0.0.5:8443.", text=repr(text))) from error
    if not _is_host(host) or parts.scheme not in {"http", "https"} or parts.path not in {"", "/"} or parts.query or parts.username:
        raise AddressError(_("ADDRESS: {text} is no address; write it as in https://10.0.0.5:8443.", text=repr(text)))
    if parts.scheme == "http" and not (plain and _is_here(host)):
        raise AddressError(_("ADDRESS: {text} is plain text, and a table never speaks it; write https://.", text=repr(text)))
    return Address(host, PORT if port is None else port, plain=parts.scheme == "http")


def _is_host(host: str) -> bool:
    try:
        host.encode("idna")
    except UnicodeError:  # an empty label, or one that is too long
        return False
    return 0 < len(host) <= 253 and not any(letter.isspace() or letter in '/\\@"<>' or not letter.isprintable() for letter in host)


def _is_bare_ipv6(text: str) -> bool:
    """An address of IPv6 without brackets has no port: what stands behind its last colon is its own."""
    try:
        return ipaddress.ip_address(text).version == 6
    except ValueError:
        return False


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class _TooMuch(Exception):
    """More came than may. The HTTP library takes a ValueError for its own, so that this is none until it is told."""


class Allowance(Protocol):
    """How long and how much may still be read."""

    def wait_s(self) -> float:
        """Seconds that may still be waited.

        Raises:
            TimeoutError: None.
        """
        ...

    def took(self, count: int) -> None:
        """So many bytes came; it raises where that is too much."""
        ...


class Whole:
    """An answer that must be complete by an instant, within a size."""

    def __init__(self, seconds: float, largest: int) -> None:
        """From now on.

        Args:
            seconds: How long all of it may take.
            largest: Bytes of its body.
        """
        self._until = time.monotonic() + seconds
        self._left = largest + HEADERS

    def wait_s(self) -> float:
        """Seconds to the deadline."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def took(self, count: int) -> None:
        """Count bytes."""
        self._left -= count
        if self._left < 0:
            raise _TooMuch(_("The server's answer is larger than any may be."))


class Lines:
    """A stream that must bring a whole line every few seconds, and is not to flood."""

    def __init__(self, silence_s: float) -> None:
        """From now on.

        Args:
            silence_s: How long it may bring no whole line.
        """
        self._silence = silence_s
        self._since = self._filled = time.monotonic()
        self._left = float(BURST)

    def line(self) -> None:
        """A whole line came."""
        self._since = time.monotonic()

    def wait_s(self) -> float:
        """Seconds until it counts as dead."""
        left = self._since + self._silence - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def took(self, count: int) -> None:
        """Count bytes."""
        now = time.monotonic()
        self._left = min(BURST, self._left + (now - self._filled) * RATE) - count
        self._filled = now
        if self._left < 0:
            raise _TooMuch(_("The server says more than any table needs."))


class _Reader(io.RawIOBase):
    """What comes from a socket, within an allowance."""

    def __init__(self, sock: socket.socket, allowance: Allowance) -> None:
        super().__init__()
        self._sock = sock
        self._allowance = allowance
        self.ended = False
        """Whether the other end has said its last."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        self._sock.settimeout(self._allowance.wait_s())
        count = self._sock.recv_into(buffer)
        self._allowance.took(count)
        self.ended = count == 0
        return count


class _Source:
    """What an HTTP answer reads from: it only wants a file."""

    def __init__(self, sock: socket.socket, allowance: Allowance) -> None:
        self._reader = _Reader(sock, allowance)
        self._file = io.BufferedReader(self._reader, 65_536)

    @property
    def ended(self) -> bool:
        return self._reader.ended

    def makefile(self, *_args: object) -> io.BufferedReader[_Reader]:
        return self._file


class Connection:
    """A connection to one server, opened when it is needed and kept while it lasts."""

    def __init__(self, address: Address, fingerprint: str | None, token: str = "") -> None:
        """Nothing is opened yet.

        Args:
            address: Where.
            fingerprint: SHA-256 of its certificate (DER) in hex; None for the very first time: it is taken from whoever answers.
            token: `DEVICE.SECRET`, or nothing where none is needed.
        """
        self.address = address
        self.fingerprint = fingerprint
        self._token = token
        self._sock: socket.socket | None = None
        self._ended = False
        self.certificate = b""
        """Whoever answered last showed this one (DER); empty where nobody has."""

    def ask(self, method: str, path: str, body: bytes = b"", *, seconds: float = ANSWER_S, largest: int = wire.LARGEST) -> bytes:
        """One request and its answer.

        Args:
            method: GET or POST.
            path: With its query, if it has one.
            body: What is sent.
            seconds: How long all of it may take, connecting not included.
            largest: How many bytes the answer's body may have.

        Raises:
            ServerUnreachable: No answer came in time.
            ServerRefused: The server refused.
            WrongServer: Somebody else answers.
            PeerError: What came is no answer.
        """
        again = self._sock is not None  # a connection that has rested may be gone without our knowing
        with self._told():
            while True:
                allowance = Whole(seconds, largest)
                try:
                    response = _response(self._send(method, path, body, allowance), method, allowance)
                except (ConnectionError, http.client.RemoteDisconnected, ssl.SSLEOFError):
                    self.close()
                    if not again:
                        raise
                    again = False
                else:
                    break
            data = _read(response, largest)
            if response.will_close:
                self.close()
            _raise_unless_done(response, data)
            return data

    def stream(self, path: str, *, silence_s: float = wire.SILENCE_S) -> Iterator[bytes]:
        """The lines of an answer that goes on for ever, without their ends.

        Args:
            path: With its query.
            silence_s: How long no whole line may come until the stream is dead.

        Raises:
            ServerUnreachable: The stream is dead, or was never there.
            ServerRefused: The server refused.
            WrongServer: Somebody else answers.
            PeerError: What came is no stream, or a flood.
        """
        self.close()
        with self._told():
            allowance = Lines(silence_s)
            response = _response(self._send("GET", path, b"", allowance), "GET", allowance)
            if response.status != http.HTTPStatus.OK:
                _raise_unless_done(response, _read(response, HEADERS))
            rest = b""
            while data := response.read1(65_536):
                *lines, rest = (rest + data).split(b"\n")
                if len(rest) > wire.LARGEST:
                    raise PeerError(_("A line of the server's is longer than any may be."))
                for line in lines:
                    allowance.line()
                    yield line
            raise ConnectionResetError

    def close(self) -> None:
        """Let go of it; the next request opens it again. For the thread alone that uses it: another one calls `end`."""
        sock, self._sock = self._sock, None
        if sock is not None:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
            sock.close()

    def end(self) -> None:
        """Have whoever reads or sends, now or later, fail; for any thread.

        The descriptor is left to the thread that uses it: the system gives its number to whatever is opened next, and that would be read.
        """
        self._ended = True
        sock = self._sock
        if sock is not None:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(sock, socket.SHUT_RDWR)  # TLS's own would turn to plain text under the reader

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Whatever fails becomes a sentence, and the connection is not used again."""
        try:
            yield
        except ServerRefused:
            raise
        except KioskError:
            self.close()
            raise
        except _TooMuch as error:
            self.close()
            raise PeerError(str(error)) from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.close()
            raise _sentence(self.address, error) from error
        except BaseException:
            self.close()
            raise

    def _send(self, method: str, path: str, body: bytes, allowance: Allowance) -> socket.socket:
        sock = self._sock = self._sock or self._open()
        if self._ended:  # asked after opening: whoever ended it before saw no socket
            raise ConnectionAbortedError
        head = [f"{method} {path} HTTP/1.1", f"Host: {_host(self.address)}", "Accept-Encoding: identity"]
        if self._token:
            head.append(f"Authorization: Bearer {self._token}")
        if method == "POST":
            head += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        waiting = memoryview("\r\n".join([*head, "", ""]).encode("ascii") + body)
        while waiting:
            sock.settimeout(allowance.wait_s())
            waiting = waiting[sock.send(waiting) :]
        return sock

    def _open(self) -> socket.socket:
        until = time.monotonic() + CONNECT_S
        plain = _connect(self.address, until)
        if self.address.plain:
            return plain
        try:
            plain.settimeout(max(0.001, until - time.monotonic()))
            safe = _context().wrap_socket(plain)
        except BaseException:
            plain.close()
            raise
        self.certificate = safe.getpeercert(binary_form=True) or b""
        found = hashlib.sha256(self.certificate).hexdigest()
        if self.fingerprint is None:
            self.fingerprint = found
        if not hmac.compare_digest(found, self.fingerprint):
            safe.close()
            raise WrongServer(
                _(
                    "The server at {url} shows another certificate than at the joining; nothing was sent to it. If the organizer has "
                    "renewed it, join again.",
                    url=self.address.url,
                )
            )
        return safe


def _response(sock: socket.socket, method: str, allowance: Allowance) -> http.client.HTTPResponse:
    source = _Source(sock, allowance)
    response = http.client.HTTPResponse(source, method=method)  # type: ignore[arg-type] # only a file is asked of it
    response.begin()
    if source.ended:  # in the middle of its head, which the library takes for the end of the head
        raise ConnectionResetError
    return response


def _connect(address: Address, until: float) -> socket.socket:
    fault: OSError = TimeoutError()
    for family, kind, protocol, _name, place in socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM):
        left = until - time.monotonic()
        if left <= 0:
            break
        sock = socket.socket(family, kind, protocol)
        try:
            sock.settimeout(left)
            sock.connect(place)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            sock.close()
            fault = error
        else:
            return sock
    raise fault


def _context() -> ssl.SSLContext:
    """TLS 1.2 or newer; whose certificate it is, is decided by its fingerprint alone."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _host(address: Address) -> str:
    host = f"[{address.host}]" if ":" in address.host else address.host.encode("idna").decode("ascii")
    return f"{host}:{address.port}"


def _read(response: http.client.HTTPResponse, largest: int) -> bytes:
    """A whole body."""
    parts: list[bytes] = []
    size = 0
    while part := response.read1(65_536):
        size += len(part)
        if size > largest:
            raise PeerError(_("The server's answer is larger than any may be."))
        parts.append(part)
    if response.length:  # it ended before its end
        raise http.client.IncompleteRead(b"".join(parts), response.length)
    return b"".join(parts)


def _raise_unless_done(response: http.client.HTTPResponse, data: bytes) -> None:
    if response.status == http.HTTPStatus.OK:
        return
    try:
        plain = json.loads(data)
        told = plain["error"] if isinstance(plain, dict) else ""
    except (ValueError, KeyError, RecursionError):
        told = ""
    sentence = escaped(told[:LONGEST_TOLD]) if isinstance(told, str) else ""
    if not sentence:
        sentence = _("The server answered with status {status}.", status=response.status)
    retry = response.getheader("Retry-After", "")
    barred = response.getheader(wire.BARRED, "") if response.status == http.HTTPStatus.UNAUTHORIZED else ""
    raise ServerRefused(response.status, sentence, float(retry) if retry.isdecimal() and len(retry) < 6 else None, barred)


def _sentence(address: Address, error: Exception) -> KioskError:
    match error:
        case TimeoutError():
            return ServerUnreachable(_("The server at {url} does not answer in time.", url=address.url))
        case ConnectionRefusedError():
            return ServerUnreachable(_("Nobody answers at {url}; is the server running there?", url=address.url))
        case socket.gaierror():
            return ServerUnreachable(_("No machine is called {host} on this network.", host=address.host))
        case ssl.SSLError():
            return ServerUnreachable(
                _("Whoever answers at {url} does not speak TLS as a server should ({error}).", url=address.url, error=error)
            )
        case OSError():
            return ServerUnreachable(
                _("The server at {url} cannot be reached: {why}.", url=address.url, why=error.strerror or type(error).__name__)
            )
        case http.client.IncompleteRead():
            return ServerUnreachable(_("The connection to {url} broke off in the middle of an answer.", url=address.url))
        case _:
            return PeerError(_("What answers at {url} is no tournament server ({error}).", url=address.url, error=type(error).__name__))
