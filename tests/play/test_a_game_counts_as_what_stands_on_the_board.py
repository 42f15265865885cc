"""Single, gammon, backgammon; oin, mars."""

from __future__ import annotations

import pytest

from kiosk.domain.rulebook import Kind
from kiosk.play import Board, BoardError, Game, Player, start_board, winner, winning_kind
from tests.play.boards import side

BG, LN = Game.BACKGAMMON, Game.LONG_NARDY


@pytest.mark.parametrize(
    ("left", "kind"),
    [
        (side(BG, p1=14), Kind.SINGLE),
        (side(BG, p24=14), Kind.SINGLE),
        (side(BG, p6=15), Kind.GAMMON),
        (side(BG, p18=1, p6=14), Kind.GAMMON),
        (side(BG, p19=1, p6=14), Kind.BACKGAMMON),
        (side(BG, p24=1, p6=14), Kind.BACKGAMMON),
        (side(BG, bar=1, p6=14), Kind.BACKGAMMON),
        (side(LN, p1=14), Kind.OIN),
        (side(LN, p1=15), Kind.MARS),
        (side(LN, p24=15), Kind.MARS),
    ],
)
def test_a_finished_game_counts_by_what_the_loser_has_left(left: tuple[int, ...], kind: Kind) -> None:
    game = BG if len(left) == 25 else LN
    over = Board(side(game), left)
    assert winner(over) is Player.ME
    assert winning_kind(over, game) is kind
    assert winner(over.turned()) is Player.OPP
    assert winning_kind(over.turned(), game) is kind


def test_who_has_finished_has_won_whoever_is_said_to_concede() -> None:
    assert winning_kind(Board(side(BG), side(BG, p1=15)), BG, Player.ME) is Kind.GAMMON


def test_a_conceded_game_counts_as_it_stands() -> None:
    board = Board(side(BG, p6=15), side(BG, p6=14, bar=1))
    assert winning_kind(board, BG, Player.ME) is Kind.GAMMON
    assert winning_kind(board, BG, Player.OPP) is Kind.BACKGAMMON
    assert winning_kind(start_board(LN), LN, Player.OPP) is Kind.MARS


def test_without_a_winner_somebody_must_concede() -> None:
    assert winner(start_board(BG)) is None
    with pytest.raises(BoardError, match="say who concedes"):
        winning_kind(start_board(BG), BG)


def test_after_a_last_roll_that_empties_the_board_nobody_has_won() -> None:
    drawn = Board(side(LN), side(LN))
    assert winner(drawn) is None
    with pytest.raises(BoardError):
        winning_kind(drawn, LN)
