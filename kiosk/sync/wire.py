"""The wire: what a table and its tournament server say to each other, as JSON; its values stand in `kiosk.sync.messages`.

Both ends use this file.

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
from typing import Any, cast, get_args

from kiosk import codec
from kiosk.chain import START, digest_of
from kiosk.domain.errors import PeerError
from kiosk.ports import Row
from kiosk.sync.messages import (
    AssignMatch,
    Batch,
    DelayStart,
    EarlierRuling,
    EarlierRulings,
    EnrolAnswer,
    EnrolRequest,
    FetchRoster,
    Greeting,
    Hello,
    LiftPause,
    Moment,
    Order,
    OrderAnswer,
    PauseHall,
    Receipt,
    ReceiveSheet,
    RefereeComing,
    RenameTable,
    RuleAt,
    Running,
    ShowMessage,
    SyncAnswer,
    UnknownOrder,
    Verdict,
    VoidAt,
    What,
    WithdrawMatch,
)

__all__ = [
    "BARRED",
    "ENROL",
    "HELLO",
    "KEEPALIVE_S",
    "KINDS",
    "LARGEST",
    "LARGEST_MATCH",
    "LONGEST_ROW",
    "LONGEST_TEXT",
    "MOST_ANSWERS",
    "MOST_ROWS",
    "REPLACED",
    "REVOKED",
    "ROSTER",
    "RULINGS",
    "RUNNING",
    "SILENCE_S",
    "STREAM",
    "SYNC",
    "AssignMatch",
    "Batch",
    "DelayStart",
    "EarlierRuling",
    "EarlierRulings",
    "EnrolAnswer",
    "EnrolRequest",
    "FetchRoster",
    "Greeting",
    "Hello",
    "LiftPause",
    "Moment",
    "Order",
    "OrderAnswer",
    "PauseHall",
    "Receipt",
    "ReceiveSheet",
    "RefereeComing",
    "RenameTable",
    "RuleAt",
    "Running",
    "ShowMessage",
    "SyncAnswer",
    "UnknownOrder",
    "Verdict",
    "VoidAt",
    "What",
    "WithdrawMatch",
    "batch_from_json",
    "batch_to_json",
    "from_json",
    "line_from_json",
    "order_from_plain",
    "order_to_json",
    "rows_from_plain",
    "running_from_json",
    "running_to_json",
    "to_json",
]

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

KINDS: dict[str, type[Any]] = {codec.name_of(cast("Any", kind)): kind for kind in get_args(What)}
"""Orders by their names on the wire, e.g. `pause_hall`."""

_NAMES = {kind: name for name, kind in KINDS.items()}


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
