"""Every public page on a phone, a desk and a wall, dark and light: nothing sticks out, targets are large enough."""

from __future__ import annotations

import io

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.server import faces
from tests.server.browser.conftest import Opening, live
from tests.server.served import ORGANIZER, PASSWORD
from tests.server.serving import Server

PATHS = ("/", "/m/match-2", "/m/match-14", "/results", "/login")
SMALL = """() => [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, summary')]
    .filter((node) => node.checkVisibility() && !node.closest('td, p, .skip'))
    .filter((node) => !node.matches('[type=checkbox], [type=radio]'))
    .map((node) => [node.outerHTML.slice(0, 80), (node.matches('a.number') ? node.closest('.table') : node).getBoundingClientRect()])
    .filter(([, box]) => box.width < 44 || box.height < 43.9)
    .map(([html, box]) => `${html} ${box.width}x${box.height}`)"""
WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def log_in(page: Page) -> None:
    page.fill("#f-name", ORGANIZER)
    page.fill("#f-password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/desk")


@pytest.mark.parametrize("language", ["en", "uk"])
def test_a_phone_needs_no_scrolling_sideways_and_every_target_has_44_pixels(server: Server, visit: Opening, language: str) -> None:
    page = visit(server.url, width=360, height=740, locale=language)
    for path in PATHS:
        page.goto(server.url + path)
        assert (path, page.evaluate(WIDER)) == (path, 0)
        assert (path, page.evaluate(SMALL)) == (path, [])


@pytest.mark.parametrize("language", ["en", "ru", "uk", "mk"])
def test_on_a_phone_the_desks_own_page_is_in_sight_among_its_links(server: Server, visit: Opening, language: str) -> None:
    page = visit(f"{server.url}/login?lang={language}", width=360, height=740)
    log_in(page)
    for path in ("/desk", "/desk/hall", "/desk/officials", "/desk/audit"):
        page.goto(server.url + path)
        left, right = page.locator(".rooms [aria-current]").evaluate(
            "node => { const box = node.getBoundingClientRect(); return [box.left, box.right]; }"
        )
        assert (path, left >= 0, right <= 360) == (path, True, True)


def test_what_folds_out_has_its_mark_beside_its_words_however_many_there_are(server: Server, visit: Opening) -> None:
    page = visit(f"{server.url}/login?lang=mk", width=360, height=740)
    log_in(page)
    page.goto(f"{server.url}/desk/matches/new")
    summary = page.locator("summary").first
    words = summary.evaluate(
        "node => { const range = document.createRange(); range.selectNodeContents(node); return range.getClientRects().length; }"
    )
    assert words == 2
    height = summary.evaluate("node => [node.offsetHeight, 2 * parseFloat(getComputedStyle(node).lineHeight)]")
    assert height[0] <= max(height[1], 44) + 1


def test_nothing_sticks_out_of_a_table_on_a_phone_in_any_language(server: Server, visit: Opening) -> None:
    page = visit(server.url, width=340, height=740)
    for language in ("en", "ru", "uk", "mk"):
        page.goto(f"{server.url}/?lang={language}")
        live(page)
        outside = page.evaluate(
            """() => [...document.querySelectorAll('.table')].filter((card) => {
                const parts = [...card.querySelectorAll('.half, .head, .call')].filter((part) => part.checkVisibility());
                return parts.some((part) => part.getBoundingClientRect().right > card.getBoundingClientRect().right);
            }).map((card) => card.innerText)"""
        )
        assert (language, outside) == (language, [])


def test_a_wall_shows_200_tables_on_one_screen(server: Server, visit: Opening) -> None:
    faces.show(server.house, *faces.variety(200, faces.now_ms(server.house)))
    page = live(visit(f"{server.url}/?wall=1", width=1920, height=1080))
    assert page.evaluate("() => document.documentElement.scrollHeight") == 1080
    last = page.locator('[data-table="200"]').bounding_box()
    assert last is not None
    assert last["y"] + last["height"] <= 1080
    outside = page.evaluate(
        """() => [...document.querySelectorAll('.table')].filter((card) => {
            const box = card.getBoundingClientRect();
            const parts = [...card.querySelectorAll('.half, .call')].filter((part) => part.checkVisibility());
            return parts.some((part) => part.getBoundingClientRect().bottom > box.bottom + 1);
        }).length"""
    )
    assert outside == 0
    size = page.locator('[data-table="16"] .clock').first.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    assert size >= 14


def picture(page: Page) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot(omit_background=True)))


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_an_overlay_is_transparent_but_for_its_strip(server: Server, visit: Opening, scheme: str) -> None:
    page = live(visit(f"{server.url}/overlay/2?at=bottom", width=1280, height=400, color_scheme=scheme))
    seen = picture(page).convert("RGBA")
    assert seen.getpixel((5, 5)) == (0, 0, 0, 0)
    assert seen.getpixel((640, 200))[3] == 0
    box = page.locator(".strip").bounding_box()
    assert box is not None
    assert seen.getpixel((round(box["x"] + box["width"] / 2), round(box["y"] + 3)))[3] > 200


def test_an_overlay_goes_on_live_in_a_frame(server: Server, visit: Opening) -> None:
    page = visit(f"{server.url}/overlay/2")
    live(page)
    now = faces.now_ms(server.house)
    faces.show(server.house, faces.playing("2", now, score={"left": 6, "right": 1}))
    expect(page.locator(".left .score")).to_have_text("6")
    expect(page.locator(".left .name")).to_have_text("Ana Petrović")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_what_is_focused_can_be_seen(server: Server, visit: Opening, scheme: str) -> None:
    page = visit(server.url, color_scheme=scheme)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    width, style = page.evaluate(
        "() => { const s = getComputedStyle(document.activeElement); return [parseFloat(s.outlineWidth), s.outlineStyle]; }"
    )
    assert (width >= 2, style) == (True, "solid")


@pytest.mark.parametrize("count", [12, 40])
def test_a_call_on_the_wall_leaves_its_card_as_it_is_and_names_whole(server: Server, visit: Opening, count: int) -> None:
    now = faces.now_ms(server.house)
    names = {"left": ["Tanja Andonova"], "right": ["Kostya Hrytsenko"]}
    called = {"by": "left", "since_ms": now - 60_000, "coming": None}
    hall = [faces.playing(str(n), now, players=names, cube=None, call=called if n == 2 else None) for n in range(1, count + 1)]
    faces.show(server.house, *hall)
    page = live(visit(f"{server.url}/?wall=1", width=1280, height=720))
    expect(page.locator('[data-table="2"] .wait')).to_be_visible()
    sizes = "nodes => nodes.map(node => [node.offsetHeight, getComputedStyle(node).fontSize].join())"
    assert len(set(page.locator('[data-table="2"] .half, [data-table="3"] .half').evaluate_all(sizes))) == 1
    cut = "nodes => nodes.filter(node => node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight + 2).length"
    assert page.locator('[data-table="2"] .name, [data-table="3"] .name').evaluate_all(cut) == 0


def test_a_name_on_the_wall_has_a_second_line_only_where_there_is_room_for_it(server: Server, visit: Opening) -> None:
    now = faces.now_ms(server.house)
    names = {"left": ["Tanja Andonova-Petrović"], "right": ["Kostya Hrytsenko"]}
    faces.show(server.house, *(faces.playing(str(n), now, players=names) for n in range(1, 201)))
    page = live(visit(f"{server.url}/?wall=1", width=1280, height=720))
    lower = "nodes => nodes.filter(node => node.offsetHeight > node.parentElement.clientHeight + 2).length"
    assert page.locator(".half .name").evaluate_all(lower) == 0
