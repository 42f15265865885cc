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

CHIPS = {
    "pinctrl-rp1": "Pi 5",
    "pinctrl-bcm2711": "Pi 4, 400",
    "pinctrl-bcm2835": "Pi 3, Zero 2 W",
}
"""The header's chip by label; its number differs between kernels."""

CHIP_LABELS = tuple(CHIPS)
"""The labels alone."""
