"""Entries that a server had confirmed and that are gone from this table: held until a person says that it is known.

A receipt proves what the journal once had. Where the journal that lies there now does not bear it out (it was cut off, an older copy was
put in its place, or it was deleted and another begun), that is evidence. A journal goes on, though, and gets new receipts, and the newest
receipt takes the place of older ones; so the evidence is put into a file of its own first, `missing.json`, and stays there. It is told by
the screen, `kiosk server status` and `kiosk journal verify`, until somebody says `kiosk journal verify --accept`. Where a journal that
was gone is put back, its receipts are borne out again, and it is evidence no more.
"""

from __future__ import annotations

import json
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from kiosk import codec
from kiosk.app import kept, membership
from kiosk.journal.store import make_folder
from kiosk.say import _, n_
from kiosk.sync.wire import Receipt  # noqa: TC001 - the codec reads it

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from pathlib import Path

    from kiosk.ports import Journal, Row

T = TypeVar("T")

FILE = "missing.json"

MOST = 50
"""So many receipts are held; the first ones stay, and that there is something to be told is told all the same."""

MOST_TOLD = 3
"""So many sentences are said, the rest is counted."""


@dataclass(frozen=True, slots=True)
class Own:
    """What is looked up in this table's journal."""

    first: str
    """The hash of its first row; empty: it has none, or is not there."""
    ours: Callable[[int], str]
    """The hash of a row, or nothing."""

    def bears_out(self, receipt: Receipt) -> bool:
        """Whether the journal has what a receipt proves."""
        return receipt.journal == self.first and self.ours(receipt.seq) == receipt.hash


@dataclass(frozen=True, slots=True)
class Held:
    """What stands in the file."""

    missing: tuple[Receipt, ...] = ()
    """Of each history the newest receipt that the journal did not bear out."""
    known: str = ""
    """The journal of which somebody said that its entries part from the server's, and that it is known; or nothing."""
    asides: tuple[str, ...] = ()
    """The files that were damaged and set aside of which somebody said that he knows."""


def hash_of(journal: Journal, seq: int) -> str:
    """The hash of an accepted row of a table's journal; nothing where it has none such.

    Raises:
        JournalUnavailable: It cannot be read.
    """
    if not 1 <= seq <= journal.state().accepted:
        return ""
    with closing(closable(journal.rows(seq - 1))) as rows:
        row = next(rows, None)
    return row.hash if row is not None and row.seq == seq else ""


def closable(rows: Iterator[Row]) -> Generator[Row]:
    """Rows that can be left off in the middle: what they are read from is let go of."""
    yield from rows


def of_rows(rows: Iterable[Row], receipts: Iterable[Receipt]) -> Own:
    """A journal that is read once, for the rows that receipts are about.

    Args:
        rows: All of it.
        receipts: Those that are to be held against it.
    """
    first, hashes = "", dict.fromkeys((one.seq for one in receipts), "")
    for row in rows:
        first = first or row.hash
        if row.seq in hashes:
            hashes[row.seq] = row.hash
    return Own(first, lambda seq: hashes.get(seq, ""))


def every(folder: Path) -> list[Receipt]:
    """Every receipt that is evidence for something, held or kept; what cannot be read is told by `faults`."""
    found: list[Receipt] = []
    with suppress(membership.JoinUnavailable):
        found += read(folder).missing
    with suppress(membership.JoinUnavailable):
        found += membership.receipts(folder)
    return found


def read(folder: Path) -> Held:
    """What is held.

    Raises:
        JoinUnavailable: It cannot be read.
    """
    plain = membership.read(folder, FILE)
    if plain is None:
        return Held()
    try:
        held: Held = codec.from_plain(Held, plain)
    except codec.CodecError as error:
        raise membership.JoinUnavailable(_("{path} is damaged ({error}).", path=folder / FILE, error=error)) from error
    return held


def find(receipts: Iterable[Receipt], own: Own) -> tuple[Receipt, ...]:
    """The receipts that the journal does not bear out, of each history the newest.

    Args:
        receipts: All that are known.
        own: The journal as it is now.
    """
    found: dict[tuple[str, str, str, int], Receipt] = {}
    for one in receipts:
        key = (one.server, one.device, one.journal, one.branch)
        if not own.bears_out(one) and (key not in found or found[key].seq < one.seq):
            found[key] = one
    return tuple(found.values())


