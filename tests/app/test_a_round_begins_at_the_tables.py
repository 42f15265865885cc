"""A round of a tournament, of a real server and tables that have joined it: who is there, and that it begins whatever became of a table."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from test_the_loop_is_linked_to_the_server import Table, joined, table

from kiosk.books import Library
from kiosk.domain.facts import CheckItem
from kiosk.domain.state import Phase
from kiosk.domain.types import NS_PER_S, Instant, Pair, Side
from kiosk.server import round_start, rounds, tournament
from kiosk.server.acts import acting
from kiosk.server.plans import Plan
from kiosk.session import commands as c
from kiosk.sync import wire
from kiosk.tournament import happened as h
from kiosk.tournament.plan import Entrant, StagePlan, System
from tests.server.served import Served, served
from tests.sync.test_a_real_network_fails import answers, give

NAMES = ("P1", "P2", "P3", "P4", "P5", "P6")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("round") / "event") as made:
        yield made


def released(server: Served, tables: dict[str, str]) -> dict[str, str]:
    """A round of six, everybody against somebody, released an hour before its time; the matches' ids by their keys."""
    with acting(server.house, "Eva (organizer)") as act:
        entered = [h.Entered(Entrant(n, (name,))) for n, name in enumerate(NAMES, 1)]
        pairs = ((1, 2), (3, 4), (5, 6))
        opened = h.StageOpened(1, StagePlan("Main", System.SWISS, rounds=3, seed="x"), tuple(range(1, 7)))
        tournament.happen(act, [*entered, opened, h.RoundDrawn(1, 1, pairs, None)])
        pattern = Plan(Pair(("",), ("",)), "ibgf", 3, starts_ns=act.at_ns + 3600 * NS_PER_S)
        tournament.release(act, 1, tables, pattern, Library())
    with server.house.store.read() as connection:
        return {key: ident for (_stage, key), ident in tournament.standing_now(connection).released.items()}


def missing(server: Served) -> list[str]:
    with server.house.store.read() as connection:
        now = tournament.standing_now(connection)
        return [each.name for each in rounds.missing(rounds.rounds(connection, now, server.house.now_ns()))]


def heard(server: Served) -> dict[str, str]:
    with server.house.store.read() as connection:
        (one,) = rounds.rounds(connection, tournament.standing_now(connection), server.house.now_ns())
        return {each.table: each.kind for each in one.told}


def begins(at: Table) -> int:
    """When the round of the match that is offered there begins, from now on by that loop's time, in nanoseconds."""
    (offer,) = at.hall.offers.all("x")
    assert offer.setup.round_start is not None
    return offer.setup.round_start - time.monotonic_ns() - at.extra


@contextmanager
def three(server: Served, folder: Path) -> Iterator[tuple[Table, Table, Table]]:
    with joined(server, folder / "1", "1") as one, joined(server, folder / "2", "2") as two, joined(server, folder / "3", "3") as away:
        yield one, two, away


def test_a_round_begins_where_nobody_has_begun_and_a_table_that_was_away_learns_of_it_later(server: Served, tmp_path: Path) -> None:
    with three(server, tmp_path) as (one, two, away):
        ident = released(server, {"R1.1": "1", "R1.2": "2", "R1.3": "3"})
        for each in (one, two, away):
            each.until(lambda each=each: len(each.hall.offers.all("x")) == 1)  # type: ignore[misc]
            assert begins(each) > 3000 * NS_PER_S
        assert missing(server) == list(NAMES)
        one.session.command(c.ConfirmSeat(ident["R1.1"], 1, Side.LEFT, here=True), Instant(time.monotonic_ns()))
        one.until(lambda: missing(server) == ["P2", "P3", "P4", "P5", "P6"])  # one sits there alone
        setup = two.hall.offers.all("x")[0].setup
        two.session.command(c.OpenMatch(ident["R1.2"], setup), Instant(time.monotonic_ns()))
        two.session.command(c.Check(CheckItem.RIGHT, done=True), Instant(time.monotonic_ns()))
        two.until(lambda: missing(server) == ["P2", "P3", "P5", "P6"])
        two.session.press(Side.LEFT, Instant(time.monotonic_ns()))
        two.until(lambda: missing(server) == ["P2", "P5", "P6"])
        away.hall.close()
        with acting(server.house, "Ivan (chief)") as act:
            assert round_start.start_now(act, "Main 1") == 2
        one.until(lambda: begins(one) <= 0)
        one.until(lambda: heard(server) == {"1": "good", "3": "alert"})
        with table(tmp_path / "3", away.journal) as again:
            again.until(lambda: heard(server) == {"1": "good", "3": "good"})
            assert begins(again) <= 0
        # An order that was under way while the clock was started takes nothing back.
        clock = two.session.table.clock
        give(server, two.device, wire.DelayStart("Ivan (chief)", ident["R1.2"], 0))
        two.until(lambda: [done for _n, done in answers(server, two.device)] == [True, False])
        assert (two.session.table.phase, two.session.table.clock) == (Phase.PLAYING, clock)
        assert heard(server) == {"1": "good", "2": "good", "3": "good"}, "it had begun already"
