"""Both journals keep the port's word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from journal_parts import WALL, record, until

from kiosk.domain.types import Instant
from kiosk.journal import verify
from kiosk.ports import Beat, JournalState

if TYPE_CHECKING:
    from journal_parts import MemoryDesk, SqliteDesk

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
