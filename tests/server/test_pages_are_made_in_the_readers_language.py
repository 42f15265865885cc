"""A page is in the language that the reader asked for, chose before, or whose browser prefers it; with times in the event's zone."""

from __future__ import annotations

import re
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from jinja2 import DictLoader, UndefinedError

from kiosk.domain.types import clock_text, seconds
from kiosk.say import _, language
from kiosk.server import rendering
from kiosk.server.assets import router
from kiosk.server.language import Spoken, preferred


@pytest.fixture
def client() -> TestClient:
    app = FastAPI()
    app.state.house = SimpleNamespace(event="Open <1>", settings=SimpleNamespace(zone=ZoneInfo("Europe/Kyiv")))
    app.include_router(router)
    app.add_middleware(Spoken)

    @app.get("/page")
    def page(request: Request) -> object:
        return rendering.render(request, "error.html", status=404, sentence=_("Score sheet"), number=404)

    @app.get("/spoken")
    def spoken() -> str:
        return language()

    return TestClient(app)


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("uk,en;q=0.5", "uk"),
        ("uk-UA", "uk"),
        ("de, mk;q=0.3, ru;q=0.7", "ru"),
        ("ru;q=0.7, uk;q=0.7", "ru"),
        ("RU", "ru"),
        ("de", "en"),
        ("", "en"),
        ("uk;q=0, mk;q=0.1", "mk"),
        ("uk;q=lots, mk", "mk"),
        ("uk;v=1", "en"),
        ("uk;q=9", "en"),
        ("uk;q=nan", "en"),
        (",;,;q=", "en"),
    ],
)
def test_the_browsers_best_language_is_taken(header: str, language: str) -> None:
    assert preferred(header) == language


def test_the_address_comes_before_the_choice_and_the_choice_before_the_browser(client: TestClient) -> None:
    assert client.get("/spoken", headers={"accept-language": "uk"}).json() == "uk"
    assert client.get("/spoken", headers={"accept-language": "uk", "cookie": "lang=mk"}).json() == "mk"
    assert client.get("/spoken?lang=ru", headers={"accept-language": "uk", "cookie": "lang=mk"}).json() == "ru"
    assert client.get("/spoken?lang=xx", headers={"accept-language": "uk", "cookie": "lang=../mk"}).json() == "uk"


def test_a_language_that_was_asked_for_is_remembered(client: TestClient) -> None:
    assert "lang=uk" in client.get("/page?lang=uk").headers["set-cookie"]
    assert '<html lang="uk">' in client.get("/page").text
    assert "set-cookie" not in client.get("/page").headers


def test_an_endpoints_own_sentence_is_in_the_pages_language(client: TestClient) -> None:
    russian, english = client.get("/page?lang=ru").text, client.get("/page?lang=en").text
    assert "Score sheet" in english
    assert "Score sheet" not in russian


def test_a_page_leads_to_itself_in_every_language_and_keeps_the_rest_of_its_address(client: TestClient) -> None:
    text = client.get("/page?table=12").text
    for code in ("en", "ru", "uk", "mk"):
        assert f'href="?table=12&amp;lang={code}"' in text


def test_names_are_escaped(client: TestClient) -> None:
    assert "Open &lt;1&gt;" in client.get("/page").text


def test_a_page_holds_no_style_and_no_script_of_its_own(client: TestClient) -> None:
    text = client.get("/page").text
    assert "<style" not in text
    assert "style=" not in text
    assert "<script>" not in text
    assert re.findall(r'(?:src|href)="(?:https?:)?//', text) == []


def test_a_name_that_is_missing_is_an_error(monkeypatch: pytest.MonkeyPatch, client: TestClient) -> None:
    monkeypatch.setattr(rendering.environment(), "loader", DictLoader({"error.html": "{{ nowhere }}"}))
    rendering.environment().cache.clear()  # type: ignore[union-attr]
    with pytest.raises(UndefinedError):
        client.get("/page")
    rendering.environment().cache.clear()  # type: ignore[union-attr]


# ── Filters ──────────────────────────────────────────────────────────────────
def filled(template: str, **values: object) -> str:
    return rendering.environment().from_string(template).render(zone=ZoneInfo("Europe/Kyiv"), **values)


def test_times_are_told_in_the_events_zone() -> None:
    at_ms = 1_764_512_345_678
    assert filled("{{ at | ns | moment }}", at=at_ms) == "2025-11-30 16:19"
    assert filled("{{ at | ns | date }} {{ at | ns | time }}", at=at_ms) == "2025-11-30 16:19"


@pytest.mark.parametrize("ms", [0, 1, 99, 100, 19_999, 20_000, 59_001, 763_000, 5_999_000, 5_999_001, 7_265_000])
def test_a_clock_is_rounded_as_at_the_table(ms: int) -> None:
    assert rendering.span(ms) == clock_text(seconds(ms / 1000))


def test_a_clock_below_zero_is_at_zero() -> None:
    assert rendering.span(-5) == "0:00.0"


@pytest.mark.parametrize(
    ("ms", "text"), [(0, "0:00"), (999, "0:00"), (61_000, "1:01"), (3_599_999, "59:59"), (3_600_000, "1:00:00"), (-5, "0:00")]
)
def test_a_wait_leaves_out_the_second_that_has_begun(ms: int, text: str) -> None:
    assert rendering.wait(ms) == text


def test_players_and_scores_are_told_as_on_a_sheet() -> None:
    assert rendering.names(["Ana", "Eva"]) == "Ana / Eva"
    assert rendering.score({"left": 3, "right": 2}) == "3\u2009–\u20092"
