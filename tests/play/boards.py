"""Positions written down shortly, and positions by chance."""

from __future__ import annotations

import random

from kiosk.play import POINTS, Board, Game, Step, across, entries


def side(game: Game, **places: int) -> tuple[int, ...]:
    """An array with so many checkers on `p6` and so on; `bar` is the bar."""
    array = [0] * (POINTS + (game is Game.BACKGAMMON))
    for name, count in places.items():
        array[(25 if name == "bar" else int(name[1:])) - 1] = count
    return tuple(array)


def some_board(chance: random.Random, game: Game) -> Board:
    """Some position: scattered or in a few heaps, near the start or near the end, with and without a wall."""
    size = entries(game)
    me, opp = [0] * size, [0] * size
    top = chance.choice([6, 6, 12, 24, 24, size])
    heaps = chance.sample(range(1, top + 1), min(top, chance.randint(1, 13)))
    for _ in range(chance.choice([15, 15, chance.randint(1, 15)])):
        me[chance.choice(heaps) - 1] += 1
    free = [point for point in range(1, size + 1) if point == 25 or not me[across(point, game) - 1]]
    heaps = chance.sample(free, min(len(free), chance.randint(1, 8)))
    if game is Game.LONG_NARDY and not me[11] and chance.random() < 0.7:  # most of them still behind, so that walls are forbidden
        heaps = [24, *(point for point in heaps if point > chance.randint(14, 22))]
    for _ in range(chance.choice([15, 15, chance.randint(1, 15)])):
        opp[chance.choice(heaps) - 1] += 1
    return Board(tuple(me), tuple(opp))


def laid(board: Board, steps: tuple[Step, ...], game: Game) -> Board:
    """The position when the steps are made on the board one after the other."""
    me, opp = list(board.me), list(board.opp)
    for step in steps:
        assert me[step.start - 1] > 0
        me[step.start - 1] -= 1
        if step.end:
            me[step.end - 1] += 1
            there = opp[across(step.end, game) - 1]
            assert there <= step.hit
            if there:
                opp[across(step.end, game) - 1] = 0
                opp[24] += 1
    return Board(tuple(me), tuple(opp))
