"""The sounder on gpiozero's mock pin and on its real lgpio pin over a twin of the driver: notes, volumes, silence, faults."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from twins import TwinLgpio

from hardware import GpioSounder, HardwareFault, SimulatedSounder, lgpio_factory
from hardware.pins import SOUNDER

TUNE = ((880, 40), (0, 20), (1760, 60))


class Ear:
    """Waits for a note's length by looking at the pin."""

    def __init__(self, factory: MockFactory) -> None:
        self.pin = factory.pin(SOUNDER.gpio)
        self.heard: list[tuple[int | None, float, float]] = []

    def __call__(self, seconds: float) -> None:
        self.heard.append((self.pin.frequency, self.pin.state, seconds))


@pytest.mark.parametrize(("volume", "duty"), [(1, 0.02), (2, 0.1), (3, 0.5)])
def test_notes_are_pulses_and_louder_ones_are_wider(volume: int, duty: float) -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    ear = Ear(factory)
    sounder = GpioSounder(factory, wait=ear)
    sounder.play(TUNE, volume)
    assert ear.heard == [(880, duty, 0.04), (None, 0, 0.02), (1760, duty, 0.06)]
    assert (ear.pin.frequency, ear.pin.state) == (None, 0)


@pytest.mark.parametrize(("notes", "volume"), [(TUNE, 0), (TUNE, 4), (((-1, 10),), 1), (((20_000, 10),), 1), (((440, 60_000),), 1)])
def test_what_no_piezo_plays_is_refused(notes: tuple[tuple[int, int], ...], volume: int) -> None:
    sounder = SimulatedSounder(wait=lambda _: None)
    with pytest.raises(ValueError, match="no sounder plays"):
        sounder.play(notes, volume)
    assert list(sounder.played) == []


def test_a_pin_that_cannot_be_had_is_an_error_with_its_reason() -> None:
    from gpiozero import LED

    factory = MockFactory(pin_class=MockPWMPin)
    holder = LED(SOUNDER.gpio, pin_factory=factory)
    with pytest.raises(HardwareFault, match=r"The sounder's pin GPIO12 .*GPIOPinInUse.*sound = \"off\""):
        GpioSounder(factory)
    holder.close()


def test_a_fault_in_a_note_is_told_and_leaves_silence() -> None:
    factory = MockFactory(pin_class=MockPWMPin)

    def fail(_: float) -> None:
        raise OSError(5, "Input/output error")

    sounder = GpioSounder(factory, wait=fail)
    with pytest.raises(HardwareFault, match="The sounder cannot be driven"):
        sounder.play(TUNE, 3)
    assert (factory.pin(SOUNDER.gpio).frequency, factory.pin(SOUNDER.gpio).state) == (None, 0)


def test_closing_ends_a_tune_at_once() -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    sounder = GpioSounder(factory)
    playing = threading.Thread(target=sounder.play, args=([(440, 2000)] * 30, 1), daemon=True)
    playing.start()
    sounder.close()
    playing.join(60)
    assert not playing.is_alive()
    sounder.close()  # never raises


def test_the_simulated_sounder_keeps_what_it_played() -> None:
    sounder = SimulatedSounder(wait=lambda _: None)
    sounder.play(TUNE, 2)
    sounder.fail("the disc is off")
    with pytest.raises(HardwareFault, match="the disc is off"):
        sounder.play(TUNE, 3)
    sounder.repair()
    sounder.play(TUNE[:1], 1)
    assert list(sounder.played) == [(TUNE, 2), (TUNE[:1], 1)]


def test_on_the_real_pin_pulses_stop_with_the_tune(monkeypatch: pytest.MonkeyPatch, lgpio: Any, tmp_path: Any) -> None:
    TwinLgpio(monkeypatch, lgpio)
    pulses: list[tuple[int, float, float]] = []
    written: list[tuple[int, bool]] = []
    monkeypatch.setattr(lgpio, "gpio_claim_output", lambda *_: 0)
    monkeypatch.setattr(lgpio, "gpio_get_mode", lambda *_: 2)
    monkeypatch.setattr(lgpio, "gpio_write", lambda _handle, gpio, level: written.append((gpio, level)))
    monkeypatch.setattr(lgpio, "tx_pwm", lambda _handle, *pulse: pulses.append(pulse))
    sounder = GpioSounder(lgpio_factory(tmp_path, what="sounder's"), wait=lambda _: None)
    assert pulses == []  # no pulses before the first note
    sounder.play([(1760, 40)], 3)
    assert [pulse for pulse in pulses if pulse[2]] == [(12, 1760, 50)]
    assert pulses[-1] == (12, 0, 0)
    assert written[-1] == (12, False)
    sounder.close()
