from __future__ import annotations

import runpy
from itertools import combinations, pairwise, product
from xml.etree import ElementTree as ET

from hardware import wiring_picture
from hardware.pins import BUTTONS, OUTPUTS
from hardware.wiring_picture import COLUMNS, FILE, GROUNDS, SUPPLY, parts, picture, place

SVG = "{http://www.w3.org/2000/svg}"


def test_the_file_is_what_the_table_gives() -> None:
    assert FILE.read_text(encoding="utf-8") == picture(), "run: python -m hardware.wiring_picture"


def test_every_wire_ends_in_its_pin() -> None:
    root = ET.fromstring(picture())  # noqa: S314 - our own text
    ends = [tuple(map(int, line.attrib["points"].split()[-1].split(","))) for line in root.iter(f"{SVG}polyline")]
    wanted = [place(pin) for wire in (*BUTTONS, *OUTPUTS) for pin in (wire.header_pin, wire.ground_pin)]
    assert ends == wanted


def test_every_part_names_its_pins() -> None:
    root = ET.fromstring(picture())  # noqa: S314 - our own text
    words = {text.text for text in root.iter(f"{SVG}text")}
    assert {f"GPIO{w.gpio} ({w.header_pin}) – ground ({w.ground_pin})" for w in (*BUTTONS, *OUTPUTS)} <= words


def test_no_two_wires_share_a_channel_and_none_lies_on_a_supply_pin() -> None:
    root = ET.fromstring(picture())  # noqa: S314 - our own text
    channels = [line.attrib["points"].split()[1].split(",")[0] for line in root.iter(f"{SVG}polyline")]
    assert len(set(channels)) == len(channels)
    assert not {pin for part in parts() for pin in (part.signal, part.ground)} & set(SUPPLY)
    assert {part.ground for part in parts()} <= set(GROUNDS)


def test_no_wire_lies_on_another() -> None:
    root = ET.fromstring(picture())  # noqa: S314 - our own text
    wires = [[tuple(map(int, point.split(","))) for point in line.attrib["points"].split()] for line in root.iter(f"{SVG}polyline")]
    for one, other in combinations(wires, 2):
        for (a, b), (c, d) in product(pairwise(one), pairwise(other)):
            for along, across in ((0, 1), (1, 0)):
                level = a[across] == b[across] and c[across] == d[across] and abs(a[across] - c[across]) < 5
                assert not (
                    level and max(min(a[along], b[along]), min(c[along], d[along])) < min(max(a[along], b[along]), max(c[along], d[along]))
                )


def test_odd_pins_stand_in_the_left_column() -> None:
    assert [place(pin)[0] for pin in (1, 2, 39, 40)] == [*COLUMNS, *COLUMNS]


def test_it_is_written_by_its_command() -> None:
    before = FILE.read_bytes()
    runpy.run_path(wiring_picture.__file__, run_name="__main__")
    assert FILE.read_bytes() == before
