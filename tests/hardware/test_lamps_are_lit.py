"""The lamps on gpiozero's mock pins and on its real lgpio pins over a twin of the driver: driven, refused, failing, let go."""

from __future__ import annotations

from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin
from twins import TwinLgpio

from hardware import GpioLamps, HardwareFault, SimulatedLamps, lgpio_factory
from hardware.pins import LAMP_PINS


def states(factory: MockFactory) -> tuple[int, int]:
    return factory.pin(LAMP_PINS["left"]).state, factory.pin(LAMP_PINS["right"]).state


def test_each_lamp_is_its_pins_level() -> None:
    factory = MockFactory()
    lamps = GpioLamps(factory)
    assert states(factory) == (0, 0)
    lamps.light(left=True, right=False)
    assert states(factory) == (1, 0)
    lamps.light(left=False, right=True)
    assert states(factory) == (0, 1)


def test_closing_leaves_them_dark_and_lets_go_of_the_pins() -> None:
    factory = MockFactory()
    pin = factory.pin(LAMP_PINS["left"])
    lamps = GpioLamps(factory)
    lamps.light(left=True, right=True)
    levels = [level for _, level in pin.states]
    lamps.close()
    lamps.close()
    assert levels[-1] is True
    assert [level for _, level in pin.states][len(levels)] is False
    assert pin.function == "input"


def test_a_pin_that_cannot_be_had_is_an_error_with_its_reason() -> None:
    factory = MockFactory()
    factory.pin(LAMP_PINS["right"])
    from gpiozero import LED

    holder = LED(LAMP_PINS["right"], pin_factory=factory)
    with pytest.raises(HardwareFault, match=r"The right lamp's pin GPIO23 .*GPIOPinInUse.*lamps = \"off\""):
        GpioLamps(factory)
    holder.close()


class Brittle(MockPin):
    """Fails when it is told to."""

    broken: set[int] = set()  # noqa: RUF012 - a test's switch

    def _set_state(self, value: Any) -> None:
        if self._number in self.broken:
            raise OSError(5, "Input/output error")
        super()._set_state(value)


def test_a_lamp_that_fails_keeps_the_other_from_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    factory = MockFactory(pin_class=Brittle)
    lamps = GpioLamps(factory)
    monkeypatch.setattr(Brittle, "broken", {LAMP_PINS["left"]})
    with pytest.raises(HardwareFault, match="The left lamp cannot be switched"):
        lamps.light(left=True, right=True)
    assert states(factory) == (0, 1)
    monkeypatch.setattr(Brittle, "broken", set())
    lamps.light(left=True, right=True)
    assert states(factory) == (1, 1)
    monkeypatch.setattr(Brittle, "broken", {LAMP_PINS["left"]})
    lamps.close()  # never raises


def test_simulated_lamps_can_be_looked_at_and_made_to_fail() -> None:
    lamps, told = SimulatedLamps(), []
    lamps.on_change = lambda: told.append(lamps.lit())
    lamps.light(left=True, right=False)
    lamps.fail("no more lamps")
    with pytest.raises(HardwareFault, match="no more lamps"):
        lamps.light(left=False, right=False)
    lamps.repair()
    lamps.light(left=False, right=True)
    assert told == [{"left": True, "right": False}, {"left": False, "right": True}]
    lamps.close()
    assert lamps.lit() == {}


def test_on_the_real_pins_the_driver_is_told(monkeypatch: pytest.MonkeyPatch, lgpio: Any, tmp_path: Any) -> None:
    TwinLgpio(monkeypatch, lgpio)
    written: list[tuple[int, bool]] = []
    claimed: list[int] = []
    monkeypatch.setattr(lgpio, "gpio_claim_output", lambda _handle, gpio, *_: claimed.append(gpio))
    monkeypatch.setattr(lgpio, "gpio_get_mode", lambda _handle, gpio: 2 if gpio in claimed else 0)
    monkeypatch.setattr(lgpio, "gpio_write", lambda _handle, gpio, level: written.append((gpio, level)))
    lamps = GpioLamps(lgpio_factory(tmp_path, what="lamps'"))
    written.clear()
    lamps.light(left=True, right=False)
    assert written == [(22, True), (23, False)]
    lamps.close()
    assert set(claimed) == {22, 23}


def test_without_a_chip_the_reason_names_the_lamps(lgpio: Any, tmp_path: Any) -> None:
    assert lgpio is not None
    with pytest.raises(HardwareFault, match=r"The lamps' pins cannot be had: gpiochip999"):
        lgpio_factory(tmp_path, chip=999, what="lamps'")
