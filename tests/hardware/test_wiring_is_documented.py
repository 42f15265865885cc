"""WIRING.md and the code have one table."""

from __future__ import annotations

from pathlib import Path

import hardware
from hardware.pins import BUTTON_PINS, BUTTONS, CHIPS, OUTPUTS

TEXT = (Path(hardware.__file__).parent / "WIRING.md").read_text(encoding="utf-8")


def table(first_heading: str) -> list[list[str]]:
    lines = TEXT.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(f"| {first_heading} |"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def test_buttons_are_wired_as_documented() -> None:
    assert table("button") == [[w.line, f"GPIO{w.gpio}", str(w.header_pin), str(w.ground_pin)] for w in BUTTONS]


def test_lamps_and_sounder_are_wired_as_documented() -> None:
    assert table("output") == [[w.name, f"GPIO{w.gpio}", str(w.header_pin), str(w.ground_pin)] for w in OUTPUTS]


def test_chips_are_labelled_as_documented() -> None:
    assert table("label") == [[label, boards] for label, boards in CHIPS.items()]


def test_header_places_are_those_of_the_boards() -> None:
    from gpiozero.pins.mock import MockFactory

    header = MockFactory().board_info.headers["J8"]
    for wire in (*BUTTONS, *OUTPUTS):
        assert header.pins[wire.header_pin].name == f"GPIO{wire.gpio}"
        assert header.pins[wire.ground_pin].name == "GND"


def test_each_part_has_pins_of_its_own() -> None:
    wires = (*BUTTONS, *OUTPUTS)
    assert len({wire.gpio for wire in wires}) == len(wires)
    assert len({place for wire in wires for place in (wire.header_pin, wire.ground_pin)}) == 2 * len(wires)
    assert {wire.line: wire.gpio for wire in BUTTONS} == BUTTON_PINS


def test_outputs_are_on_pins_that_are_pulled_down_at_the_start() -> None:
    assert all(wire.gpio > 8 for wire in OUTPUTS)  # the chip pulls GPIO0 to GPIO8 up
