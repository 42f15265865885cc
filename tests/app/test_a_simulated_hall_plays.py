"""`kiosk crowd` against a real server: many tables join, play what is assigned, obey, and end with everything confirmed."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import func, select

from kiosk.app.crowd import Crowd
from kiosk.app.crowd_play import next_wish
from kiosk.app.main import run
from kiosk.books import Library
from kiosk.domain.setup import Options, resolve
from kiosk.domain.types import NS_PER_S, Instant, Pair, Side
from kiosk.journal import MemoryJournal
from kiosk.server.enrolment import make_code
from kiosk.server.schema import conflict, device, fact
from kiosk.session import Session
from kiosk.session import commands as c
from kiosk.sync import wire
from tests.patience import until
from tests.server.served import Served, served
from tests.sync.test_a_real_network_fails import answers, give


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("server") / "event") as made:
        yield made


def test_a_hall_plays_for_a_while_and_everything_is_confirmed(server: Served, capsys: pytest.CaptureFixture[str]) -> None:
    code = make_code(server.house, "a test", uses=8).code
    words = ["crowd", "--tables", "8", "--server", server.url, "--code", code, "--seconds", "4", "--speed", "60", "--seed", "5"]
    assert run(words) == 0
    out = capsys.readouterr().out
    assert f"ready: 8 tables play at {server.url}" in out
    assert "entries were recorded; 0 are not confirmed by the server." in out
    with server.house.store.read() as connection:
        count = connection.execute(select(func.count()).select_from(fact)).scalar_one()
        kinds = set(connection.execute(select(fact.c.type).distinct()).scalars())
        assert connection.execute(select(func.count()).select_from(conflict)).scalar_one() == 0
    assert f"{count} entries were recorded" in out
    assert {"match_opened", "game_started", "turn_ended"} <= kinds


def test_a_simulated_table_opens_what_is_assigned_and_obeys(server: Served, tmp_path: Path) -> None:
    crowd = Crowd(Library(), tmp_path, speed=200, seed=1)
    crowd.join(server.address, make_code(server.house, "a test", uses=2).code, 1, 100)
    player = threading.Thread(target=crowd.run)
    try:
        ident = crowd.tables[0].courier.joined.device
        players = Pair(("Ana",), ("Boris",))
        give(server, ident, wire.AssignMatch("m77", 1, players, "ibgf", 3, None, None, None, None, "Open", "1", None, practice=False))
        give(server, ident, wire.ShowMessage("Eva", "Coffee"))
        player.start()
        until(lambda: [done for _n, done in answers(server, ident)] == [True, True] and opened(crowd) and "message_read" in types(crowd))
        give(server, ident, wire.PauseHall("Eva", "fire alarm"))
        until(lambda: crowd.tables[0].session.table.hall.pause is not None)
    finally:
        crowd.stop()
        player.join(60)
        assert crowd.settle(60) == 0
        crowd.close()


def types(crowd: Crowd) -> list[str]:
    return [row.type for row in crowd.tables[0].journal.rows()]


def opened(crowd: Crowd) -> bool:
    return any(row.type == "match_opened" and '"m77"' in row.data for row in crowd.tables[0].journal.rows())


def test_a_code_for_too_few_says_so(server: Served, capsys: pytest.CaptureFixture[str]) -> None:
    code = make_code(server.house, "a test", uses=1).code
    assert run(["crowd", "--tables", "2", "--server", server.url, "--code", code, "--first", "200"]) == 2
    assert "The code does not fit" in capsys.readouterr().err
    assert run(["crowd", "--server", server.url, "--code", "x"]) == 2
    assert "8 or 16 letters" in capsys.readouterr().err
    with server.house.store.read() as connection:
        assert connection.execute(select(device.c.table_name).where(device.c.table_name == "200")).scalar() == "200"


def test_a_crowd_that_is_stopped_while_it_joins_ends(server: Served, tmp_path: Path) -> None:
    crowd = Crowd(Library(), tmp_path, speed=1, seed=1)
    crowd.stop()
    crowd.join(server.address, "0" * 8, 5, 300)
    assert crowd.tables == []


def test_chance_is_the_same_again_with_the_same_seed() -> None:
    session = Session(MemoryJournal())
    assert next_wish(session, Random(3)) == next_wish(session, Random(3))


def wishes(*, called: bool, speed: float) -> Counter[str]:
    """What the players of a running game want next, many times over."""
    session = Session(MemoryJournal())
    players: Pair[tuple[str, ...]] = Pair(("Ana",), ("Boris",))
    session.command(c.OpenMatch("m", resolve(Library().load("ibgf"), Options(length=5, players=players))), Instant(0))
    session.press(Side.LEFT, Instant(NS_PER_S))
    if called:
        session.command(c.CallReferee("left"), Instant(2 * NS_PER_S))
    rng = Random(5)
    return Counter(type(next_wish(session, rng, speed)[1]).__name__ for _ in range(3000))


def test_players_call_as_often_in_an_hour_however_fast_they_are() -> None:
    assert 10 <= wishes(called=False, speed=1)["CallReferee"] <= 60
    assert wishes(called=False, speed=30)["CallReferee"] <= 6


def test_a_call_is_answered_by_a_referee_who_comes_rules_or_lets_them_go_on() -> None:
    wanted = wishes(called=True, speed=30)
    assert set(wanted) == {"RefereeComing", "Ruled", "Resume"}
    assert min(wanted.values()) > 300
