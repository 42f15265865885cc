"""What a person cannot enter any more, and how a stage that was opened by mistake goes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from kiosk.tournament import happened as h
from kiosk.tournament.asked import check_asked, check_told
from kiosk.tournament.event import Event
from kiosk.tournament.final import final_ranking
from kiosk.tournament.fold import after, fold
from kiosk.tournament.happened import Leave, Outcome
from kiosk.tournament.lots import lot
from kiosk.tournament.plan import Entrant, StagePlan, System
from kiosk.tournament.results import TournamentError
from kiosk.tournament.stages import out_of, proposed
from kiosk.tournament.tables import qualifiers, tables


def plan(system: System, **more: Any) -> StagePlan:
    return StagePlan("Main", system, **({"seed": "27 October", "rounds": 3} | more))


def begun(count: int, made: StagePlan) -> Event:
    everybody = range(1, count + 1)
    return fold([*(h.Entered(Entrant(n, (f"P{n}",))) for n in everybody), h.StageOpened(1, made, tuple(everybody))])


def again(who: int, ident: int, stage: int = 1) -> list[h.Happened]:
    """Somebody enters once more."""
    return [h.Entered(Entrant(ident, (f"P{who}",), again=who)), h.Joined(stage, ident)]


def asked(event: Event, *what: h.Happened) -> Event:
    check_asked(event, what)
    return fold(what, event)


# ── Re-entries ───────────────────────────────────────────────────────────────
def test_only_who_has_lost_enters_a_knock_out_again_and_by_one_entry_at_a_time() -> None:
    event = begun(5, plan(System.SINGLE))  # M1.2: 4 – 5; the others have no match in the first round
    for who in (1, 4):
        with pytest.raises(TournamentError, match=f"P{who} is not out of this stage"):
            asked(event, *again(who, 6))
    event = after(event, h.Ended(1, "M1.2", Outcome.LEFT))
    assert out_of(event, event.stage(1)) == {5}
    event = asked(event, *again(5, 6))
    with pytest.raises(TournamentError, match="P5 is not out of this stage"):
        asked(event, *again(5, 7))
    met = next(key for key in ("M1.1", "M1.3", "M1.4") if 6 in _players(event, key))
    event = after(event, h.Ended(1, met, Outcome.RIGHT if _players(event, met)[1] != 6 else Outcome.LEFT))
    assert 7 in asked(event, *again(5, 7)).stage(1).entrants, "he has lost twice, and has one live entry again"


def _players(event: Event, key: str) -> tuple[int | None, int | None]:
    from kiosk.tournament.stages import fixture

    found = fixture(event, event.stage(1), key)
    return found.left, found.right


def test_who_plays_on_in_the_lower_bracket_does_not_enter_again() -> None:
    event = after(begun(5, plan(System.DOUBLE)), h.Ended(1, "M1.2", Outcome.LEFT))
    with pytest.raises(TournamentError, match="P5 is not out"):
        asked(event, *again(5, 6))


def test_nobody_stands_twice_in_a_swiss_stage() -> None:
    event = begun(4, plan(System.SWISS))
    with pytest.raises(TournamentError, match="P1 is in this stage already"):
        asked(event, *again(1, 5))
    event = fold([h.Entered(Entrant(5, ("P1",), again=1))], event)
    with pytest.raises(TournamentError, match="P1 is in the stage twice, as 1 and as 5"):
        asked(event, h.StageOpened(2, plan(System.SWISS), (1, 2, 5)))


def test_who_has_left_joins_nothing() -> None:
    event = fold([h.Entered(Entrant(5, ("P5",))), h.Left(5, Leave.WITHDRAWN)], begun(4, plan(System.SWISS)))
    with pytest.raises(TournamentError, match="P5 plays no more"):
        asked(event, h.Joined(1, 5))
    assert 5 in asked(event, h.CameBack(5), h.Joined(1, 5)).stage(1).entrants


@pytest.mark.parametrize(("joined", "says"), [(h.Joined(1, 77), "Nobody on the entry list"), (h.Joined(1, 1), "in this stage already")])
def test_what_the_fold_tells_is_told_by_it(joined: h.Joined, says: str) -> None:
    with pytest.raises(TournamentError, match=says):
        asked(begun(4, plan(System.SWISS)), joined)


# ── Texts, points, pairs ─────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("forbidden", "says"),
    [(((1, 999),), "number 999"), (((1, 2), (2, 1)), "2-1 stands there twice")],
)
def test_a_forbidden_pair_names_two_of_the_entry_list_once(forbidden: tuple[tuple[int, int], ...], says: str) -> None:
    event = begun(4, plan(System.SINGLE))
    with pytest.raises(TournamentError, match=says):
        asked(event, h.StageOpened(2, plan(System.SWISS, forbidden=forbidden), (1, 2, 3, 4)))
    assert asked(event, h.StageOpened(2, plan(System.SWISS, forbidden=((1, 2), (1, 3))), (1, 2, 3, 4))).stage(2)
    with pytest.raises(TournamentError, match="Nobody on the entry list has the number 77"):
        asked(event, h.StageOpened(2, plan(System.SWISS), (1, 77)))


@pytest.mark.parametrize(
    ("entrant", "says"),
    [
        (Entrant(9, ("A\u202eB",)), "A name is one line"),
        (Entrant(9, ("A\nB",)), "A name is one line"),
        (Entrant(9, ("A" * 101,)), "A name is one line"),
        (Entrant(9, ("A",), club="x\n"), "A club and a country"),
        (Entrant(9, ("A",), country="c" * 61), "A club and a country"),
    ],
)
def test_a_text_that_cannot_be_read_is_refused(entrant: Entrant, says: str) -> None:
    with pytest.raises(TournamentError, match=says):
        check_told(Event(), h.Entered(entrant))


def test_points_that_nobody_wins_are_refused() -> None:
    with pytest.raises(TournamentError, match="points are a number from 0 to 9999"):
        check_told(Event(), h.Ended(1, "M1.1", Outcome.LEFT, 10**12, 0))
    check_told(Event(), h.Ended(1, "M1.1", Outcome.LEFT, 7, 0))
    check_told(Event(), h.Struck(1))


def test_two_who_have_met_are_not_drawn_again() -> None:
    event = begun(4, plan(System.SWISS))
    first = proposed(event, event.stage(1))
    event = asked(event, first, h.Ended(1, "R1.1", Outcome.LEFT), h.Ended(1, "R1.2", Outcome.LEFT))
    with pytest.raises(TournamentError, match="have met in this stage already"):
        asked(event, replace(first, round=2))
    assert len(asked(event, proposed(event, event.stage(1))).stage(1).draws) == 2


# ── A stage that was opened by mistake ───────────────────────────────────────
def swiss_and_its_double() -> Event:
    event = begun(4, plan(System.SWISS, rounds=1))
    event = after(event, proposed(event, event.stage(1)))
    event = fold([h.Ended(1, "R1.1", Outcome.LEFT), h.Ended(1, "R1.2", Outcome.LEFT)], event)
    return after(event, h.StageOpened(2, plan(System.SWISS, rounds=1), (1, 2, 3, 4)))


def test_a_stage_in_which_nothing_has_happened_does_not_count_for_the_final_ranking() -> None:
    event = swiss_and_its_double()
    alone = [(each.rank, each.entrant) for each in final_ranking(event, [1])]
    assert [(each.rank, each.entrant) for each in final_ranking(event)] == alone
    assert {rank for rank, _entrant in alone} != {1}
    event = after(event, proposed(event, event.stage(2)))
    assert [(each.rank, each.entrant) for each in final_ranking(event)] == alone, "nobody has played yet"
    event = after(event, h.Ended(2, "R1.1", Outcome.LEFT))
    assert {each.stage for each in final_ranking(event)} == {2}
    assert len(final_ranking(begun(4, plan(System.SINGLE)))) == 4, "there is no other"


def test_a_final_that_was_decided_by_who_has_left_counts() -> None:
    event = after(swiss_and_its_double(), h.StageTakenBack(2))
    event = fold([h.StageOpened(2, plan(System.SINGLE), (1, 2)), h.Left(1, Leave.WITHDRAWN)], event)
    assert final_ranking(event)[0].entrant == 2


def test_a_stage_in_which_nothing_has_happened_is_taken_back() -> None:
    event = fold([h.StagesApart((2,))], swiss_and_its_double())
    event = after(event, h.StageTakenBack(2))
    assert (len(event.stages), event.apart) == (1, frozenset())
    assert after(event, h.StageOpened(2, plan(System.SINGLE), (1, 2))).stage(2).plan.system is System.SINGLE


def test_a_stage_with_results_or_draws_or_one_behind_it_stays() -> None:
    event = swiss_and_its_double()
    for number, says in ((1, "opened last"), (3, "no stage 3")):
        with pytest.raises(TournamentError, match=says):
            after(event, h.StageTakenBack(number))
    drawn = after(event, proposed(event, event.stage(2)))
    with pytest.raises(TournamentError, match="Main has draws or results"):
        after(drawn, h.StageTakenBack(2))
    knock_out = fold([h.StageTakenBack(2), h.StageOpened(2, plan(System.SINGLE), (1, 2)), h.Ended(2, "M1.1", Outcome.LEFT)], event)
    with pytest.raises(TournamentError, match="has draws or results"):
        after(knock_out, h.StageTakenBack(2))
    reopened = fold([h.Reopened(2, "M1.1"), h.StageTakenBack(2)], knock_out)
    assert list(reopened.first) == [(1, "R1.1"), (1, "R1.2")]


# ── Who goes on ──────────────────────────────────────────────────────────────
def test_a_shared_place_that_leads_to_the_next_stage_is_decided_by_a_lot_that_can_be_checked() -> None:
    event = begun(8, plan(System.SINGLE))
    for key in ("M1.1", "M1.2", "M1.3", "M1.4"):
        event = after(event, h.Ended(1, key, Outcome.LEFT))
    for key in ("M2.1", "M2.2", "M3.1"):
        event = after(event, h.Ended(1, key, Outcome.LEFT))
    rows = tables(event, event.stage(1))[0].rows
    fifth = [row.entrant for row in rows if row.rank == 5]
    found = qualifiers(event, event.stage(1), 6)
    (shared,) = found.shared
    assert (shared.rank, shared.places, set(shared.entrants)) == (5, 2, set(fifth))
    assert list(shared.entrants) == sorted(fifth, key=lambda each: lot("27 October", "qualifiers", each))
    assert found.entrants[4:] == shared.entrants[:2]
    assert fifth[:2] != list(shared.entrants[:2]), "not by the entry list"
    assert qualifiers(event, event.stage(1), 4).shared == ()
    assert qualifiers(event, event.stage(1), 8).shared == ()
    assert qualifiers(event, event.stage(1), 0).entrants == ()


def test_who_has_entered_twice_goes_on_once() -> None:
    event = after(begun(5, plan(System.SINGLE)), h.Ended(1, "M1.2", Outcome.LEFT))
    event = asked(event, *again(5, 6))
    assert sum(event.first_entry(each) == 5 for each in qualifiers(event, event.stage(1), 6).entrants) == 1


@pytest.mark.parametrize("names", [("ana  petrova",), ("Ana Petrova",)])
def test_nobody_is_entered_twice_by_another_spelling(names: tuple[str, ...]) -> None:
    event = fold([h.Entered(Entrant(1, ("Ana Petrova",))), h.Entered(Entrant(2, ("Boris", "Ana")))])
    with pytest.raises(TournamentError, match="Ana Petrova is on the entry list already"):
        check_told(event, h.Entered(Entrant(3, names)))
    with pytest.raises(TournamentError, match="already"):
        check_told(event, h.Entered(Entrant(3, ("ana", "BORIS"))))
    check_told(event, h.Entered(Entrant(1, ("ana petrova",))))  # put right by himself
    check_told(event, h.Entered(Entrant(3, ("Ana Petrova",), again=1)))
    check_told(event, h.Entered(Entrant(3, ("Ana",))))
