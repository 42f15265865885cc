"""The pages of referees and organizers on a phone: nothing sticks out, every target is large enough, the console stays empty."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Page

from kiosk.domain.state import Place
from kiosk.domain.types import Pair
from kiosk.session import commands as c
from tests.server import faces
from tests.server.browser.conftest import Opening
from tests.server.browser.test_pages_fit_every_screen import SMALL, WIDER
from tests.server.devices import enrol
from tests.server.hall import Hall
from tests.server.playing import LEFT, PlayingTable
from tests.server.served import ORGANIZER, PASSWORD
from tests.server.serving import Server, serving

PAGES = (
    "/referee",
    "/referee/match/final",
    "/referee/match/final/history",
    "/referee/match/final/rule",
    "/desk",
    "/desk/matches",
    "/desk/matches/new",
    "/desk/matches/import",
    "/desk/results",
    "/desk/hall",
    "/desk/tables",
    "/desk/exports",
    "/desk/officials",
    "/desk/backups",
    "/desk/audit",
    "/account",
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server")) as made, ThreadPoolExecutor(1) as pool:
        faces.show(made.house, *faces.variety(12, faces.now_ms(made.house)))
        table = PlayingTable(made.house.intake, enrol(made.house.store, "T1", "T1"))
        players = Pair((faces.NAMES[4],), (faces.NAMES[6],))
        table.open(100, "final", length=7, place=Place("", "3", "T1", practice=False), players=players)
        table.press(LEFT, 160)
        table.do(c.CallReferee("left"), 170)
        pool.submit(table.send, 173).result()
        Hall(made.house.store, now_ns=made.house.now_ns()).make(table="T1", players=players)
        yield made


def logged_in(server: Server, visit: Opening, **options: object) -> Page:
    page = visit(f"{server.url}/login", **options)
    page.fill("#f-name", ORGANIZER)
    page.fill("#f-password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{server.url}/")
    return page


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("uk", "dark")])
def test_every_page_fits_a_phone(server: Server, visit: Opening, language: str, scheme: str) -> None:
    page = logged_in(server, visit, width=360, height=740, locale=language, color_scheme=scheme)
    for path in PAGES:
        answer = page.goto(server.url + path)
        assert answer is not None
        assert (path, answer.status) == (path, 200)
        assert (path, page.evaluate(WIDER)) == (path, 0)
        assert (path, page.evaluate(SMALL)) == (path, [])
