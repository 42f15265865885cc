"""What a table and its tournament server say to each other, as values; `kiosk.sync.wire` says when, and has them as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum

from kiosk.domain.officials import Role
from kiosk.domain.rulebook import Kind, Sanction
from kiosk.domain.types import Pair, Side
from kiosk.ports import Row


# ── Who is there ─────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Hello:
    """What a server says to anybody."""

    tableside: int
    """The protocol's version: 1."""
    server: str
    """Its id: 32 hex digits, made once."""
    name: str
    """The event, as the organizer calls it."""
    key: str
    """Its public Ed25519 key (64 hex digits), which signs receipts."""


@dataclass(frozen=True, slots=True)
class EnrolRequest:
    """A table proves that it knows the code, and that it saw the same certificate as the server has (see `kiosk.sync.proof`)."""

    device: str
    """Its id: 32 hex digits, made by the table."""
    table: str
    """What it is called there; empty: as the code says."""
    nonce: str
    """32 random hex digits."""
    proof: str
    """64 hex digits."""
    version: str
    """The program's version, to be shown."""
    replaces: bool
    """It wants to take the table's running match over at once. A code that replaces a device lets it do so later too."""


@dataclass(frozen=True, slots=True)
class EnrolAnswer:
    """The server proves the same, and gives the device its key."""

    proof: str
    """64 hex digits."""
    secret: str
    """The device's key: 64 hex digits. The server keeps its hash only."""
    table: str
    """What the table is called from now on."""
    server: str
    """The server's id."""
    name: str
    """The event."""
    key: str
    """The server's public key."""
    takes_over: str
    """The id of the match that waits to be taken over, or empty."""


# ── Up: facts and answers ────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Moment:
    """The sender's clocks when it sent this."""

    boot: str
    mono_ns: int
    wall_ns: int
    wall_trusted: bool


@dataclass(frozen=True, slots=True)
class OrderAnswer:
    """What became of an order at the table."""

    n: int
    """The order's number."""
    done: bool
    """False: the table refused it, and nothing has changed there."""
    code: str
    """Why it was refused, as in `Refusal`; empty if it was done."""
    sentence: str
    """The same for people, in English."""
    read: bool
    """A message was read by somebody at the table; false while it is only shown. True for all else that was done."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one journal behind one row, and answers."""

    journal: str
    """Which journal: the hash of its first row. Empty where there is no row yet."""
    after: int
    """The number of the row before the first one here; 0 at the start."""
    prev: str
    """That row's hash; 64 zeros at the start."""
    rows: tuple[Row, ...]
    """In order, without a gap."""
    answers: tuple[OrderAnswer, ...]
    now: Moment
    pending: int
    """How many accepted rows wait behind these."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The server has everything of a journal up to a row, and signs that."""

    server: str
    device: str
    journal: str
    branch: int
    """0, or the number of the fork that the rows belong to."""
    seq: int
    """The highest row up to which there is no gap."""
    hash: str
    """Its hash, and with it, by the chain, everything before."""
    at_ns: int
    """The server's date: nanoseconds since 1970. Right or not; nothing is decided by it."""
    signature: str
    """Ed25519 over `signed_text`, 128 hex digits."""

    def signed_text(self) -> bytes:
        """What the signature covers."""
        parts = (self.server, self.device, self.journal, self.branch, self.seq, self.hash, self.at_ns)
        return json.dumps(["tableside receipt", *parts], separators=(",", ":")).encode()


class Verdict(StrEnum):
    """What the server did with a batch."""

    STORED = "stored"
    """It has all of these rows, now or since before."""
    GAP = "gap"
    """It lacks rows before these; nothing was stored."""
    FORK = "fork"
    """These rows part from others of the same numbers; they are kept apart."""


@dataclass(frozen=True, slots=True)
class SyncAnswer:
    """The answer to a batch."""

    verdict: Verdict
    receipt: Receipt | None
    """None while the server has no row of this journal."""
    want: int
    """The number of the next row that it wants: the receipt's plus one."""
    answered: int
    """Up to this number, orders are answered; the table forgets its answers to them."""


