"""Positions written down shortly."""

from __future__ import annotations

from kiosk.play import POINTS, Game


def side(game: Game, **places: int) -> tuple[int, ...]:
    """An array with so many checkers on `p6` and so on; `bar` is the bar."""
    array = [0] * (POINTS + (game is Game.BACKGAMMON))
    for name, count in places.items():
        array[(25 if name == "bar" else int(name[1:])) - 1] = count
    return tuple(array)
