"""A call rises at a table, stands on a referee's phone at once, is accepted there by keyboard, and the hall sees that somebody comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from kiosk.server import orders
from kiosk.session import commands as c
from kiosk.sync import wire
from tests.server.browser.conftest import Opening, live
from tests.server.devices import enrol
from tests.server.playing import LEFT, PlayingTable
from tests.server.served import ORGANIZER, PASSWORD
from tests.server.serving import Server, serving


@pytest.fixture
def whole(database: str, tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path / "server", "" if database.startswith("sqlite") else database) as made:
        yield made


@pytest.fixture
def away() -> Iterator[Callable[..., object]]:
    """Does something in another thread: the browser's driver has this one's event loop."""
    with ThreadPoolExecutor(1) as pool:
        yield lambda what, *arguments, **values: pool.submit(what, *arguments, **values).result(60)


def log_in(page: Page) -> None:
    """By keyboard alone; the name's field has the focus."""
    expect(page.locator("#f-name")).to_be_focused()
    page.keyboard.type(ORGANIZER)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/referee")


def test_a_referee_accepts_a_call(whole: Server, visit: Opening, away: Callable[..., object]) -> None:
    house = whole.house
    device = enrol(house.store, "12", "12")
    house.intake.presence(device, online=True)
    table = PlayingTable(house.intake, device)
    table.open(100, "final")
    table.press(LEFT, 110)
    away(table.send, 111)

    phone = visit(f"{whole.url}/referee", width=390, height=844)
    log_in(phone)
    live(phone)
    hall = live(visit(whole.url))
    expect(phone.locator(".calling")).to_have_count(0)

    table.do(c.CallReferee("left"), 120)
    away(table.send, 121)
    expect(phone.locator(".calling")).to_contain_text("Table 12")
    expect(hall.locator('[data-table="12"] .call')).to_contain_text("Referee called")

    button = phone.get_by_role("button", name="On my way")
    button.focus()
    phone.keyboard.press("Enter")
    expect(phone.locator(".note.good").first).to_be_visible()
    with house.store.read() as connection:
        (order,) = orders.open_orders(connection, device)
    assert isinstance(order.order.what, wire.RefereeComing)

    table.do(c.RefereeComing(order.order.what.by), 125)
    away(table.send, 126)
    expect(phone.locator(".calling")).to_contain_text(f"{ORGANIZER} (organizer) is on the way")
    expect(phone.get_by_role("button", name="On my way")).to_have_count(0)
    expect(hall.locator('[data-table="12"] .call')).to_contain_text("Referee on the way")
    assert ORGANIZER not in hall.content()
