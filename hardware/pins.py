"""The box's pins, in one table. WIRING.md shows the same table with a drawing; a test holds them together."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardware.edges import Line

BUTTON_PINS: dict[Line, int] = {"left": 17, "right": 27}
"""BCM numbers; each button connects its pin to ground, the pin is pulled up inside the chip."""

CHIP_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The header's chip by label: Pi 5, Pi 4, Pi 3 and Zero 2 W; its number differs between kernels."""
