"""The hall in a browser: right while it is open, without anybody touching it."""

from __future__ import annotations

import asyncio
import re
from typing import NoReturn

import pytest
from playwright.sync_api import Locator, expect

from kiosk.server import live as live_module
from kiosk.server.schema import device
from kiosk.server.store import StoreUnavailable
from tests.patience import Stopwatch
from tests.server import faces
from tests.server.browser.conftest import Opening, live
from tests.server.serving import Server

REFUSED = "net::ERR_"
"""What the browser itself writes when the server is gone."""


def restored(server: Server) -> None:
    faces.show(server.house, *faces.variety(20, faces.now_ms(server.house)))


@pytest.fixture(autouse=True)
def hall(server: Server) -> None:
    """Every test begins with the same hall."""
    restored(server)


def test_a_press_at_a_table_shows_within_a_second(server: Server, visit: Opening) -> None:
    page = live(visit(server.url))
    half = page.locator('[data-table="2"] .half.right')
    expect(half).not_to_have_class(re.compile("runs"))
    watch = Stopwatch()
    faces.show(server.house, faces.playing("2", faces.now_ms(server.house), turn="right", running=["right"], score={"left": 5, "right": 6}))
    expect(half).to_have_class(re.compile("runs"))
    assert watch.seconds() < 1
    expect(half.locator(".score")).to_have_text("6")
    expect(page.locator('[data-table="2"] .half.left')).not_to_have_class(re.compile("runs"))


def test_clocks_run_on_the_page_between_two_words_of_the_server(server: Server, visit: Opening) -> None:
    page = live(visit(server.url))
    at, watch = faces.now_ms(server.house), Stopwatch()
    faces.show(server.house, faces.playing("2", at, reserve_ms={"left": 12_000, "right": 60_000}, delay_left_ms=0))
    clock = page.locator('[data-table="2"] .left .clock')
    expect(clock).to_have_text(re.compile(r"^0:(11|10|0\d)\.\d$"))
    _is_right(server, clock, at, watch)
    expect(clock).not_to_have_text(clock.inner_text())  # nobody has said anything
    _is_right(server, clock, at, watch)


def _is_right(server: Server, clock: Locator, at: int, watch: Stopwatch) -> None:
    """It shows what is left of twelve seconds, give or take what a busy machine may be late with its pictures."""
    before = faces.now_ms(server.house)
    shown = float(clock.inner_text().split(":")[1]) * 1000
    least, most = (max(0, 12_000 - (now - at)) for now in (faces.now_ms(server.house), before))
    late = 400 + watch.held_up() * 1000
    assert least - late <= shown <= most + late


def test_the_script_shows_a_table_exactly_as_the_server_does(server: Server, visit: Opening) -> None:
    get = """() => [...document.querySelectorAll('#tables > li')].map((card) => {
        const copy = card.cloneNode(true);
        copy.querySelectorAll('.clock, .wait').forEach((node) => (node.textContent = node.textContent ? 'x' : ''));
        copy.querySelectorAll('.delay').forEach((node) => (node.textContent = '')); // over in seconds
        return copy.outerHTML.replace(/ class="([^"]*)"/g, (whole, names) => ` class="${names.trim().split(/\\s+/).sort().join(' ')}"`);
    })"""
    bare = visit(server.url, java_script_enabled=False, expected="x")
    served = bare.locator("#tables").inner_html()
    page = visit(server.url)
    as_served = page.evaluate(
        "(html) => { const list = document.createElement('ul'); list.innerHTML = html; list.id = 'served'; document.body.append(list); }",
        served,
    )
    del as_served
    live(page)
    shown = page.evaluate(get)
    wanted = page.evaluate(get.replace("#tables", "#served"))
    assert len(shown) == 20
    for mine, theirs in zip(shown, wanted, strict=True):
        assert mine == theirs


def test_a_table_that_comes_stands_in_its_place_and_one_that_goes_is_gone(server: Server, visit: Opening) -> None:
    page = live(visit(server.url))
    faces.show(server.house, faces.playing("9a", faces.now_ms(server.house)))
    expect(page.locator('[data-table="9"] + [data-table="9a"] .name').first).not_to_be_empty()
    with server.house.store.write() as connection:
        connection.execute(device.update().where(device.c.table_name == "9a").values(revoked_ns=1))
    server.house.hub.publish("face", faces.playing("9a", 0)["device"])
    expect(page.locator('[data-table="9a"]')).to_have_count(0)


