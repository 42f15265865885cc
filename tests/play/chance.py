"""Positions by chance, always the same for a seed."""

from __future__ import annotations

from random import Random

from kiosk.play.board import CHECKERS, POINTS, Board, Game, across, entries


def by_chance(seed: int, game: Game) -> Board:
    """A position that can stand on a board, with anything from nothing to everything borne off.

    Args:
        seed: Says which.
        game: Of which game.
    """
    chance = Random(seed)
    mine = [chance.random() < 0.5 for _ in range(POINTS)]
    theirs = [not mine[across(point, game) - 1] for point in range(1, POINTS + 1)]
    bar = [True] * (entries(game) - POINTS)
    return Board(_side(chance, mine + bar, chance.choice((1, 15))), _side(chance, theirs + bar, chance.choice((1, 15))))


def _side(chance: Random, free: list[bool], least: int) -> tuple[int, ...]:
    places = [place for place, is_free in enumerate(free) if is_free]
    side = [0] * len(free)
    for _ in range(chance.randint(least, CHECKERS) if places else 0):
        side[chance.choice(places)] += 1
    return tuple(side)
