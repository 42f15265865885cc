"""The server's keys, in its data folder, for its owner's eyes only: its id, the key that signs receipts, and its TLS certificate.

| file | holds |
|---|---|
| `server.id` | 32 hexadecimal digits, made once: who it is, whatever its address and its certificate |
| `receipts.key` | the Ed25519 key that signs receipts (PEM, PKCS 8) |
| `tls.key`, `tls.crt` | its own certificate and its key (PEM) |

The certificate is signed by itself: what a table trusts is not an authority but the fingerprint that the code proved at the enrolment, and
browsers ask once. It is good for 820 days, as phones refuse longer ones, beginning a week before today, for clocks that are behind. A new
one (`kiosk-server init --renew-certificate`) has another fingerprint: tables must be enrolled again, so renew between events.
"""

from __future__ import annotations

import hashlib
import ipaddress
import os
import secrets
import socket
import ssl
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.x509.oid import NameOID

from kiosk.say import _
from kiosk.server import clock
from kiosk.server.problems import ServerError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

IDENT, SIGNING, TLS_KEY, TLS_CERTIFICATE = "server.id", "receipts.key", "tls.key", "tls.crt"
FILES = (IDENT, SIGNING, TLS_KEY, TLS_CERTIFICATE)
"""Every file of keys, for the backup."""

GOOD_FOR = timedelta(days=820)
SINCE = timedelta(days=7)

_PEM = serialization.Encoding.PEM
_RAW = serialization.Encoding.Raw


@dataclass(frozen=True, slots=True)
class Keys:
    """What the server is known by."""

    server_id: str
    """32 hexadecimal digits."""
    public_hex: str
    """The public key that its receipts are checked with: 64 hexadecimal digits."""
    fingerprint: str
    """SHA-256 of the certificate that tables see (DER), 64 hexadecimal digits."""
    certificate_path: Path
    key_path: Path
    _signing: Ed25519PrivateKey = field(repr=False)

    def sign(self, data: bytes) -> bytes:
        """An Ed25519 signature, 64 bytes.

        Args:
            data: What it covers.
        """
        return self._signing.sign(data)

    @classmethod
    def load(cls, folder: Path, seen_by_tables: Path | None = None) -> Keys:
        """Read the keys of a data folder.

        Args:
            folder: The data folder.
            seen_by_tables: Another certificate than the server's own, where a reverse proxy stands before it.

        Raises:
            ServerError: One of them is missing or cannot be read.
        """
        ident = _read(folder / IDENT).decode("ascii", "replace").strip()
        try:
            signing = serialization.load_pem_private_key(_read(folder / SIGNING), password=None)
        except ValueError as error:
            raise ServerError(_("{path} is no key: restore a backup.", path=folder / SIGNING)) from error
        if not isinstance(signing, Ed25519PrivateKey) or len(ident) != 32:
            raise ServerError(_("{path} is no key: restore a backup.", path=folder / (SIGNING if len(ident) == 32 else IDENT)))
        public = signing.public_key().public_bytes(_RAW, serialization.PublicFormat.Raw).hex()
        certificate = seen_by_tables or folder / TLS_CERTIFICATE
        return cls(ident, public, fingerprint_of(certificate), folder / TLS_CERTIFICATE, folder / TLS_KEY, signing)


def fingerprint_of(path: Path) -> str:
    """The SHA-256 of a certificate file's first certificate (DER), 64 hexadecimal digits.

    Raises:
        ServerError: There is none.
    """
    try:
        first = x509.load_pem_x509_certificates(_read(path))[0]
    except (ValueError, IndexError) as error:
        raise ServerError(_("{path} is no certificate.", path=path)) from error
    return hashlib.sha256(first.public_bytes(serialization.Encoding.DER)).hexdigest()


