"""How PINs are kept: stretched once by a memory-hard function, then compared with every official's entry.

A PIN alone tells who signs in, so that a PIN must be compared with all entries. Stretching it for each of twenty would take more than a
second; therefore the salt of the stretching is the table's, and each entry has a salt of its own for the cheap step behind it:

    key   = scrypt(SHA-256(PIN), the table's salt)       16 MB and some 80 ms, once, however many officials there are
    entry = HMAC-SHA-256(key, the entry's salt)

(SHA-256 comes first because scrypt takes "5829" and "5829" with a zero byte behind it for the same.)

What that costs: whoever steals the file tries a PIN on all entries with one scrypt instead of one each. What it keeps: no table of
hashes made beforehand helps, for the salt is random; nothing tells that two tables have the same official; and each guess costs 16 MB of
memory. A PIN of four digits has ten thousand guesses all the same, a quarter of an hour: the file is for its owner's eyes only, and the
REFERENCE says that longer ones are better.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cost:
    """The parameters of scrypt, as they stand in the file; they fill 128 × n × r bytes."""

    n: int = 2**14
    """The number of blocks, a power of two."""
    r: int = 8
    """The size of a block."""
    p: int = 1
    """How many times over."""

    def bearable(self) -> bool:
        """Whether they are lawful and ask for no more than 64 MB and a second."""
        if not (self.n > 1 and self.r >= 1 and 1 <= self.p <= 4 and 128 * self.n * self.r <= 64 * 2**20):
            return False
        # RFC 7914: n is a power of two below 2 ^ (128 × r / 8).
        return self.n & (self.n - 1) == 0 and self.n.bit_length() <= 16 * self.r


COST = Cost()
"""What a new file is begun with."""

SALT_BYTES = 16
HASH_BYTES = 32


def new_salt() -> bytes:
    """Random bytes from the system."""
    return os.urandom(SALT_BYTES)


def stretch(secret: str, salt: bytes, cost: Cost) -> bytes:
    """The costly step."""
    plain = hashlib.sha256(secret.encode("utf-8", errors="surrogatepass")).digest()
    room = 128 * cost.r * (cost.n + cost.p + 2) + 2**20
    return hashlib.scrypt(plain, salt=salt, n=cost.n, r=cost.r, p=cost.p, maxmem=room, dklen=HASH_BYTES)


def entry_hash(key: bytes, salt: bytes) -> bytes:
    """The cheap step."""
    return hmac.digest(key, salt, "sha256")
