"""The header's chip and the buttons' lines as they are, without claiming any of them: for whoever looks for a fault."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardware.edges import HardwareFault
from hardware.gpiod_source import import_gpiod
from hardware.pins import BUTTON_PINS, CHIP_LABELS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hardware.edges import Line


@dataclass(frozen=True, slots=True)
class LineSeen:
    """One button's line."""

    line: Line
    gpio: int
    """BCM number."""
    holder: str
    """Who holds it, as it calls itself; empty where nobody does."""


@dataclass(frozen=True, slots=True)
class PinReport:
    """What is there."""

    chip: str = ""
    """The header's chip, such as `/dev/gpiochip0`; empty where there is none."""
    label: str = ""
    """Its label."""
    others: tuple[str, ...] = ()
    """Every other chip: its name, and its label or why it does not open."""
    lines: tuple[LineSeen, ...] = ()
    """The buttons' lines; empty where there is no chip."""
    fault: str = ""
    """Why nothing can be looked at; else empty."""


def look_at_pins(module: Any = None, folder: Path = Path("/dev"), pins: Mapping[Line, int] | None = None) -> PinReport:  # noqa: ANN401 - gpiod is optional
    """Look at every chip, and at who holds the buttons' lines.

    Args:
        module: The gpiod module or its twin; None imports it.
        folder: Where the chips' files are.
        pins: BCM numbers by button; None takes the table's.
    """
    try:
        gpiod = import_gpiod() if module is None else module
    except HardwareFault as fault:
        return PinReport(fault=str(fault))
    found = PinReport()
    others: list[str] = []
    for path in sorted(folder.glob("gpiochip*")):
        try:
            with gpiod.Chip(str(path)) as chip:
                label = chip.get_info().label
                if label in CHIP_LABELS and not found.chip:
                    found = PinReport(str(path), label, lines=_lines(chip, BUTTON_PINS if pins is None else pins))
                else:
                    others.append(f"{path.name}: {label}")
        except OSError as error:
            others.append(f"{path.name}: {error.strerror or error}")
    return PinReport(found.chip, found.label, tuple(others), found.lines)


def _lines(chip: Any, pins: Mapping[Line, int]) -> tuple[LineSeen, ...]:  # noqa: ANN401
    seen = []
    for line, number in pins.items():
        info = chip.get_line_info(number)
        seen.append(LineSeen(line, number, (info.consumer or "somebody without a name") if info.used else ""))
    return tuple(seen)
