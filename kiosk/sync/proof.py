"""How a short code proves a table and a server to each other, before either trusts the network.

The organizer shows a code; somebody types it in at the table. Whoever listens, or stands in the middle with a certificate of his own,
must neither learn it nor pass for one of the two:

    key          = scrypt(code, salt = the server's id)             16 MB and some 80 ms for each guess
    table's proof  = HMAC-SHA-256(key, "table" and everything below)
    server's proof = HMAC-SHA-256(key, "server" and everything below)

Both cover the fingerprint of the certificate that each of them sees or has, the table's id, name and nonce. Someone in the middle shows
the table another certificate, so that the table's proof does not fit at the server, which then answers nothing but a refusal. From the
proof alone a code of eight letters (40 bits) takes 2^40 times the costly step to guess; it is good for a quarter of an hour, once, and
the server refuses after a few wrong ones.
"""

from __future__ import annotations

import hashlib
import hmac

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Letters and digits that nobody takes for each other: no I, L, O, U."""

SHORT = 8
"""Letters of a code that is shown for a moment."""

LONG = 16
"""Letters of a code that many tables use, and that is good for days."""

_ALIKE = str.maketrans({"I": "1", "L": "1", "O": "0", "U": "V"})
_BETWEEN = str.maketrans("", "", " -–\u00a0\t")


def read_code(text: str) -> str | None:
    """A code as it was typed or read, without spaces and hyphens, in capitals; None where it is none.

    Args:
        text: What somebody typed.
    """
    code = text.translate(_BETWEEN).upper().translate(_ALIKE)
    return code if len(code) in {SHORT, LONG} and set(code) <= set(ALPHABET) else None


def shown(code: str) -> str:
    """A code in groups of four."""
    return "-".join(code[at : at + 4] for at in range(0, len(code), 4))


def code_key(code: str, server: str) -> bytes:
    """The costly step.

    Args:
        code: As `read_code` gives it.
        server: The server's id.
    """
    return hashlib.scrypt(code.encode(), salt=f"tableside enrol {server}".encode(), n=2**14, r=8, p=1, maxmem=2**25, dklen=32)


def proof(key: bytes, who: str, fingerprint: str, device: str, table: str, nonce: str) -> str:  # noqa: PLR0917 - in the order of the text
    """One side's proof, 64 hex digits.

    Args:
        key: The stretched code.
        who: `table` or `server`.
        fingerprint: SHA-256 of the server's certificate (DER), 64 hex digits.
        device: The table's id.
        table: What the table calls itself in its request.
        nonce: The table's random digits.
    """
    said = f"{who}\n{fingerprint}\n{device}\n{table}\n{nonce}"
    return hmac.new(key, said.encode(), "sha256").hexdigest()
