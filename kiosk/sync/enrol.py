"""How a table joins a tournament server: by a code that proves each to the other (see `kiosk.sync.proof`)."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.errors import PeerError
from kiosk.say import _
from kiosk.sync import proof, wire
from kiosk.sync.transport import Address, AddressError, Connection

if TYPE_CHECKING:
    from collections.abc import Callable

ENROL_S = 15.0
"""The server stretches codes too, one after the other where many tables join at once."""


@dataclass(frozen=True, slots=True)
class Enrolled:
    """What a table knows when both have proved themselves."""

    fingerprint: str
    """SHA-256 of the server's certificate (DER), 64 hexadecimal digits."""
    answer: wire.EnrolAnswer


@dataclass(frozen=True, slots=True)
class Applicant:
    """The table that wants to join."""

    device: str
    """Its id."""
    table: str
    """What it is called; empty: as the code says."""
    version: str
    """The program's."""
    replaces: bool = False
    """It takes another device's place, and its running match."""


def hello(address: Address) -> wire.Hello:
    """Who is at an address. Nobody has proved anything.

    Raises:
        KioskError: Nobody that can be understood.
    """
    connection = Connection(address, None)
    try:
        return _greeted(connection)
    finally:
        connection.close()


def _greeted(connection: Connection) -> wire.Hello:
    said: wire.Hello = wire.from_json(wire.Hello, connection.ask("GET", wire.HELLO, largest=10_000))
    if said.tableside != 1:
        raise PeerError(_("The server at {url} speaks a newer protocol; update this table.", url=connection.address.url))
    return said


def enrol(address: Address, code: str, applicant: Applicant, nonce: str, stretch: Callable[[str, str], bytes] = proof.code_key) -> Enrolled:
    """Join.

    The certificate's fingerprint is taken from the connection over which the proofs go; whoever stands in the middle shows another
    certificate, so that neither proof fits.

    Args:
        address: The server's.
        code: As `kiosk.sync.proof.read_code` gives it.
        applicant: Who asks.
        nonce: 32 random hexadecimal digits.
        stretch: The costly step from code and server to a key, where it has been done for another table of the same process.

    Raises:
        ServerRefused: The code is not, or no longer, good there.
        PeerError: The server could not prove that it knows the code; nothing is trusted.
        KioskError: It cannot be reached.
    """
    if address.plain:
        raise AddressError(_("ADDRESS: without TLS nobody can be told from anybody; write https://."))
    connection = Connection(address, None)
    try:
        said = _greeted(connection)
        key = stretch(code, said.server)
        fingerprint = connection.fingerprint or ""

        def proved(who: str) -> str:
            return proof.proof(key, who, fingerprint, applicant.device, applicant.table, nonce)

        request = wire.EnrolRequest(applicant.device, applicant.table, nonce, proved("table"), applicant.version, applicant.replaces)
        data = connection.ask("POST", wire.ENROL, wire.to_json(request), seconds=ENROL_S, largest=10_000)
    finally:
        connection.close()
    answer: wire.EnrolAnswer = wire.from_json(wire.EnrolAnswer, data)
    if not hmac.compare_digest(answer.proof.encode(), proved("server").encode()) or answer.server != said.server:
        raise PeerError(
            _("The server at {url} does not know the code: it may be somebody who pretends. Nothing is trusted.", url=address.url)
        )
    return Enrolled(fingerprint, answer)
