"""Server-sent events: the whole on connecting, then what has changed; written once for all readers; a slow reader is cut off."""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from sqlalchemy import insert, update

from kiosk.domain.officials import Role
from kiosk.server import live as live_module
from kiosk.server import login
from kiosk.server.hub import LocalHub
from kiosk.server.live import BEHIND, Live, Reader
from kiosk.server.pages_live import Stream
from kiosk.server.problems import Problem
from kiosk.server.schema import person
from kiosk.server.store import Store, StoreUnavailable
from tests.patience import LONG_S, Stopwatch, until
from tests.server import faces, postgres
from tests.server.serving import Server, serving


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Any]:
    store = Store.open(f"sqlite:///{tmp_path}/event.db")
    made = SimpleNamespace(store=store, hub=LocalHub(), now_ns=iter(range(10**18, 10**19, 1_000_000)).__next__)
    faces.show(made, faces.playing("1", 0), faces.playing("2", 0))
    yield made
    store.close()


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        await asyncio.wait_for(test(), LONG_S)

    asyncio.run(bounded())


def read(event: bytes | None) -> tuple[str, dict[str, Any]]:
    assert event is not None
    lines = dict(line.split(": ", 1) for line in event.decode().strip().split("\n"))
    assert event.endswith(b"\n\n")
    assert lines["id"]
    return lines["event"], json.loads(lines["data"])


async def heard(reader: Reader) -> tuple[str, dict[str, Any]]:
    """The next event that is no mere sign of life."""
    while True:
        kind, data = read(await reader.events.get())
        if kind != "tick":
            return kind, data


def test_the_whole_comes_first_and_then_only_what_has_changed(house: Any) -> None:
    async def test() -> None:
        live = Live(house)
        reader = await live.join("board")
        kind, data = await heard(reader)
        assert kind == "all"
        assert [face["table"] for face in data["faces"]] == ["1", "2"]
        assert data["now_ms"] >= 10**12
        await asyncio.to_thread(faces.show, house, faces.playing("2", 0, turn="right", running=["right"]))
        kind, data = await heard(reader)
        assert kind == "some"
        assert data["faces"] == [{"table": "2", "turn": "right", "running": ["right"]}]
        live.leave("board", reader)

    run(test)


