"""A fault anywhere leaves the state unchanged, is shown, and the next clock press works."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from virtual_bench import MS, START, Bench

from hardware import Notice, Pressed
from kiosk.domain.types import Side

if TYPE_CHECKING:
    from kiosk.domain.facts import Fact
    from kiosk.domain.state import Table


def fail(*_: object) -> None:
    raise RuntimeError("injected")


def test_the_keepers_check_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    bench.press("right", 10)
    monkeypatch.setattr(bench.keeper, "check", fail)
    bench.edge("left", 1, 5000)
    with pytest.raises(RuntimeError, match="injected"):
        bench.turn(5001)
    assert bench.running == (Side.RIGHT,)
    bench.edge("left", 0, 5080)
    bench.press("right", 5400)
    assert bench.presses == [(Side.RIGHT, 10), (Side.LEFT, 5000), (Side.RIGHT, 5400)]


def test_the_levels_cannot_be_taken_over(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    bench.press("right", 10)
    monkeypatch.setattr(bench.keeper, "wants_resync", fail)
    with pytest.raises(RuntimeError, match="injected"):
        bench.turn(3000)
    bench.press("left", 3200)
    assert bench.running == (Side.RIGHT,)


def test_a_listener_fails_on_every_fact() -> None:
    def broken(_fact: Fact, _table: Table) -> None:
        fail()

    bench = Bench((broken,))
    bench.press("right", 10)
    bench.press("left", 1000)
    assert bench.presses == [(Side.RIGHT, 10), (Side.LEFT, 1000)]
    faults = bench.session.take_faults()
    assert any("TurnEnded" in fault and "injected" in fault for fault in faults)
    assert bench.session.take_faults() == ()


def test_a_press_behind_a_fault_in_the_same_turn_still_counts() -> None:
    """Edges are drained once: what stood behind a fault in the queue was lost with it."""
    bench = Bench()
    told: list[str] = []

    def first_fails(press: Pressed, _facts: tuple[Fact, ...]) -> None:
        told.append(press.line)
        if press.line == "right":
            fail()

    bench.table.on_press = first_fails
    bench.edge("right", 1, 10)
    bench.edge("right", 0, 90)
    bench.edge("left", 1, 1000)
    bench.edge("left", 0, 1080)
    with pytest.raises(RuntimeError, match="injected"):
        bench.turn(1200)
    assert told == ["right", "left"]
    assert bench.presses == [(Side.RIGHT, 10), (Side.LEFT, 1000)]


def test_several_faults_in_one_turn_are_all_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    bench.press("right", 10)
    monkeypatch.setattr(bench.keeper, "check", fail)
    monkeypatch.setattr(bench.session, "beat", fail)
    with pytest.raises(ExceptionGroup) as caught:
        bench.turn(5000)
    assert len(caught.value.exceptions) == 2
    monkeypatch.undo()
    bench.press("left", 5300)
    assert bench.running == (Side.RIGHT,)


def test_a_journal_that_takes_nothing_leaves_the_table_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    bench.press("right", 10)
    before = bench.session.table
    monkeypatch.setattr(bench.session, "_journal", object())
    bench.edge("left", 1, 5000)
    with pytest.raises((AttributeError, ExceptionGroup)):
        bench.turn(5001)
    assert bench.session.table == before
    monkeypatch.undo()
    bench.edge("left", 0, 5080)
    bench.press("left", 6000)
    assert bench.presses[-1] == (Side.LEFT, 6000)


def test_a_dead_source_is_restarted_and_said() -> None:
    bench = Bench()
    bench.press("right", 10)
    bench.box.fail()
    bench.turn(5000)
    assert {notice.code for notice in bench.table.notices} == {"source_dead", "source_restarted"}
    assert all(isinstance(notice, Notice) and notice.sentence for notice in bench.table.notices)
    assert {alert.code for alert in bench.session.table.alerts} >= {"source_dead"}
    bench.press("left", 6000)
    assert bench.running == (Side.RIGHT,)


def test_a_button_down_at_the_start_is_said_and_is_no_press() -> None:
    bench = Bench()
    bench.edge("left", 1, 1)
    bench.table.start(START + 2 * MS)
    assert [notice.code for notice in bench.table.notices] == ["button_stuck"]
    assert bench.presses == []
