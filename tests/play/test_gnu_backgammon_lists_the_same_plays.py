"""GNU Backgammon, as a separate program where it is installed, finds the same plays in positions by chance."""

from __future__ import annotations

import random
from pathlib import Path

from kiosk.play import Game, judge, plays, position_id, read_move
from tests.play.backgammon_program import ask, wanted
from tests.play.boards import laid, some_board
from tests.play.rows import BACKGAMMON

LIST = """
do("set evaluation chequer evaluation plies 0", "new game", "set turn 1")
told = []
for position, *dice in {asked!r}:
    do(f"set board {{position}}", f"set dice {{dice[0]}} {{dice[1]}}")
    told.append([move["move"] for move in (gnubg.hint(2000) or {{}}).get("hint", [])])
tell(told)
"""


@wanted
def test_gnu_backgammon_lists_the_same_plays(tmp_path: Path) -> None:
    chance = random.Random(15)
    asked = [(some_board(chance, Game.BACKGAMMON), (chance.randint(1, 6), chance.randint(1, 6))) for _ in range(250)]
    (told,) = ask(LIST.format(asked=[(position_id(board), *dice) for board, dice in asked]), tmp_path)
    nothing = 0
    for (board, dice), moves in zip(asked, told, strict=True):
        read = [read_move(move, Game.BACKGAMMON) for move in moves]
        assert all(judge(board, dice, steps, BACKGAMMON).legal for steps in read[:: max(1, len(read) // 5)]), (board, dice, moves)
        theirs = {laid(board, steps, Game.BACKGAMMON) for steps in read}
        assert len(moves) == len(theirs)
        assert theirs == {play.final for play in plays(board, dice, BACKGAMMON)}, (board, dice)
        nothing += not moves
    assert 0 < nothing < len(asked) / 2
