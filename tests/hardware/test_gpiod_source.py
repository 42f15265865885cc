"""What gpiod's source does beyond the contract: chips by label, numbered edges, a thread that ends cleanly."""

from __future__ import annotations

import importlib.metadata
import queue
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import gpiod
import gpiod.line
import pytest
from twins import NOW, TwinGpiod, gpiod_bench

from hardware import Edge, GpiodEdgeSource, HardwareFault
from hardware.gpiod_source import EVENT_BUFFER, find_chip

if TYPE_CHECKING:
    from hardware.edges import Line


def test_lost_edges_are_counted_by_the_gaps_in_their_numbers() -> None:
    bench = gpiod_bench()
    bench.start()
    request = bench.source._module.requests[0]
    request.emit(17, True, NOW, lost=True)
    request.emit(17, False, NOW, lost=True)
    request.emit(17, True, NOW + 1)
    bench.next_edge()
    assert bench.source.health().lost == 2
    bench.source.close()


def test_edges_lost_on_one_line_show_by_the_next_edge_of_the_other() -> None:
    bench = gpiod_bench()
    bench.start()
    request = bench.source._module.requests[0]
    request.emit(27, True, NOW)
    request.emit(17, True, NOW, lost=True)
    request.emit(27, False, NOW)
    request.emit(17, False, NOW)
    for _ in range(3):
        bench.next_edge()
    assert bench.source.health().lost == 1
    bench.source.close()


def test_lines_are_asked_for_with_pull_up_both_edges_monotonic_stamps_and_no_debounce() -> None:
    bench = gpiod_bench()
    bench.start()
    twin = bench.source._module
    settings = twin.requests[0].settings
    assert settings.direction is gpiod.line.Direction.INPUT
    assert settings.edge_detection is gpiod.line.Edge.BOTH
    assert settings.bias is gpiod.line.Bias.PULL_UP
    assert settings.event_clock is gpiod.line.Clock.MONOTONIC
    assert settings.active_low
    assert settings.debounce_period.total_seconds() == 0
    assert twin.asked == [("/dev/gpiochip0", {"consumer": "tableside", "event_buffer_size": EVENT_BUFFER})]
    bench.source.close()


def test_the_real_package_is_one_that_the_twin_speaks_for() -> None:
    major, minor = importlib.metadata.version("gpiod").split(".")[:2]
    assert (int(major), int(minor)) >= (2, 5)
    assert int(major) < 3


@pytest.mark.parametrize("label", ["pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835"])
def test_the_chip_is_found_by_its_label_whatever_its_number(tmp_path: Path, label: str) -> None:
    for number in (0, 4, 10):
        (tmp_path / f"gpiochip{number}").touch()
    labels = {str(tmp_path / "gpiochip0"): OSError(13, "Permission denied"), str(tmp_path / "gpiochip10"): "gpio-brcmstb"}
    twin = TwinGpiod(labels={**labels, str(tmp_path / "gpiochip4"): label})
    assert find_chip(twin, tmp_path) == str(tmp_path / "gpiochip4")


def test_where_no_chip_has_a_known_label_the_fault_tells_what_was_seen(tmp_path: Path) -> None:
    for number in (0, 1):
        (tmp_path / f"gpiochip{number}").touch()
    denied = OSError(13, "Permission denied")
    twin = TwinGpiod(labels={str(tmp_path / "gpiochip0"): "INT3452", str(tmp_path / "gpiochip1"): denied})
    with pytest.raises(HardwareFault, match=r"gpiochip0: INT3452, gpiochip1: .*Permission denied.*--simulate"):
        find_chip(twin, tmp_path)


@pytest.mark.skipif(any(Path("/dev").glob("gpiochip*")), reason="this machine has a GPIO chip")
def test_machine_without_a_chip_gets_a_fault_that_names_simulate() -> None:
    with pytest.raises(HardwareFault, match=r"no chip at all.*--simulate"):
        GpiodEdgeSource().start(print)


def test_missing_package_is_a_fault_that_names_simulate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiod", None)
    with pytest.raises(HardwareFault, match=r"package gpiod is not usable.*--simulate"):
        GpiodEdgeSource().start(print)


@pytest.mark.parametrize("error", [OSError(16, "Device or resource busy"), ValueError("line offset of out range")])
def test_lines_that_cannot_be_had_are_a_fault_that_names_pins_chip_and_reason(error: Exception) -> None:
    source = GpiodEdgeSource(module=TwinGpiod(busy=error), chip="/dev/gpiochip4")
    with pytest.raises(HardwareFault, match="GPIO17 and GPIO27 on /dev/gpiochip4") as fault:
        source.start(print)
    assert str(error) in str(fault.value)
    assert "--simulate" in str(fault.value)
    assert not source.health().alive


def test_chip_that_goes_away_ends_the_reader_and_is_told() -> None:
    bench = gpiod_bench()
    bench.start()
    bench.source._module.requests[0].hang_up()
    bench.source._thread.join(60)
    assert "went away" in str(bench.source.health().fault)
    bench.source.close()


def test_levels_of_a_broken_chip_are_a_fault() -> None:
    bench = gpiod_bench()
    bench.start()
    bench.kill()
    with pytest.raises(HardwareFault, match="No such device"):
        bench.source.levels()
    bench.source.close()


def test_closing_ends_the_thread_and_releases_the_lines() -> None:
    bench = gpiod_bench()
    bench.start()
    thread, request = bench.source._thread, bench.source._request
    bench.source.close()
    assert not thread.is_alive()
    assert request.released


def test_closing_does_not_wait_for_a_taker_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    bench, gate = gpiod_bench(), queue.SimpleQueue[None]()

    def hang(edge: Edge) -> None:
        bench.arrived.put(edge)
        gate.get()

    bench.source.start(hang)
    bench.drive("left", True, NOW)
    bench.next_edge()
    thread = bench.source._thread
    join = thread.join
    monkeypatch.setattr(thread, "join", lambda _timeout: None)
    bench.source.close()
    assert thread.is_alive()
    gate.put(None)
    join(5)


def test_pins_may_be_others_than_the_tables() -> None:
    pins: dict[Line, int] = {"left": 5, "right": 6}
    twin, arrived = TwinGpiod(), queue.SimpleQueue[Edge]()
    source = GpiodEdgeSource(pins, now_ns=lambda: NOW, module=twin, chip="/dev/gpiochip0")
    source.start(arrived.put)
    twin.requests[0].emit(6, True, NOW)
    assert arrived.get(timeout=60) == Edge("right", True, NOW)
    source.close()
