"""What holds of every position and every roll: looked for by chance, and against a search that is slow and simple."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations_with_replacement

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.domain.rulebook import BlockRule, HeadRule
from kiosk.play import Game, PlayRules, check_board, judge, plays
from tests.play.boards import laid, some_board
from tests.play.brute import finals
from tests.play.rows import BACKGAMMON, COMMON

LONG = [
    COMMON,
    replace(COMMON, two_from_head=HeadRule.SECOND),
    replace(COMMON, block=BlockRule.AT_THE_END),
    replace(COMMON, block=BlockRule.NONE, bear_off_any_lower=True),
    replace(COMMON, bear_off_any_lower=True),
]
ROLLS = list(combinations_with_replacement(range(1, 7), 2))


def rules_of(chance: random.Random, game: Game) -> PlayRules:
    return BACKGAMMON if game is Game.BACKGAMMON else chance.choice(LONG)


@pytest.mark.parametrize("game", Game)
def test_a_slow_search_finds_the_same_final_positions(game: Game) -> None:
    chance = random.Random(9)
    walled = 0
    for _ in range(160):
        board, rules, ply = some_board(chance, game), rules_of(chance, game), chance.choice([None, 1, 2])
        dice = chance.choice(ROLLS)
        found = [play.final for play in plays(board, dice, rules, ply)]
        assert len(found) == len(set(found)), (board, dice, rules, ply)
        assert set(found) == finals(board, dice, rules, ply), (board, dice, rules, ply)
        walled += set(found) != finals(board, dice, replace(rules, block=BlockRule.NONE), ply)
    assert game is Game.BACKGAMMON or walled > 5


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(Game), st.sampled_from(ROLLS), st.sampled_from([None, 1, 2]))
def test_every_play_keeps_the_checkers_and_is_legal_step_by_step(
    chance: random.Random, game: Game, dice: tuple[int, int], ply: int | None
) -> None:
    board, rules = some_board(chance, game), rules_of(chance, game)
    check_board(board, game)
    assert board.turned().turned() == board
    found = plays(board, dice, rules, ply)
    assert found == plays(board, dice[::-1], rules, ply)
    for play in chance.sample(found, min(5, len(found))):
        check_board(play.final, game)
        assert sum(play.final.opp) == sum(board.opp)
        assert sum(play.final.me) == sum(board.me) - sum(step.end == 0 for step in play.steps)
        verdict = judge(board, dice, play.steps, rules, ply)
        assert (verdict.legal, verdict.final) == (True, play.final)
        assert laid(board, play.steps, game) == play.final
        assert sum(step.hit for step in play.steps) == sum(play.final.opp[24:]) - sum(board.opp[24:])
