"""The simulated box drives the real source, exactly and fast, and fails when it is told to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twins import NOW

from hardware import Edge, HardwareFault, SimulatedBox
from hardware.edges import LINES
from tests.patience import Stopwatch

if TYPE_CHECKING:
    from hardware import GpiozeroEdgeSource


def started(box: SimulatedBox) -> tuple[GpiozeroEdgeSource, list[Edge]]:
    source, arrived = box.source(), list[Edge]()
    source.start(arrived.append)
    return source, arrived


@given(st.lists(st.tuples(st.sampled_from(LINES), st.booleans(), st.integers(0, 999_999_999)), max_size=30))
def test_stamps_arrive_to_the_nanosecond_after_116_days(driven: list[tuple[str, bool, int]]) -> None:
    box = SimulatedBox(now_ns=lambda: NOW)
    _, arrived = started(box)
    for line, closed, after in driven:
        box.drive(line, closed, NOW + after)
    assert arrived == [Edge(line, closed, NOW + after) for line, closed, after in driven]


def test_virtual_time_runs_as_the_caller_says() -> None:
    clock = [0]
    box = SimulatedBox(now_ns=lambda: clock[0])
    source, arrived = started(box)
    for hour in range(1, 4):
        clock[0] = hour * 3_600_000_000_000
        box.drive("left", bool(hour % 2), clock[0])
    assert [edge.at_ns for edge in arrived] == [hour * 3_600_000_000_000 for hour in range(1, 4)]
    assert source.health().strange_stamps == 0


def test_contacts_outlive_the_source_and_are_found_without_an_edge() -> None:
    box = SimulatedBox(now_ns=lambda: NOW)
    box.drive("left", True, NOW)
    source, arrived = started(box)
    assert (source.levels(), arrived) == ({"left": True, "right": False}, [])
    source.close()
    again, _ = started(box)
    assert again.levels() == {"left": True, "right": False}


def test_preset_leaves_contacts_as_found_without_an_edge() -> None:
    box = SimulatedBox(now_ns=lambda: NOW)
    source, arrived = started(box)
    box.preset({"right": True})
    assert (source.levels(), arrived) == ({"left": False, "right": True}, [])
    box.drive("right", False, NOW)
    assert arrived == [Edge("right", False, NOW)]


def test_unplugged_button_reads_open_and_delivers_nothing_until_it_is_plugged_in() -> None:
    box = SimulatedBox(now_ns=lambda: NOW)
    source, arrived = started(box)
    box.unplug("left")
    box.drive("left", True, NOW)
    box.drive("right", True, NOW)
    assert arrived == [Edge("right", True, NOW)]
    assert source.levels() == {"left": False, "right": True}
    box.plug("left")
    assert source.levels() == {"left": True, "right": True}
    assert source.health().alive


def test_pulling_the_cable_of_a_pressed_button_opens_the_contact() -> None:
    box = SimulatedBox(now_ns=lambda: NOW)
    _, arrived = started(box)
    box.drive("left", True, NOW)
    box.unplug("left", NOW + 5)
    assert arrived[-1] == Edge("left", False, NOW + 5)


def test_failed_source_is_dead_and_delivers_nothing_and_a_new_one_works() -> None:
    box = SimulatedBox(now_ns=lambda: NOW)
    source, arrived = started(box)
    box.fail()
    box.drive("left", True, NOW)
    assert arrived == []
    assert not source.health().alive
    again, later = started(box)
    box.drive("left", False, NOW)
    assert again.health().alive
    assert later == [Edge("left", False, NOW)]


def test_box_that_failed_for_good_gives_no_source_until_it_is_repaired() -> None:
    box = SimulatedBox(now_ns=lambda: NOW)
    box.fail(for_good=True)
    with pytest.raises(HardwareFault, match="--simulate"):
        box.source()
    box.repair()
    assert started(box)[0].health().alive


def test_lossy_source_swallows_edges_and_keeps_levels_right() -> None:
    box = SimulatedBox(now_ns=lambda: NOW)
    source, arrived = started(box)
    box.loses_edges = True
    box.drive("left", True, NOW)
    assert (arrived, source.levels()["left"]) == ([], True)


def test_twenty_thousand_edges_take_less_than_a_second() -> None:
    box = SimulatedBox(now_ns=lambda: NOW)
    _, arrived = started(box)
    watch = Stopwatch()
    for turn in range(20_000):
        box.drive("left", turn % 2 == 0, NOW + turn)
    assert watch.seconds() < 1
    assert len(arrived) == 20_000
