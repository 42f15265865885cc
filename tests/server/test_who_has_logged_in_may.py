from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import pytest
from fastapi import Depends, FastAPI
from sqlalchemy import func, select, update
from starlette.responses import PlainTextResponse, Response

from kiosk.domain.officials import Official, Role
from kiosk.server import attempts, login, people
from kiosk.server.audit import COMMAND_LINE
from kiosk.server.guard import LARGEST, SMALL
from kiosk.server.login import Checked, Viewer, Who
from kiosk.server.problems import Problem
from kiosk.server.schema import attempt as counted
from kiosk.server.schema import audit
from kiosk.server.schema import login as logins
from tests.server.cheap import REAL_COST
from tests.server.served import ORGANIZER, PASSWORD, Served, csrf_of, log_in, served

WORD = "another long word"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("server")) as made:
        people.add(made.house, COMMAND_LINE, Official("Ana", Role.REFEREE), WORD)
        people.add(made.house, COMMAND_LINE, Official("Boris", Role.CHIEF), WORD)
        _add_pages(made)
        yield made


def _add_pages(made: Served) -> None:
    """Pages that ask for a role, as the server's own do."""
    app: FastAPI = made.app
    for name in ("referee", "deputy", "chief", "organizer"):
        _add_page(app, name)

    async def act(who: Annotated[Who, Depends(login.referee)], form: Checked) -> Response:
        return PlainTextResponse(f"{who.called} said {form.get('word')}")

    async def fails() -> Response:
        raise RuntimeError

    app.add_api_route("/test/act", act, methods=["POST"])
    app.add_api_route("/test/fails", fails)


def _add_page(app: FastAPI, name: str) -> None:
    def page(who: Viewer) -> Response:
        return PlainTextResponse("" if who is None else who.called)

    app.add_api_route(f"/test/{name}", page, dependencies=[Depends(getattr(login, name))])


@pytest.fixture(autouse=True)
def nobody_has_tried(server: Served) -> None:
    with server.house.store.write() as connection:
        connection.execute(counted.delete())


# ── In and out ───────────────────────────────────────────────────────────────
def test_a_login_leads_back_to_where_it_was_asked_for(server: Served) -> None:
    with server.browser() as client:
        sent = client.get("/test/chief?a=1&b=2")
        assert (sent.status_code, sent.headers["location"]) == (303, "/login?next=%2Ftest%2Fchief%3Fa%3D1%26b%3D2")
        page = client.get(sent.headers["location"])
        assert 'name="next" value="/test/chief?a=1&amp;b=2"' in page.text
        answer = log_in(client, "boris", WORD, "/test/chief?a=1&b=2")
        assert (answer.status_code, answer.headers["location"]) == (303, "/test/chief?a=1&b=2")
        assert client.get("/test/chief").text == "Boris (chief)"


@pytest.mark.parametrize("target", ["https://elsewhere.example", "//elsewhere.example", "/\\elsewhere.example", "/a\nb"])
def test_a_login_leads_nowhere_else(server: Served, target: str) -> None:
    with server.browser() as client:
        assert log_in(client, ORGANIZER, PASSWORD, target).headers["location"] == "/"


@pytest.mark.parametrize(("name", "word", "place"), [("Ana", WORD, "/referee"), ("boris", WORD, "/desk"), (ORGANIZER, PASSWORD, "/desk")])
def test_a_login_that_was_asked_for_nowhere_leads_to_where_this_person_works(server: Served, name: str, word: str, place: str) -> None:
    with server.browser() as client:
        assert 'name="next" value=""' in client.get("/login").text
        assert log_in(client, name, word, "").headers["location"] == place
        assert client.get(place).status_code == 200


def test_the_cookie_is_for_no_script_for_no_other_site_and_for_tls_only(server: Served) -> None:
    with server.browser() as client:
        cookies = log_in(client, ORGANIZER, PASSWORD).headers.get_list("set-cookie")
    cookie = next(each for each in cookies if each.startswith(login.COOKIE))
    told = {part.strip().lower() for part in cookie.split(";")}
    assert {"httponly", "secure", "samesite=lax", "path=/"} <= told
    token = cookie.split("=")[1].split(";")[0]
    with server.house.store.read() as connection:
        kept = connection.execute(select(logins)).all()
    assert token not in str(kept)
    assert login.token_hash(token) in {row.token_hash for row in kept}


