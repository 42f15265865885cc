"""The sounder: a piezo disc on one pin, through gpiozero's `PWMOutputDevice`, on a factory that the caller has built explicitly.

A note is a frequency; how loud it is, is how much of each period the pin is high: half is loudest. (`TonalBuzzer` has no volume and no
more than a few octaves.) The pulses are made by lgpio in a thread of its own, in software.

Does that disturb the buttons? Their stamps do not move: the kernel takes them in its interrupt, and neither it nor the thread that
hands edges on waits for pulses. What pulses cost is processor time, two system calls a period; so there are pulses only while a note
sounds, notes are below 3 kHz and shorter than half a second, and between tunes the pin is a plain output that is low. Anybody who wants
none of it sets `sound = "speaker"` or `"off"`.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from typing import TYPE_CHECKING, Any

from hardware.edges import HardwareFault
from hardware.pins import SOUNDER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

DUTY = {1: 0.02, 2: 0.1, 3: 0.5}
"""Volume: the share of a period in which the pin is high. lgpio knows whole hundredths."""

LONGEST_NOTE_MS = 2000
HIGHEST_HZ = 10_000
"""lgpio makes no faster pulses."""


class GpioSounder:
    """A piezo on a pin of a gpiozero factory."""

    def __init__(
        self,
        factory: Any,  # noqa: ANN401 - gpiozero ships no types
        pin: int | None = None,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        """Claim the pin; it is silent.

        Args:
            factory: An explicitly built gpiozero factory, never the default one; it is owned from now on, and closed with the sounder.
            pin: BCM number; None takes the table's.
            wait: Waits for so many seconds, a note's length; None waits really, and no longer than until `close`.

        Raises:
            HardwareFault: The pin cannot be had; nothing stays claimed.
        """
        self._factory = factory
        self._closing = threading.Event()
        self._wait = wait or self._closing.wait
        number = SOUNDER.gpio if pin is None else pin
        try:
            self._device = self._claim(number)
        except Exception as error:
            with contextlib.suppress(Exception):
                factory.close()
            raise HardwareFault(
                f"The sounder's pin GPIO{number} cannot be used ({type(error).__name__}: {error}). "
                'Check that no other program holds it, set sound = "off" where there is none, or start with --simulate.'
            ) from error

    def _claim(self, number: int) -> Any:  # noqa: ANN401
        from gpiozero import PWMOutputDevice

        return PWMOutputDevice(number, frequency=None, pin_factory=self._factory)

    def play(self, notes: Sequence[tuple[int, int]], volume: int) -> None:
        """Play notes, one after the other; returns when they are over.

        Args:
            notes: Hertz (0 is a rest) and milliseconds.
            volume: 1 soft, 2 medium, 3 loud.

        Raises:
            HardwareFault: The pin cannot be driven, or it was closed.
            ValueError: No such note or volume.
        """
        if volume not in DUTY or not all(0 <= hz <= HIGHEST_HZ and 0 <= ms <= LONGEST_NOTE_MS for hz, ms in notes):
            raise ValueError(f"no sounder plays {tuple(notes)} at volume {volume}")
        if self._closing.is_set():
            raise HardwareFault("The sounder has been put away.")
        try:
            self._play(notes, DUTY[volume])
        except Exception as error:
            raise HardwareFault(f"The sounder cannot be driven ({type(error).__name__}: {error}).") from error
        finally:
            self._silence()

    def _play(self, notes: Sequence[tuple[int, int]], duty: float) -> None:
        for hz, ms in notes:
            if self._closing.is_set():
                return
            self._device.frequency = hz or None
            self._device.value = duty if hz else 0
            self._wait(ms / 1000)

    def _silence(self) -> None:
        with contextlib.suppress(Exception):  # the fault is on its way already
            self._device.value = 0
        with contextlib.suppress(Exception):
            self._device.frequency = None
            self._device.value = 0  # a plain output, low: no pulses are made any more

    def close(self) -> None:
        """Fall silent, and let go of the pin and the factory."""
        self._closing.set()
        self._silence()
        for part in (self._device, self._factory):
            with contextlib.suppress(Exception):  # a dead chip cannot be let go of, and need not be
                part.close()


class SimulatedSounder(GpioSounder):
    """The real sounder on a mock pin, which keeps what it played. Chosen explicitly, never silently."""

    def __init__(self, wait: Callable[[float], object] | None = None) -> None:
        """Build it, silent.

        Args:
            wait: Waits for a note's length; None waits really.
        """
        from gpiozero.pins.mock import MockFactory, MockPWMPin

        super().__init__(MockFactory(pin_class=MockPWMPin), wait=wait)
        self.played: deque[tuple[tuple[tuple[int, int], ...], int]] = deque(maxlen=50)
        """The last tunes that were played to their end: notes and volume."""
        self._broken = ""

    def play(self, notes: Sequence[tuple[int, int]], volume: int) -> None:
        """Play notes on the mock pin.

        Raises:
            HardwareFault: It was made to fail.
            ValueError: No such note or volume.
        """
        if self._broken:
            raise HardwareFault(self._broken)
        super().play(notes, volume)
        self.played.append((tuple(notes), volume))

    def fail(self, why: str = "The simulated sounder was made to fail.") -> None:
        """Let it fail from now on, until `repair`.

        Args:
            why: What is said of it.
        """
        self._broken = why

    def repair(self) -> None:
        """Let it work again."""
        self._broken = ""
