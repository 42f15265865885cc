"""A small drawing of a position: who stands where, how many, and what is off."""

from __future__ import annotations

from kiosk.play.board import Board, Game, start_board
from kiosk.play.drawing import drawing
from tests.play.boards import side

BACKGAMMON = Game.BACKGAMMON

START = """\
 13 14 15 16 17 18     19 20 21 22 23 24
+------------------+---+------------------+
| X           O    |   | O              X |
| X           O    |   | O              X |
| X           O    |   | O                |
| X                |   | O                |
| X                |   | O                |
|                  |   |                  |
| O                |   | X                |
| O                |   | X                |
| O           X    |   | X                |
| O           X    |   | X              O |
| O           X    |   | X              O |
+------------------+---+------------------+
 12 11 10  9  8  7      6  5  4  3  2  1
X is to move; off: X 0, O 0. On the bar: X 0, O 0."""


def test_the_start_of_backgammon() -> None:
    assert "\n".join(drawing(start_board(BACKGAMMON), BACKGAMMON)) == START


def test_the_start_of_long_nardy_has_both_heads_and_says_how_many_stand_there() -> None:
    lines = drawing(start_board(Game.LONG_NARDY), Game.LONG_NARDY)
    assert lines[2] == "|                  |   |                X |"
    assert lines[6] == "|                  |   |               15 |"
    assert lines[8] == "|15                |   |                  |"
    assert lines[12] == "| O                |   |                  |"
    assert lines[-1] == "X is to move; off: X 0, O 0."


def test_what_is_off_and_on_the_bar_stands_below() -> None:
    board = Board(side(BACKGAMMON, p1=3, bar=1), side(BACKGAMMON, p6=2, bar=2))
    assert drawing(board, BACKGAMMON)[-1] == "X is to move; off: X 11, O 11. On the bar: X 1, O 2."