def hold(folder: Path, found: tuple[Receipt, ...]) -> None:
    """Put evidence where no newer receipt takes its place; a damaged file is set aside.

    Raises:
        JoinUnavailable: It cannot be written.
    """
    before = _or_aside(read, folder, FILE) or Held()
    missing = found[:MOST]
    if before.missing == missing:
        return
    new = bool(set(missing) - set(before.missing))
    membership.write(folder, FILE, _text(replace(before, missing=missing, known="" if new else before.known)))


def accept(folder: Path, own: Own) -> bool:
    """Somebody says that he knows what is missing: it is told no more, and what the journal does not bear out is forgotten.

    Args:
        folder: The data folder.
        own: The journal as it is now.

    Returns:
        Whether there was something to be told.

    Raises:
        JoinUnavailable: It cannot be written; everything is told as before.
    """
    try:
        make_folder(folder)
        with kept.held(folder):
            receipts = _or_aside(membership.receipts, folder, membership.RECEIPTS) or []
            fitting = [one for one in receipts if own.bears_out(one)]
            before = _or_aside(read, folder, FILE) or Held()
            after = Held((), own.first, tuple(path.name for path in _asides(folder)))
            kept.write(folder / FILE, _text(after))
            if fitting != receipts:
                kept.write(folder / membership.RECEIPTS, membership.receipts_text(fitting))
    except OSError as error:
        if isinstance(error, membership.JoinUnavailable):
            raise
        raise membership.unavailable(folder / FILE, error) from error
    return bool(before.missing) or fitting != receipts or before.asides != after.asides


def told(missing: tuple[Receipt, ...], own: Own) -> str:
    """What is missing, in sentences; nothing where nothing is.

    Args:
        missing: As `find` gives it.
        own: The journal as it is now.
    """
    by_journal: dict[str, Receipt] = {}
    for one in missing:
        if one.journal not in by_journal or by_journal[one.journal].seq < one.seq:
            by_journal[one.journal] = one
    if not by_journal:
        return ""
    sentences = [_one(receipt, own) for receipt in list(by_journal.values())[:MOST_TOLD]]
    rest = len(by_journal) - MOST_TOLD
    if rest > 0:
        sentences.append(n_("So it is with {n} more journal.", "So it is with {n} more journals.", rest))
    sentences.append(_("Tell the organizer; when it is settled: kiosk journal verify --accept."))
    return " ".join(sentences)


def _one(receipt: Receipt, own: Own) -> str:
    n = receipt.seq
    if receipt.journal != own.first:
        return n_(
            "A journal with {n} entry that the server had confirmed is gone from this table.",
            "A journal with {n} entries that the server had confirmed is gone from this table.",
            n,
        )
    if own.ours(n):
        return _("This table's journal has other entries than the server had confirmed, up to row {n}.", n=n)
    return _("This table's journal lacks entries that the server had confirmed, up to row {n}.", n=n)


def faults(folder: Path) -> list[str]:
    """Sentences about kept files that are damaged, or were and have been set aside.

    Args:
        folder: The data folder.
    """
    checks: tuple[Callable[[Path], object], ...] = (membership.check_device, membership.receipts, read)
    found = [fault for fault in (_fault(check, folder) for check in checks) if fault]
    known = () if _fault(read, folder) else read(folder).asides
    found.extend(
        _(
            "What the server had confirmed was damaged and is set aside ({path}); whether entries are missing cannot be told. "
            "Tell the organizer; when it is settled: kiosk journal verify --accept.",
            path=path,
        )
        for path in _asides(folder)
        if path.name not in known
    )
    return found


def _asides(folder: Path) -> list[Path]:
    """The newest damaged file of each kind that was set aside."""
    return [path for name in (membership.RECEIPTS, FILE) if (path := kept.last_aside(folder / name)) is not None]


def _fault(check: Callable[[Path], object], folder: Path) -> str:
    try:
        check(folder)
    except membership.JoinUnavailable as error:
        return str(error)
    return ""


def _or_aside(reader: Callable[[Path], T], folder: Path, name: str) -> T | None:
    """What a kept file holds; one that is damaged is set aside, and holds nothing."""
    try:
        return reader(folder)
    except membership.JoinUnavailable:
        kept.set_aside(folder / name)
        return None


def _text(held: Held) -> str:
    return json.dumps(codec.to_plain(held), indent=1) + "\n"