def test_a_program_is_told_in_json_what_a_person_is_told_on_a_page(server: Served) -> None:
    with server.browser() as client:
        answer = client.get("/test/chief", headers={"accept": "application/json"})
        assert (answer.status_code, answer.json()) == (401, {"error": "Log in first."})
        page = client.post("/test/act")
        assert page.status_code == 401
        assert "Log in first." in page.text


@pytest.mark.parametrize(
    ("name", "may"),
    [("Ana", {"referee"}), ("Boris", {"referee", "deputy", "chief"}), (ORGANIZER, {"referee", "deputy", "chief", "organizer"})],
)
def test_each_role_may_what_those_below_may(server: Served, name: str, may: set[str]) -> None:
    with server.logged_in(name, PASSWORD if name == ORGANIZER else WORD) as client:
        got = {page for page in ("referee", "deputy", "chief", "organizer") if client.get(f"/test/{page}").status_code == 200}
        refused = {client.get(f"/test/{page}").status_code for page in {"referee", "deputy", "chief", "organizer"} - may}
    assert got == may
    assert refused <= {403}


def test_a_logout_ends_the_login_at_the_server_too(server: Served) -> None:
    with server.logged_in() as client:
        token = client.cookies[login.COOKIE]
        csrf = csrf_of(client.get("/account").text)
        assert client.post("/logout", data={"csrf": csrf}).status_code == 303
        client.cookies.set(login.COOKIE, token)
        assert client.get("/account").status_code == 303


@pytest.mark.parametrize("changes", [{"seen_ns": login.IDLE_NS}, {"created_ns": login.TOTAL_NS}])
def test_a_login_ends_by_itself(server: Served, changes: dict[str, int]) -> None:
    with server.logged_in() as client:
        assert client.get("/account").status_code == 200
        (column, age), *_ = changes.items()
        with server.house.store.write() as connection:
            connection.execute(update(logins).values({column: server.house.now_ns() - age - 1}))
        assert client.get("/account").status_code == 303
    with server.logged_in():
        pass
    with server.house.store.read() as connection:
        assert connection.execute(select(func.count()).select_from(logins)).scalar() == 1  # those that ended are forgotten


def test_a_login_in_use_goes_on(server: Served) -> None:
    with server.logged_in() as client:
        past = server.house.now_ns() - login.IDLE_NS + 10**9
        with server.house.store.write() as connection:
            connection.execute(update(logins).values(seen_ns=past))
        client.get("/account")
        with server.house.store.read() as connection:
            assert connection.execute(select(func.max(logins.c.seen_ns))).scalar() > past  # type: ignore[operator]


@pytest.mark.parametrize("token", ["nonsense", "x" * 1000])
def test_a_made_up_cookie_is_nobody(server: Served, token: str) -> None:
    with server.browser() as client:
        client.cookies.set(login.COOKIE, token)
        assert client.get("/account").status_code == 303


def test_a_new_password_ends_every_other_login(server: Served) -> None:
    people.add(server.house, COMMAND_LINE, Official("Vesna", Role.REFEREE), WORD)
    with server.logged_in("Vesna", WORD) as here, server.logged_in("Vesna", WORD) as there:
        form = {"csrf": csrf_of(here.get("/account").text), "old": WORD, "new": PASSWORD, "again": PASSWORD}
        assert "The password was changed." in here.post("/account", data=form).text
        assert here.get("/account").status_code == 200
        assert there.get("/account").status_code == 303
    with server.logged_in("Vesna", PASSWORD):
        pass


@pytest.mark.parametrize(
    ("changes", "status", "told"),
    [
        ({"old": "a wrong word"}, 403, "The old password is another one"),
        ({"again": "something else"}, 400, "The two new passwords differ"),
        ({"new": "short", "again": "short"}, 400, "A password has 8 to 200 characters."),
        ({"new": "qwertyuiop", "again": "qwertyuiop"}, 400, "among the first that anybody tries"),
    ],
)
def test_a_password_is_changed_only_when_all_of_it_fits(server: Served, changes: dict[str, str], status: int, told: str) -> None:
    with server.logged_in("Ana", WORD) as client:
        form = {"csrf": csrf_of(client.get("/account").text), "old": WORD, "new": PASSWORD, "again": PASSWORD} | changes
        answer = client.post("/account", data=form)
        assert answer.status_code == status
        assert told in answer.text
    with server.logged_in("Ana", WORD):
        pass


