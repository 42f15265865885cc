"""Over all pages that there are, whoever made them: who may see what, forms of our own only, and nothing that a request can break."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from sqlalchemy import make_url
from sqlalchemy.exc import OperationalError

from kiosk.domain.officials import Official, Role
from kiosk.server import app as application
from kiosk.server import login, people, store
from kiosk.server.audit import COMMAND_LINE
from kiosk.server.house import House
from kiosk.server.problems import ServerError
from kiosk.server.settings import Settings
from kiosk.sync import wire
from tests.server.desk_rig import desk_over
from tests.server.served import Served, csrf_of, served

pytestmark = pytest.mark.no_cover  # every page with every nonsense; what each does is measured elsewhere

WORD = "another long word"
PUBLIC = ("/login", "/logout", "/account")
"""Pages that do something and are there for whoever has any login, or none."""


def _routes() -> list[APIRoute]:
    made = application.create_app(House(Settings(None), None, None, None, None))  # type: ignore[arg-type]
    found: list[APIRoute] = []

    def walk(routes: Any) -> None:
        for route in routes:
            if isinstance(route, APIRoute):
                found.append(route)
            elif hasattr(route, "original_router"):
                walk(route.original_router.routes)

    walk(made.routes)
    return [route for route in found if not route.path.startswith("/api/")]


ROUTES = _routes()
FORMS = [route for route in ROUTES if "POST" in route.methods]
PAGES = [route for route in ROUTES if "GET" in route.methods]
GUARDED = [route for route in ROUTES if route.path.startswith(("/desk", "/referee"))]


def asks(dependant: Dependant) -> Iterator[Any]:
    """Whatever an endpoint asks for, at any depth."""
    for each in dependant.dependencies:
        yield each.call
        yield from asks(each)


def name(route: APIRoute) -> str:
    return f"{'/'.join(sorted(route.methods))} {route.path}"


def test_there_are_pages_to_look_at() -> None:
    assert len(FORMS) > 10
    assert len(PAGES) > 10
    assert len(GUARDED) > 10


@pytest.mark.parametrize("route", FORMS, ids=name)
def test_a_form_is_checked_to_be_ours(route: APIRoute) -> None:
    assert login.checked in set(asks(route.dependant))


@pytest.mark.parametrize("route", [route for route in FORMS if not route.path.startswith(PUBLIC)], ids=name)
def test_whoever_does_something_has_a_role_for_it(route: APIRoute) -> None:
    assert {login.referee, login.deputy, login.chief, login.organizer} & set(asks(route.dependant))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("server")) as made:
        people.add(made.house, COMMAND_LINE, Official("Ana", Role.REFEREE), WORD)
        yield made


@pytest.fixture(scope="module")
def organizer(server: Served) -> Iterator[httpx.Client]:
    with server.logged_in() as client:
        yield client


@pytest.fixture(scope="module")
def csrf(organizer: httpx.Client) -> str:
    return csrf_of(organizer.get("/account").text)


def filled(path: str, word: str) -> str:
    return re.sub(r"\{[^}]+\}", word, path)


@pytest.mark.parametrize("route", GUARDED, ids=name)
def test_nobody_sees_or_does_what_is_for_officials(server: Served, route: APIRoute) -> None:
    with server.browser() as client:
        for method in route.methods:
            answer = client.request(method, filled(route.path, "x"))
            assert answer.status_code in {303, 401}, answer.text
            if answer.status_code == 303:
                assert answer.headers["location"].startswith("/login?next=")


LEADERS = [route for route in FORMS if {login.chief, login.organizer} & set(asks(route.dependant))]


@pytest.mark.parametrize("route", LEADERS, ids=name)
def test_a_referee_does_nothing_that_is_for_the_chief_or_the_organizer(server: Served, route: APIRoute) -> None:
    with server.logged_in("Ana", WORD) as client:
        data = {"csrf": csrf_of(client.get("/account").text)}
        assert client.post(filled(route.path, "x"), data=data).status_code == 403


FIELDS = (
    *("match", "table", "device", "name", "role", "reason", "why", "text", "round", "version", "length", "left", "right", "score_left"),
    *("id", "person", "pin", "password", "code", "rulebook", "starts", "days", "uses", "practice", "ruling", "infraction", "sanction"),
    *("kind", "sides", "file", "choice", "n"),
)
"""What forms here and there are asked to hold."""

NONSENSE = ["x", "0", "-1", "99999999999999999999", "a" * 300, "%00", "%F0%9F%8E%B2", "..%2F..", "'--", "%ED%A0%80"]


@pytest.mark.parametrize("route", [route for route in PAGES if "/live" not in route.path], ids=name)
def test_a_page_of_something_that_is_not_there_is_no_fault(
    organizer: httpx.Client, route: APIRoute, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        for word in NONSENSE if "{" in route.path else ["x"]:
            for query in ("", f"?lang={word}&page={word}&q={word}&table={word}&match={word}&round={word}"):
                with organizer.stream("GET", filled(route.path, word) + query) as answer:
                    assert answer.status_code < 500, f"{answer.url} {answer.status_code}"
    assert not [record for record in caplog.records if record.name == "tableside.server"]


@pytest.mark.parametrize("route", [route for route in FORMS if not route.path.startswith(PUBLIC)], ids=name)
@pytest.mark.parametrize("word", ["", "x", "-1", "99999999999999999999", "\ud83c\udfb2".encode("utf-16", "surrogatepass").decode("utf-16")])
def test_a_form_with_nonsense_in_it_is_no_fault(
    organizer: httpx.Client, csrf: str, route: APIRoute, word: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        for data in ({}, dict.fromkeys(FIELDS, word)):
            answer = organizer.post(filled(route.path, word or "x"), data={"csrf": csrf} | data)
            assert answer.status_code < 500, answer.text
        answer = organizer.post(filled(route.path, "x"), data={"csrf": csrf}, files={"file": ("x.xlsx", b"PK\x03\x04nonsense")})
        assert answer.status_code < 500, answer.text
    assert not [record for record in caplog.records if record.name == "tableside.server"]


def test_an_address_that_cannot_be_is_told_in_the_readers_language(organizer: httpx.Client) -> None:
    for path, status, told in (
        ("/tournament/x", 404, "Такої сторінки немає"),
        ("/desk/tables/code/x", 404, "Такої сторінки немає"),
        ("/live/several", 422, "of"),
        ("/desk/audit?before=x", 422, "before"),
        ("/live/several?" + "&".join(["of=board"] * 65), 422, "of"),
    ):
        answer = organizer.get(path, headers={"accept-language": "uk"})
        assert (answer.status_code, told in answer.text) == (status, True), (path, answer.text)
        assert not re.search(r"\b(input|should|valid|required)\b", answer.text.split("<main")[-1], re.IGNORECASE)
    program = organizer.get(f"{wire.STREAM}?after=x")
    assert (program.status_code, "query.after cannot be so" in program.text) == (422, True)


@pytest.mark.parametrize(
    ("path", "status"), [("/", 200), ("/tournament", 200), ("/live/board", 200), ("/m/x", 404), ("/desk", 303), ("/logout", 405)]
)
def test_whoever_asks_for_the_head_alone_gets_that_of_the_page(server: Served, path: str, status: int) -> None:
    with server.browser() as client:
        answer = client.head(path)
        assert (answer.status_code, answer.content) == (status, b"")
        assert answer.headers["x-content-type-options"] == "nosniff"
        if status == 200 and not path.startswith("/live"):
            assert int(answer.headers["content-length"]) > 1000
        assert client.get("/").status_code == 200, "the line is in order"


def test_a_database_that_is_gone_is_told_to_anybody_without_its_address(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with desk_over(tmp_path) as rig:
        asked = rig.as_(None)
        rig.house.store._told = _gone  # type: ignore[method-assign]
        with caplog.at_level(logging.ERROR):
            for path in ("/", "/results", "/login"):
                for accept in ("text/html", "*/*"):
                    answer = asked.get(path, headers={"accept": accept})
                    if path == "/login" and answer.status_code == 200:
                        continue
                    assert answer.status_code == 503
                    assert "cannot reach its database at the moment" in answer.text
                    assert "5599" not in answer.text
                    assert answer.headers["content-type"].startswith("text/html"), "a page is a page, whatever a browser says it reads"
            told = asked.get("/live/board/x", headers={"accept": "text/event-stream"})
            assert told.headers["content-type"] == "application/json"
        assert "5599" in caplog.text, "whoever looks after the server reads it in the log"


def test_what_fails_in_the_world_is_told_to_spectators_without_paths(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with desk_over(tmp_path) as rig:
        rig.house.store._told = _folder_gone  # type: ignore[method-assign]
        with caplog.at_level(logging.ERROR):
            answer = rig.as_(None).get("/results", headers={"accept": "application/json"})
        assert (answer.status_code, "/srv/hall" in answer.text, "at the moment" in answer.json()["error"]) == (503, False, True)
        assert "/srv/hall" in caplog.text


@contextmanager
def _folder_gone() -> Iterator[None]:
    raise ServerError("The folder /srv/hall has gone.")
    yield


@contextmanager
def _gone() -> Iterator[None]:
    address = make_url("postgresql+psycopg://postgres@127.0.0.1:5599/tableside")
    error = OperationalError("select", {}, psycopg_error("connection failed: port 5599"))
    sentence = store._sentence(error, address)
    assert sentence is not None
    raise store.StoreUnavailable(sentence, store._outside(error))
    yield


def psycopg_error(said: str) -> Exception:
    return type("OperationalError", (Exception,), {"sqlstate": None})(said)


def test_whoever_goes_away_while_a_form_is_sent_leaves_no_mark_in_the_log(server: Served, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "tableside.server"):
        asked: list[Any] = [{"type": "http.request", "body": b"name=A", "more_body": True}, {"type": "http.disconnect"}]

        async def receive() -> Any:
            return asked.pop(0)

        async def send(_message: Any) -> None:
            pass

        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "https", "path": "/login",
            "raw_path": b"/login", "query_string": b"", "root_path": "", "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 2),
            "headers": [(b"host", b"x"), (b"content-type", b"application/x-www-form-urlencoded"), (b"content-length", b"500")],
            "app": server.app, "state": {},
        }  # fmt: skip
        asyncio.run(server.app(scope, receive, send))
    assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []
    assert "whoever asked has gone" in caplog.text


def test_a_page_of_an_error_shows_who_has_logged_in(server: Served) -> None:
    with server.logged_in("Ana", WORD) as client:
        csrf = csrf_of(client.get("/account").text)
        for answer, status in (
            (client.get("/no/such/page"), 404),
            (client.get("/desk/officials"), 403),
            (client.request("DELETE", "/results"), 405),
            (client.post("/account", data={"csrf": "another"}), 403),
        ):
            assert answer.status_code == status
            assert '<a href="/account"' in answer.text, status
            assert csrf_of(answer.text) == csrf, "and can log out there"
    with server.logged_in() as client:
        answer = client.get("/desk/audit?before=x")
        assert (answer.status_code, '<a href="/account"' in answer.text) == (422, True)
    with server.browser() as client:
        assert "/login" in client.get("/no/such/page", headers={"Cookie": f"{login.COOKIE}=forged"}).text


def test_where_the_database_fails_who_has_logged_in_is_shown_as_far_as_it_is_known_and_not_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with desk_over(tmp_path) as rig:
        client, look_up, asked = rig.organizer, login._look_up, []

        def then_it_fails(request: Any) -> login.Who | None:
            asked.append(request)
            who = look_up(request)
            monkeypatch.setattr(rig.house.store, "_told", _gone)
            return who

        monkeypatch.setattr(login, "_look_up", then_it_fails)
        for shown in (True, False):
            asked.clear()
            answer = client.get("/desk/audit")
            assert (answer.status_code, '<a href="/account"' in answer.text, len(asked)) == (503, shown, 1)
        assert '<a href="/account"' not in client.get("/no/such/page").text


def test_a_login_is_good_where_its_last_use_cannot_be_written_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with desk_over(tmp_path) as rig:
        client = rig.organizer
        monkeypatch.setattr(login, "SEEN_EVERY_NS", -1)
        monkeypatch.setattr(rig.house.store, "write", _gone)
        assert client.get("/desk/audit").status_code == 200
