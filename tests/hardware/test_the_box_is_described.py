"""The README of the box says what was measured, links what is there, and shows the picture."""

from __future__ import annotations

import re
from pathlib import Path

import hardware
from hardware.debounce import CHATTER_NS
from kiosk.domain.types import NS_PER_S
from kiosk.session.session import HEARTBEAT
from tests.bench.card_wear import CARD_GB, CYCLES, DAYS_A_YEAR, HOURS_A_DAY, INSIDE, life, years_bytes

FOLDER = Path(hardware.__file__).parent
TEXT = (FOLDER / "README.md").read_text(encoding="utf-8")


def beat() -> float:
    return float(re.search(r"\| one heartbeat \| ([\d.]+) kB \|", TEXT)[1]) * 1000  # type: ignore[index]


def test_what_is_computed_follows_from_what_was_measured() -> None:
    second = beat() * NS_PER_S / HEARTBEAT
    assert abs(float(re.search(r"([\d.]+) kB/s, (\d+) MB an hour", TEXT)[1]) - second / 1000) < 0.11  # type: ignore[index]
    assert f"{second * 3600 / 1e6:.0f} MB an hour" in TEXT
    assert (
        f"| {HOURS_A_DAY * DAYS_A_YEAR} hours a year ({DAYS_A_YEAR} days of {HOURS_A_DAY} hours) | {years_bytes(beat()) / 1e9:.0f} GB |"
        in TEXT
    )


def test_how_long_a_card_lasts_is_the_benchs_reckoning() -> None:
    rows = re.findall(r"\| (plain|endurance)[^|]*\| (\d+) times \| ([^|]+) \|", TEXT)
    assert [(int(cycles), lasts) for _kind, cycles, lasts in rows] == [(cycles, life(beat(), cycles)) for cycles in CYCLES.values()]
    assert f"a good one some {INSIDE[0]} times as much, a poor one {INSIDE[1]} times" in TEXT
    assert f"A card of {CARD_GB} GB then lasts" in TEXT


def test_it_allows_the_bounce_that_the_debouncer_does() -> None:
    assert f"A bounce of up to {CHATTER_NS // 1_000_000} ms is fine" in TEXT


def test_whatever_it_links_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", TEXT)
    assert {"WIRING.md", "BUTTON_BOX.md", "wiring.svg"} <= set(links)
    assert all((FOLDER / link).exists() for link in links)


def test_its_own_sections_are_linked_by_their_names() -> None:
    names = {heading.lower().replace(" ", "-") for heading in re.findall(r"^#+ (.+)$", TEXT, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([^)]+)\)", TEXT)) <= names
