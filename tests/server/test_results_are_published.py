"""Anybody may read the results: final ones as they are, provisional ones marked; what is practice or not over yet is not among them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from kiosk.domain.types import Pair
from kiosk.server import published, result_acts
from kiosk.server.acts import Act
from kiosk.server.audit import A_SHEET
from kiosk.server.store import Store
from tests.server.hall import ANA_BORIS, SECOND, Hall
from tests.server.serving import Server, serving


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    store = Store.open(f"sqlite:///{tmp_path}/event.db")
    yield Hall(store)
    store.close()


def told(hall: Hall, **wanted: str) -> list[published.Result]:
    with hall.store.read() as connection:
        return published.published(connection, **wanted)


def over(hall: Hall, device: str, ident: str, phase: str = "received", **changes: object) -> None:
    key = hall.played(device, ident, attached=ident, phase=phase, **changes)
    with hall.store.write() as connection:
        result_acts.take_sheet(Act(connection, A_SHEET, hall.now_ns), *key)


def test_a_received_sheet_is_a_result(hall: Hall) -> None:
    over(hall, hall.table("12"), hall.make())
    (one,) = told(hall)
    assert (one.round, one.table, one.players) == ("3", "12", {"left": ["Ana"], "right": ["Boris"]})
    assert (one.score, one.winner, one.how, one.provisional) == ({"left": 7, "right": 3}, "left", "by the score", False)
    assert one.at_ns == hall.now_ns


@pytest.mark.parametrize("phase", ["ended", "signed"])
def test_a_result_that_nobody_has_received_is_provisional(hall: Hall, phase: str) -> None:
    over(hall, hall.table("12"), hall.make(), phase)
    assert [one.provisional for one in told(hall)] == [True]


def test_the_organizers_word_counts(hall: Hall) -> None:
    ident = hall.make()
    over(hall, hall.table("12"), ident)
    with hall.act() as act:
        result_acts.change(act, ident, {"score": {"left": 4, "right": 7}, "winner": "right", "how": "score"}, "the sheet was misread", 1)
    (one,) = told(hall)
    assert (one.score, one.winner, one.provisional) == ({"left": 4, "right": 7}, "right", False)


def test_what_is_not_over_and_what_is_practice_is_not_told(hall: Hall) -> None:
    hall.played(hall.table("1"), ident := hall.make(table="1"), attached=ident)
    over(hall, hall.table("2"), hall.make(table="2", practice=True))
    hall.make(table="3")
    assert told(hall) == []


def test_results_are_found_by_name_and_by_round(hall: Hall) -> None:
    over(hall, hall.table("1"), hall.make(table="1", round="1"))
    other = {"left": ["Ćosić"], "right": ["Đorđe"]}
    over(hall, hall.table("2"), hall.make(table="2", round="2", players=Pair(("Ćosić",), ("Đorđe",))), summary={"players": other})
    assert [one.table for one in told(hall)] == ["1", "2"]
    assert [one.table for one in told(hall, q=" ćOS ")] == ["2"]
    assert [one.table for one in told(hall, round="1")] == ["1"]
    assert told(hall, q="nobody") == []


def test_a_result_in_a_sentence_names_the_winner_or_nobody(hall: Hall) -> None:
    ident = hall.make()
    over(hall, hall.table("12"), ident)
    with hall.store.read() as connection:
        match = published.match(connection, ident)
    assert match is not None
    assert match.result is not None
    assert published.sentence(match.result) == "Ana has won; the score is 7\u2009–\u20093, by the score."
    with hall.act() as act:
        result_acts.change(act, ident, {"score": {"left": 0, "right": 0}, "winner": None, "how": "double_forfeit"}, "nobody came", 1)
    assert published.sentence(told(hall)[0]) == "It ended 0\u2009–\u20090, match forfeited by both."


def test_a_match_is_known_before_it_begins_and_an_unknown_one_is_not(hall: Hall) -> None:
    ident, practice = hall.make(), hall.make(table="13", practice=True)
    with hall.store.read() as connection:
        planned, trained = published.match(connection, ident), published.match(connection, practice)
        assert published.match(connection, "nowhere") is None
    assert planned == published.Match({"left": ["Ana"], "right": ["Boris"]}, None, None)
    assert trained == planned


# ── On its page ──────────────────────────────────────────────────────────────
@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server")) as made:
        hall = Hall(made.house.store, now_ns=1_764_512_345 * SECOND)
        over(hall, hall.table("12"), hall.make())
        over(hall, hall.table("13"), hall.make(table="13", players=ANA_BORIS.players.swapped()), "signed")
        yield made


def test_the_page_of_results_marks_the_provisional_one(server: Server) -> None:
    text = httpx.get(f"{server.url}/results").text
    assert text.count("<tr>") == 3
    assert text.count("provisional</span>") == 1
    assert "<b>Ana</b>" in text
    assert "There are no results here yet." in httpx.get(f"{server.url}/results?q=nobody").text


def test_the_page_of_a_match_tells_its_result(server: Server) -> None:
    path = httpx.get(f"{server.url}/results").text.split('href="/m/')[1].split('"')[0]
    assert "Ana has won" in httpx.get(f"{server.url}/m/{path}").text
