"""Ratings over whole events: which matches are rated, in which order, from where everybody begins."""

from __future__ import annotations

from typing import Any

import pytest

from kiosk.tournament import happened as h
from kiosk.tournament.event import Event
from kiosk.tournament.file import event_from_plain
from kiosk.tournament.fold import after, fold
from kiosk.tournament.happened import Leave, Outcome
from kiosk.tournament.plan import Entrant, RatingPlan, StagePlan, System
from kiosk.tournament.rated import Change, Rated, as_plain, rated_event
from kiosk.tournament.ratings import Ramp, Rating
from kiosk.tournament.ratings import after as moved
from kiosk.tournament.results import TournamentError
from kiosk.tournament.stages import fixtures


def begun(*entrants: Entrant, system: System = System.SWISS, **plan: Any) -> Event:
    made = StagePlan("Main", system, seed="x", **({"rounds": 3} | plan))
    return fold([*(h.Entered(each) for each in entrants), h.StageOpened(1, made, tuple(each.ident for each in entrants))])


def players(count: int, **more: Any) -> list[Entrant]:
    return [Entrant(n, (f"P{n}",), **more) for n in range(1, count + 1)]


def of(made: Rated, player: int | str) -> Change:
    return next(each for each in made.changes if each.player == player)


def drawn(event: Event, *pairs: tuple[int, int], bye: int | None = None) -> Event:
    return after(event, h.RoundDrawn(1, len(event.stage(1).draws) + 1, pairs, bye))


def won(key: str, length: int = 1, stage: int = 1) -> h.Ended:
    return h.Ended(stage, key, Outcome.LEFT, length, 0, length)


def test_a_beginners_first_match_to_one_point_moves_ten_points() -> None:
    made = rated_event(after(drawn(begun(*players(2)), (1, 2)), won("R1.1")))
    assert [(each.player, each.after, each.matches, each.won) for each in made.changes] == [
        (1, Rating(1510.0, 1), 1, 1), (2, Rating(1490.0, 1), 1, 0),
    ]  # fmt: skip
    assert as_plain(of(made, 2), "P2") == {
        "player": 2, "name": "P2", "before": 1500.0, "after": 1490.0, "change": -10.0,
        "matches": 1, "won": 0, "experience_before": 0, "experience": 1,
    }  # fmt: skip


def test_everybody_begins_as_the_entry_list_says() -> None:
    one, other = Entrant(1, ("Ana",), rating=1850, experience=1000), Entrant(2, ("Boris",), rating=1750.0, experience=1000)
    made = rated_event(after(drawn(begun(one, other, Entrant(3, ("Vera",))), (1, 2), bye=3), won("R1.1", 7)))
    assert of(made, 1).change == pytest.approx(4.491772, abs=1e-6)
    assert of(made, 2).after == Rating(pytest.approx(1745.508228, abs=1e-6), 1007)
    assert of(made, 3) == Change(3, Rating(1500.0, 0), Rating(1500.0, 0)), "a bye is not rated"


def test_forfeits_and_annulled_matches_are_not_rated() -> None:
    event = drawn(begun(*players(6)), (1, 2), (3, 4), (5, 6))
    event = fold([won("R1.1"), h.Ended(1, "R1.2", Outcome.LEFT_FORFEIT, length=7), h.Ended(1, "R1.3", Outcome.BOTH_FORFEIT)], event)
    assert [each.matches for each in rated_event(event).changes] == [1, 0, 0, 0, 0, 1]
    assert of(rated_event(after(event, h.Left(2, Leave.DISQUALIFIED))), 1).matches == 1, "what was played stays"
    for fixer in (1, 2):
        assert of(rated_event(after(event, h.Left(fixer, Leave.FIXING))), 1).matches == 0


def test_results_struck_out_of_a_table_were_played_and_are_rated() -> None:
    event = begun(*players(5), system=System.ROUND_ROBIN)
    event = fold([won("G1.1.2"), h.Left(2, Leave.WITHDRAWN)], event)
    assert sum(each.matches for each in rated_event(event).changes) == 2


def test_a_match_without_a_length_is_rated_as_the_plan_says_or_counted_as_left_out() -> None:
    event = after(drawn(begun(*players(2)), (1, 2)), h.Ended(1, "R1.1", Outcome.RIGHT))
    assert rated_event(event).without_length == 1
    assert of(rated_event(event), 2).matches == 0
    planned = after(event, h.RatingsPlanned(RatingPlan(Ramp.NONE, 1)))
    assert rated_event(planned).without_length == 0
    assert of(rated_event(planned), 2).after == Rating(1502.0, 1)
    for wrong in (h.RatingsPlanned(RatingPlan(length=100)), h.Ended(1, "R1.1", Outcome.LEFT, length=-1)):
        with pytest.raises(TournamentError, match="1 to 99 points"):
            after(event, wrong)


def test_the_order_is_that_of_the_rounds_whenever_results_come_in_or_are_put_right() -> None:
    event = after(drawn(begun(*players(4)), (1, 2), (3, 4)), won("R1.1", 5))
    event = drawn(after(event, won("R1.2", 3)), (1, 3), (2, 4))
    event = fold([won("R2.2", 7), won("R2.1", 9)], event)
    one, two = moved(Rating(), Rating(), 5)
    three, four = moved(Rating(), Rating(), 3)
    one, three = moved(one, three, 9)
    two, four = moved(two, four, 7)
    expected = {1: one, 2: two, 3: three, 4: four}
    assert {each.player: each.after for each in rated_event(event).changes} == expected
    again = fold([h.Reopened(1, "R1.1"), won("R1.1", 5)], event)
    assert {each.player: each.after for each in rated_event(again).changes} == expected


