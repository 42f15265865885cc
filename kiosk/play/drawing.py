"""A position drawn with letters, as the mover sees it: X is to move and goes from 24 down to 1, O is the opponent.

 13 14 15 16 17 18     19 20 21 22 23 24
+------------------+---+------------------+
| X           O    |   | O              X |
…
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.play.board import BAR, POINTS, Game, across
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kiosk.play.board import Board

DEEP = 5
"""Checkers that a point shows; of more it says the number."""

QUARTER = 6
EDGE = f"+{'-' * 18}+---+{'-' * 18}+"


def drawing(board: Board, game: Game) -> tuple[str, ...]:
    """A position as lines of text; the last says how many checkers are off, and on the bar.

    Args:
        board: The position.
        game: Which game's.
    """
    upper, lower = range(13, POINTS + 1), range(12, 0, -1)
    mine, theirs = board.off
    told = _("X is to move; off: X {mine}, O {theirs}.", mine=mine, theirs=theirs)
    if game is Game.BACKGAMMON:
        told += " " + _("On the bar: X {mine}, O {theirs}.", mine=board.me[BAR - 1], theirs=board.opp[BAR - 1])
    return (
        _numbers(upper),
        EDGE,
        *(_row(_cell(board, game, point, deep) for point in upper) for deep in range(DEEP)),
        _row("   " for _point in upper),
        *(_row(_cell(board, game, point, deep) for point in lower) for deep in reversed(range(DEEP))),
        EDGE,
        _numbers(lower),
        told,
    )


def _numbers(points: range) -> str:
    cells = [f"{point:>2} " for point in points]
    return f" {''.join(cells[:QUARTER])}    {''.join(cells[QUARTER:])}".rstrip()


def _row(points: Iterable[str]) -> str:
    cells = [*points]
    return f"|{''.join(cells[:QUARTER])}|   |{''.join(cells[QUARTER:])}|"


def _cell(board: Board, game: Game, point: int, deep: int) -> str:
    """What a point shows at a depth from the board's edge."""
    mine, theirs = board.me[point - 1], board.opp[across(point, game) - 1]
    return f"{_shown(mine or theirs, 'X' if mine else 'O', deep):>2} "


def _shown(checkers: int, letter: str, deep: int) -> str:
    if checkers > DEEP and deep == DEEP - 1:
        return str(checkers)
    return letter if deep < checkers else ""
