"""Five hundred rolls of each game, with every final position, from independent engines."""

from __future__ import annotations

import pytest

from kiosk.play import Board, Game, PlayRules, plays
from tests.play.rows import BACKGAMMON, COMMON, VARIANTS, board_of, rows


def test_the_files_are_whole() -> None:
    assert [len(rows(game)) for game in Game] == [500, 500]
    assert {name for row in rows("long_nardy") for name in row["variants"]} == set(VARIANTS)


def test_every_roll_of_backgammon_has_these_final_positions_and_no_others() -> None:
    for row in rows("backgammon"):
        found = plays(board_of(row), row["dice"], BACKGAMMON)
        finals = [play.final for play in found]
        assert len(set(finals)) == len(finals), row
        assert set(finals) == {board_of(final) for final in row["finals"]}, row
        if found and "game_ends_on_one_die" not in row["tags"]:  # there one number or both may be counted, and nothing hangs on it
            assert {len(play.steps) for play in found} == {row["dice_used"]}, row


@pytest.mark.parametrize(("name", "rules"), [("finals", COMMON), *VARIANTS.items()])
def test_every_roll_of_long_nardy_has_these_final_positions_and_no_others(name: str, rules: PlayRules) -> None:
    differ = 0
    for row in rows("long_nardy"):
        board = board_of(row)
        finals = [play.final for play in plays(board, row["dice"], rules, row["ply"])]
        assert len(set(finals)) == len(finals), row
        assert set(finals) == {Board(tuple(me), board.opp) for me in row["variants"].get(name, row["finals"])}, row
        differ += name in row["variants"]
    assert name == "finals" or differ
