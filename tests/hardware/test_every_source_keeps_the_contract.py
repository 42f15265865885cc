"""One contract, run over every kind of source: simulated, gpiozero on lgpio, gpiod."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from twins import NOW, Bench, gpiod_bench, lgpio_bench, simulated_bench

from hardware import Edge, HardwareFault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(params=["simulated", "lgpio", "gpiod"])
def bench(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Bench]:
    match request.param:
        case "simulated":
            made = simulated_bench()
        case "lgpio":
            made = lgpio_bench(monkeypatch, request.getfixturevalue("lgpio"), tmp_path)
        case _:
            made = gpiod_bench()
    yield made
    made.source.close()


def test_edges_arrive_in_order_with_exactly_their_stamps(bench: Bench) -> None:
    bench.start()
    driven = [Edge("left", True, NOW - 7), Edge("right", True, NOW - 3), Edge("left", False, NOW - 2), Edge("right", False, NOW)]
    for edge in driven:
        bench.drive(edge.line, edge.closed, edge.at_ns)
    assert [bench.next_edge() for _ in driven] == driven


def test_repeated_levels_are_delivered_as_they_come(bench: Bench) -> None:
    bench.start()
    for at in (1, 2, 3):
        bench.drive("left", True, NOW + at)
    assert [bench.next_edge().closed for _ in range(3)] == [True, True, True]


def test_levels_follow_the_contacts(bench: Bench) -> None:
    bench.start()
    assert bench.source.levels() == {"left": False, "right": False}
    bench.drive("right", True, NOW)
    bench.next_edge()
    assert bench.source.levels() == {"left": False, "right": True}


def test_stamp_more_than_a_second_off_is_replaced_by_the_present_and_counted(bench: Bench) -> None:
    bench.start()
    for stamp in (NOW - 1_000_000_000, NOW + 1_000_000_000, NOW - 1_000_000_001, NOW + 1_000_000_001):
        bench.drive("left", True, stamp)
    assert [bench.next_edge().at_ns for _ in range(4)] == [NOW - 1_000_000_000, NOW + 1_000_000_000, NOW, NOW]
    assert bench.source.health().strange_stamps == 2


def test_source_that_runs_is_alive_and_has_lost_nothing(bench: Bench) -> None:
    bench.start()
    bench.drive("left", True, NOW)
    bench.next_edge()
    health = bench.source.health()
    assert (health.alive, health.lost, health.strange_stamps, health.fault) == (True, 0, 0, None)


def test_source_that_has_not_started_is_not_alive_and_says_so(bench: Bench) -> None:
    assert not bench.source.health().alive
    assert "not running" in str(bench.source.health().fault)
    with pytest.raises(HardwareFault, match="not running"):
        bench.source.levels()


def test_dead_source_tells_its_fault_in_a_sentence(bench: Bench) -> None:
    bench.start()
    bench.kill()
    health = bench.source.health()
    assert not health.alive
    assert str(health.fault).endswith(".")


def test_taker_that_raises_makes_the_source_dead_and_nothing_escapes(bench: Bench) -> None:
    def refuse(edge: Edge) -> None:
        bench.arrived.put(edge)
        raise ValueError("no room")

    bench.source.start(refuse)
    bench.drive("left", True, NOW)
    bench.next_edge()
    thread = getattr(bench.source, "_thread", None)
    if thread is not None:
        thread.join(60)
    health = bench.source.health()
    assert not health.alive
    assert "no room" in str(health.fault)


def test_closed_source_may_be_closed_again(bench: Bench) -> None:
    bench.start()
    bench.source.close()
    bench.source.close()
    assert not bench.source.health().alive
    with pytest.raises(HardwareFault):
        bench.source.levels()


def test_source_that_died_can_be_closed(bench: Bench) -> None:
    bench.start()
    bench.kill()
    bench.source.close()
