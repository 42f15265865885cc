"""The wiring picture, drawn from `pins.py`: `python -m hardware.wiring_picture` writes `wiring.svg` beside this file anew.

The header stands in the middle as it is seen from above, pin 1 at its upper left. What hangs on a pin of its left column stands to the
left, the rest to the right; each wire has a channel of its own, and one that goes to the far column passes between two rows of pins.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hardware.pins import BUTTONS, OUTPUTS, SOUNDER

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = Path(__file__).with_name("wiring.svg")

PITCH, TOP, ROWS = 28, 96, 20
"""Pixels between two rows, where the first lies, and how many there are."""
COLUMNS = (452, 508)
"""Where the odd and the even pins stand."""
WIDTH, HEIGHT = 960, TOP + ROWS * PITCH + 84
BOX_W, BOX_H, APART = 172, 76, 44
STEP = 18
"""How far a box's ground leaves it below its signal."""
EDGES = (24, WIDTH - 24 - BOX_W)
"""Where the boxes on either side begin."""
CHANNELS = (410, 550)
"""The innermost channels for wires on either side."""

SUPPLY = {1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V"}
"""Pins that are not to be touched with a wire of ours."""
WARNING = "red rings: 5 V (2, 4), which the chip’s pins do not survive, and 3.3 V (1, 17)"
GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)
SIGNALS = ("#c0392b", "#2e6da4", "#c77d00", "#7d3c98", "#1e8449")
GROUND = "#1b1e24"


@dataclass(frozen=True, slots=True)
class Part:
    """Something that hangs on two pins."""

    name: str
    inside: str
    """What stands between signal and ground."""
    gpio: int
    signal: int
    """Places on the header."""
    ground: int
    colour: str

    @property
    def side(self) -> int:
        """0 stands to the left, 1 to the right."""
        return 0 if self.signal % 2 else 1


def parts() -> list[Part]:
    """Every part in the order of its signal's place."""
    buttons = [(f"{wire.line} button", "switch, normally open", wire.gpio, wire.header_pin, wire.ground_pin) for wire in BUTTONS]
    outputs = [
        (wire.name, "100 Ω and a passive piezo" if wire is SOUNDER else "470 Ω and an LED", wire.gpio, wire.header_pin, wire.ground_pin)
        for wire in OUTPUTS
    ]
    return [Part(*words, colour) for words, colour in zip([*buttons, *outputs], SIGNALS, strict=True)]


def place(pin: int) -> tuple[int, int]:
    """A pin's middle."""
    return COLUMNS[(pin + 1) % 2], TOP + (pin - 1) // 2 * PITCH


def picture() -> str:
    """The whole file."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="15">',
        "<title>Wiring of the clock buttons, their lamps and the sounder</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        _text(WIDTH // 2, 34, "40-pin header, seen from above; pin 1 at the corner of the board", 19, bold=True),
        _text(WIDTH // 2, 58, "each part hangs between its signal pin and ground; lamps and sounder are optional", 15),
        *_wires(),
        *_header(),
        *_boxes(),
        _text(WIDTH // 2, HEIGHT - 26, WARNING, 15, colour="#c0392b"),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _text(x: int, y: int, words: str, size: int, *, colour: str = "#1b1e24", anchor: str = "middle", bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"{weight}>{words}</text>'


def _header() -> Iterator[str]:
    used = {pin: part.colour for part in parts() for pin in (part.signal,)} | {part.ground: GROUND for part in parts()}
    for pin in range(1, 2 * ROWS + 1):
        x, y = place(pin)
        fill = used.get(pin, "#ffffff")
        edge, width = ("#c0392b", 3) if pin in SUPPLY else ("#1b1e24", 1)
        yield f'<circle cx="{x}" cy="{y}" r="8" fill="{fill}" stroke="{edge}" stroke-width="{width}"/>'
        inward = x + 13 if pin % 2 else x - 13
        yield _text(inward, y + 4, str(pin), 10, colour="#5a6270", anchor="start" if pin % 2 else "end")


def _boxes() -> Iterator[str]:
    for part, top in zip(parts(), _tops(), strict=True):
        x = EDGES[part.side]
        yield f'<rect x="{x}" y="{top}" width="{BOX_W}" height="{BOX_H}" rx="9" fill="#f2f4f7" stroke="{part.colour}" stroke-width="2"/>'
        middle = x + BOX_W // 2
        yield _text(middle, top + 24, part.name, 17, bold=True)
        yield _text(middle, top + 44, part.inside, 12, colour="#3a404a")
        yield _text(middle, top + 64, f"GPIO{part.gpio} ({part.signal}) – ground ({part.ground})", 12, colour="#3a404a")


def _tops() -> list[int]:
    """Each box beside its signal pin, with room between two of them."""
    tops: list[int] = []
    below = [TOP, TOP]
    for part in parts():
        top = max(below[part.side], place(part.signal)[1] - BOX_H // 3)
        tops.append(top)
        below[part.side] = top + BOX_H + APART
    return tops


def _wires() -> Iterator[str]:
    taken = [0, 0]
    left, wide, high = COLUMNS[0] - 24, COLUMNS[1] - COLUMNS[0] + 48, ROWS * PITCH + 14
    yield f'<rect x="{left}" y="{TOP - 22}" width="{wide}" height="{high}" rx="8" fill="#e4e8ee"/>'
    for part, top in zip(parts(), _tops(), strict=True):
        out = EDGES[part.side] + (BOX_W if part.side == 0 else 0)
        for pin, colour, y in ((part.signal, part.colour, top + BOX_H // 3), (part.ground, GROUND, top + BOX_H // 3 + STEP)):
            step = -16 if part.side == 0 else 16
            channel = CHANNELS[part.side] + step * taken[part.side]
            taken[part.side] += 1
            yield _wire([(out, y), (channel, y)], pin, part.side, colour)


def _wire(points: list[tuple[int, int]], pin: int, side: int, colour: str) -> str:
    """From a box to its channel, as given, and on to the pin."""
    channel, (x, at) = points[-1][0], place(pin)
    if (pin % 2 == 1) is (side == 0):
        points += [(channel, at), (x, at)]
    else:  # to the far column between two rows
        between = at + PITCH // 2
        points += [(channel, between), (x, between), (x, at)]
    path = " ".join(f"{px},{py}" for px, py in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5"/>'


if __name__ == "__main__":
    FILE.write_text(picture(), encoding="utf-8")