def test_whoever_is_removed_is_logged_out(server: Served) -> None:
    ident = people.add(server.house, COMMAND_LINE, Official("Goran", Role.REFEREE), WORD)
    with server.logged_in("Goran", WORD) as client:
        people.remove(server.house, COMMAND_LINE, ident)
        assert client.get("/account").status_code == 303
    with server.browser() as client:
        assert log_in(client, "Goran", WORD).status_code == 403


# ── Attempts ─────────────────────────────────────────────────────────────────
def test_a_wrong_password_and_an_unknown_name_are_told_the_same_and_take_the_same_work(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked: list[str | None] = []
    real = people.fits
    monkeypatch.setattr(people, "fits", lambda kept, password: worked.append(kept) or real(kept, password))
    told = []
    for name in ("Ana", "Nobody At All"):
        with server.browser() as client:
            answer = log_in(client, name, "a wrong word")
            told.append((answer.status_code, "Name and password do not fit each other." in answer.text))
    assert told == [(403, True), (403, True)]
    assert [kept is None for kept in worked] == [False, True]
    with server.house.store.read() as connection:
        acts = connection.execute(select(audit.c.act).order_by(audit.c.id.desc()).limit(2)).scalars().all()
    assert acts == ["login_refused", "login_refused"]


def test_the_name_that_was_typed_stays_in_the_form_and_the_password_does_not(server: Served) -> None:
    with server.browser() as client:
        page = log_in(client, 'An"a <b>', "a wrong word").text
    assert 'value="An&#34;a &lt;b&gt;"' in page
    assert "a wrong word" not in page


def test_a_password_costs_memory_and_time() -> None:
    assert REAL_COST == {"time_cost": 3, "memory_cost": 32 * 1024, "parallelism": 1}


def test_an_unknown_name_is_verified_against_a_password_too() -> None:
    assert not people.fits(None, "nobody has this password")
    assert not people.fits("no hash at all", "x")


def test_an_address_that_tries_too_often_waits_even_with_the_right_password(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "LOGIN_ADDRESS", attempts.Limit("login few", 2))
    with server.browser() as client:
        assert [log_in(client, "Ana", "a wrong word").status_code for _ in range(2)] == [403, 403]
        answer = log_in(client, "Ana", WORD)
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) <= 900
    assert "tried too often" in answer.text


def test_an_account_that_is_tried_from_everywhere_waits(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "LOGIN_ACCOUNT", attempts.Limit("account few", 2))
    for number in range(2):
        with pytest.raises(Problem) as told:
            people.log_in(server.house, f"10.0.0.{number}", "ANA", "a wrong word")
        assert told.value.status == 403
    with pytest.raises(Problem) as told:
        people.log_in(server.house, "10.0.0.9", "Ana", WORD)
    assert told.value.status == 429
    people.log_in(server.house, "10.0.0.9", "Boris", WORD)


def test_a_login_that_succeeds_does_not_count(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "LOGIN_ADDRESS", attempts.Limit("login good", 2))
    for _ in range(5):
        people.log_in(server.house, "10.0.0.1", "Ana", WORD)


def test_counts_begin_anew_after_a_quarter_of_an_hour_and_are_never_too_many(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "MOST", 5)
    limit = attempts.Limit("few", 1)
    with server.house.store.write() as connection:
        for number in range(20):
            attempts.count(connection, limit, str(number), number)
        assert connection.execute(select(func.count()).select_from(counted)).scalar() == 5
        with pytest.raises(Problem):
            attempts.count(connection, limit, "19", 20)
        attempts.count(connection, limit, "19", 20 + attempts.WINDOW_NS)


