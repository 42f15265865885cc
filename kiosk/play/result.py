"""What a finished or conceded game counts as (domain rule 5; 000 §6, 002, 004 5.4.39)."""

from __future__ import annotations

from enum import StrEnum

from kiosk.domain.rulebook import Kind
from kiosk.play.board import CHECKERS, HOME, POINTS, Board, BoardError, Game
from kiosk.say import _


class Player(StrEnum):
    """One of the two, as a `Board` names them."""

    ME = "me"
    """The side to move."""
    OPP = "opp"


def winner(board: Board) -> Player | None:
    """Who has borne off everything; None: nobody yet, or, after a last roll, both."""
    if any(board.me) == any(board.opp):
        return None
    return Player.OPP if any(board.me) else Player.ME


def winning_kind(board: Board, game: Game, loser: Player | None = None) -> Kind:
    """How a game was won, by what stands on the board.

    A loser who has borne off nothing loses a gammon, in long nardy a mars; a backgammon, if he also has a checker on the bar or in the
    winner's home. Decision: koks is never said. No text here defines it, and a regulation that counts it has people say so. For the same
    reason a conceded game is told as it stands: what it might still have become is agreed by people (000 §6).

    Args:
        board: The position, checked.
        game: Which game's.
        loser: Who concedes; left out, the game must be finished.

    Raises:
        BoardError: The game is not finished and nobody concedes, or both have borne off everything.
    """
    won = winner(board)
    if won is None and loser is None:
        raise BoardError(_("Nobody alone has borne off all checkers: say who concedes."))
    if won is not None:
        loser = Player.OPP if won is Player.ME else Player.ME
    side = board.me if loser is Player.ME else board.opp
    if sum(side) < CHECKERS:
        return Kind.SINGLE if game is Game.BACKGAMMON else Kind.OIN
    if game is Game.LONG_NARDY:
        return Kind.MARS
    return Kind.BACKGAMMON if any(side[POINTS - HOME :]) else Kind.GAMMON  # his points 19 to 24, and the bar behind them
