"""The tournament on the server: kept, released to the tables, and brought on by their sheets."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import delete, select

from kiosk.books import Library
from kiosk.domain.errors import CommandRefused
from kiosk.domain.types import Pair
from kiosk.server import assignments, result_acts, results, tournament
from kiosk.server.acts import Act
from kiosk.server.assignments import State
from kiosk.server.audit import A_SHEET
from kiosk.server.plans import Plan
from kiosk.server.schema import audit, conflict, happening
from kiosk.server.store import Store
from kiosk.server.told import who_words
from kiosk.sync import wire
from kiosk.tournament import happened as h
from kiosk.tournament.event import Event
from kiosk.tournament.happened import Outcome
from kiosk.tournament.plan import Entrant, StagePlan, System
from kiosk.tournament.results import TournamentError
from kiosk.tournament.stages import fixture, proposed
from tests.server.hall import Hall

PATTERN = Plan(Pair(("",), ("",)), "ibgf", 7)
LIBRARY = Library()


@pytest.fixture
def hall(store: Store) -> Hall:
    return Hall(store)


def begun(hall: Hall, system: System, count: int = 4) -> tournament.Now:
    stage = h.StageOpened(1, StagePlan("Main", system, rounds=3, seed="27 October"), tuple(range(1, count + 1)))
    with hall.act() as act:
        return tournament.happen(act, [*(h.Entered(Entrant(n, (f"P{n}",))) for n in range(1, count + 1)), stage], 0)


def now(hall: Hall) -> tournament.Now:
    with hall.store.read() as connection:
        return tournament.standing_now(connection)


def release(hall: Hall, **seats: str | None) -> list[str]:
    with hall.act() as act:
        return tournament.release(act, 1, {key.replace("_", "."): table for key, table in seats.items()}, PATTERN, LIBRARY)


def say(hall: Hall, ident: str, winner: str | None, how: str = "score", **more: Any) -> None:
    score = {"left": 7 if winner == "left" else 3, "right": 7 if winner == "right" else 3}
    with hall.act() as act:
        known = len(results.versions(act.connection, ident))
        result_acts.change(act, ident, {"score": score, "winner": winner, "how": how, **more}, "seen", known)


def test_what_happened_is_kept_and_folded_again(hall: Hall) -> None:
    made = begun(hall, System.SWISS)
    assert now(hall) == made
    with hall.act() as act:
        tournament.happen(act, [proposed(made.event, made.event.stage(1))], made.n)
    assert len(now(hall).event.stage(1).draws) == 1
    with hall.store.read() as connection:
        assert tournament.count(connection) == made.n + 1
        assert tournament.next_entrant(connection) == 5
        told = [row.what for row in connection.execute(select(audit)) if row.act == "tournament_changed"]
    assert len(told) == made.n + 1


def test_an_event_without_a_tournament_has_none(hall: Hall) -> None:
    with hall.store.read() as connection:
        assert (tournament.count(connection), tournament.next_entrant(connection)) == (0, 1)


def test_what_cannot_happen_leaves_nothing_behind(hall: Hall) -> None:
    before = begun(hall, System.SWISS)
    with pytest.raises(TournamentError, match="Nobody on the entry list"), hall.act() as act:
        tournament.happen(act, [h.Left(1, h.Leave.WITHDRAWN), h.Left(77, h.Leave.WITHDRAWN)])
    assert now(hall) == before


def test_who_saw_an_older_state_is_told_so(hall: Hall) -> None:
    before = begun(hall, System.SWISS)
    with pytest.raises(TournamentError, match="meanwhile"), hall.act() as act:
        tournament.happen(act, [h.Left(1, h.Leave.WITHDRAWN)], before.n - 1)


def test_a_released_match_is_offered_at_its_table_and_released_once(hall: Hall) -> None:
    begun(hall, System.SINGLE)
    hall.table("3")
    first = release(hall, M1_1="3", M1_2=None)
    assert release(hall, M1_1="5") == []
    with hall.store.read() as connection:
        one, other = (assignments.find(connection, ident) for ident in first)
    assert (one.plan.players, one.plan.table, one.plan.round, one.state) == (Pair(("P1",), ("P4",)), "3", "Main 1", State.OFFERED)
    assert (other.plan.players, other.state) == (Pair(("P2",), ("P3",)), State.DRAFT)


def test_a_match_that_cannot_be_played_yet_releases_nothing(hall: Hall) -> None:
    begun(hall, System.SINGLE)
    with pytest.raises(TournamentError, match=r"Match M2\.1 cannot be played now"):
        release(hall, M1_1=None, M2_1=None)
    assert now(hall).released == {}
    with pytest.raises(CommandRefused), hall.act() as act:
        tournament.release(act, 1, {"M1.1": None}, Plan(PATTERN.players, "ibgf", 0), LIBRARY)
    assert now(hall).released == {}


def test_a_signed_sheet_brings_the_tournament_on(hall: Hall) -> None:
    begun(hall, System.SINGLE)
    device = hall.table("3")
    (ident,) = release(hall, M1_1="3")
    # At the table they sat the other way round: P4 left.
    summary = {
        "players": {"left": ["P4"], "right": ["P1"]},
        "score": {"left": 2, "right": 7},
        "winner": "right",
        "standing": {"left": "0", "right": "1"},
    }
    key = hall.played(device, ident, attached=ident, phase="signed", summary=summary)
    with hall.store.write() as connection:
        assert result_acts.take_sheet(Act(connection, A_SHEET, hall.now_ns), *key) is not None
    event = now(hall).event
    assert event.stage(1).ended["M1.1"] == h.Ended(1, "M1.1", Outcome.LEFT, 7, 2, 7)
    assert fixture(event, event.stage(1), "M2.1").left == 1


def played(hall: Hall, device: str, ident: str, winner: str = "left", at: tuple[int, int] | None = None) -> tuple[int, int]:
    """The sheet of a match is signed, or, `at` its key, signed anew after a correction."""
    plan = hall.find(ident).plan
    points = {"left": 7 if winner == "left" else 2, "right": 7 if winner == "right" else 2}
    marks = {"left": "1" if winner == "left" else "0", "right": "1" if winner == "right" else "0"}
    players = {"left": list(plan.players.left), "right": list(plan.players.right)}
    told = {"players": players, "score": points, "winner": winner, "standing": marks, "revision": 1 if at is None else 2}
    if at is None:
        at = hall.played(device, ident, attached=ident, phase="signed", summary=told)
    else:
        hall.now_is(at, phase="signed", summary=told)
    with hall.act(A_SHEET) as act:
        assert result_acts.take_sheet(act, *at) is not None
    return at


def test_a_corrected_sheet_takes_the_next_match_back_from_its_table(hall: Hall) -> None:
    begun(hall, System.SINGLE)
    one, other = hall.table("1"), hall.table("2")
    first, second = release(hall, M1_1="1", M1_2="2")
    key = played(hall, one, first)
    played(hall, other, second)
    (final,) = release(hall, M2_1="2")
    played(hall, one, first, "right", key)
    assert hall.find(final).state is State.WITHDRAWN
    assert isinstance(hall.orders(other)[-1], wire.WithdrawMatch)
    event = now(hall).event
    assert fixture(event, event.stage(1), "M2.1").left == 4
    assert (1, "M2.1") not in now(hall).released
    assert hall.acts()[-1] == "match_withdrawn"
    assert who_words(A_SHEET) == "signed sheet"
    (again,) = release(hall, M2_1="2")
    assert hall.find(again).plan.players.left == ("P4",)


def test_a_corrected_sheet_is_for_a_person_where_the_next_match_is_being_played(hall: Hall) -> None:
    begun(hall, System.SINGLE)
    one, other = hall.table("1"), hall.table("2")
    first, second = release(hall, M1_1="1", M1_2="2")
    key = played(hall, one, first)
    played(hall, other, second)
    (final,) = release(hall, M2_1="2")
    hall.played(other, final, attached=final, phase="playing")
    before = now(hall)
    played(hall, one, first, "right", key)
    assert now(hall) == before
    with hall.store.read() as connection:
        (row,) = results.conflicts(connection)
    assert (row.kind, row.match) == ("result_comes_late", first)
    assert "Match M2.1 has been opened at a table" in json.loads(row.what)["why"]


def test_whoever_leaves_is_taken_from_the_table_where_he_has_not_begun_to_play(hall: Hall) -> None:
    begun(hall, System.ROUND_ROBIN)
    device = hall.table("1")
    waits, plays = release(hall, G1_1_1="2", G1_1_2="1")
    pairs = {ident: hall.find(ident).plan.players.left[0] for ident in (waits, plays)}
    hall.played(device, plays, attached=plays, phase="playing")
    with hall.act() as act:
        tournament.happen(act, [h.Left(int(name[1:]), h.Leave.WITHDRAWN) for name in pairs.values()])
    assert hall.find(waits).state is State.WITHDRAWN
    assert hall.find(plays).state is State.OPENED, "the referee ends it there"
    assert list(now(hall).released.values()) == [plays]
    played(hall, device, plays, "right", (hall.journals[device], hall.find(plays).match.first_seq))  # type: ignore[union-attr]
    assert now(hall).event.stage(1).ended["G1.1.2"].outcome is Outcome.RIGHT


def test_whoever_comes_back_plays_again_and_not_the_one_who_had_gone_on_for_him(hall: Hall) -> None:
    begun(hall, System.SINGLE)
    with hall.act() as act:
        tournament.happen(act, [h.Left(1, h.Leave.WITHDRAWN), h.Ended(1, "M1.2", Outcome.LEFT)])
    (final,) = release(hall, M2_1="1")
    assert hall.find(final).plan.players == Pair(("P4",), ("P2",))
    with hall.act() as act:
        tournament.happen(act, [h.CameBack(1)])
    assert hall.find(final).state is State.WITHDRAWN


def test_an_organizers_result_counts_and_a_newer_one_instead_of_it(hall: Hall) -> None:
    begun(hall, System.ROUND_ROBIN, 3)
    (ident,) = release(hall, G1_1_2=None)
    say(hall, ident, "left")
    assert now(hall).event.stage(1).ended["G1.1.2"].outcome is Outcome.LEFT
    before = now(hall).n
    say(hall, ident, "left")
    assert now(hall).n == before  # it says the same
    say(hall, ident, "right")
    assert now(hall).event.stage(1).ended["G1.1.2"].outcome is Outcome.RIGHT
    for how, winner, outcome in (
        ("forfeit", "left", Outcome.LEFT_FORFEIT),
        ("forfeit", "right", Outcome.RIGHT_FORFEIT),
        ("double_forfeit", None, Outcome.BOTH_FORFEIT),
    ):
        say(hall, ident, winner, how, score={"left": 0, "right": 0})
        assert now(hall).event.stage(1).ended["G1.1.2"].outcome is outcome


def test_a_result_that_comes_after_its_loser_has_played_on_is_for_a_person_to_decide(hall: Hall) -> None:
    begun(hall, System.SINGLE)
    first, second = release(hall, M1_1=None, M1_2=None)
    say(hall, first, "left")
    say(hall, second, "left")
    (final,) = release(hall, M2_1=None)
    say(hall, final, "left")
    before = now(hall)
    say(hall, first, "right")
    assert now(hall) == before
    with hall.store.read() as connection:
        (row,) = connection.execute(select(conflict)).all()
    assert (row.kind, row.match) == ("result_comes_late", first)
    assert "open those again first" in json.loads(row.what)["why"]


def test_the_result_of_a_match_of_no_tournament_is_none_of_its_business(hall: Hall) -> None:
    ident = hall.make()
    say(hall, ident, "left")
    with hall.store.write() as connection:
        assert not tournament.heard(Act(connection, A_SHEET, 0), ident, "")
        assert tournament.ended(connection, "nothing", 1, "M1.1") is None
    assert now(hall).n == 0


def test_a_released_match_without_a_result_changes_nothing(hall: Hall) -> None:
    begun(hall, System.SINGLE)
    (ident,) = release(hall, M1_1=None)
    with hall.store.write() as connection:
        assert not tournament.heard(Act(connection, A_SHEET, 0), ident, "")


def test_readers_see_what_is_new_and_begin_anew_where_the_log_is_another(hall: Hall) -> None:
    def seen() -> Event:
        with hall.store.read() as connection:
            return tournament.seen_now(connection)

    assert seen() == Event()
    begun(hall, System.SINGLE)
    assert seen() == now(hall).event
    assert seen() is seen(), "nothing new, nothing folded"
    with hall.act() as act:
        tournament.happen(act, [h.Ended(1, "M1.1", Outcome.LEFT), h.Left(2, h.Leave.WITHDRAWN)])
    assert seen() == now(hall).event
    with hall.store.write() as connection:
        connection.execute(delete(happening).where(happening.c.n > 4))
    assert seen() == now(hall).event
    assert seen().stages == ()
