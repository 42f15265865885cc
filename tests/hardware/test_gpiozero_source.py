"""What gpiozero's source does beyond the contract."""

from __future__ import annotations

import gc

import pytest
from gpiozero.pins.mock import MockFactory
from twins import NOW

from hardware import Edge, GpiozeroEdgeSource, HardwareFault
from hardware.gpiozero_source import NsTicks, stamp_of


def test_callbacks_outlive_a_garbage_collection_though_gpiozero_holds_them_weakly() -> None:
    factory, arrived = MockFactory(), list[Edge]()
    source = GpiozeroEdgeSource(factory)
    source.start(arrived.append)
    gc.collect()
    factory.pin("GPIO17").drive_low()
    assert [(edge.line, edge.closed) for edge in arrived] == [("left", True)]


def test_seconds_of_gpiozeros_own_pins_become_nanoseconds_by_rounding() -> None:
    factory, arrived = MockFactory(), list[Edge]()
    source = GpiozeroEdgeSource(factory, now_ns=lambda: 1_000_000_000_000)
    source.start(arrived.append)
    factory.pin("GPIO27").when_changed(1000.000000001, 0)
    assert arrived == [Edge("right", True, 1_000_000_000_001)]


def test_whole_nanoseconds_stay_as_they_are() -> None:
    assert stamp_of(NsTicks(NOW)) == NOW


def test_pins_are_inputs_pulled_up_with_both_edges_and_without_bounce_time() -> None:
    factory = MockFactory()
    GpiozeroEdgeSource(factory).start(print)
    for name in ("GPIO17", "GPIO27"):
        pin = factory.pin(name)
        assert (pin.function, pin.pull, pin.edges, pin.bounce) == ("input", "up", "both", None)


def test_ticks_that_are_no_number_are_told_and_never_escape() -> None:
    factory = MockFactory()
    source = GpiozeroEdgeSource(factory)
    source.start(print)
    factory.pin("GPIO17").when_changed(None, 0)
    assert "left button's edge could not be delivered" in str(source.health().fault)


def test_pin_that_cannot_be_had_is_a_fault_that_names_it_and_leaves_nothing_claimed() -> None:
    factory = MockFactory()
    source = GpiozeroEdgeSource(factory, pins={"left": 17, "right": 99})
    with pytest.raises(HardwareFault, match=r"right button's pin GPIO99 on the header's chip .*--simulate"):
        source.start(print)
    assert factory.pins == {}


def test_fault_names_the_chip_where_the_factory_knows_it() -> None:
    factory = MockFactory()
    factory.chip = 4
    with pytest.raises(HardwareFault, match="GPIO99 on gpiochip4"):
        GpiozeroEdgeSource(factory, pins={"left": 99}).start(print)


def test_pins_that_cannot_be_read_are_a_fault_and_the_source_is_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    factory = MockFactory()
    source = GpiozeroEdgeSource(factory)
    source.start(print)

    def gone(_pin: object) -> bool:
        raise OSError(19, "No such device")

    monkeypatch.setattr(type(factory.pin("GPIO17")), "_get_state", gone)
    with pytest.raises(HardwareFault, match="No such device"):
        source.levels()
    assert not source.health().alive


def test_closing_never_raises_however_broken_the_chip_is(monkeypatch: pytest.MonkeyPatch) -> None:
    factory = MockFactory()
    source = GpiozeroEdgeSource(factory)
    source.start(print)

    def gone(*_: object) -> None:
        raise OSError(19, "No such device")

    monkeypatch.setattr(type(factory.pin("GPIO17")), "close", gone)
    monkeypatch.setattr(factory, "close", gone)
    source.close()
    assert not source.health().alive
