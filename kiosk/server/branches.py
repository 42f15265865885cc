"""Where a batch belongs in what the server has of a journal: pure decisions over heads and hashes, and the look-ups that they need.

A journal is known by its device and the hash of its first row. Usually it has one branch, 0. Where the device sends rows that part from
those (its disk was restored from an older image, somebody copied it), they become a branch of their own: it shares the rows below
`forked_at` with its parent and has its own from there. By the chain, two histories with the same hash at a row are the same up to there.

| the batch | is |
|---|---|
| goes on at a branch's head | appended |
| goes on at a row that a branch has, and all its rows that the branch has are the same | a repeat, or an overlap: the rest is appended |
| goes on at such a row, and parts further on | a fork: a new branch from the first row that differs |
| goes on beyond every head | a gap: `want` is the newest branch's head and one |
| goes on at a row whose hash no branch has | a fork further back: the server wants to see everything from the first row on |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.chain import START

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kiosk.ports import Row
    from kiosk.sync.wire import Batch


@dataclass(slots=True)
class Branch:
    """One history of a journal, as the transaction knows it."""

    id: int
    """The number of its row in `journal`."""
    device: str
    ident: str
    branch: int
    """0, or the number of the fork."""
    parent: int | None
    forked_at: int
    """The first row of its own."""
    head_seq: int
    head_hash: str
    opening_seq: int
    """The newest opening of a match in it; 0: none."""
    pending: int = 0
    """What the table said waits behind the last batch."""


@dataclass(frozen=True, slots=True)
class Append:
    """These rows go behind a branch's head; none: a repeat."""

    branch: Branch
    rows: Sequence[Row]
    upto: int
    """The batch's last row."""


@dataclass(frozen=True, slots=True)
class Fork:
    """These rows part from a branch."""

    parent: Branch
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Gap:
    """Nothing is stored; the server wants this row and those behind it."""

    want: int
    branch: Branch | None
    """Whose head the row follows; None: none, or it is not known whether the sender has it."""


Place = Append | Fork | Gap

Look = "Callable[[Branch, int], str]"
"""The hash of a row that a branch has, its own or its parent's."""


def place(batch: Batch, branches: Sequence[Branch], look: Callable[[Branch, int], str]) -> Place | None:
    """Where a batch belongs; None: it begins a journal that the server does not have.

    Args:
        batch: What was sent.
        branches: Those of its journal, in the order of their numbers.
        look: The hash of a row at or below a branch's head.
    """
    if not branches:
        return None if batch.after == 0 else Gap(1, None)
    for branch in branches:
        if (branch.head_seq, branch.head_hash) == (batch.after, batch.prev):
            return Append(branch, batch.rows, batch.after + len(batch.rows))
    common = [branch for branch in branches if batch.after <= branch.head_seq and _has(branch, batch, look)]
    if common:
        return _among(batch, common, look)
    newest = branches[-1]
    if all(batch.after > branch.head_seq for branch in branches):
        return Gap(newest.head_seq + 1, newest)
    return Gap(1, None)


def _has(branch: Branch, batch: Batch, look: Callable[[Branch, int], str]) -> bool:
    return batch.prev == START or look(branch, batch.after) == batch.prev


def _among(batch: Batch, common: Sequence[Branch], look: Callable[[Branch, int], str]) -> Place:
    """The branch that has most of the rows; where it has other ones behind them, these are a fork of it."""
    agreed = [(_agreed(batch, branch, look), branch) for branch in common]
    count, branch = max(agreed, key=lambda each: each[0])
    rest = batch.rows[count:]
    if not rest:
        return Append(branch, (), batch.after + count)
    if batch.after + count == branch.head_seq:
        return Append(branch, rest, rest[-1].seq)
    return Fork(branch, rest)


def _agreed(batch: Batch, branch: Branch, look: Callable[[Branch, int], str]) -> int:
    """How many of the batch's rows a branch has; by the chain, one that is the same means that all before it are."""
    low, high = 0, min(len(batch.rows), branch.head_seq - batch.after)
    while low < high:
        middle = (low + high + 1) // 2
        row = batch.rows[middle - 1]
        if look(branch, row.seq) == row.hash:
            low = middle
        else:
            high = middle - 1
    return low
