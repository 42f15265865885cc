"""A server's receipts held against the table's journal: that either was cut off or changed shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.app import membership, missing
from kiosk.journal import read_rows
from kiosk.say import _
from kiosk.sync.outbox import ALTERED, LACKS

if TYPE_CHECKING:
    from pathlib import Path

    from kiosk.app.membership import Membership
    from kiosk.sync.wire import Receipt


@dataclass(frozen=True, slots=True)
class Checked:
    """What a receipt and a journal say about each other."""

    receipt: Receipt | None
    """The newest one for this journal; None: there is none."""
    rows: int
    """How many rows the journal has."""
    fault: str
    """A sentence about what does not fit; or nothing."""
    signed: bool | None
    """Whether the server's signature holds; None: that was not checked."""


def check(folder: Path, journal: Path, joined: Membership | None) -> Checked:
    """Hold the newest receipt against the journal.

    Args:
        folder: The data folder.
        journal: The journal's file.
        joined: Only this server's receipts, whose key is known; None: whatever there is.

    Raises:
        KioskError: The journal or the receipts cannot be read.
    """
    mine = [one for one in membership.receipts(folder) if joined is None or one.server == joined.server]
    first, count, hashes = "", 0, dict.fromkeys((one.seq for one in mine), "")
    for row in read_rows(journal):
        first = first or row.hash
        count = row.seq
        if row.seq in hashes:
            hashes[row.seq] = row.hash
    receipt = next((one for one in reversed(mine) if one.journal == first), None)
    if receipt is None:
        return Checked(None, count, "", None)
    signed = None if joined is None else signature_holds(receipt, joined.key)
    return Checked(receipt, count, _fault(receipt, count, hashes[receipt.seq], signed=signed), signed)


def _fault(receipt: Receipt, count: int, ours: str, *, signed: bool | None) -> str:
    if signed is False:
        return _("The receipt for row {n} does not bear the server's signature: it was altered.", n=receipt.seq)
    if receipt.seq > count:
        return _("{told} It has {count} rows, and the server has confirmed {n}.", told=_(LACKS), count=count, n=receipt.seq)
    if ours != receipt.hash:
        return _("{told} Row {n} has another hash than was confirmed.", told=_(ALTERED), n=receipt.seq)
    return ""


def signature_holds(receipt: Receipt, key: str) -> bool | None:
    """Whether a receipt bears a server's signature; None where that cannot be checked here.

    Args:
        receipt: The receipt.
        key: The server's public Ed25519 key, 64 hexadecimal digits.
    """
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        return None
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(receipt.signature), receipt.signed_text())
    except (InvalidSignature, ValueError):
        return False
    return True


def missing_here(folder: Path, journal: Path) -> list[str]:
    """Sentences about what the receipts prove and this table's journal does not have, and about kept files that are damaged.

    Args:
        folder: The data folder.
        journal: The journal's file; it may be missing itself.

    Raises:
        JournalUnavailable: The journal is there, and cannot be read.
    """
    receipts = missing.every(folder)
    own = _own(journal, receipts)
    told = missing.told(missing.find(receipts, own), own)
    return [*([told] if told else []), *missing.faults(folder)]


def accept_what_is_missing(folder: Path, journal: Path) -> bool:
    """Somebody knows what is missing: it is told no more.

    Args:
        folder: The data folder.
        journal: The journal's file.

    Returns:
        Whether anything was missing.

    Raises:
        KioskError: That cannot be kept, or the journal cannot be read.
    """
    return missing.accept(folder, _own(journal, missing.every(folder)))


def _own(journal: Path, receipts: list[Receipt]) -> missing.Own:
    return missing.of_rows(read_rows(journal) if journal.exists() else (), receipts)
