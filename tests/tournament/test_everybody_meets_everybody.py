"""Round robins and groups."""

from __future__ import annotations

from collections import Counter

import pytest

from kiosk.tournament.results import TournamentError
from kiosk.tournament.roundrobin import berger, groups, laps, pots


@pytest.mark.parametrize("players", range(2, 25))
def test_in_a_lap_everybody_meets_everybody_once_and_plays_once_a_round(players: int) -> None:
    rounds = berger(players)
    assert all(Counter(n for both in each for n in both if n is not None) == Counter(range(1, players + 1)) for each in rounds)
    met = Counter(frozenset(both) for each in rounds for both in each if None not in both)
    assert len(met) == players * (players - 1) // 2
    assert set(met.values()) == {1}


def test_in_a_second_lap_the_seats_are_changed() -> None:
    rounds = laps(5, 2)
    assert Counter((b, a) for each in rounds[:5] for a, b in each) == Counter(both for each in rounds[5:] for both in each)


def test_groups_have_one_player_of_each_pot() -> None:
    strong = pots(range(1, 11), 4)
    assert strong == ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10))
    made = groups(strong, 4, "seed")
    assert sorted(len(group) for group in made) == [2, 2, 3, 3]
    assert all(sum(player in pot for player in group) <= 1 for group in made for pot in strong)
    assert made == groups(strong, 4, "seed") != groups(strong, 4, "other")


@pytest.mark.parametrize(("given", "count"), [([[1], [2, 3]], 2), ([[1, 2, 3]], 2), ([], 0)])
def test_pots_that_do_not_fit_are_refused(given: list[list[int]], count: int) -> None:
    with pytest.raises(TournamentError, match="Every pot"):
        groups(given, count, "seed")


def test_one_player_is_no_round_robin() -> None:
    with pytest.raises(TournamentError, match="two players"):
        berger(1)
