"""Rich positions: many checkers that can be moved one by one, most of what the opponent has out of their way."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

from kiosk.domain.rulebook import RuleText
from kiosk.play import Board, Game, PlayRules, Step, across, entries, judge, plays

RULES = (PlayRules(), PlayRules(Game.LONG_NARDY, RuleText.NATIONAL))
POSITIONS = 40
"""Of each game."""


def rich(game: Game, chance: random.Random) -> Board:
    """The mover on nine to twelve points in all quarters, the opponent in heaps; in long nardy those stand behind most blocks of six."""
    me, opp = [0] * entries(game), [0] * entries(game)
    held = chance.sample(range(1, 25), chance.randint(9, 12))
    for place in (*held, *chance.choices(held, k=15 - len(held))):
        me[place - 1] += 1
    free = [point for point in range(13 if game is Game.LONG_NARDY else 1, 25) if not me[across(point, game) - 1]]
    for place in chance.choices(free, k=5):
        opp[place - 1] += 3
    return Board(tuple(me), tuple(opp))


def doubles() -> Iterator[tuple[Board, tuple[int, int], PlayRules]]:
    """Each rich position with each small double: those have the most plays."""
    chance = random.Random(1)
    for rules in RULES:
        for _ in range(POSITIONS):
            board = rich(rules.game, chance)
            yield from ((board, (die, die), rules) for die in (1, 2, 3))


def slowest(work: Callable[[Board, tuple[int, int], PlayRules], object]) -> float:
    """Milliseconds of a processor that the slowest takes, each by the best of three runs: what else the machine does is not asked."""
    longest = 0.0
    for board, dice, rules in doubles():
        longest = max(longest, min(_taken(work, board, dice, rules) for _ in range(3)))
    return longest * 1e3


def _taken(work: Callable[[Board, tuple[int, int], PlayRules], object], board: Board, dice: tuple[int, int], rules: PlayRules) -> float:
    began = time.process_time()
    work(board, dice, rules)
    return time.process_time() - began


def most() -> int:
    """How many plays the richest has."""
    return max(len(plays(*each)) for each in doubles())


def asked(board: Board, dice: tuple[int, int], rules: PlayRules) -> object:
    """A move that is wrong at its last step: the dearest, for all orders of all steps are followed before it is refused."""
    held = [point for point in range(25, 0, -1) if point <= len(board.me) and board.me[point - 1] and point > dice[0]][:3]
    steps = [Step(point, point - dice[0]) for point in held]
    return judge(board, dice, [*steps, Step(held[-1], held[-1] - 5)], rules)
