"""Knock-outs of every size, played out by chance."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from kiosk.domain.types import Side
from kiosk.tournament.bracket import Bracket, Part, Standing, champion, consolation, double, follow, places, single, size_for, stand
from kiosk.tournament.results import TournamentError

SIZES = range(2, 129)


def played(bracket: Bracket, players: int, chance: Random) -> tuple[dict[str, Side | None], tuple[Standing, ...]]:
    results: dict[str, Side | None] = {}
    while True:
        standings = stand(bracket, range(1, players + 1), results)
        ready = [each for each in standings if each.open]
        if not ready:
            return results, standings
        results.update({each.match.ident: chance.choice(list(Side)) for each in ready})


def losses(standings: tuple[Standing, ...], results: dict[str, Side | None]) -> Counter[object]:
    return Counter(each.loser.player for each in standings if each.match.ident in results)


@pytest.mark.no_cover  # every size; the ways through a bracket are measured below
@pytest.mark.parametrize("third", [False, True])
def test_single_elimination_puts_everybody_out_once_but_the_winner(third: bool) -> None:  # noqa: FBT001 - a case
    for players in SIZES:
        bracket = single(players, third=third)
        results, standings = played(bracket, players, Random(players))
        winner = champion(bracket, standings)
        main = {ident: side for ident, side in results.items() if not ident.startswith("T")}
        assert losses(standings, main) == Counter({n: 1 for n in range(1, players + 1) if n != winner})
        assert any(each.match.part is Part.THIRD for each in standings) is (third and players > 2)


@pytest.mark.no_cover  # every size; the ways through a bracket are measured below
def test_double_elimination_gives_everybody_two_losses_but_the_winner() -> None:
    for players in SIZES:
        bracket = double(players)
        results, standings = played(bracket, players, Random(players))
        winner = champion(bracket, standings)
        lost = losses(standings, results)
        assert {n: lost[n] for n in range(1, players + 1) if n != winner} == {n: 2 for n in range(1, players + 1) if n != winner}
        assert lost[winner] <= 1


@pytest.mark.no_cover  # every size; the ways through a bracket are measured below
def test_without_a_second_final_one_final_decides() -> None:
    for players in SIZES:
        bracket = double(players, second_final=False)
        results, standings = played(bracket, players, Random(players))
        winner = champion(bracket, standings)
        lost = losses(standings, results)
        assert [n for n in range(1, players + 1) if lost[n] < 2 and n != winner] in ([], [standings[-1].loser.player])


def test_the_second_final_is_played_only_if_the_unbeaten_one_has_lost_the_first() -> None:
    bracket = double(2)
    first = {"M1.1": Side.LEFT}
    assert [each.match.ident for each in stand(bracket, [1, 2], first) if each.open] == ["F1.1"]
    unbeaten = {**first, "F1.1": Side.LEFT}
    assert champion(bracket, stand(bracket, [1, 2], unbeaten)) == 1
    beaten = {**first, "F1.1": Side.RIGHT}
    assert champion(bracket, stand(bracket, [1, 2], beaten)) is None
    assert champion(bracket, stand(bracket, [1, 2], {**beaten, "F2.1": Side.LEFT})) == 1
    with pytest.raises(TournamentError, match="is not played"):
        stand(bracket, [1, 2], {**unbeaten, "F2.1": Side.LEFT})


def test_the_first_two_seeds_can_meet_in_the_final_only() -> None:
    for size in (2, 4, 8, 64):
        order = places(size)
        assert sorted(order) == list(range(1, size + 1))
        assert order.index(1) < size // 2 <= order.index(2)
    assert [size_for(n) for n in (1, 2, 3, 4, 5, 128)] == [2, 2, 4, 4, 8, 128]


def test_those_who_have_met_in_the_upper_part_meet_late_in_the_lower_one() -> None:
    # Of 16, the seeds win throughout: nobody meets the one who beat him before the lower part's last rounds.
    bracket = double(16)
    results: dict[str, Side] = {}
    met: dict[frozenset[object], str] = {}
    while ready := [each for each in stand(bracket, range(1, 17), results) if each.open]:
        for each in ready:
            both = frozenset((each.left.player, each.right.player))
            if both in met:
                assert each.match.round >= 5 or each.match.part is Part.FINAL
            met[both] = each.match.ident
            left, right = each.left.player, each.right.player
            results[each.match.ident] = Side.LEFT if int(str(left)) < int(str(right)) else Side.RIGHT


@pytest.mark.no_cover  # every size; the ways through a bracket are measured below
def test_the_losers_of_the_first_round_play_a_consolation() -> None:
    for players in range(4, 65):
        main = single(players)
        _results, standings = played(main, players, Random(players))
        by_id = {each.match.ident: each for each in standings}
        cup = consolation(main, (1, 2))
        more: dict[str, Side] = {}
        chance = Random(players)
        while ready := [each for each in follow(cup, (), more, by_id) if each.open]:
            more.update({each.match.ident: chance.choice(list(Side)) for each in ready})
        done = follow(cup, (), more, by_id)
        losers = {each.loser.player for each in standings if each.match.round in {1, 2} and each.loser.player is not None}
        winner = champion(cup, done)
        assert Counter(each.loser.player for each in done if each.match.ident in more) == Counter({n: 1 for n in losers if n != winner})


def test_where_neither_came_both_are_out() -> None:
    standings = stand(single(4), [1, 2, 3, 4], {"M1.1": None, "M1.2": Side.LEFT})
    assert champion(single(4), standings) == 2  # nobody is left to play the final against
    assert stand(single(4), [1, 2, 3, 4], {"M1.1": None})[2].left.known


def test_a_result_before_its_time_and_one_of_no_match_are_refused() -> None:
    with pytest.raises(TournamentError, match="nobody knows yet"):
        stand(single(4), [1, 2, 3, 4], {"M2.1": Side.LEFT})
    with pytest.raises(TournamentError, match=r"has no match M9\.1"):
        stand(single(4), [1, 2, 3, 4], {"M9.1": Side.LEFT})


@pytest.mark.parametrize("make", [single, double])
def test_one_player_is_no_knock_out(make: object) -> None:
    with pytest.raises(TournamentError, match="two players"):
        make(1)  # type: ignore[operator]


def test_one_loser_plays_no_consolation() -> None:
    with pytest.raises(TournamentError, match="two matches"):
        consolation(single(2))
