"""A real session's facts go in at one end and stand on open pages at the other, on SQLite and on PostgreSQL."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import expect

from kiosk.domain.state import Place
from kiosk.domain.types import Pair
from tests.server.browser.conftest import Opening, live
from tests.server.devices import enrol
from tests.server.playing import LEFT, RIGHT, PlayingTable
from tests.server.serving import Server, serving


@pytest.fixture
def whole(database: str, tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path / "server", database) as made:
        yield made


@pytest.fixture
def away() -> Iterator[Callable[..., object]]:
    """Does something in another thread: the browser's driver has this one's event loop."""
    with ThreadPoolExecutor(1) as pool:
        yield lambda what, *arguments, **values: pool.submit(what, *arguments, **values).result(60)


def test_a_match_is_followed_from_its_first_press_to_its_result(whole: Server, visit: Opening, away: Callable[..., object]) -> None:
    house = whole.house
    device = enrol(house.store, "12", "12")
    board = live(visit(whole.url))
    card = board.locator('[data-table="12"]')
    expect(card).to_have_attribute("data-state", "offline")
    house.intake.presence(device, online=True)
    expect(card).to_have_attribute("data-state", "free")

    table = PlayingTable(house.intake, device)
    table.open(100, "final", place=Place("", "3", "12", practice=False), players=Pair(("Ana",), ("Борис",)))
    table.press(LEFT, 110)
    away(table.send, 113)
    expect(card.locator(".right")).to_have_class(re.compile("runs"))
    expect(card.locator(".right .delay")).to_have_text(re.compile(r"^[1-9]$"))
    expect(card.locator(".right .name")).to_have_text("Борис")
    expect(card.locator(".about")).to_contain_text("Round 3 · to 3")

    match = live(visit(f"{whole.url}/m/final"))
    table.press(RIGHT, 118)
    away(table.send, 118)
    for page in (board, match):
        expect(page.locator('[data-table="12"] .left')).to_have_class(re.compile("runs"))
    table.finish(120)
    away(table.send, 170)
    expect(card).to_have_attribute("data-state", "signed")
    expect(card.locator(".left")).to_have_class(re.compile("won"))
    expect(match.locator(".games tbody tr")).to_have_count(3)
    expect(match.locator(".games tbody tr").last).to_contain_text("3\u2009–\u20090")
