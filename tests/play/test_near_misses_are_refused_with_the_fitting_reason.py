"""Positions that look right and are not: all those of the play files."""

from __future__ import annotations

from kiosk.play import Board, Reason, judge_final
from tests.play.rows import BACKGAMMON, COMMON, board_of, rows


def test_every_near_miss_of_backgammon_is_refused_for_playing_too_little_or_the_smaller_number() -> None:
    for row in rows("backgammon"):
        a_double = row["dice"][0] == row["dice"][1]
        for near in row["illegal"]:
            verdict = judge_final(board_of(row), row["dice"], board_of(near), BACKGAMMON)
            assert not verdict.legal, row
            assert verdict.reason is too_little(row["dice_used"], a_double=a_double), row
            assert verdict.article == "000 §3"


def test_every_near_miss_of_long_nardy_is_refused_and_a_wall_is_called_one() -> None:
    walls = 0
    for row in rows("long_nardy"):
        board = board_of(row)
        without_walls = row["variants"].get("no_block_rule", row["finals"])
        a_double = row["dice"][0] == row["dice"][1]
        for me in row["illegal"]:
            verdict = judge_final(board, row["dice"], Board(tuple(me), board.opp), COMMON, row["ply"])
            assert not verdict.legal, row
            a_wall = me in without_walls
            walls += a_wall
            assert verdict.reason is (Reason.SIX_BLOCK if a_wall else too_little(row["dice_used"], a_double=a_double)), row
            assert verdict.article == ("004 5.4.13" if a_wall else "004 5.4.26")
    assert walls > 10


def too_little(can_be_played: int, *, a_double: bool) -> Reason:
    """Why a move of fewer numbers, or of the other one, is refused."""
    if a_double:
        return Reason.MORE
    return Reason.BOTH if can_be_played == 2 else Reason.LARGER
