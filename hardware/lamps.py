"""The lamps in the two buttons: plain outputs through gpiozero's `LED`, on a factory that the caller has built explicitly.

A lamp is lit or dark and nothing between: brightness would need pulses, and who runs is told by the steady light. The pins belong to a
factory of their own, with its own handle on the chip, so that a button source that is built anew takes no lamp with it. Whether a
lamp is really wired to its pin no program can know: a pin that cannot be had is told, a lamp that is not there is dark.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from hardware.edges import HardwareFault
from hardware.pins import LAMP_PINS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hardware.edges import Line


class GpioLamps:
    """Both lamps on pins of one gpiozero factory."""

    def __init__(self, factory: Any, pins: Mapping[Line, int] | None = None) -> None:  # noqa: ANN401 - gpiozero ships no types
        """Claim both pins; the lamps are dark.

        Args:
            factory: An explicitly built gpiozero factory, never the default one; it is owned from now on, and closed with the lamps.
            pins: BCM numbers; None takes the table's.

        Raises:
            HardwareFault: A pin cannot be had; nothing stays claimed.
        """
        self._factory = factory
        self._lamps: dict[Line, Any] = {}
        for line, number in (LAMP_PINS if pins is None else pins).items():
            try:
                self._lamps[line] = self._lamp(number)
            except Exception as error:
                self.close()
                raise HardwareFault(
                    f"The {line} lamp's pin GPIO{number} cannot be used ({type(error).__name__}: {error}). "
                    'Check that no other program holds it, set lamps = "off" where there are none, or start with --simulate.'
                ) from error

    def _lamp(self, number: int) -> Any:  # noqa: ANN401
        from gpiozero import LED

        return LED(number, pin_factory=self._factory)

    def light(self, *, left: bool, right: bool) -> None:
        """Let each lamp be lit or dark; one that fails keeps the other from nothing.

        Raises:
            HardwareFault: A lamp cannot be switched.
        """
        faults = []
        wanted: dict[Line, bool] = {"left": left, "right": right}
        for line, lamp in self._lamps.items():
            try:
                lamp.value = wanted[line]
            except Exception as error:  # noqa: BLE001 - whatever the driver raises, it is told below
                faults.append(f"The {line} lamp cannot be switched ({type(error).__name__}: {error}).")
        if faults:
            raise HardwareFault(" ".join(faults))

    def close(self) -> None:
        """Let both go dark, and let go of their pins and the factory."""
        for lamp in self._lamps.values():
            with contextlib.suppress(Exception):  # a dead chip cannot be let go of, and need not be
                lamp.off()
            with contextlib.suppress(Exception):
                lamp.close()
        self._lamps.clear()
        with contextlib.suppress(Exception):
            self._factory.close()


class SimulatedLamps(GpioLamps):
    """The real lamps on gpiozero's mock pins, to be looked at from anywhere. Chosen explicitly, never silently."""

    def __init__(self) -> None:
        """Build them, dark."""
        from gpiozero.pins.mock import MockFactory

        super().__init__(MockFactory())
        self.on_change: Callable[[], None] = lambda: None
        """Told, on the thread that switched, when a lamp was."""
        self._broken = ""

    def light(self, *, left: bool, right: bool) -> None:
        """Let each lamp be lit or dark.

        Raises:
            HardwareFault: They were made to fail.
        """
        if self._broken:
            raise HardwareFault(self._broken)
        super().light(left=left, right=right)
        self.on_change()

    def lit(self) -> dict[Line, bool]:
        """Which lamp is lit, as its pin has it; none once they are closed."""
        return {line: bool(lamp.value) for line, lamp in dict(self._lamps).items() if not lamp.closed}

    def fail(self, why: str = "The simulated lamps were made to fail.") -> None:
        """Let them fail from now on, until `repair`.

        Args:
            why: What is said of it.
        """
        self._broken = why

    def repair(self) -> None:
        """Let them work again."""
        self._broken = ""