def make(folder: Path, names: Iterable[str]) -> Keys:
    """Make all keys of a new server.

    Args:
        folder: Its data folder, which has none yet.
        names: Host names and addresses that the certificate is for.

    Raises:
        OSError: They cannot be written, or are there already.
    """
    write_secret(folder / IDENT, secrets.token_hex(16).encode() + b"\n")
    signing = Ed25519PrivateKey.generate()
    write_secret(folder / SIGNING, signing.private_bytes(_PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    make_certificate(folder, names)
    return Keys.load(folder)


def make_certificate(folder: Path, names: Iterable[str]) -> None:
    """Make the server's certificate and its key, in the place of older ones.

    Args:
        folder: Its data folder.
        names: Host names and addresses.

    Raises:
        OSError: They cannot be written.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Tableside")])
    today = datetime.fromtimestamp(clock.now_ns() // clock.SECOND, UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(called)
        .issuer_name(called)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - SINCE)
        .not_valid_after(today - SINCE + GOOD_FOR)
        .add_extension(x509.SubjectAlternativeName([_general(name) for name in dict.fromkeys(names)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([x509.oid.ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    for name in (TLS_KEY, TLS_CERTIFICATE):
        (folder / name).unlink(missing_ok=True)
    write_secret(folder / TLS_KEY, key.private_bytes(_PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    write_secret(folder / TLS_CERTIFICATE, certificate.public_bytes(_PEM))


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def own_names() -> list[str]:
    """What this machine may be called by: its name, also as the local network says it, and its addresses."""
    host = _ascii(socket.gethostname()) or "localhost"
    short = host.split(".", maxsplit=1)[0]
    return list(dict.fromkeys([host, f"{short}.local", "localhost", *addresses(), "127.0.0.1", "::1"]))


def addresses() -> list[str]:
    """This machine's addresses in its networks, the local ones left out; a program beside it answers fewer, never an error."""
    try:
        import ifaddr
    except ImportError:
        return []
    found = []
    for adapter in ifaddr.get_adapters():
        for each in adapter.ips:
            address = ipaddress.ip_address(each.ip if isinstance(each.ip, str) else each.ip[0])
            if not address.is_loopback and not address.is_link_local:
                found.append(str(address))
    return sorted(found, key=lambda text: ":" in text)


def _ascii(host: str) -> str:
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return ""


def context(keys: Keys) -> ssl.SSLContext:
    """What TLS is spoken with: version 1.2 or newer.

    Raises:
        ServerError: One of them cannot be read, or they do not belong together.
    """
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    for path in (keys.certificate_path, keys.key_path):
        _read(path)
    try:
        made.load_cert_chain(keys.certificate_path, keys.key_path)
    except (ssl.SSLError, OSError) as error:
        raise ServerError(
            _(
                "{path} and its key do not belong together: restore a backup; only where there is none `kiosk-server init "
                "--renew-certificate`, after which every table must be enrolled again.",
                path=keys.certificate_path,
            )
        ) from error
    return made


def write_secret(path: Path, data: bytes) -> None:
    """Write a new file that only its owner may read, and put it on the disk.

    Raises:
        OSError: It cannot be written, or is there already.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(descriptor)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise unread(path, error) from error


def unread(path: Path, error: OSError) -> ServerError:
    """A file of keys that is not there or cannot be read, and what to do about it.

    Args:
        path: The file.
        error: Why.
    """
    why = error.strerror or error
    if path.name == IDENT:
        return ServerError(_("{path} cannot be read: {why}; `kiosk-server init` makes a server.", path=path, why=why))
    if path.name == SIGNING:
        return ServerError(
            _(
                "{path} cannot be read: {why}. It signs the receipts of this event; restore a backup (`kiosk-server restore`).",
                path=path,
                why=why,
            )
        )
    if path.name in {TLS_KEY, TLS_CERTIFICATE}:
        return ServerError(
            _(
                "{path} cannot be read: {why}. Restore a backup; only where there is none `kiosk-server init --renew-certificate`, after "
                "which every table must be enrolled again.",
                path=path,
                why=why,
            )
        )
    return ServerError(
        _(
            "{path} cannot be read: {why}. It is the `certificate` of server.toml, which tables see: put it there, or correct the line.",
            path=path,
            why=why,
        )
    )
