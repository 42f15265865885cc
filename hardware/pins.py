"""The box's pins, in one table. WIRING.md shows the same table with a drawing; a test holds them together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardware.edges import Line


@dataclass(frozen=True, slots=True)
class ButtonWire:
    """One button's two wires on the 40-pin header."""

    line: Line
    """Which button."""
    gpio: int
    """The signal wire's BCM number, which is also the line's offset on the chip."""
    header_pin: int
    """The signal wire's place on the header."""
    ground_pin: int
    """The other wire's place on the header: any ground does, this one is next to it."""


BUTTONS = (
    ButtonWire("left", gpio=17, header_pin=11, ground_pin=9),
    ButtonWire("right", gpio=27, header_pin=13, ground_pin=14),
)
"""Each button connects its pin to ground; the pin is pulled up inside the chip, so closed is low."""

BUTTON_PINS: dict[Line, int] = {wire.line: wire.gpio for wire in BUTTONS}
"""BCM numbers by button."""


@dataclass(frozen=True, slots=True)
class OutputWire:
    """The two wires of a lamp or of the sounder on the 40-pin header."""

    name: str
    """What hangs on it."""
    gpio: int
    """The signal wire's BCM number."""
    header_pin: int
    """The signal wire's place on the header."""
    ground_pin: int
    """The other wire's place on the header."""


LEFT_LAMP = OutputWire("left lamp", gpio=22, header_pin=15, ground_pin=20)
RIGHT_LAMP = OutputWire("right lamp", gpio=23, header_pin=16, ground_pin=25)
SOUNDER = OutputWire("sounder", gpio=12, header_pin=32, ground_pin=34)
OUTPUTS = (LEFT_LAMP, RIGHT_LAMP, SOUNDER)
"""High is lit, or a pulse. All of them are pins that the chip pulls down while it starts: dark and silent from the first moment."""

LAMP_PINS: dict[Line, int] = {"left": LEFT_LAMP.gpio, "right": RIGHT_LAMP.gpio}
"""BCM numbers by the button whose lamp it is."""

CHIPS = {
    "pinctrl-rp1": "Pi 5",
    "pinctrl-bcm2711": "Pi 4, 400",
    "pinctrl-bcm2835": "Pi 3, Zero 2 W",
}
"""The header's chip by label; its number differs between kernels."""

CHIP_LABELS = tuple(CHIPS)
"""The labels alone."""