def test_everybody_hears_the_same_bytes_and_they_are_written_once(house: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []
    plain = live_module._json
    monkeypatch.setattr(live_module, "_json", lambda data: written.append(1) or plain(data))

    async def test() -> None:
        live = Live(house)
        readers = [await live.join("board") for _ in range(50)]
        for reader in readers:
            assert (await heard(reader))[0] == "all"
        assert len(written) == 1
        await asyncio.to_thread(faces.show, house, faces.playing("2", 0, turn="right"))
        events = [await reader.events.get() for reader in readers]
        assert all(event is events[0] for event in events)
        assert len(written) == 2
        for reader in readers:
            live.leave("board", reader)

    run(test)


def test_what_comes_fast_is_told_together(house: Any) -> None:
    async def test() -> None:
        live = Live(house)
        reader = await live.join("board")
        await heard(reader)
        await asyncio.to_thread(faces.show, house, faces.playing("1", 0, game=5))
        assert (await heard(reader))[1]["faces"] == [{"table": "1", "game": 5}]
        for game in range(6, 20):  # on the loop's own thread: nobody is told anything before the last of them has come
            faces.show(house, faces.playing("1", 0, game=game))
        assert (await heard(reader))[1]["faces"] == [{"table": "1", "game": 19}]
        live.leave("board", reader)

    run(test)


def test_looks_begin_a_quarter_of_a_second_apart_and_leave_a_rest_between_them(house: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    now, rests, takes = [0.0], list[float](), [0.05, 0.2, 0.0]
    plain = live_module.Live._changed

    async def rest(seconds: float) -> None:
        rests.append(round(seconds, 6))

    async def looked(self: Live, changed: set[tuple[str, str]]) -> None:
        await plain(self, changed)
        now[0] += takes[len(rests)]

    told = {"sleep": rest, "get_running_loop": lambda: SimpleNamespace(time=lambda: now[0])}
    monkeypatch.setattr(live_module, "asyncio", SimpleNamespace(**vars(asyncio) | told))
    monkeypatch.setattr(live_module.Live, "_changed", looked)

    async def test() -> None:
        live = Live(house)
        reader = await live.join("board")
        await heard(reader)
        for game in range(6, 9):
            await asyncio.to_thread(faces.show, house, faces.playing("1", 0, game=game))
            assert (await heard(reader))[1]["faces"] == [{"table": "1", "game": game}]
        live.leave("board", reader)

    run(test)
    assert rests == [0.2, 0.1, 0.25]


def test_a_sign_of_life_with_the_houses_clock_comes_while_nothing_happens(house: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_module, "WORD_S", 0.01)

    async def test() -> None:
        live = Live(house)
        reader = await live.join("board")
        await reader.events.get()
        kind, first = read(await reader.events.get())
        _, second = read(await reader.events.get())
        assert kind == "tick"
        assert second["now_ms"] > first["now_ms"]
        live.leave("board", reader)

    run(test)


def test_a_table_hears_of_itself_only_and_a_match_of_the_table_where_it_is_played(house: Any) -> None:
    async def test() -> None:
        live = Live(house)
        table, match = await live.join("table:2"), await live.join("match:match-2")
        assert [face["table"] for face in (await heard(table))[1]["faces"]] == ["2"]
        assert [face["table"] for face in (await heard(match))[1]["faces"]] == ["2"]
        await asyncio.to_thread(faces.show, house, faces.playing("1", 0, game=8))
        await asyncio.to_thread(faces.show, house, faces.playing("2", 0, game=9))
        assert (await heard(table))[1]["faces"] == [{"table": "2", "game": 9}]
        kind, data = await heard(match)
        assert (kind, data["faces"][0]["game"]) == ("all", 9)
        live.leave("table:2", table)
        live.leave("match:match-2", match)

    run(test)


def test_a_match_is_told_when_something_else_of_it_has_changed(house: Any) -> None:
    async def test() -> None:
        live = Live(house)
        reader = await live.join("match:match-2")
        await heard(reader)
        house.hub.publish("match", "match-1")
        house.hub.publish("match", "match-2")
        assert (await heard(reader))[0] == "changed"
        live.leave("match:match-2", reader)

    run(test)


def test_the_desk_is_told_of_calls_and_not_of_every_press(house: Any) -> None:
    async def test() -> None:
        live = Live(house)
        desk, board = await live.join("desk"), await live.join("board")
        assert (await heard(desk))[1]["faces"] == []
        await heard(board)
        await asyncio.to_thread(faces.show, house, faces.playing("1", 0, turn="right"))
        await heard(board)
        assert desk.events.empty()
        await asyncio.to_thread(faces.show, house, faces.playing("1", 0, call={"by": "left", "since_ms": 0, "coming": None}))
        assert (await heard(desk))[0] == "changed"
        for now in ({"here": {"left": True, "right": False}}, {"offered": {"match": "m2", "version": 1, "left": True, "right": False}}):
            await asyncio.to_thread(faces.show, house, faces.playing("1", 0, **now))
            assert (await heard(desk))[0] == "changed", "who is there is the desk's business"
        live.leave("desk", desk)
        live.leave("board", board)

    run(test)


def test_a_pause_of_the_hall_and_its_end_are_told(house: Any) -> None:
    async def test() -> None:
        live = Live(house)
        reader = await live.join("board")
        assert (await heard(reader))[1]["pause"] is None
        await asyncio.to_thread(faces.pause, house, "fire alarm")
        assert (await heard(reader))[1]["pause"]["why"] == "fire alarm"
        await asyncio.to_thread(faces.pause, house, None)
        assert (await heard(reader))[1]["pause"] is None
        live.leave("board", reader)

    run(test)


def test_after_a_break_in_the_hub_everything_is_looked_at_again(house: Any) -> None:
    async def test() -> None:
        live = Live(house)
        reader = await live.join("board")
        await heard(reader)
        quiet = SimpleNamespace(store=house.store, hub=LocalHub(), now_ns=house.now_ns)
        await asyncio.to_thread(faces.show, quiet, faces.playing("2", 0, game=9))
        house.hub.everything()
        assert (await heard(reader))[1]["faces"] == [{"table": "2", "game": 9}]
        live.leave("board", reader)

    run(test)


def test_a_table_that_is_gone_is_told(house: Any) -> None:
    from kiosk.server.schema import device

    async def test() -> None:
        live = Live(house)
        reader = await live.join("board")
        await heard(reader)
        with house.store.write() as connection:
            connection.execute(device.update().where(device.c.table_name == "2").values(revoked_ns=1))
        house.hub.publish("face", faces.playing("2", 0)["device"])
        assert (await heard(reader))[1]["gone"] == ["2"]
        live.leave("board", reader)

    run(test)


def test_when_nobody_reads_nobody_looks_and_the_next_reader_gets_the_whole(house: Any) -> None:
    async def test() -> None:
        live = Live(house)
        reader = await live.join("board")
        live.leave("board", reader)
        await asyncio.sleep(0)
        assert live._task is None
        await asyncio.to_thread(faces.show, house, faces.playing("2", 0, game=9))
        again = await live.join("board")
        assert (await heard(again))[1]["faces"][1]["game"] == 9
        live.leave("board", again)

    run(test)


def test_a_reader_that_is_too_far_behind_is_cut_off(house: Any) -> None:
    async def test() -> None:
        live, begun, stuck = Live(house), asyncio.Event(), asyncio.Event()

        async def send(message: Any) -> None:
            if b"event: all" in message.get("body", b""):
                begun.set()
                await stuck.wait()

        async def receive() -> Any:
            await stuck.wait()

        answer = asyncio.create_task(Stream(live, "board")({}, receive, send))
        await begun.wait()
        for _ in range(BEHIND + 1):
            live._tell("board", b"x")
        await answer
        assert live._readers == {}

    run(test)


# ── Over the wire ────────────────────────────────────────────────────────────
@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server")) as made:
        faces.show(made.house, *faces.variety(20, faces.now_ms(made.house)))
        yield made


@pytest.mark.parametrize("path", ["/live/board", "/live/match/match-2", "/live/table/2"])
def test_anybody_may_read_what_is_public(server: Server, path: str) -> None:
    with httpx.stream("GET", server.url + path) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["cache-control"] == "no-store"
        lines = answer.iter_lines()
        assert next(lines) == "retry: 1000"
        said = [next(lines) for _ in range(4)]
        assert said[2] == "event: all"
        assert not {"device", "conflict", "pending"} & json.loads(said[3].removeprefix("data: "))["faces"][0].keys()


def test_the_desk_is_for_officials(server: Server) -> None:
    assert httpx.get(f"{server.url}/live/desk").status_code == 401


def test_so_many_pages_are_live_and_no_more(house: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    live = Live(house)
    monkeypatch.setattr(live_module, "MOST", 5)
    monkeypatch.setattr(live_module, "MOST_AT_ONE", 2)
    with live.counted("10.0.0.1"), live.counted("10.0.0.1"):
        with pytest.raises(Problem, match="Too many live pages") as refused:
            live.check_room("10.0.0.1")
        assert refused.value.status == 429
        live.check_room("10.0.0.2")
        with live.counted("127.0.0.1"), live.counted("127.0.0.1"):
            live.check_room("127.0.0.1")
            with live.counted("127.0.0.1"), pytest.raises(Problem, match="asks again by itself") as full:
                live.check_room("10.0.0.2")
            assert full.value.status == 503
    live.check_room("10.0.0.1")
    assert not live._open


def test_a_page_that_is_one_too_many_is_told_and_one_that_was_closed_makes_room(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_module, "MOST", 0)
    refused = httpx.get(f"{server.url}/live/board")
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
    until(lambda: server.live._open.total() == 0, "pages that other tests have closed are still counted")
    monkeypatch.setattr(live_module, "MOST", 3)
    with httpx.stream("GET", f"{server.url}/live/board") as answer:
        assert answer.status_code == 200


def test_pages_hear_nothing_any_more_once_the_database_is_gone(
    house: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(live_module, "WORD_S", 0.01)

    async def test() -> None:
        live = Live(house)
        reader = await live.join("board")
        assert (await heard(reader))[0] == "all"
        monkeypatch.setattr(house.store, "read", _gone)
        words = []
        while (event := await reader.events.get()) is not None:
            words.append(read(event)[0])
        assert words[-1] == "stale"
        assert "tick" not in words[words.index("stale") :]
        live.leave("board", reader)
        late = await live.join("board")
        told = await late.events.get()
        assert told is None or read(told)[0] == "stale", "nobody is told anything that may be old"
        live.leave("board", late)

    run(test)
    assert "Traceback" not in caplog.text


def _gone() -> None:
    raise StoreUnavailable("The database cannot be reached.")


def test_readers_hold_up_no_server_that_stops(tmp_path: Path) -> None:
    with serving(tmp_path) as server, httpx.stream("GET", f"{server.url}/live/board") as answer:
        lines = answer.iter_lines()
        next(lines)
        server.stop()
        server.start()
        assert httpx.get(server.url).status_code == 200


# ── With a login ─────────────────────────────────────────────────────────────
def logged_in(server: Server, role: Role) -> tuple[int, str]:
    """A person who has just logged in: the id, and the cookie's token."""
    name = secrets.token_hex(4)
    with server.house.store.write() as connection:
        row = {"name": name, "folded": name, "role": role, "password": "-", "created_ns": 0}
        ident = connection.execute(insert(person).values(**row).returning(person.c.id)).scalar_one()
        return ident, login.begin(connection, ident, server.house.now_ns())


def ended(server: Server, ident: int, token: str, how: str) -> None:
    """As pages do it, or another process beside this one: nobody tells the server's hub."""
    with server.house.store.write() as connection:
        mine = login.login.c.token_hash == login.token_hash(token)
        match how:
            case "logout":
                login.end(connection, token)
            case "password":
                login.end_all(connection, ident)
            case "removed":
                connection.execute(update(person).where(person.c.id == ident).values(removed_ns=1))
            case "role":
                connection.execute(update(person).where(person.c.id == ident).values(role=Role.REFEREE))
            case _:
                connection.execute(update(login.login).where(mine).values(seen_ns=server.house.now_ns() - login.IDLE_NS - 1))


@pytest.mark.parametrize("how", ["logout", "password", "removed", "role", "too old"])
@pytest.mark.parametrize("path", ["/live/desk", "/live/several?of=desk&of=board"])
def test_an_officials_stream_ends_within_two_seconds_of_the_login(server: Server, path: str, how: str) -> None:
    ident, token = logged_in(server, Role.CHIEF)
    with httpx.stream("GET", server.url + path, headers={"cookie": f"{login.COOKIE}={token}"}, timeout=LONG_S) as answer:
        lines = answer.iter_lines()
        assert "event: all" in [next(lines) for _ in range(6)]
        ended(server, ident, token, how)
        watch = Stopwatch()
        list(lines)
        assert watch.seconds() < 2
    until(lambda: server.live._readers == {}, "the stream's reader is kept")


def test_several_are_read_over_one_connection_and_each_event_says_of_what_it_is(server: Server) -> None:
    query = "of=board&of=table:2&of=match:match-2&of=desk&of=table:2&of=nonsense"
    with httpx.stream("GET", f"{server.url}/live/several?{query}") as answer:
        told: list[tuple[str, str]] = []
        kind = ""
        for line in answer.iter_lines():
            kind = line.removeprefix("event: ") if line.startswith("event: ") else kind
            if line.startswith("data: "):
                told.append((kind, json.loads(line.removeprefix("data: "))["of"]))
            if len(told) == 4:
                break
    assert told == [("all", "board"), ("all", "table:2"), ("all", "match:match-2"), ("changed", "desk")], "who may not is sent to log in"


@pytest.mark.parametrize("query", ["", "?of=nonsense", "?" + "&".join(f"of=table:{n}" for n in range(65))])
def test_nobody_reads_nothing_or_everything_at_once(server: Server, query: str) -> None:
    assert httpx.get(f"{server.url}/live/several{query}").status_code in {400, 422}


# ── A database that is away ──────────────────────────────────────────────────
async def _until_stale(reader: Reader) -> None:
    """Whatever comes until the page is told that it is old, and let go."""
    while read(await reader.events.get())[0] != "stale":
        pass
    assert await reader.events.get() is None


async def _is_away_and_comes_back(live: Live, away: Callable[[], object], back: Callable[[], object]) -> None:
    """A page is told that its database has gone, again when it asks again, and has the whole once that is back."""
    reader = await live.join("board")
    assert (await heard(reader))[0] == "all"
    await asyncio.to_thread(away)
    await _until_stale(reader)
    live.leave("board", reader)
    for _asks_again in range(2):
        reader = await live.join("board")
        await _until_stale(reader)
        live.leave("board", reader)
    await asyncio.to_thread(back)
    while True:
        reader = await live.join("board")
        kind, data = read(await reader.events.get())
        live.leave("board", reader)
        if kind == "all":
            break
        await asyncio.sleep(0.02)
    assert [face["table"] for face in data["faces"]] == ["1", "2"]


def test_pages_are_told_that_the_database_cannot_be_read(house: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_module, "WORD_S", 0.05)
    reads = house.store.read

    def fails() -> None:
        raise StoreUnavailable("The disk is gone.")

    def away() -> None:
        house.store.read = fails

    def back() -> None:
        house.store.read = reads

    run(lambda: _is_away_and_comes_back(Live(house), away, back))


def test_a_database_that_does_not_answer_is_taken_for_gone_and_not_asked_again(house: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_module, "WORD_S", 0.05)
    monkeypatch.setattr(live_module, "PATIENCE_S", LONG_S)  # a busy machine's database has not gone
    reads, answers, asked = house.store.read, threading.Event(), []

    def silent() -> Any:
        asked.append(1)
        answers.wait(LONG_S)
        return reads()

    def away() -> None:
        monkeypatch.setattr(live_module, "PATIENCE_S", 0.1)
        house.store.read = silent

    def back() -> None:
        assert len(asked) == 1
        monkeypatch.setattr(live_module, "PATIENCE_S", LONG_S)
        house.store.read = reads
        answers.set()

    run(lambda: _is_away_and_comes_back(Live(house), away, back))


@pytest.mark.skipif(postgres.binaries() is None, reason="there is no PostgreSQL here")
def test_pages_outlive_a_postgresql_that_goes_and_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_module, "WORD_S", 0.2)
    with postgres.cluster() as address:
        store = Store.open(address.format(name="postgres"))
        made: Any = SimpleNamespace(store=store, hub=LocalHub(), now_ns=iter(range(10**18, 10**19, 1_000_000)).__next__)
        faces.show(made, faces.playing("1", 0), faces.playing("2", 0))
        try:
            run(lambda: _is_away_and_comes_back(Live(made), lambda: postgres.stop(address), lambda: postgres.start(address)))
        finally:
            store.close()