@pytest.mark.parametrize(
    ("host", "counts_as"),
    [
        ("10.0.0.7", "10.0.0.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("::ffff:10.0.0.7", "10.0.0.7"),
        ("testclient", "testclient"),
    ],
)
def test_an_address_counts_for_its_network(host: str, counts_as: str) -> None:
    assert attempts.address_of(host) == counts_as


# ── Forms of our own only ────────────────────────────────────────────────────
def test_a_form_without_the_logins_value_does_nothing(server: Served) -> None:
    with server.logged_in("Ana", WORD) as client:
        csrf = csrf_of(client.get("/account").text)
        assert client.post("/test/act", data={"word": "x", "csrf": csrf}).text == "Ana (referee) said x"
        assert client.post("/test/act", data={"word": "x"}, headers={"x-csrf": csrf}).status_code == 200
        for wrong in ({}, {"csrf": ""}, {"csrf": csrf[:-1]}, {"csrf": "ж"}):
            answer = client.post("/test/act", data={"word": "x"} | wrong)
            assert answer.status_code == 403
            assert "out of date" in answer.text


def test_the_form_of_a_login_must_carry_the_value_of_its_cookie(server: Served) -> None:
    with server.browser() as client:
        assert client.post("/login", data={"name": ORGANIZER, "password": PASSWORD}).status_code == 403
        csrf = csrf_of(client.get("/login").text)
        client.cookies.delete(login.CSRF_COOKIE)
        assert client.post("/login", data={"csrf": csrf, "name": ORGANIZER, "password": PASSWORD}).status_code == 403


def test_a_form_that_cannot_be_read_is_refused(server: Served) -> None:
    with server.logged_in("Ana", WORD) as client:
        answer = client.post("/test/act", content=b"--x\r\nno", headers={"content-type": "multipart/form-data; boundary=y"})
        assert answer.status_code == 400
        file = {"csrf": ("a.txt", b"not a text")}
        assert client.post("/test/act", files=file).status_code == 403


# ── What holds for every answer ──────────────────────────────────────────────
@pytest.mark.parametrize("path", ["/login", "/test/fails", "/nowhere", "/api/v1/hello", "/api/v1/roster"])
def test_every_answer_has_its_headers(server: Served, path: str) -> None:
    with server.browser() as client:
        headers = client.get(path).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "unsafe-inline" not in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-frame-options"] == "DENY"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["strict-transport-security"].startswith("max-age=")
    assert headers["cache-control"] == "no-store"
    assert "server" not in headers


def test_the_overlay_may_stand_in_a_frame(server: Served) -> None:
    with server.browser() as client:
        headers = client.get("/overlay/nothing").headers
    assert "frame-ancestors *" in headers["content-security-policy"]
    assert "x-frame-options" not in headers


def test_a_fault_of_the_program_is_a_sentence_and_no_traceback(server: Served) -> None:
    with server.browser() as client:
        page = client.get("/test/fails")
        plain = client.get("/test/fails", headers={"accept": "application/json"})
    assert page.status_code == plain.status_code == 500
    assert "written in its log" in page.text
    assert "Traceback" not in page.text
    assert "RuntimeError" not in page.text + plain.text


@pytest.mark.parametrize(
    ("path", "size", "status"), [("/login", SMALL + 1, 413), ("/test/act", LARGEST + 1, 413), ("/api/v1/sync", 1_000_001, 413)]
)
def test_a_request_that_is_too_large_is_refused(server: Served, path: str, size: int, status: int) -> None:
    def drips() -> Iterator[bytes]:
        for _ in range(size // 50_000 + 1):
            yield b"x" * 50_000

    with server.browser() as client:
        assert client.post(path, content=b"x" * size).status_code == status
    with server.browser() as client:
        answer = client.post(path, content=drips(), headers={"content-type": "application/x-www-form-urlencoded"})
        assert answer.status_code in {status, 401}


def test_what_is_not_there_and_what_cannot_be_done_are_sentences(server: Served) -> None:
    with server.browser() as client:
        assert "There is no such page." in client.get("/nowhere").text
        answer = client.delete("/login")
    assert answer.status_code == 405
    assert "This cannot be done here." in answer.text


def test_a_sentence_is_in_the_readers_language(server: Served) -> None:
    with server.browser() as client:
        assert '<html lang="ru">' in client.get("/nowhere", headers={"accept-language": "ru"}).text
