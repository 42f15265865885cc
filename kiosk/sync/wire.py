"""The wire: what a table and its tournament server say to each other, as values and as JSON. Both ends use this file.

    table                                                            server
      │  GET  /api/v1/hello                                             │   who is there (nothing is trusted yet)
      │  POST /api/v1/enrol     a code proves each to the other         │   → the device's own key
      │                                                                 │
      │  GET  /api/v1/stream    one JSON object a line, for ever        │   Greeting, then every Order that waits or comes,
      │       ?after=N          N: the last order it has answered       │   an empty object every KEEPALIVE_S
      │  POST /api/v1/sync      Batch: rows behind the last receipt,    │   SyncAnswer: a Receipt for the highest contiguous
      │                         and answers to orders                   │   row, or from where it wants the rows
      │  GET  /api/v1/roster    the officials, hashes only              │   the text of officials.json; its SHA-256 is its version
      │  GET  /api/v1/rulings   earlier rulings on players              │   EarlierRulings
      │       ?player=A&player=B                                        │
      │  GET  /api/v1/running   the match that a spare device takes     │   rows with their chain
      │                         over                                    │

After the enrolment every request carries `Authorization: Bearer DEVICE.SECRET`, over TLS whose certificate has the fingerprint that was
proved at the enrolment. A JSON object with a field that is not expected, or without one, is refused: a peer that wants to say more says
it under another path. Rows are the journal's own, with their hashes; both ends work each hash out for themselves.

What is refused is answered with 4xx and `{"error": "a sentence"}`: 401 is said to a device that is unknown or was revoked, with
`BARRED` where it shows a key that was good, 403 where a
proof does not fit or a table is taken, 404 where nothing waits to be taken over, 429 with `Retry-After` to whoever asks too often. 503 is
a server that cannot do it now.

A batch says behind which row it goes on (`after`, `prev`). The server's cases:

- it continues a history that the server has: what is new is stored, what it has already must be the same; a repeat gets the same receipt;
- it starts beyond the end (a gap): nothing is stored, `want` says from where;
- it parts from what the server has (a fork: same number, other hash): the rows are kept apart as a branch of their own, which is flagged
  and shown to the organizer, and gets its own receipts.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast, get_args

from kiosk import codec
from kiosk.chain import START, digest_of
from kiosk.domain.errors import PeerError
from kiosk.domain.officials import Role
from kiosk.domain.rulebook import Kind, Sanction
from kiosk.domain.types import Pair, Side
from kiosk.ports import Row

HELLO = "/api/v1/hello"
ENROL = "/api/v1/enrol"
STREAM = "/api/v1/stream"
SYNC = "/api/v1/sync"
ROSTER = "/api/v1/roster"
RULINGS = "/api/v1/rulings"
RUNNING = "/api/v1/running"

BARRED = "Tableside-Barred"
"""A header beside 401, for a device whose key was good: why it is no more."""
REPLACED, REVOKED = "replaced", "revoked"
"""Another device has its place; the organizer has taken it out."""

MOST_ROWS = 500
"""A batch has no more rows."""
MOST_ANSWERS = 100
"""A batch has no more answers to orders."""
LARGEST = 1_000_000
"""No body and no line of a stream has more bytes, but the roster's and the running match's."""
LARGEST_MATCH = 32_000_000
"""No running match, and no roster, has more bytes."""
LONGEST_ROW = 200_000
"""No row has more characters: a drawn signature has some 20,000."""
KEEPALIVE_S = 1.5
"""How often the server says something on a stream that is otherwise silent."""
SILENCE_S = 4.0
"""A stream that was silent for longer is dead: the table is offline."""
LONGEST_TEXT = 500
"""A text from a person (message, reason, note) has no more characters."""


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

KINDS: dict[str, type[Any]] = {codec.name_of(cast("Any", kind)): kind for kind in get_args(What)}
"""Orders by their names on the wire, e.g. `pause_hall`."""

_NAMES = {kind: name for name, kind in KINDS.items()}


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


# ── As JSON ──────────────────────────────────────────────────────────────────
def to_json(value: object) -> bytes:
    """A message as the body of a request or an answer.

    Args:
        value: Any message but a batch or an order, which have a form of their own.
    """
    return _text(codec.to_plain(value))


def from_json(kind: type[Any], data: bytes) -> Any:
    """The message that a body holds.

    Args:
        kind: Its class.
        data: The body.

    Raises:
        PeerError: It holds none.
    """
    try:
        return codec.from_plain(kind, _load(data))
    except codec.CodecError as error:
        raise PeerError(str(error)) from error


def order_to_json(order: Order) -> bytes:
    """An order as one line of a stream, without the end of line.

    Raises:
        KeyError: An unknown order cannot be sent.
    """
    return _text({"n": order.n, "kind": _NAMES[cast("Any", type(order.what))], "data": codec.to_plain(order.what)})


def order_from_plain(plain: object) -> Order:
    """The order that a line holds.

    Raises:
        PeerError: It holds none.
    """
    if not isinstance(plain, dict) or set(plain) != {"n", "kind", "data"}:
        raise PeerError("A line of the stream is no order.")
    number, name = plain["n"], plain["kind"]
    if type(number) is not int or not 0 < number < 2**63 or not isinstance(name, str):
        raise PeerError("An order has no number or no kind.")
    kind = KINDS.get(name)
    if kind is None:
        return Order(number, UnknownOrder(name[:40]))
    try:
        return Order(number, codec.from_plain(kind, plain["data"]))
    except codec.CodecError as error:
        raise PeerError(str(error)) from error


def batch_to_json(batch: Batch) -> bytes:
    """A batch as a body.

    Each row stands there as `[boot, mono_ns, wall_ns, wall_trusted, type, data, hash]`; number and predecessor are told by its place.
    """
    return _text(
        {
            "journal": batch.journal,
            "after": batch.after,
            "prev": batch.prev,
            "rows": [[r.boot, r.mono_ns, r.wall_ns, r.wall_trusted, r.type, r.data, r.hash] for r in batch.rows],
            "answers": [codec.to_plain(answer) for answer in batch.answers],
            "now": codec.to_plain(batch.now),
            "pending": batch.pending,
        }
    )


_FIELDS = {"journal", "after", "prev", "rows", "answers", "now", "pending"}
_HASH = set("0123456789abcdef")


def batch_from_json(data: bytes) -> Batch:
    """The batch that a body holds, every hash of it worked out anew.

    Raises:
        PeerError: It holds none, or a row's hash does not fit the row.
    """
    plain = _load(data)
    if not isinstance(plain, dict) or set(plain) != _FIELDS:
        raise PeerError(f"A batch has the fields {', '.join(sorted(_FIELDS))}.")
    journal, after, prev, rows, answers = (plain[name] for name in ("journal", "after", "prev", "rows", "answers"))
    if not _number(after) or not _number(plain["pending"]) or not _hash(prev) or not (journal == "" or _hash(journal)):
        raise PeerError("A batch's journal, number or hash is none.")
    if (after == 0) != (prev == START):
        raise PeerError("Only the first row follows nothing.")
    if not isinstance(rows, list) or len(rows) > MOST_ROWS or not isinstance(answers, list) or len(answers) > MOST_ANSWERS:
        raise PeerError(f"A batch has at most {MOST_ROWS} rows and {MOST_ANSWERS} answers.")
    made = rows_from_plain(rows, after, prev)
    if (made or after) and (journal == "" or (after == 0 and made[0].hash != journal)):
        raise PeerError("The batch belongs to another journal than it says.")
    try:
        told = tuple(codec.from_plain(OrderAnswer, answer) for answer in answers)
        now = codec.from_plain(Moment, plain["now"])
    except codec.CodecError as error:
        raise PeerError(str(error)) from error
    if not _fits(now.mono_ns) or not _fits(now.wall_ns) or not all(_number(answer.n) for answer in told):
        raise PeerError("A number of the batch is beyond 64 bits.")
    return Batch(journal, after, prev, made, told, now, plain["pending"])


def rows_from_plain(plain: list[Any], after: int, prev: str) -> tuple[Row, ...]:
    """Rows behind a row, every hash worked out anew.

    Args:
        plain: Each as `batch_to_json` writes it.
        after: The number of the row before.
        prev: Its hash.

    Raises:
        PeerError: One of them is none, or its hash does not fit it.
    """
    rows = []
    for item in plain:
        if not isinstance(item, list) or list(map(type, item)) != _ROW:
            raise PeerError(f"Row {after + 1} of the batch is none.")
        boot, mono, wall, trusted, kind, data, told = item
        if not (_fits(mono) and _fits(wall) and len(boot) <= 100 and len(kind) <= 100 and len(data) <= LONGEST_ROW):
            raise PeerError(f"Row {after + 1} of the batch is larger than any table writes it.")
        after += 1
        if told != digest_of(after, boot, mono, (wall, trusted), kind, data, prev):
            raise PeerError(f"Row {after} of the batch was altered on the way: its hash does not fit it.")
        rows.append(Row(after, boot, mono, wall, trusted, kind, data, prev, told))
        prev = told
    return tuple(rows)


_ROW = [str, int, int, bool, str, str, str]


@dataclass(frozen=True, slots=True)
class Running:
    """A match that is to be taken over: its rows from the opening on, as they stand in the journal in which they were written."""

    table: str
    """Whose journal."""
    match: str
    rows: tuple[Row, ...]


def running_to_json(running: Running) -> bytes:
    """A running match as a body."""
    first = running.rows[0]
    rows = [[r.boot, r.mono_ns, r.wall_ns, r.wall_trusted, r.type, r.data, r.hash] for r in running.rows]
    return _text({"table": running.table, "match": running.match, "after": first.seq - 1, "prev": first.prev, "rows": rows})


def running_from_json(data: bytes) -> Running:
    """The running match that a body holds, every hash of it worked out anew.

    Raises:
        PeerError: It holds none.
    """
    plain = _load(data, LARGEST_MATCH)
    if not isinstance(plain, dict) or set(plain) != {"table", "match", "after", "prev", "rows"}:
        raise PeerError("The answer is no running match.")
    if not _number(plain["after"]) or not _hash(plain["prev"]) or not isinstance(plain["rows"], list) or not plain["rows"]:
        raise PeerError("The running match has no rows.")
    if not isinstance(plain["table"], str) or not isinstance(plain["match"], str):
        raise PeerError("The running match has no table or no id.")
    return Running(plain["table"], plain["match"], rows_from_plain(plain["rows"], plain["after"], plain["prev"]))


def line_from_json(data: bytes) -> Greeting | Order | None:
    """What a line of a stream says: the greeting, an order, or None where it only says that the server is there.

    Raises:
        PeerError: It says nothing that is known.
    """
    plain = _load(data)
    if plain == {}:
        return None
    if isinstance(plain, dict) and "server" in plain:
        try:
            return codec.from_plain(Greeting, plain)
        except codec.CodecError as error:
            raise PeerError(str(error)) from error
    return order_from_plain(plain)


def _text(plain: object) -> bytes:
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode()


def _load(data: bytes, largest: int = LARGEST) -> object:
    if len(data) > largest:
        raise PeerError(f"A message has at most {largest} bytes.")
    try:
        return _JSON.decode(data.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise PeerError("What came is not JSON.") from error


def _refuse(constant: str) -> object:
    raise ValueError(constant)


_JSON = json.JSONDecoder(parse_constant=_refuse)


def _number(value: object) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _fits(value: int) -> bool:
    return -(2**63) <= value < 2**63


def _hash(value: object) -> bool:
    return isinstance(value, str) and len(value) == 64 and set(value) <= _HASH
