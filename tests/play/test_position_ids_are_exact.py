"""GNU Backgammon's position id: fourteen characters that stand for exactly one position, or for none."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.play.board import Board, BoardError, Game, start_board
from kiosk.play.ids import IdError, position_id, read_position_id
from tests.play.backgammon_program import ask, wanted
from tests.play.chance import by_chance

BACKGAMMON = Game.BACKGAMMON


def side(**checkers: int) -> tuple[int, ...]:
    """`p6=5, bar=1`: five checkers on the 6 point, one on the bar."""
    return tuple(checkers.get(name, 0) for name in (*(f"p{point}" for point in range(1, 25)), "bar"))


KNOWN = {
    "4HPwATDgc/ABMA": start_board(BACKGAMMON),
    # One checker each, on the own ace point: 1, 0, and 24 zeros; then the same from bit 26 on: bytes 01 00 00 04 and six of 00.
    "AQAABAAAAAAAAA": Board(side(p1=1), side(p1=1)),
    # The opponent has borne off everything: 25 zeros, then the mover's one checker on his bar: 24 zeros and 1, bit 49.
    "AAAAAAAAAgAAAA": Board(side(bar=1), side()),
}


@pytest.mark.parametrize(("text", "board"), KNOWN.items())
def test_a_position_is_read_and_written(text: str, board: Board) -> None:
    assert position_id(board) == text
    assert read_position_id(text) == board


def test_the_player_on_roll_comes_second() -> None:
    board = Board(side(p6=5), side(p24=2))
    assert position_id(board) != position_id(board.turned())
    assert read_position_id(position_id(board)) == board


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("4HPwATDgc/ABM", "it has 13 characters and not 14"),
        ("4HPwATDgc/ABMAA", "it has 15 characters and not 14"),
        ("4HPwATDgc_ABMA", "its character 10 is _"),
        ("4HPwATDgcé/ABM", "its character 10 is é"),
        ("4HPwATDgc/ABMB", "it cannot end in B"),
        ("AQAABAAAAAAAAQ", "behind both players' checkers there is still something"),
        ("//////////////", "it cannot end in /"),
        ("/////////////w", "more checkers than a player has"),
        ("//0HAAAAAAAAAA", "There are 18 checkers of the opponent"),
        ("AAAAAAAAAAAAAA", "Both sides have borne off everything"),
        ("AQAAAAAAAgAAAA", "Both sides have checkers on point 24"),
    ],
)
def test_what_is_no_position_is_refused_with_its_reason(text: str, why: str) -> None:
    with pytest.raises(BoardError, match=why):
        read_position_id(text)


@given(st.integers(0, 10**9))
def test_every_position_comes_back(seed: int) -> None:
    board = by_chance(seed, BACKGAMMON)
    if any(board.me) or any(board.opp):
        assert read_position_id(position_id(board)) == board


@given(st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", min_size=14, max_size=14))
def test_whatever_is_read_would_be_written_so(text: str) -> None:
    try:
        board = read_position_id(text)
    except BoardError:
        return
    assert position_id(board) == text


def test_a_typing_error_is_an_error_of_the_id() -> None:
    with pytest.raises(IdError):
        read_position_id("4HPwATDgc/ABMB")


@wanted
def test_the_program_that_invented_them_agrees(tmp_path: Path) -> None:
    boards = [board for seed in range(200) if any((board := by_chance(seed, BACKGAMMON)).me) and any(board.opp)]
    texts = [position_id(board) for board in boards]
    script = f"for text in {texts!r}:\n    tell([gnubg.positionfromid(text), gnubg.positionid(gnubg.positionfromid(text))])"
    told = ask(script, tmp_path)
    assert [text for _board, text in told] == texts
    assert [[tuple(opp), tuple(me)] for (opp, me), _text in told] == [[board.opp, board.me] for board in boards]