# ── Down: orders ─────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class AssignMatch:
    """The table's next match, or a newer version of it: the table offers it, both players confirm."""

    match: str
    """The match's id: the table opens it under this one, so that it is never doubled."""
    version: int
    """Counts up with each change of the assignment."""
    players: Pair[tuple[str, ...]]
    """One name a side, or two for a pair."""
    rulebook: str
    """The rulebook's word; the table has it, or refuses the order."""
    length: int | None
    """None: a free session."""
    reserve_ms: Pair[int] | None
    delay_ms: int | None
    method: str | None
    provide: str | None
    event: str
    round: str
    starts_in_ms: int | None
    """The round's start from now on (negative: it lies behind), so that no date matters; None: not set."""
    practice: bool
    """It never reaches results, exports or counts."""


@dataclass(frozen=True, slots=True)
class WithdrawMatch:
    """The match is not offered any more; one that was opened goes on."""

    match: str


@dataclass(frozen=True, slots=True)
class PauseHall:
    """All clocks stop at once (fire alarm, power)."""

    by: str
    why: str


@dataclass(frozen=True, slots=True)
class LiftPause:
    """Clocks may run again, once somebody resumes them at the table."""

    by: str


@dataclass(frozen=True, slots=True)
class DelayStart:
    """The round begins later, or at last: from now on."""

    by: str
    match: str
    starts_in_ms: int | None


@dataclass(frozen=True, slots=True)
class ShowMessage:
    """A line from the desk, shown until somebody at the table says that it was read."""

    by: str
    text: str


@dataclass(frozen=True, slots=True)
class RefereeComing:
    """A referee saw the call and is on the way."""

    by: str


@dataclass(frozen=True, slots=True)
class RuleAt:
    """A referee's ruling from his phone: the table does it as if he had signed in there, or refuses it."""

    match: str
    by: str
    role: Role
    sides: tuple[Side, ...]
    infraction: str
    sanction: Sanction | None
    """None, where it is not as suggested: on record only."""
    suggested: bool
    """True: as the table suggests; `sanction` is not looked at."""
    kind: Kind | None
    note: str
    again: bool
    """It is meant, although the same was ruled within a minute."""
    panel: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VoidAt:
    """A referee takes a ruling back from his phone."""

    match: str
    by: str
    role: Role
    ruling: int
    reason: str


@dataclass(frozen=True, slots=True)
class ReceiveSheet:
    """The signed sheet was handed in at the desk."""

    match: str
    by: str
    role: Role


@dataclass(frozen=True, slots=True)
class FetchRoster:
    """The officials have changed."""

    version: str
    """The roster's digest."""


@dataclass(frozen=True, slots=True)
class RenameTable:
    """The table is called otherwise from now on."""

    table: str


What = (
    AssignMatch
    | WithdrawMatch
    | PauseHall
    | LiftPause
    | DelayStart
    | ShowMessage
    | RefereeComing
    | RuleAt
    | VoidAt
    | ReceiveSheet
    | FetchRoster
    | RenameTable
)
"""Everything that a server may order."""


@dataclass(frozen=True, slots=True)
class UnknownOrder:
    """An order of a newer server: it is answered as refused."""

    kind: str


@dataclass(frozen=True, slots=True)
class Order:
    """Something that the hall's desk, or a referee's phone, wants of a table."""

    n: int
    """1, 2, 3 … for this device; done in this order, each answered once."""
    what: What | UnknownOrder


@dataclass(frozen=True, slots=True)
class Greeting:
    """The first line of a stream."""

    server: str
    """The server's id; another one than at the enrolment is another server."""
    table: str
    """What the device is called."""
    roster: str
    """The digest of the officials' roster; empty: there is none."""
    name: str
    """The event."""
    board: str
    """Where people find the hall board, as in https://hall.example; empty: where the table reaches the server."""


@dataclass(frozen=True, slots=True)
class EarlierRuling:
    """A ruling of this event on a player, made at any table."""

    player: str
    table: str
    match: str
    at_ns: int
    """The table's date when it was made, right or not."""
    infraction: str
    sanction: Sanction | None
    by: str
    note: str


@dataclass(frozen=True, slots=True)
class EarlierRulings:
    """The answer to who was asked about: oldest first."""

    rulings: tuple[EarlierRuling, ...]


@dataclass(frozen=True, slots=True)
class Running:
    """A match that is to be taken over: its rows from the opening on, as they stand in the journal in which they were written."""

    table: str
    """Whose journal."""
    match: str
    rows: tuple[Row, ...]
