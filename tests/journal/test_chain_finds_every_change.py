"""Any single change of any row is found: a changed field, a dropped, exchanged or inserted row. And the wall clock has no say."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.chain import START, digest_of, link
from kiosk.journal import MemoryJournal, open_journal, verify
from kiosk.ports import Record, Row

if TYPE_CHECKING:
    from pathlib import Path

HOUR = 3_600_000_000_000
NUMBERS = st.integers(-(2**63), 2**63 - 1)
TEXTS = st.text(max_size=20)
ENTRIES = st.tuples(st.builds(Record, type=TEXTS, data=TEXTS, mono_ns=NUMBERS), st.tuples(NUMBERS, st.booleans()), TEXTS)


def chained(entries: list[tuple[Record, tuple[int, bool], str]]) -> list[Row]:
    rows: list[Row] = []
    prev = START
    for seq, (record, wall, boot) in enumerate(entries, 1):
        rows.append(link(record, seq, prev, boot, wall))
        prev = rows[-1].hash
    return rows


CHAINS = st.lists(ENTRIES, min_size=1, max_size=8).map(chained)


def other(value: Any) -> st.SearchStrategy[Any]:
    if isinstance(value, bool):
        return st.just(not value)
    kind = NUMBERS if isinstance(value, int) else st.one_of(TEXTS, st.just(START))
    return kind.filter(lambda new: new != value)


@given(CHAINS)
def test_a_chain_holds_from_its_first_row_to_its_last(rows: list[Row]) -> None:
    report = verify(rows)
    assert (report.rows, report.head, report.fault) == (len(rows), rows[-1].hash, None)


@pytest.mark.parametrize(
    "row",
    [
        (1, "boot", 2, 3, True, "press", '{"by":"left"}', START),
        (2**63 - 1, "", -(2**63), 0, False, "", "", ""),
        (1, 'quote " \\ slash / \x00\x1f\x7f', 0, 0, True, "\u2028\u2029\ufeff", "Ж\n\r\t\b\f🎲", "\ud800"),
        (1, "boot", 2, 3, 1, "press", "{}", START),
        (1, "boot", 2, 3, None, "press", "{}", START),
        (1, None, 2, 3, True, "press", "{}", START),
        ("1", "boot", 2.5, 3, True, "press", b"{}".decode(), START),
    ],
)
def test_a_hash_is_that_of_the_rows_json_text_whatever_the_row_holds(row: tuple[Any, ...]) -> None:
    seq, boot, mono_ns, date, trusted, kind, data, prev = row
    text = json.dumps(list(row), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    assert digest_of(seq, boot, mono_ns, (date, trusted), kind, data, prev) == hashlib.sha256(text).hexdigest()


def test_an_empty_chain_holds() -> None:
    report = verify([])
    assert (report.rows, report.head, report.fault) == (0, START, None)


@given(CHAINS, st.data())
def test_a_changed_field_of_any_row_is_found_at_that_row(rows: list[Row], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(rows) - 1))
    name = data.draw(st.sampled_from([field.name for field in dataclasses.fields(Row)]))
    rows[at] = dataclasses.replace(rows[at], **{name: data.draw(other(getattr(rows[at], name)))})
    report = verify(rows)
    assert report.fault is not None
    assert report.rows == at
    assert f"ow {at + 1} " in report.fault


@given(CHAINS, st.data())
def test_a_number_in_place_of_the_trust_in_the_date_is_found(rows: list[Row], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(rows) - 1))
    number: Any = data.draw(st.integers(0, 3))
    rows[at] = dataclasses.replace(rows[at], wall_trusted=number)
    assert verify(rows).fault is not None


@given(CHAINS, st.data())
def test_a_dropped_row_is_found_unless_it_was_the_last(rows: list[Row], data: st.DataObject) -> None:
    head = verify(rows).head
    at = data.draw(st.integers(0, len(rows) - 1))
    del rows[at]
    report = verify(rows)
    assert (report.fault is None) == (at == len(rows))
    assert report.head != head  # a chain cut short is told by comparing heads


@given(CHAINS.filter(lambda rows: len(rows) > 1), st.data())
def test_exchanged_rows_are_found_renumbered_or_not(rows: list[Row], data: st.DataObject) -> None:
    one, two = data.draw(st.lists(st.integers(0, len(rows) - 1), min_size=2, max_size=2, unique=True))
    rows[one], rows[two] = rows[two], rows[one]
    assert verify(rows).rows == min(one, two)
    rows = [dataclasses.replace(row, seq=seq) for seq, row in enumerate(rows, 1)]
    assert verify(rows).rows == min(one, two)


@given(CHAINS, ENTRIES, st.data())
def test_an_inserted_row_is_found_even_when_it_links_itself_well(rows: list[Row], entry: Any, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(rows) - 1))
    record, wall, boot = entry
    new = link(record, at + 1, rows[at].prev, boot, wall)
    rows.insert(at, new)
    rows = [dataclasses.replace(row, seq=seq) for seq, row in enumerate(rows, 1)]
    assert verify(rows).fault is not None
    assert verify(rows).rows <= at + 1


@given(CHAINS, st.data())
def test_a_repeated_row_is_found(rows: list[Row], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(rows) - 1))
    rows.insert(at, rows[at])
    assert verify(rows).rows == at + 1


def test_jumps_of_the_wall_clock_change_neither_order_nor_chain(tmp_path: Path) -> None:
    now = 1_790_000_000 * 10**9
    walls = [(now, True), (now + 6 * HOUR, True), (now - 6 * HOUR, False), (0, False), (-1, False), (now, True)]
    coming = iter(walls * 2)

    def wall() -> tuple[int, bool]:
        return next(coming)

    stored, _ = open_journal(tmp_path / "journal.db", boot="b", wall=wall)
    for journal in (MemoryJournal(boot="b", wall=wall), stored):
        for number in range(len(walls)):
            journal.append([Record("t", str(number), number)])
        assert journal.flush(10)
        rows = list(journal.rows())
        assert [row.data for row in rows] == [str(number) for number in range(len(walls))]
        assert [(row.wall_ns, row.wall_trusted) for row in rows] == walls
        assert verify(rows).fault is None
    stored.close()
