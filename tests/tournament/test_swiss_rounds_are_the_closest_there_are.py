"""Swiss pairings: nobody twice, one bye at most, and no other pairing of the round is closer."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.tournament import swiss
from kiosk.tournament.results import Entry, Record, Result, TournamentError
from kiosk.tournament.swiss import FirstRound, NoPairing, Pairing, Wishes, bound, pair
from tests.often import often

W = Result.WIN


def entries_of(made: Pairing, number: int, chance: Random) -> list[Entry]:
    told = [Entry(number, a, b, chance.choice([W, Result.LOSS, W, Result.FORFEIT_WIN])) for a, b in made.pairs]
    return [*told, *([Entry(number, made.bye, None, Result.BYE_WIN)] if made.bye is not None else [])]


def played(players: int, rounds: int, chance: Random) -> tuple[list[Entry], int]:
    """An event up to the round in which nothing can be paired any more."""
    entries: list[Entry] = []
    for number in range(1, rounds + 1):
        try:
            made = pair(Record(range(1, players + 1), number - 1, entries), range(1, players + 1), number, seed="s")
        except NoPairing:
            return entries, number - 1
        entries += entries_of(made, number, chance)
    return entries, rounds


def best(record: Record, players: list[int], forbidden: frozenset[frozenset[int | str]] = frozenset()) -> float | None:
    """The least sum of squared differences, by trying everything."""
    if not players:
        return 0.0
    first, *rest = players
    least = None
    for other in rest:
        if other in record.opponents(first) or frozenset((first, other)) in forbidden:
            continue
        left = best(record, [each for each in rest if each != other], forbidden)
        if left is not None:
            cost = left + (record.points(first) - record.points(other)) ** 2
            least = cost if least is None else min(least, cost)
    return least


@given(st.integers(2, 10), st.integers(0, 6), st.integers(0, 10**6), st.integers(0, 3))
def test_no_pairing_is_closer_than_the_one_that_is_made(players: int, rounds: int, luck: int, bans: int) -> None:
    chance = Random(luck)
    entries, rounds = played(players, rounds, chance)
    record = Record(range(1, players + 1), rounds, entries)
    everybody = list(range(1, players + 1))
    forbidden = frozenset(frozenset[int | str](chance.sample(everybody, 2)) for _ban in range(bans))
    try:
        made = pair(record, everybody, rounds + 1, seed="x", wishes=Wishes(forbidden))
    except NoPairing:
        free = [each for each in everybody if not any(card.result is Result.BYE_WIN for card in record.cards(each))]
        assert all(best(record, [e for e in everybody if e != bye], forbidden) is None for bye in (free if players % 2 else [0]))
        return
    at_the_boards = [each for each in everybody if each != made.bye]
    assert sorted(each for both in made.pairs for each in both) == at_the_boards
    assert all(b not in record.opponents(a) and frozenset((a, b)) not in forbidden for a, b in made.pairs)
    assert sum((record.points(a) - record.points(b)) ** 2 for a, b in made.pairs) == best(record, at_the_boards, forbidden)
    if made.bye is not None:
        assert all(card.result is not Result.BYE_WIN for card in record.cards(made.bye))


@given(st.lists(st.integers(0, 9), min_size=2, max_size=8).filter(lambda scores: len(scores) % 2 == 0))
def test_no_pairing_of_scores_is_below_the_bound(scores: list[int]) -> None:
    record = Record(
        range(len(scores)), max(scores), [Entry(n, k, None, Result.BYE_WIN) for k, s in enumerate(scores) for n in range(1, s + 1)]
    )
    assert best(record, list(range(len(scores)))) == bound(scores)


@pytest.mark.parametrize("near", [1, 3])
def test_a_large_round_is_as_close_as_if_everybody_were_looked_at(monkeypatch: pytest.MonkeyPatch, near: int) -> None:
    chance = Random(near)
    for _event in range(often(6)):
        players, rounds = chance.randrange(12, 40, 2), chance.randrange(7)
        entries, rounds = played(players, rounds, chance)
        record = Record(range(1, players + 1), rounds, entries)
        wishes = Wishes(club={n: str(n % 3) for n in range(1, players + 1)}, floats=True)

        def cost(made: Pairing, record: Record = record) -> float:
            return sum((record.points(a) - record.points(b)) ** 2 for a, b in made.pairs)

        whole = pair(record, range(1, players + 1), rounds + 1, seed="x", wishes=wishes)
        with monkeypatch.context() as patch:
            patch.setattr(swiss, "WHOLE", 0)
            patch.setattr(swiss, "NEAR", near)
            assert cost(pair(record, range(1, players + 1), rounds + 1, seed="x", wishes=wishes)) == cost(whole)


def test_a_large_first_round_is_paired_from_neighbours_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swiss, "WHOLE", 4)
    made = pair(Record(range(10), 0), range(10), 1, seed="x")
    assert sorted(each for both in made.pairs for each in both) == list(range(10))


def test_the_same_entry_and_seed_give_the_same_draw_and_another_seed_another() -> None:
    record = Record(range(1, 33), 0)
    draw = pair(record, range(1, 33), 1, seed="a")
    assert pair(record, range(1, 33), 1, seed="a") == draw
    assert pair(record, range(1, 33), 1, seed="b") != draw


def test_in_a_drawn_first_round_the_first_lot_meets_the_second() -> None:
    order = swiss.drawn("a", "round 1", range(1, 9))
    assert pair(Record(range(1, 9), 0), range(1, 9), 1, seed="a").pairs == tuple(zip(order[::2], order[1::2], strict=True))


def test_a_seeded_first_round_is_folded_or_halved() -> None:
    record = Record(range(1, 9), 0)
    folded = pair(record, range(1, 9), 1, seed="a", wishes=Wishes(first=FirstRound.FOLDED))
    assert folded.pairs == ((1, 8), (2, 7), (3, 6), (4, 5))
    halves = pair(record, range(1, 9), 1, seed="a", wishes=Wishes(first=FirstRound.HALVES))
    assert halves.pairs == ((1, 5), (2, 6), (3, 7), (4, 8))


def test_the_bye_goes_to_the_lowest_who_has_had_none() -> None:
    record = Record([1, 2, 3], 1, [Entry(1, 1, 2, W), Entry(1, 3, None, Result.BYE_WIN)])
    assert pair(record, [1, 2, 3], 2, seed="a").bye == 2
    later = Record(
        [1, 2, 3], 2, [Entry(1, 1, 2, W), Entry(1, 3, None, Result.BYE_WIN), Entry(2, 1, 3, W), Entry(2, 2, None, Result.BYE_WIN)]
    )
    assert pair(later, [1, 2, 3], 3, seed="a") == Pairing(((3, 2),), 1)


def test_the_bye_goes_to_the_next_where_the_others_could_not_be_paired() -> None:
    # 5 is the lowest, but nobody else may meet 4.
    told = [Entry(1, 1, 2, W), Entry(1, 4, 5, W), Entry(1, 3, None, Result.BYE_WIN)]
    bans = frozenset(frozenset[int | str](both) for both in ((1, 4), (2, 4), (3, 4)))
    assert pair(Record([1, 2, 3, 4, 5], 1, told), [1, 2, 3, 4, 5], 2, seed="a", wishes=Wishes(bans)).bye == 4


def test_that_nothing_can_be_paired_is_said() -> None:
    met = Record([1, 2], 1, [Entry(1, 1, 2, W)])
    with pytest.raises(NoPairing, match="nobody meets somebody twice"):
        pair(met, [1, 2], 2, seed="a")
    byes = Record([1], 1, [Entry(1, 1, None, Result.BYE_WIN)])
    with pytest.raises(NoPairing, match="Everybody has had a bye"):
        pair(byes, [1], 2, seed="a")
    three = Record([1, 2, 3], 1, [Entry(1, 1, 2, W)])
    banned = frozenset(frozenset[int | str](both) for both in ((1, 3), (2, 3)))
    with pytest.raises(NoPairing, match="nobody meets somebody twice"):
        pair(three, [1, 2, 3], 2, seed="a", wishes=Wishes(banned))


def test_a_lone_player_has_the_bye_and_nobody_at_all_is_no_fault() -> None:
    assert pair(Record([1], 0), [1], 1, seed="a") == Pairing((), 1)
    assert pair(Record([1], 0), [], 1, seed="a") == Pairing((), None)


@pytest.mark.parametrize("playing", [[1, 9], [1, 1]])
def test_only_who_is_on_the_entry_list_plays_and_only_once(playing: list[int]) -> None:
    with pytest.raises(TournamentError, match="entry list"):
        pair(Record([1, 2], 0), playing, 1, seed="a")


def test_matches_within_a_club_are_avoided_where_the_scores_allow_it() -> None:
    clubs = {1: "A", 2: "A", 3: "B", 4: "B"}
    for seed in "abcdefgh":
        made = pair(Record([1, 2, 3, 4], 0), [1, 2, 3, 4], 1, seed=seed, wishes=Wishes(club=clubs))
        assert all(clubs[int(a)] != clubs[int(b)] for a, b in made.pairs)


def test_nobody_floats_the_same_way_twice_where_the_scores_allow_it() -> None:
    # 1, 2 and 3 lead, and one of them has to meet 4, 5 or 6; 1 and 2 met lower scores in the last round, 4 and 5 higher ones.
    told = [
        Entry(1, 1, 6, W),
        Entry(1, 2, 5, W),
        Entry(1, 3, 4, W),
        Entry(2, 1, 5, W),
        Entry(2, 2, 4, W),
        Entry(2, 3, None, Result.BYE_WIN),
    ]
    told += [Entry(2, 6, None, Result.ABSENT)]
    record = Record(range(1, 7), 2, told)
    downs = set()
    for seed in "abcdefghijkl":
        made = pair(record, range(1, 7), 3, seed=seed, wishes=Wishes(floats=True))
        downs |= {a for a, b in made.pairs if record.points(a) > record.points(b)}
    assert downs == {3}


def test_who_played_nobody_last_time_floated_nowhere() -> None:
    record = Record([1, 2, 3], 1, [Entry(1, 1, 2, W), Entry(1, 3, None, Result.BYE_WIN)])
    assert pair(record, [1, 3], 2, seed="a", wishes=Wishes(floats=True)).pairs in {((1, 3),), ((3, 1),)}
