"""Both journals keep the port's word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from journal_parts import WALL, MemoryDesk, SqliteDesk, record, until

from kiosk.domain.types import Instant
from kiosk.journal import verify
from kiosk.ports import Beat, JournalState, Origin, Record

if TYPE_CHECKING:
    from pathlib import Path

    from kiosk.ports import Journal

Desk = MemoryDesk | SqliteDesk


def numbers(journal: Journal) -> list[int]:
    return [row.seq for row in journal.rows()]


def test_a_new_journal_is_empty(desk: Desk) -> None:
    assert desk.journal.state() == JournalState(0, 0, None)
    assert list(desk.journal.rows()) == []
    assert desk.journal.last_beat() is None
    assert desk.journal.flush(0)


def test_sequences_run_from_one_without_a_gap(desk: Desk) -> None:
    assert desk.journal.append([record(1), record(2)]) == 2
    assert desk.journal.append([record(3)]) == 3
    assert desk.journal.flush(10)
    assert numbers(desk.journal) == [1, 2, 3]
    assert desk.journal.state() == JournalState(3, 0, None)


def test_appending_nothing_tells_the_last_sequence(desk: Desk) -> None:
    desk.journal.append([record(1)])
    assert desk.journal.append([]) == 1


def test_a_row_holds_what_was_handed_over(desk: Desk) -> None:
    desk.journal.append([record(1)])
    assert desk.journal.flush(10)
    (row,) = desk.journal.rows()
    assert (row.type, row.data, row.mono_ns) == (record(1).type, record(1).data, record(1).mono_ns)
    assert (row.boot, row.wall_ns, row.wall_trusted, row.prev) == ("boot-1", *WALL, "0" * 64)


def test_rows_after_a_sequence(desk: Desk) -> None:
    desk.journal.append([record(number) for number in range(1, 6)])
    assert desk.journal.flush(10)
    assert [row.seq for row in desk.journal.rows(3)] == [4, 5]
    assert list(desk.journal.rows(5)) == []


def test_the_chain_holds_over_appends(desk: Desk) -> None:
    for number in range(1, 20):
        desk.journal.append([record(number), record(number)])
    assert desk.journal.flush(10)
    report = verify(desk.journal.rows())
    assert (report.rows, report.fault) == (38, None)


def test_while_the_disk_fails_rows_wait_and_it_is_said(desk: Desk) -> None:
    desk.journal.append([record(1)])
    assert desk.journal.flush(10)
    desk.break_disk()
    assert desk.journal.append([record(2), record(3)]) == 3
    assert until(lambda: desk.journal.state().fault is not None, 2)
    assert desk.journal.state().accepted == 1
    assert desk.journal.state().pending == 2
    assert not desk.journal.flush(0)
    desk.mend_disk()


def test_what_waited_goes_in_once_and_in_order(desk: Desk) -> None:
    desk.journal.append([record(1)])
    assert desk.journal.flush(10)
    desk.break_disk()
    for number in range(2, 30):
        desk.journal.append([record(number)])
    assert until(lambda: desk.journal.state().fault is not None, 2)
    desk.journal.append([record(30)])
    desk.mend_disk()
    assert desk.journal.flush(10)
    assert desk.journal.state() == JournalState(30, 0, None)
    assert [row.data for row in desk.journal.rows()] == [record(number).data for number in range(1, 31)]
    assert verify(desk.journal.rows()).fault is None


def test_a_power_cut_keeps_what_was_accepted(desk: Desk) -> None:
    desk.journal.append([record(1)])
    desk.journal.beat(Instant(7_000))
    assert desk.journal.flush(10)
    desk.power_cut()
    assert numbers(desk.journal) == [1]
    assert desk.journal.append([record(2)]) == 2
    assert desk.journal.flush(10)
    assert [row.boot for row in desk.journal.rows()] == ["boot-1", "boot-2"]
    assert verify(desk.journal.rows()).fault is None


def test_the_last_beat_is_the_one_from_before(desk: Desk) -> None:
    desk.journal.append([record(1)])
    desk.journal.beat(Instant(5_000))
    desk.journal.beat(Instant(6_000))
    assert desk.journal.flush(10)
    assert desk.journal.last_beat() is None
    desk.power_cut()
    assert desk.journal.last_beat() == Beat("boot-1", 6_000, *WALL, 1)
    desk.journal.beat(Instant(1))
    assert desk.journal.flush(10)
    assert desk.journal.last_beat() == Beat("boot-1", 6_000, *WALL, 1)


def test_a_beat_waits_while_the_disk_fails(desk: Desk) -> None:
    desk.journal.append([record(1)])
    assert desk.journal.flush(10)
    desk.break_disk()
    desk.journal.beat(Instant(5_000))
    assert until(lambda: desk.journal.state().fault is not None, 2)
    assert not desk.journal.flush(0)
    desk.mend_disk()
    assert desk.journal.flush(10)
    desk.power_cut()
    beat = desk.journal.last_beat()
    assert beat is not None
    assert beat.mono_ns == 5_000


def test_a_group_is_there_as_a_whole_or_not_at_all(desk: Desk) -> None:
    group = [record(number) for number in range(8)]
    seen = set()
    for _ in range(20):
        desk.journal.append(group)
        seen.add(len(numbers(desk.journal)) % len(group))
    assert desk.journal.flush(10)
    assert seen == {0}
    assert numbers(desk.journal) == list(range(1, 161))


def test_what_was_handed_over_before_the_closing_is_there_after_it(desk: Desk) -> None:
    desk.journal.append([record(1), record(2)])
    desk.restart()
    assert desk.journal.state() == JournalState(2, 0, None)
    assert desk.journal.append([record(3)]) == 3
    assert desk.journal.flush(10)
    assert [(row.boot, row.data) for row in desk.journal.rows()] == [
        ("boot-1", record(1).data),
        ("boot-1", record(2).data),
        ("boot-2", record(3).data),
    ]
    assert verify(desk.journal.rows()).fault is None


def test_closing_twice_is_closing(desk: Desk) -> None:
    desk.journal.append([record(1)])
    desk.journal.close()
    desk.restart()
    assert numbers(desk.journal) == [1]


def test_both_journals_make_the_same_rows(tmp_path: Path) -> None:
    desks: list[Desk] = [MemoryDesk(), SqliteDesk(tmp_path)]
    for desk in desks:
        desk.journal.append([record(1), record(2)])
        desk.restart()
        desk.journal.append([record(3)])
        assert desk.journal.flush(10)
    memory, sqlite = (list(desk.journal.rows()) for desk in desks)
    assert memory == sqlite
    desks[1].journal.close()


@pytest.mark.parametrize(
    "bad",
    [
        Record("t", '"\ud800"', 1),
        Record("\udfff", "1", 1),
        Record("t", "1", 2**63),
        Record("t", "1", 1, Origin("b", 2**70, wall_trusted=True)),
        Record("t", "1", 1, Origin("b", -(2**63) - 1, wall_trusted=False)),
        Record("t", "1", 1, Origin("\ud800", 0, wall_trusted=False)),
    ],
)
def test_what_no_disk_could_hold_is_refused_with_its_group_and_stops_nobody_else(desk: Desk, bad: Record) -> None:
    """A name with half a surrogate pair once ended the writer's thread without a word."""
    desk.journal.append([record(1)])
    with pytest.raises(ValueError, match=r"surrogates|64 bits"):
        desk.journal.append([record(2), bad])
    assert desk.journal.append([record(3)]) == 2
    assert desk.journal.flush(10)
    assert [row.data for row in desk.journal.rows()] == [record(1).data, record(3).data]
    assert verify(desk.journal.rows()).fault is None
