"""Each tie-break, and what is told of it."""

from __future__ import annotations

import hashlib

import pytest

from kiosk.tournament.lots import drawn, lot
from kiosk.tournament.results import Entry, Record, Result
from kiosk.tournament.standings import TieBreak, standings
from kiosk.tournament.tiebreaks import Unplayed, coefficients

W, L, D = Result.WIN, Result.LOSS, Result.DRAW


def record(players: str, rounds: int, *told: tuple[int, str, str | None, Result]) -> Record:
    return Record(list(players), rounds, [Entry(*each) for each in told])


def ranks(made: Record, *ties: TieBreak, **more: str) -> list[tuple[int, str, TieBreak | None]]:
    return [(place.rank, str(place.player), place.decided_by) for place in standings(made, ties, **more)]  # type: ignore[arg-type]


CIRCLE = record("abc", 3, (1, "a", "b", W), (2, "b", "c", W), (3, "c", "a", W))


def test_those_whom_nothing_separates_share_a_rank_in_the_order_of_the_entry_list() -> None:
    assert ranks(CIRCLE, TieBreak.DIRECT, TieBreak.WINS) == [(1, "a", None), (1, "b", None), (1, "c", None)]


def test_lots_decide_what_is_left_and_are_the_same_for_everybody() -> None:
    order = [str(name) for name in drawn("27 October", "tie", "abc")]
    assert [name for _rank, name, _by in ranks(CIRCLE, TieBreak.LOTS, seed="27 October")] == order
    assert order == sorted("abc", key=lambda name: lot("27 October", "tie", name))
    assert [by for _rank, _name, by in ranks(CIRCLE, TieBreak.LOTS)] == [None, TieBreak.LOTS, TieBreak.LOTS]


def test_a_lot_is_what_any_tool_makes_of_seed_purpose_and_name() -> None:
    assert lot("27 October", "round 1", "Ana") == hashlib.sha256(b"27 October/round 1/Ana").hexdigest()


def test_direct_encounter_decides_among_those_who_have_all_met() -> None:
    made = record("abcd", 2, (1, "a", "b", L), (1, "c", "d", W), (2, "a", "d", W), (2, "b", "c", L))
    assert ranks(made, TieBreak.DIRECT) == [(1, "c", None), (2, "b", None), (3, "a", TieBreak.DIRECT), (4, "d", None)]


def test_direct_encounter_among_some_who_have_not_met_decides_only_what_the_missing_cannot_change() -> None:
    # Everybody has two points; a has beaten b and c, who have not met; d has met nobody of them.
    ahead = record(
        "abcx",
        3,
        (1, "a", "b", W),
        (2, "a", "c", W),
        (3, "a", "x", L),
        (2, "b", "x", W),
        (3, "b", None, Result.BYE_WIN),
        (1, "c", "x", W),
        (3, "c", None, Result.BYE_WIN),
    )
    assert ranks(ahead, TieBreak.DIRECT) == [(1, "a", None), (2, "b", TieBreak.DIRECT), (2, "c", None), (4, "x", None)]
    nobody = record("abcdef", 1, (1, "a", "d", W), (1, "b", "e", W), (1, "c", "f", W))
    assert [place.direct for place in standings(nobody, [TieBreak.DIRECT])] == [0] * 6


def test_those_who_are_level_among_themselves_are_looked_at_again_without_the_others() -> None:
    # Two points each among four who have all met: a and b have two wins there, a has beaten b.
    told = [("a", "b", W), ("a", "c", L), ("a", "d", W), ("b", "c", W), ("b", "d", W), ("c", "d", L)]
    extra = [(4, "c", None, Result.BYE_WIN), (4, "d", None, Result.BYE_WIN)]
    rounds = [1, 2, 3, 3, 2, 1]
    made = record("badc", 4, *[(n, one, other, result) for n, (one, other, result) in zip(rounds, told, strict=True)], *extra)
    assert [(name, place) for _rank, name, place in ranks(made, TieBreak.DIRECT)][:2] == [("a", None), ("b", TieBreak.DIRECT)]


def test_results_against_those_placed_higher_are_compared_from_the_top() -> None:
    made = record(
        "abcde",
        3,
        (1, "a", "b", W),
        (2, "a", "c", L),
        (3, "a", "d", W),
        (1, "c", "d", L),
        (2, "b", "d", L),
        (3, "b", "c", W),
        (1, "e", None, Result.ABSENT),
    )
    # a has two points, d two; b and c one each: c has beaten a, who stands higher.
    assert [name for _rank, name, _by in ranks(made, TieBreak.DIRECT, TieBreak.AGAINST_HIGHER)] == ["a", "d", "b", "c", "e"]
    assert [name for _rank, name, _by in ranks(made, TieBreak.AGAINST_HIGHER)] == ["a", "d", "c", "b", "e"]


def test_a_players_place_says_what_put_it_behind_the_one_above() -> None:
    made = record("abcd", 1, (1, "a", "b", W), (1, "c", "d", W))
    assert ranks(made, TieBreak.BUCHHOLZ, TieBreak.WINS) == [(1, "a", None), (1, "c", None), (3, "b", None), (3, "d", None)]
    late = Record("abcd", 2, [Entry(1, "a", "b", W, 7), Entry(1, "c", "d", W, 2), Entry(2, "a", "c", W, 1), Entry(2, "b", "d", W, 3)])
    assert ranks(late, TieBreak.POINTS_DIFFERENCE) == [(1, "a", None), (2, "c", None), (3, "b", TieBreak.POINTS_DIFFERENCE), (4, "d", None)]


def test_only_some_are_ranked_where_only_they_are_asked_for() -> None:
    assert [place.player for place in standings(CIRCLE, players=["c", "a"])] == ["a", "c"]


def test_a_round_that_was_not_played_counts_as_the_setting_says() -> None:
    made = record(
        "abcd",
        3,
        (1, "a", "b", W),
        (1, "c", "d", W),
        (2, "a", None, Result.BYE_WIN),
        (2, "c", "b", Result.FORFEIT_WIN),
        (3, "a", "c", L),
        (2, "d", None, Result.ABSENT),
        (3, "b", None, Result.ABSENT),
        (3, "d", None, Result.ABSENT),
    )
    plain, virtual = coefficients(made, Unplayed.PLAIN), coefficients(made, Unplayed.VIRTUAL)
    assert (plain["a"].buchholz, plain["a"].buchholz_cut1, plain["a"].buchholz_median) == (3.0, 3.0, 0.0)
    assert virtual["a"].buchholz == 0.5 + 2.0 + 3.0  # b stayed away at the end, the bye counts as against one of two points
    assert virtual["d"].buchholz == 3.0 + 0.0 + 0.0
    assert virtual["d"].buchholz_cut1 == 3.0  # a round that d chose not to play goes first
    assert coefficients(Record("ab", 0), Unplayed.VIRTUAL)["a"].buchholz_median == 0.0
    assert coefficients(record("ab", 1, (1, "a", "b", D)), Unplayed.PLAIN)["a"].buchholz_median == 0.0


@pytest.mark.parametrize("tie", TieBreak)
def test_every_tie_break_orders_a_table(tie: TieBreak) -> None:
    assert sorted(str(place.player) for place in standings(CIRCLE, [tie])) == ["a", "b", "c"]
