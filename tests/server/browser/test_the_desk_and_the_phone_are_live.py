"""A referee's phone and the organizer's desk in a browser: right while they are open, by keyboard alone, and usable without scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import insert

from kiosk.domain.officials import Role
from kiosk.server import login, orders
from kiosk.server.schema import person
from kiosk.session import commands as c
from kiosk.sync import wire
from tests.server.browser.conftest import Opening, live
from tests.server.devices import enrol
from tests.server.playing import LEFT, RIGHT, PlayingTable
from tests.server.serving import Server, serving

PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("desk")) as made:
        yield made


@pytest.fixture
def away() -> Iterator[Callable[..., object]]:
    """Does something in another thread: the browser's driver has this one's event loop."""
    with ThreadPoolExecutor(1) as pool:
        yield lambda what, *arguments, **values: pool.submit(what, *arguments, **values).result(60)


def _state(server: Server, name: str, role: Role) -> dict[str, object]:
    """A browser in which somebody has logged in."""
    with server.house.store.write() as connection:
        row = {"name": name, "folded": name.lower(), "role": role, "password": "-", "created_ns": 0}
        ident = connection.execute(insert(person).values(**row).returning(person.c.id)).scalar_one()
        token = login.begin(connection, ident, server.house.now_ns())
    cookie = {"name": login.COOKIE, "value": token, "domain": "127.0.0.1", "path": "/", "expires": -1, "httpOnly": True, "secure": False}
    return {"cookies": [{**cookie, "sameSite": "Lax"}], "origins": []}


def _playing(server: Server, table: str, match: str) -> PlayingTable:
    made = PlayingTable(server.house.intake, enrol(server.house.store, f"device {table}", table))
    made.open(100, match)
    made.press(LEFT, 101)
    return made


def _waiting(server: Server, device: str) -> list[object]:
    with server.house.store.read() as connection:
        return [one.order.what for one in orders.open_orders(connection, device)]


def _tab_to(page: Page, text: str) -> None:
    for _press in range(60):
        page.keyboard.press("Tab")
        if text in page.evaluate("document.activeElement.innerText ?? ''"):
            return
    pytest.fail(f"the keyboard does not reach {text!r}")


def test_a_call_comes_up_by_itself_and_is_answered_by_keyboard(hall: Server, visit: Opening, away: Callable[..., object]) -> None:
    table = _playing(hall, "12", "m12")
    away(table.send, 102)
    phone = live(visit(f"{hall.url}/referee", storage_state=_state(hall, "Mara", Role.REFEREE), **PHONE))
    desk = live(visit(f"{hall.url}/desk", storage_state=_state(hall, "Zora", Role.ORGANIZER)))
    expect(phone.get_by_text("Nobody calls.")).to_be_visible()
    table.do(c.CallReferee(RIGHT), 110)
    away(table.send, 111)
    expect(phone.get_by_role("heading", name="Table 12")).to_be_visible()
    expect(desk.get_by_role("heading", name="Calls for a referee")).to_be_visible()
    _tab_to(phone, "On my way")
    phone.keyboard.press("Enter")
    expect(phone.get_by_text("The table is told that you are on the way.")).to_be_visible()
    assert _waiting(hall, table.device) == [wire.RefereeComing("Mara (referee)")]


@pytest.mark.parametrize("scripts", [True, False])
def test_a_ruling_is_sent_in_four_touches_and_its_answer_is_seen(
    hall: Server,
    visit: Opening,
    away: Callable[..., object],
    scripts: bool,  # noqa: FBT001 - a parameter of pytest
) -> None:
    match = f"m-{scripts}"
    table = _playing(hall, f"2{scripts}", match)
    away(table.send, 102)
    state = _state(hall, f"Referee {scripts}", Role.REFEREE)
    phone = visit(f"{hall.url}/referee/match/{match}", storage_state=state, java_script_enabled=scripts, has_touch=True, **PHONE)
    phone.get_by_role("link", name="Rule", exact=True).tap()
    phone.get_by_text("Ana", exact=True).tap()
    phone.get_by_role("button", name="Electronic device").tap()
    phone.get_by_role("button", name="Send: Warning").tap()
    expect(phone.get_by_text("waits for the table")).to_be_visible()
    (told,) = _waiting(hall, table.device)
    assert isinstance(told, wire.RuleAt)
    with hall.house.store.write() as connection:
        orders.answer(connection, table.device, [wire.OrderAnswer(1, False, "match_over", "The match is over.", True)], hall.house.now_ns())
    hall.house.hub.publish("desk", "orders")
    if not scripts:
        phone.reload()
    expect(phone.get_by_text("refused: The match is over.")).to_be_visible()


def test_what_somebody_types_is_left_alone_while_the_page_renews_itself(hall: Server, visit: Opening, away: Callable[..., object]) -> None:
    table = _playing(hall, "31", "m31")
    away(table.send, 102)
    desk = live(visit(f"{hall.url}/desk/hall", storage_state=_state(hall, "Nina", Role.CHIEF)))
    field = desk.get_by_label("One line").first
    field.fill("Lunch at")
    hall.house.hub.publish("desk", "orders")
    table.do(c.CallReferee(LEFT), 110)
    away(table.send, 111)
    desk.wait_for_timeout(600)  # longer than the page waits between two looks
    expect(field).to_have_value("Lunch at")


PAGES = (
    "/desk", "/desk/matches", "/desk/matches/new", "/desk/matches/import", "/desk/results", "/desk/hall", "/desk/tables", "/desk/exports",
    "/desk/officials", "/desk/backups", "/desk/audit", "/referee", "/referee/match/m40", "/referee/match/m40/history",
    "/referee/match/m40/rule", "/referee/match/m40/rule?side=left&infraction=device",
)  # fmt: skip


def test_no_page_is_wider_than_a_phone_and_every_target_can_be_hit(hall: Server, visit: Opening, away: Callable[..., object]) -> None:
    away(_playing(hall, "40", "m40").send, 102)
    phone = visit(f"{hall.url}/desk", storage_state=_state(hall, "Olga", Role.ORGANIZER), **PHONE)
    for path in PAGES:
        phone.goto(f"{hall.url}{path}")
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390, path
        assert _too_small(phone) == [], path


def _too_small(phone: Page) -> list[str]:
    found: list[str] = phone.evaluate(
        """[...document.querySelectorAll('main button, main a.button, main summary, main select, main input:not([type=hidden])')]
        .filter((each) => each.checkVisibility() && !['checkbox', 'radio'].includes(each.type))
        .filter((each) => each.getBoundingClientRect().height < 43.5)
        .map((each) => each.outerHTML.slice(0, 120))"""
    )
    return found
