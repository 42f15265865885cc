"""Any text id of a position: which kind it is, and what it says."""

from __future__ import annotations

from dataclasses import dataclass

from kiosk.play.board import Board, Game
from kiosk.play.ids import LENGTH, IdError, position_id, read_position_id
from kiosk.play.longid import LongPosition, is_long_id, read_long_id
from kiosk.play.matchid import read_match_id
from kiosk.play.xgid import FIELDS, PREFIX, read_xgid
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
        return Named(board, Game.BACKGAMMON, read_match_id(match).rolled if colon else None)
    if text.upper().startswith(PREFIX) or text.count(":") == FIELDS - 1:
        xgid = read_xgid(text)
        return Named(xgid.board, Game.BACKGAMMON, xgid.rolled)
    if is_long_id(text):
        told = read_long_id(text)
        return Named(told.board, Game.LONG_NARDY, told.dice, told.ply)
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
