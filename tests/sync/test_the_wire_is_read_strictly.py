"""Messages as JSON: what is written is read again, and whatever else comes is refused with a sentence."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from kiosk.chain import START
from kiosk.domain.errors import PeerError
from kiosk.domain.officials import Role
from kiosk.domain.rulebook import Kind, Sanction
from kiosk.domain.types import Pair, Side
from kiosk.sync import wire
from tests.sync.model import NOW, journal_of, receipt

H = "a" * 64
ORDERS = [
    wire.AssignMatch(
        "m1",
        2,
        Pair(("Ana",), ("Boris", "Vesna")),
        "ibgf",
        7,
        Pair(1, 2),
        12_000,
        "simple_delay",
        "breaks",
        "Open",
        "3",
        -5,
        practice=False,
    ),
    wire.AssignMatch("m2", 1, Pair(("Ana",), ("Boris",)), "ibgf", None, None, None, None, None, "", "", None, practice=True),
    wire.WithdrawMatch("m1"),
    wire.PauseHall("Eva", "fire alarm"),
    wire.LiftPause("Eva"),
    wire.DelayStart("Eva", "m1", None),
    wire.DelayStart("Eva", "m1", 600_000),
    wire.ShowMessage("Eva", "Кава"),
    wire.RefereeComing("Eva"),
    wire.RuleAt("m1", "Eva", Role.CHIEF, (Side.LEFT, Side.RIGHT), "x", Sanction.WARNING, False, Kind.GAMMON, "n", True, ("A", "B")),
    wire.RuleAt("m1", "Eva", Role.REFEREE, (Side.LEFT,), "x", None, True, None, "", False, ()),
    wire.VoidAt("m1", "Eva", Role.CHIEF, 3, "wrong"),
    wire.ReceiveSheet("m1", "Eva", Role.REFEREE),
    wire.FetchRoster("v"),
    wire.RenameTable("13"),
]
MESSAGES = [
    wire.Hello(1, "5" * 32, "Open", H),
    wire.EnrolRequest("d" * 32, "12", "n" * 32, H, "1.0", replaces=True),
    wire.EnrolAnswer(H, H, "12", "5" * 32, "Open", H, ""),
    wire.SyncAnswer(wire.Verdict.FORK, receipt(H, 3, H, 1), 4, 7),
    wire.SyncAnswer(wire.Verdict.GAP, None, 1, 0),
    wire.Greeting("5" * 32, "12", "", "Open", "https://hall.example"),
    wire.EarlierRulings((wire.EarlierRuling("Ana", "3", "m", 5, "x", Sanction.WARNING, "Eva", ""),)),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_a_message_is_read_as_it_was_written(message: Any) -> None:
    assert wire.from_json(type(message), wire.to_json(message)) == message


@pytest.mark.parametrize("what", ORDERS, ids=lambda what: type(what).__name__)
def test_an_order_is_read_as_it_was_written(what: wire.What) -> None:
    assert wire.line_from_json(wire.order_to_json(wire.Order(3, what))) == wire.Order(3, what)


def test_every_kind_of_order_is_among_them() -> None:
    assert {type(what) for what in ORDERS} == set(wire.KINDS.values())


def test_an_order_of_a_newer_server_is_unknown_not_an_error() -> None:
    line = b'{"n":4,"kind":"' + b"k" * 50 + b'","data":{"any":1}}'
    assert wire.line_from_json(line) == wire.Order(4, wire.UnknownOrder("k" * 40))
    with pytest.raises(KeyError):
        wire.order_to_json(wire.Order(4, wire.UnknownOrder("k")))


def test_a_line_of_a_stream_is_a_greeting_an_order_or_a_sign_of_life() -> None:
    greeting = wire.Greeting("5" * 32, "12", "v", "Open", "")
    assert wire.line_from_json(wire.to_json(greeting)) == greeting
    assert wire.line_from_json(b"{}") is None


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b"null",
        b"5",
        b"{",
        b'{"n":1}',
        b'{"n":0,"kind":"lift_pause","data":{"by":"E"}}',
        b'{"n":true,"kind":"lift_pause","data":{"by":"E"}}',
        b'{"n":9223372036854775808,"kind":"lift_pause","data":{"by":"E"}}',
        b'{"n":1,"kind":5,"data":{}}',
        b'{"n":1,"kind":"lift_pause","data":{}}',
        b'{"n":1,"kind":"lift_pause","data":{"by":"E","more":1}}',
        b'{"server":"x"}',
        b'{"n":NaN,"kind":"lift_pause","data":{}}',
        b"\xff",
        b"[" * 100_000,
    ],
)
def test_any_other_line_is_refused(line: bytes) -> None:
    with pytest.raises(PeerError):
        wire.line_from_json(line)


def test_a_message_is_not_larger_than_it_may_be() -> None:
    with pytest.raises(PeerError, match="at most"):
        wire.from_json(wire.Hello, b" " * (wire.LARGEST + 1))


@pytest.mark.parametrize("body", [b"{}", b"[]", b'{"tableside":"1","server":"","name":"","key":""}'])
def test_a_body_that_is_no_such_message_is_refused(body: bytes) -> None:
    with pytest.raises(PeerError):
        wire.from_json(wire.Hello, body)


# ── Batches ──────────────────────────────────────────────────────────────────
ROWS = tuple(journal_of(4).rows())
BATCH = wire.Batch(ROWS[0].hash, 0, START, ROWS, (wire.OrderAnswer(1, done=False, code="c", sentence="s", read=False),), NOW, 9)


@pytest.mark.parametrize(
    "batch",
    [
        BATCH,
        wire.Batch("", 0, START, (), (), NOW, 0),
        wire.Batch(ROWS[0].hash, 0, START, (), (), NOW, 0),
        wire.Batch(ROWS[0].hash, 2, ROWS[1].hash, ROWS[2:], (), NOW, 0),
        wire.Batch(ROWS[0].hash, 4, ROWS[3].hash, (), (), NOW, 0),
    ],
)
def test_a_batch_is_read_as_it_was_written(batch: wire.Batch) -> None:
    assert wire.batch_from_json(wire.batch_to_json(batch)) == batch


def altered(**fields: Any) -> bytes:
    return json.dumps({**json.loads(wire.batch_to_json(BATCH)), **fields}).encode()


def row(**fields: Any) -> list[list[Any]]:
    names = ["boot", "mono_ns", "wall_ns", "wall_trusted", "type", "data", "hash"]
    rows: list[list[Any]] = json.loads(wire.batch_to_json(BATCH))["rows"]
    for name, value in fields.items():
        rows[2][names.index(name)] = value
    return rows


ANSWER = {"n": 1, "done": True, "code": "", "sentence": "", "read": True}
MOMENT = {"boot": "b", "mono_ns": 0, "wall_ns": 0, "wall_trusted": False}


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"[]", "has the fields"),
        (altered(more=1), "has the fields"),
        (altered(after="0"), "number or hash"),
        (altered(after=-1), "number or hash"),
        (altered(pending=True), "number or hash"),
        (altered(prev="x" * 64), "number or hash"),
        (altered(prev="A" * 64), "number or hash"),
        (altered(prev=5), "number or hash"),
        (altered(prev="a" * 63), "number or hash"),
        (altered(journal="short"), "number or hash"),
        (altered(prev=H), "follows nothing"),
        (altered(after=3), "follows nothing"),
        (altered(rows={}), "at most"),
        (altered(rows=[0] * (wire.MOST_ROWS + 1)), "at most"),
        (altered(answers={}), "at most"),
        (altered(answers=[ANSWER] * (wire.MOST_ANSWERS + 1)), "at most"),
        (altered(journal=""), "another journal"),
        (altered(journal=H), "another journal"),
        (altered(after=3, prev=H, rows=[], journal=""), "another journal"),
        (altered(answers=[5]), None),
        (altered(answers=[{**ANSWER, "n": -1}]), "beyond 64 bits"),
        (altered(answers=[{**ANSWER, "n": 2**63}]), "beyond 64 bits"),
        (altered(now=5), None),
        (altered(now={**MOMENT, "mono_ns": 2**63}), "beyond 64 bits"),
        (altered(now={**MOMENT, "wall_ns": -(2**63) - 1}), "beyond 64 bits"),
        (altered(rows=[5]), "Row 1 of the batch is none"),
        (altered(rows=[[1, 2]]), "Row 1 of the batch is none"),
        (altered(rows=row(mono_ns=1.5)), "Row 3 of the batch is none"),
        (altered(rows=row(wall_trusted=1)), "Row 3 of the batch is none"),
        (altered(rows=row(mono_ns=2**63)), "larger than any table"),
        (altered(rows=row(wall_ns=-(2**63) - 1)), "larger than any table"),
        (altered(rows=row(boot="b" * 101)), "larger than any table"),
        (altered(rows=row(type="t" * 101)), "larger than any table"),
        (altered(rows=row(data="d" * (wire.LONGEST_ROW + 1))), "larger than any table"),
        (altered(rows=row(data='{"n":2}')), "Row 3 of the batch was altered"),
        (altered(rows=row(hash=H)), "Row 3 of the batch was altered"),
    ],
)
def test_any_other_batch_is_refused_with_a_sentence(body: bytes, says: str | None) -> None:
    with pytest.raises(PeerError, match=says):
        wire.batch_from_json(body)


def test_a_receipt_signs_everything_in_it() -> None:
    one = receipt(H, 3, H)
    others = [
        replace(one, server="6" * 32),
        replace(one, device="e" * 32),
        replace(one, journal="b" * 64),
        replace(one, branch=1),
        replace(one, seq=4),
        replace(one, hash="c" * 64),
        replace(one, at_ns=1),
    ]
    assert len({each.signed_text() for each in [one, *others]}) == 8
    assert replace(one, signature="").signed_text() == one.signed_text()


# ── The match that is taken over ─────────────────────────────────────────────
RUNNING = wire.Running("12", "m1", ROWS[1:])


def test_a_running_match_is_read_as_it_was_written() -> None:
    assert wire.running_from_json(wire.running_to_json(RUNNING)) == RUNNING


@pytest.mark.parametrize(
    "change",
    [{"more": 1}, {"after": -1}, {"prev": "x"}, {"rows": []}, {"rows": 5}, {"table": 5}, {"match": None}, {"after": 7}],
)
def test_any_other_running_match_is_refused(change: dict[str, Any]) -> None:
    plain = {**json.loads(wire.running_to_json(RUNNING)), **change}
    with pytest.raises(PeerError):
        wire.running_from_json(json.dumps(plain).encode())
    with pytest.raises(PeerError):
        wire.running_from_json(b"[]")