def test_a_call_and_a_paused_hall_are_told_in_words(server: Server, visit: Opening) -> None:
    page = live(visit(server.url))
    now = faces.now_ms(server.house)
    faces.show(server.house, faces.playing("2", now, call={"by": "left", "since_ms": now - 61_000, "coming": None}))
    expect(page.locator('[data-table="2"] .call')).to_have_text(re.compile(r"Referee called 1:0\d"))
    expect(page.locator('[data-count="calls"]')).to_have_text("3")
    faces.pause(server.house, "fire alarm")
    expect(page.locator("#pause")).to_have_text("All clocks are paused: fire alarm")
    faces.pause(server.house, None)
    expect(page.locator("#pause")).to_be_hidden()


def test_a_page_that_was_open_during_an_outage_is_right_again_within_3_s_untouched(server: Server, visit: Opening) -> None:
    page = live(visit(server.url, expected=REFUSED))
    server.stop()
    expect(page.locator("#lost")).to_have_text(re.compile(r"Connection lost since \d\d:\d\d:\d\d"))
    assert page.locator(".half.runs").first.evaluate("node => getComputedStyle(node).backgroundColor") == "rgba(0, 0, 0, 0)"
    server.start()
    watch = Stopwatch()
    faces.show(server.house, faces.playing("2", faces.now_ms(server.house), score={"left": 6, "right": 6}, running=["right"]))
    expect(page.locator("#lost")).to_be_hidden()
    expect(page.locator('[data-table="2"] .left .score')).to_have_text("6")
    assert watch.seconds() <= 3


def test_a_server_that_falls_silent_is_noticed_within_4_s_of_its_last_word(
    server: Server, visit: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = live(visit(server.url))

    async def hang(self: object, channel: str) -> None:
        del self, channel
        await asyncio.Event().wait()

    monkeypatch.setattr(live_module, "WORD_S", 600)
    monkeypatch.setattr(live_module.Live, "join", hang)
    watch = Stopwatch()
    expect(page.locator("#lost")).to_be_visible()
    assert watch.seconds() <= 1.5 + 4 + 1
    monkeypatch.undo()
    watch = Stopwatch()
    expect(page.locator("#lost")).to_be_hidden()
    assert watch.seconds() <= 3.5


def test_tables_are_found_as_one_types_and_by_keyboard_alone(server: Server, visit: Opening) -> None:
    page = live(visit(server.url))
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.type("petrov")
    expect(page.locator("#tables > li:visible")).to_have_count(page.locator("#tables > li:visible", has_text="Petrović").count())
    assert page.locator("#tables > li:visible").count() in range(1, 10)
    page.keyboard.press("Tab")
    expect(page.locator("#round")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#none")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    focused = page.locator("a.number:focus")
    table = focused.inner_text()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(f"/m/match-{table}$"))


def test_what_the_script_writes_is_in_the_pages_language(server: Server, visit: Opening) -> None:
    page, told = visit(server.url), set()
    for language in ("en", "ru", "uk", "mk"):
        page.goto(f"{server.url}/?lang={language}")
        live(page)
        assert page.locator("html").get_attribute("lang") == language
        served = page.evaluate("JSON.parse(document.body.dataset.words).called")
        expect(page.locator('[data-table="5"] .calls')).to_have_text(served)
        told.add(served)
    assert "Referee called" in told


def test_a_database_that_is_away_is_told_within_4_s_and_the_board_is_right_within_3_s_of_its_return(server: Server, visit: Opening) -> None:
    page = live(visit(f"{server.url}/", expected="503"))
    store = server.house.store
    reads = store.read

    def away() -> NoReturn:
        raise StoreUnavailable("The database is away.")

    try:
        store.read = away  # type: ignore[method-assign]
        watch = Stopwatch()
        expect(page.locator("#lost")).to_be_visible()
        assert watch.seconds() <= 4
        expect(page.locator("#lost")).to_contain_text("since")
    finally:
        store.read = reads  # type: ignore[method-assign]
    watch = Stopwatch()
    expect(page.locator("#lost")).to_be_hidden()
    assert watch.seconds() <= 3
