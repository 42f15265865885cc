"""Any text id of a position: which kind it is, and what it says."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kiosk.play.board import Board, Game
from kiosk.play.gnuid import GnuId, from_gnu
from kiosk.play.ids import LENGTH, IdError, position_id, read_position_id
from kiosk.play.longid import LongPosition, is_long_id, read_long_id
from kiosk.play.matchid import read_match_id
from kiosk.play.xgid import FIELDS, PREFIX, Xgid, read_xgid
from kiosk.say import _


@dataclass(frozen=True, slots=True)
class Named:
    """What an id says of a turn."""

    board: Board
    """The position, as the player sees it whose turn it is."""
    game: Game
    """Which game's."""
    dice: tuple[int, int] | None = None
    """The dice, where the id has them."""
    ply: int | None = None
    """Long nardy: 1 and 2 are the two first turns, where the id says so."""
    told: Xgid | None = None
    """Backgammon: cube and score, where the id has them."""

    def xgid(self, dice: tuple[int, int] | None) -> Xgid | None:
        """The XGID of this turn; None in long nardy.

        Args:
            dice: What was rolled; None: what the id says.
        """
        if self.game is not Game.BACKGAMMON:
            return None
        xgid = self.told or Xgid(self.board.me, self.board.opp)
        return xgid if dice is None else replace(xgid, dice=f"{dice[0]}{dice[1]}")


def read_id(text: str) -> Named:
    """Read an id of any kind: a position id, one with a match id behind a colon, an XGID, or ours of long nardy.

    Args:
        text: What was typed; blanks around it are passed over.

    Raises:
        IdError: It is none of them, or has a typing error.
        BoardError: It tells a position that cannot be.
    """
    text = text.strip()
    position, colon, match = text.partition(":")
    if len(position) == LENGTH:
        board = read_position_id(position)
        if not colon:
            return Named(board, Game.BACKGAMMON)
        told = GnuId(board, read_match_id(match))
        return Named(board, Game.BACKGAMMON, told.match.rolled, told=from_gnu(told))
    if text.upper().startswith(PREFIX) or text.count(":") == FIELDS - 1:
        xgid = read_xgid(text)
        return Named(xgid.board, Game.BACKGAMMON, xgid.rolled, told=xgid)
    if is_long_id(text):
        long = read_long_id(text)
        return Named(long.board, Game.LONG_NARDY, long.dice, long.ply)
    raise IdError(
        _(
            "{text} is no position's id: GNU Backgammon's has {length} characters, an XGID begins with {prefix}, long nardy's with LN1-.",
            text=text,
            length=LENGTH,
            prefix=PREFIX,
        )
    )


def id_of(board: Board, game: Game) -> str:
    """The id of a position: GNU Backgammon's, or ours of long nardy.

    Args:
        board: The position, as the player sees it whose turn it is.
        game: Which game's.
    """
    return position_id(board) if game is Game.BACKGAMMON else str(LongPosition(board))
