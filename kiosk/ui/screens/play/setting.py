"""What touching the board does to a position: checkers are taken from one place to another."""

from __future__ import annotations

from kiosk.play import BAR, OFF, Board, BoardError, Game, Step, across, check_board, judge
from kiosk.play.rules import PlayRules
from kiosk.say import _
from kiosk.ui.screens.play.diagram import THEIR_BAR, THEIR_OFF, counted


def taken_over(board: Board, game: Game, start: int, end: int) -> Board:
    """The position with one checker set from a place to another; nobody's turn is asked.

    Args:
        board: The position, from the mover's view.
        game: Which game's.
        start: The place it lies on; its owner is whoever has checkers there.
        end: Where it goes; bar and tray are its owner's, whichever part was touched.

    Raises:
        BoardError: It cannot lie there; the sentence says why.
    """
    count, mine = counted(board, game, start)
    if not count:
        raise BoardError(_("Nothing lies there."))
    if end in {BAR, THEIR_BAR} and game is Game.LONG_NARDY:
        raise BoardError(_("Long nardy has no bar."))
    there, owned = counted(board, game, end)
    if end not in {BAR, THEIR_BAR, OFF, THEIR_OFF} and there and owned is not mine:
        raise BoardError(_("The other side's checkers lie there; move them first."))
    side = list(board.me if mine else board.opp)
    for place, change in ((start, -1), (end, 1)):
        index = _index(place, game, mine=mine)
        if index is not None:
            side[index] += change
    return Board(tuple(side), board.opp) if mine else Board(board.me, tuple(side))


def _index(place: int, game: Game, *, mine: bool) -> int | None:
    """Where a place is counted in its owner's array; None: off."""
    if place in {OFF, THEIR_OFF}:
        return None
    if place in {BAR, THEIR_BAR}:
        return BAR - 1
    return (place if mine else across(place, game)) - 1


def laid(board: Board, dice: tuple[int, int], steps: tuple[Step, ...], rules: PlayRules, ply: int | None) -> Board:
    """The position as far as the steps can be laid on a board, whether they are legal or not."""
    for upto in range(len(steps), 0, -1):
        final = judge(board, dice, steps[:upto], rules, ply).final
        if final is not None:
            return final
    return board


def wrong_position(board: Board, game: Game) -> str:
    """Why nothing can be said of a position; empty where it can."""
    try:
        check_board(board, game)
    except BoardError as error:
        return str(error)
    return ""
