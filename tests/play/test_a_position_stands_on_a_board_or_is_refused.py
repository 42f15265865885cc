"""A position, its other side, and what cannot stand on a board."""

from __future__ import annotations

import pytest

from kiosk.play import CHECKERS, POINTS, Board, BoardError, Game, across, check_board, start_board
from tests.play.boards import side


@pytest.mark.parametrize("game", Game)
def test_a_game_begins_with_fifteen_each_and_looks_the_same_from_both_sides(game: Game) -> None:
    board = start_board(game)
    check_board(board, game)
    assert board.off == (0, 0)
    assert board.turned() == board
    assert sum(board.me) == CHECKERS


def test_backgammon_begins_on_24_13_8_and_6() -> None:
    assert start_board(Game.BACKGAMMON).me == side(Game.BACKGAMMON, p24=2, p13=5, p8=3, p6=5)


def test_long_nardy_begins_on_the_heads() -> None:
    assert start_board(Game.LONG_NARDY).me == side(Game.LONG_NARDY, p24=15)


def test_the_players_count_the_same_points_from_their_own_sides() -> None:
    assert [across(point, Game.BACKGAMMON) for point in (1, 6, 24)] == [24, 19, 1]
    assert [across(point, Game.LONG_NARDY) for point in (1, 12, 13, 24)] == [13, 24, 1, 12]
    for game in Game:
        assert all(across(across(point, game), game) == point for point in range(1, POINTS + 1))


def test_turned_twice_is_the_same_position() -> None:
    board = Board(side(Game.BACKGAMMON, p3=2), side(Game.BACKGAMMON, bar=1, p1=4))
    assert board.turned() == Board(board.opp, board.me)
    assert board.turned().turned() == board
    assert board.off == (13, 10)


NONE = side(Game.BACKGAMMON)
LONG = side(Game.LONG_NARDY)


@pytest.mark.parametrize(
    ("game", "me", "opp", "told"),
    [
        (Game.BACKGAMMON, (1,) * 24, NONE, "An array of the side to move has 24 numbers, this game wants 25."),
        (Game.LONG_NARDY, LONG, NONE, "An array of the opponent has 25 numbers, this game wants 24."),
        (Game.BACKGAMMON, NONE, side(Game.BACKGAMMON, p3=-1), "On place 3 of the opponent stands -1. Give whole numbers from 0 to 15."),
        (Game.BACKGAMMON, (True, *NONE[1:]), NONE, "On place 1 of the side to move stands True. Give whole numbers from 0 to 15."),
        (
            Game.BACKGAMMON,
            side(Game.BACKGAMMON, p1=15, bar=1),
            NONE,
            "There are 16 checkers of the side to move, and 15 are all there are.",
        ),
        (
            Game.BACKGAMMON,
            side(Game.BACKGAMMON, p20=1),
            side(Game.BACKGAMMON, p5=2),
            "Both sides have checkers on point 20 of the side to move. Take one side's away.",
        ),
        (
            Game.LONG_NARDY,
            side(Game.LONG_NARDY, p12=1),
            side(Game.LONG_NARDY, p24=2),
            "Both sides have checkers on point 12 of the side to move. Take one side's away.",
        ),
        (Game.BACKGAMMON, NONE, NONE, "Both sides have borne off everything. One of them must have checkers left."),
    ],
)
def test_what_cannot_stand_on_a_board_is_refused_with_its_place(game: Game, me: tuple[int, ...], opp: tuple[int, ...], told: str) -> None:
    with pytest.raises(BoardError) as refused:
        check_board(Board(me, opp), game)
    assert str(refused.value) == told


def test_both_bars_may_be_full_and_a_last_roll_may_empty_both_sides() -> None:
    check_board(Board(side(Game.BACKGAMMON, bar=2), side(Game.BACKGAMMON, bar=3)), Game.BACKGAMMON)
    check_board(Board(LONG, LONG), Game.LONG_NARDY)
