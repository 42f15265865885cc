"""A referee's page that is open is right without being touched: after an outage too, and never at the cost of what somebody types."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Page, expect

from kiosk.domain.rulebook import Sanction
from kiosk.domain.types import Pair
from kiosk.server import tournament
from kiosk.server.acts import acting
from kiosk.session import commands as c
from kiosk.tournament import happened as h
from kiosk.tournament.plan import Entrant, StagePlan, System
from tests.patience import Stopwatch
from tests.server import faces
from tests.server.browser.conftest import Opening, live
from tests.server.devices import enrol
from tests.server.playing import LEFT, REFEREE, PlayingTable
from tests.server.served import ORGANIZER, PASSWORD
from tests.server.serving import Server, serving

REFUSED = "net::ERR_"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server")) as made:
        faces.show(made.house, faces.playing("2", faces.now_ms(made.house)))
        yield made


def logged_in(server: Server, visit: Opening, **options: object) -> Page:
    page = visit(f"{server.url}/login", **options)
    page.fill("#f-name", ORGANIZER)
    page.fill("#f-password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/desk")
    return page


def test_after_an_outage_calls_are_right_within_3_s(server: Server, visit: Opening) -> None:
    page = logged_in(server, visit, width=390, height=844, expected=REFUSED)
    page.goto(f"{server.url}/referee")
    live(page)
    server.stop()
    expect(page.locator("#lost")).to_be_visible()
    server.start()
    watch, now = Stopwatch(), faces.now_ms(server.house)
    faces.show(server.house, faces.playing("2", now, call={"by": "left", "since_ms": now, "coming": None}))
    expect(page.locator(".calling")).to_contain_text("Table 2")
    expect(page.locator("#lost")).to_be_hidden()
    assert watch.seconds() <= 3


def test_what_somebody_types_and_has_opened_stays_while_the_rest_goes_on(server: Server, visit: Opening) -> None:
    table = PlayingTable(server.house.intake, enrol(server.house.store, "12", "12"))
    with ThreadPoolExecutor(1) as pool:
        table.open(100, "final", players=Pair(("Ana",), ("Борис",)))
        table.press(LEFT, 110)
        table.do(c.SignIn(REFEREE), 120)
        table.do(c.Rule((LEFT,), "dice_early", Sanction.WARNING, note="once"), 121)
        pool.submit(table.send, 122).result(60)
        page = logged_in(server, visit, width=390, height=844)
        page.goto(f"{server.url}/referee/match/final")
        live(page)
        page.locator("details").first.locator("summary").click()
        typed = page.locator("input[name=typed]").first
        typed.fill("a mis")
        table.do(c.CallReferee(None), 130)
        pool.submit(table.send, 131).result(60)
        expect(page.get_by_role("button", name="On my way")).to_be_visible()
        expect(typed).to_have_value("a mis")
        expect(typed).to_be_focused()
        page.keyboard.type("take")
        expect(typed).to_have_value("a mistake")


def test_the_keyboard_stays_where_it_is_while_other_calls_come_and_go(server: Server, visit: Opening) -> None:
    now = faces.now_ms(server.house)
    waits = {"call": {"by": "left", "since_ms": now - 60_000, "coming": None}, "phase": "stopped", "running": []}
    faces.show(server.house, faces.playing("21", now, **waits))
    page = logged_in(server, visit)
    page.goto(f"{server.url}/referee")
    live(page)
    action = page.locator(".calling", has_text="Table 21").locator("form").get_attribute("action")
    page.locator(f'form[action="{action}"] button').focus()
    faces.show(server.house, faces.playing("20", now, **waits | {"call": {"by": "right", "since_ms": now - 90_000, "coming": None}}))
    expect(page.locator(".calling", has_text="Table 20")).to_be_visible()
    expect(page.locator(f'form[action="{action}"] button')).to_be_focused()
    faces.show(server.house, faces.playing("20", now), faces.playing("21", now))


def test_a_login_that_has_ended_leads_back_to_the_login(server: Server, visit: Opening) -> None:
    page = logged_in(server, visit, expected="401")
    page.goto(f"{server.url}/referee")
    live(page)
    page.context.clear_cookies()
    now = faces.now_ms(server.house)
    faces.show(server.house, faces.playing("2", now, call={"by": "right", "since_ms": now, "coming": "Eva"}))
    page.wait_for_url("**/login?next=%2Freferee")


def test_a_public_page_of_the_tournament_shows_a_result_without_being_touched(server: Server, visit: Opening) -> None:
    stage = h.StageOpened(1, StagePlan("Main", System.ROUND_ROBIN, seed="x"), (1, 2))

    def happen(*what: h.Happened) -> None:
        with acting(server.house, "a test") as act:
            tournament.happen(act, what)

    happen(*(h.Entered(Entrant(n, (f"P{n}",))) for n in (1, 2)), stage)
    page = visit(f"{server.url}/tournament/1", width=390, height=844)
    assert 0 < int(page.locator("body").get_attribute("data-spread") or 0) <= 2000
    live(page)
    happen(h.Ended(1, "G1.1.1", h.Outcome.RIGHT))
    expect(page.locator(".pairings")).to_contain_text("0 : 1")
