"""Buttons through gpiozero's Pin API, on a factory that the caller has built explicitly.

The device classes of gpiozero hand callbacks the device, not the stamp; the pin itself passes `(ticks, state)`. Ticks are seconds in a
float, whose resolution at long uptimes is coarser than a nanosecond; a pin may pass `NsTicks` instead, the kernel's own integer, and
the pins of `lgpio_factory` and of the simulated box do. `bounce_time` is never set: it moves stamps and swallows presses.

The driver has one thread for all pins, and an exception in a callback ends it without a word. So the callback catches everything,
tells it through `health()` and only enqueues.
"""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any

from hardware.edges import Edge, HardwareFault, SourceHealth, plausible
from hardware.pins import BUTTON_PINS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hardware.edges import Deliver, Line


class NsTicks(int):
    """A pin's ticks in whole nanoseconds instead of seconds."""

    __slots__ = ()


def stamp_of(ticks: float | NsTicks) -> int:
    """Nanoseconds of a pin's ticks: exact for `NsTicks`, rounded for gpiozero's own seconds."""
    return int(ticks) if isinstance(ticks, NsTicks) else round(ticks * 1e9)


def _always() -> bool:
    return True


class GpiozeroEdgeSource:
    """Both buttons on pins of one gpiozero factory."""

    def __init__(
        self,
        factory: Any,  # noqa: ANN401 - gpiozero ships no types
        pins: Mapping[Line, int] | None = None,
        now_ns: Callable[[], int] = time.monotonic_ns,
        driver_alive: Callable[[], bool] = _always,
    ) -> None:
        """Prepare a source.

        Args:
            factory: An explicitly built gpiozero factory, never the default one; the source owns it and closes it.
            pins: BCM numbers; None takes the table's.
            now_ns: The monotonic clock that stamps are held against.
            driver_alive: Whether the driver's thread still runs.
        """
        self._factory = factory
        self._numbers = dict(BUTTON_PINS if pins is None else pins)
        self._now_ns = now_ns
        self._driver_alive = driver_alive
        self._pins: dict[Line, Any] = {}
        self._callbacks: list[Callable[[float, int], None]] = []  # gpiozero keeps only weak references
        self._strange = 0
        self._fault: str | None = None

    def start(self, deliver: Deliver) -> None:
        """Claim both pins and begin to deliver.

        Args:
            deliver: Takes each edge, on the driver's thread.

        Raises:
            HardwareFault: A pin cannot be had; nothing stays claimed.
        """
        for line, number in self._numbers.items():
            try:
                self._claim(line, number, deliver)
            except Exception as error:
                self.close()
                raise HardwareFault(
                    f"The {line} button's pin GPIO{number} on {self._chip_name()} cannot be used "
                    f"({type(error).__name__}: {error}). Check that no other program holds it, or start with --simulate."
                ) from error

    def _chip_name(self) -> str:
        chip = getattr(self._factory, "chip", None)
        return "the header's chip" if chip is None else f"gpiochip{chip}"

    def _claim(self, line: Line, number: int, deliver: Deliver) -> None:
        pin = self._factory.pin(f"GPIO{number}")
        pin.input_with_pull("up")
        pin.edges = "both"
        callback = self._callback(line, deliver)
        self._callbacks.append(callback)
        self._pins[line] = pin
        pin.when_changed = callback

    def _callback(self, line: Line, deliver: Deliver) -> Callable[[float, int], None]:
        def changed(ticks: float, state: int) -> None:
            try:
                stamp, now = stamp_of(ticks), self._now_ns()
                if not plausible(stamp, now):
                    self._strange += 1
                    stamp = now
                deliver(Edge(line, not state, stamp))
            except Exception as error:  # noqa: BLE001 - an exception here would kill the only GPIO thread
                self._fault = f"The {line} button's edge could not be delivered: {error!r}."

        return changed

    def levels(self) -> dict[Line, bool]:
        """Both contacts as they are now: True is closed.

        Raises:
            HardwareFault: A pin cannot be read, or the source is not running.
        """
        if not self._pins:
            raise HardwareFault("The buttons' pins are not claimed: the source is not running.")
        try:
            return {line: not pin.state for line, pin in self._pins.items()}
        except Exception as error:
            self._fault = f"The buttons' pins on {self._chip_name()} cannot be read ({type(error).__name__}: {error})."
            raise HardwareFault(self._fault) from error

    def health(self) -> SourceHealth:
        """What the source knows about itself."""
        fault = self._fault
        if fault is None and not self._pins:
            fault = "The button source is not running."
        if fault is None and not self._driver_alive():
            fault = "The GPIO driver's thread has ended, so no button can be noticed."
        return SourceHealth(alive=fault is None, strange_stamps=self._strange, fault=fault)

    def close(self) -> None:
        """Let go of both pins and of the factory."""
        for pin in self._pins.values():
            with contextlib.suppress(Exception):  # a dead chip cannot be let go of, and need not be
                pin.when_changed = None
                pin.close()
        self._pins.clear()
        self._callbacks.clear()
        with contextlib.suppress(Exception):
            self._factory.close()
