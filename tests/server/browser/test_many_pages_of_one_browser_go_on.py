"""A browser keeps six connections to a server: however many of its pages are open, each is live, and another one loads."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.server import faces
from tests.server.browser.conftest import Opening, live
from tests.server.serving import Server


def test_eight_pages_of_one_browser_are_live_and_another_one_loads(server: Server, visit: Opening) -> None:
    first = live(visit(server.url))
    paths = ("/?wall=1", "/overlay/2", "/overlay/9", "/", "/", "/overlay/5", "/overlay/2")
    pages: list[Page] = []
    for path in paths:
        page = first.context.new_page()
        page.goto(server.url + path)
        pages.append(live(page))
    faces.show(server.house, faces.playing("2", faces.now_ms(server.house), score={"left": 3, "right": 6}, running=["left"]))
    for page in pages:
        if (score := page.locator('[data-table="2"] .left .score')).count():
            expect(score).to_have_text("3", timeout=3000)
    assert first.context.new_page().goto(f"{server.url}/results").ok  # type: ignore[union-attr]


HIDE = """(hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
}"""


def test_a_page_that_is_out_of_sight_lets_its_line_go_and_is_right_when_it_is_looked_at(server: Server, visit: Opening) -> None:
    page = live(visit(server.url))
    page.evaluate(HIDE, True)
    page.wait_for_function("async () => (await navigator.locks.query()).held.length === 0", timeout=9000)
    faces.show(server.house, faces.playing("2", faces.now_ms(server.house), score={"left": 1, "right": 5}))
    page.evaluate(HIDE, False)
    expect(page.locator('[data-table="2"] .left .score')).to_have_text("1", timeout=3000)
    expect(page.locator("#lost")).to_be_hidden()
