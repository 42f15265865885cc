"""What is told of a round is told alike by both, or refused."""

from __future__ import annotations

import pytest

from kiosk.tournament.results import Card, Entry, Record, Result, TournamentError


def test_what_one_player_tells_is_known_of_the_other() -> None:
    record = Record([1, 2], 1, [Entry(1, 1, 2, Result.WIN, 5)])
    assert record.card(2, 1) == Card(1, Result.LOSS, -5)
    assert (record.points(1), record.points(2)) == (1.0, 0.0)
    assert record.opponents(2) == {1}


def test_both_may_stay_away() -> None:
    record = Record([1, 2], 1, [Entry(1, 1, 2, Result.FORFEIT_LOSS), Entry(1, 2, 1, Result.FORFEIT_LOSS)])
    assert (record.points(1), record.points(2)) == (0.0, 0.0)


def test_a_round_of_which_nothing_is_told_was_not_played() -> None:
    assert [card.result for card in Record([1, 2], 2).cards(1)] == [Result.ABSENT, Result.ABSENT]


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ([Entry(3, 1, 2, Result.WIN)], "the rounds are 1 to 2"),
        ([Entry(0, 1, 2, Result.WIN)], "the rounds are 1 to 2"),
        ([Entry(1, 9, 2, Result.WIN)], "9 is not on the entry list"),
        ([Entry(1, 1, 9, Result.WIN)], "9 is not on the entry list"),
        ([Entry(1, 1, None, Result.WIN)], "win needs an opponent"),
        ([Entry(1, 1, 2, Result.BYE_WIN)], "bye_win has no opponent"),
        ([Entry(1, 1, 1, Result.WIN)], "nobody plays himself"),
        ([Entry(1, 1, 2, Result.WIN), Entry(1, 1, 3, Result.WIN)], "the player is there twice"),
        ([Entry(1, 1, 2, Result.WIN), Entry(1, 2, 1, Result.WIN)], "tell different things"),
        ([Entry(1, 1, 2, Result.WIN), Entry(1, 2, 3, Result.LOSS)], "tell different things"),
    ],
)
def test_what_cannot_be_is_refused_with_round_and_player(entries: list[Entry], says: str) -> None:
    with pytest.raises(TournamentError, match=says):
        Record([1, 2, 3], 2, entries)


def test_nobody_is_on_the_entry_list_twice() -> None:
    with pytest.raises(TournamentError, match="twice"):
        Record([1, 1], 0)