def test_a_round_robin_is_rated_as_it_was_played() -> None:
    event = begun(*players(4), system=System.ROUND_ROBIN)
    last, first = won("G1.3.1", 5), won("G1.1.1", 3)
    played = rated_event(fold([last, first], event))
    assert played != rated_event(fold([first, last], event))
    assert played == rated_event(fold([last, first, h.Reopened(1, "G1.3.1"), last], event)), "one put right keeps its place"


def test_a_knock_out_goes_on_with_the_rating_of_the_match_before_and_later_stages_with_that() -> None:
    event = fold([won("M1.1", 3), won("M1.2", 3), won("M2.1", 5)], begun(*players(4), system=System.SINGLE))
    event = after(event, h.StageOpened(2, StagePlan("Last", System.ROUND_ROBIN, seed="x"), (1, 2)))
    event = after(event, won("G1.1.1", 7, 2))
    one, _four = moved(Rating(), Rating(), 3)
    two, _three = moved(Rating(), Rating(), 3)
    one, two = moved(one, two, 5)
    one, two = moved(one, two, 7)
    assert (of(rated_event(event), 1).after, of(rated_event(event), 2).after) == (one, two)
    assert of(rated_event(event), 1).won == 3


def test_without_a_ramp_the_points_that_one_gains_the_other_loses() -> None:
    event = after(begun(*players(9), system=System.ROUND_ROBIN), h.RatingsPlanned(RatingPlan(Ramp.NONE)))
    event = fold(
        [h.Ended(1, each.key, Outcome.LEFT, length=n % 9 + 1) for n, each in enumerate(fixtures(event, event.stage(1))) if each.ready],
        event,
    )
    made = rated_event(event).changes
    assert sum(each.change for each in made) == pytest.approx(0, abs=1e-9)
    assert [each.matches for each in made] == [8] * 9
    assert [each.after.value for each in made] == sorted((each.after.value for each in made), reverse=True)


def test_whoever_enters_again_goes_on_with_his_rating() -> None:
    event = after(begun(*players(3), system=System.SINGLE), won("M1.2", 3))
    event = fold([h.Entered(Entrant(4, ("P3",), again=3)), h.Joined(1, 4), won("M1.1", 3)], event)
    made = rated_event(event)
    assert [each.player for each in made.changes] == [2, 1, 3]
    assert (of(made, 3).matches, of(made, 3).after.experience) == (2, 6)


# ── Event files ──────────────────────────────────────────────────────────────
FILE: dict[str, Any] = {
    "players": [{"id": "a", "rating": 1850, "experience": 1000}, {"id": "b", "rating": 1750.0, "experience": 1000}, {"id": "c"}],
    "rounds": 2,
    "length": 7,
    "results": [
        {"round": 2, "player": "c", "opponent": "b", "result": "loss", "length": 3},
        {"round": 2, "player": "a", "opponent": None, "result": "bye_win", "length": 3},
        {"round": 1, "player": "a", "opponent": "b", "result": "win"},
        {"round": 1, "player": "b", "opponent": "a", "result": "loss", "length": 7},
    ],
}


def test_an_event_file_is_rated_round_by_round() -> None:
    made = event_from_plain(FILE).ratings()
    _a, b = moved(Rating(1850, 1000), Rating(1750, 1000), 7)
    b, c = moved(b, Rating(), 3)
    assert (of(made, "a").matches, of(made, "b").after, of(made, "c").after) == (1, b, c)
    assert of(made, "c").after.experience == 3
    slow = event_from_plain({**FILE, "ramp": "slow_ramp_2_400"}).ratings()
    assert abs(of(slow, "c").change) < abs(of(made, "c").change)
    assert event_from_plain({**FILE, "length": 0, "results": FILE["results"][:3]}).ratings().without_length == 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"length": 100}, "length must be a whole number up to 99"),
        ({"ramp": "steep"}, "ramp must be one of fibs, slow_ramp_2_400, no_ramp"),
        ({"players": [{"rating": "1500"}, {}]}, r"players\[0\]\.rating must be a number from 0 to 9999"),
        ({"players": [{"rating": True}, {}]}, r"players\[0\]\.rating must be a number"),
        ({"players": [{"rating": float("nan")}, {}]}, r"players\[0\]\.rating must be a number"),
        ({"players": [{"rating": -1}, {}]}, r"players\[0\]\.rating must be a number"),
        ({"players": [{"experience": 1.5}, {}]}, r"players\[0\]\.experience must be a whole number"),
        ({"results": [{**FILE["results"][2], "length": "7"}]}, r"results\[0\]\.length must be a whole number up to 99"),
        ({"results": [{**FILE["results"][2], "length": 5}, FILE["results"][3]]}, "round 1: b and a tell different things"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(change: dict[str, Any], says: str) -> None:
    with pytest.raises(TournamentError, match=says):
        event_from_plain({**FILE, "results": [], **change})
