"""Many pages of one browser: browsers open six connections to a server, and each page must go on being right."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.patience import Stopwatch
from tests.server import faces
from tests.server.browser.conftest import Opening, live
from tests.server.serving import Server

REFUSED = "net::ERR_"
PATHS = ("/", "/?wall=1", "/m/match-2", "/overlay/2", "/overlay/3", "/", "/m/match-3", "/overlay/2")
SIGHT = "hidden => { Object.defineProperty(document, 'hidden', { get: () => hidden, configurable: true }); %s }"
SHOW_OR_HIDE = SIGHT % "document.dispatchEvent(new Event('visibilitychange'))"


@pytest.fixture
def more(server: Server, visit: Opening) -> Callable[[], list[Page]]:
    """Opens eight pages in one browser."""
    faces.show(server.house, *faces.variety(20, faces.now_ms(server.house)))

    def opened() -> list[Page]:
        first = visit(server.url + PATHS[0], expected=REFUSED)
        context: BrowserContext = first.context
        pages = [live(first)]
        for path in PATHS[1:]:
            page = context.new_page()
            page.goto(server.url + path)
            pages.append(live(page))
        return pages

    return opened


def readers(server: Server) -> int:
    """How many connections are read."""
    channels = server.live._readers
    return len({reader for each in channels.values() for reader in each})


def shows(page: Page, score: int) -> None:
    place = page.locator('[data-table="2"] .left .score')
    if place.count():
        expect(place.first).to_have_text(str(score))


def scored(server: Server, score: int) -> None:
    now = faces.now_ms(server.house)
    faces.show(server.house, faces.playing("2", now, score={"left": score, "right": 1}, match="match-2"))


def test_eight_pages_are_live_over_one_connection(server: Server, more: Callable[[], list[Page]]) -> None:
    pages = more()
    assert readers(server) == 1
    scored(server, 3)
    for page in pages:
        shows(page, 3)


def test_the_others_go_on_when_the_page_that_leads_is_closed_or_hidden(server: Server, more: Callable[[], list[Page]]) -> None:
    pages = more()
    pages.pop(0).close()
    scored(server, 4)
    for page in pages:
        shows(page, 4)
    pages[0].evaluate(SHOW_OR_HIDE, True)
    scored(server, 5)
    for page in pages[1:]:
        shows(page, 5)
    pages[0].evaluate(SHOW_OR_HIDE, False)
    shows(pages[0], 5)
    expect(pages[0].locator("html")).not_to_have_class("stale")


def test_a_browser_whose_pages_are_all_hidden_reads_nothing(server: Server, more: Callable[[], list[Page]]) -> None:
    pages = more()
    for page in pages:
        page.evaluate(SHOW_OR_HIDE, True)
    watch = Stopwatch()
    while readers(server):
        pages[0].wait_for_timeout(100)
        assert watch.seconds() < 5


def test_all_of_them_are_right_within_3_s_after_an_outage(server: Server, more: Callable[[], list[Page]]) -> None:
    pages = more()
    server.stop()
    expect(pages[0].locator("#lost")).to_be_visible()
    expect(pages[5].locator("#lost")).to_be_visible()
    server.start()
    watch = Stopwatch()
    scored(server, 6)
    for page in pages:
        shows(page, 6)
    assert watch.seconds() <= 3


def test_a_page_that_leads_and_is_stuck_is_relieved(server: Server, more: Callable[[], list[Page]]) -> None:
    pages = more()
    session = pages[0].context.new_cdp_session(pages[0])
    session.send("Debugger.enable")
    session.send("Debugger.pause")
    scored(server, 7)
    place = pages[5].locator('[data-table="2"] .left .score')
    expect(place).to_have_text("7")
    session.send("Debugger.resume")
