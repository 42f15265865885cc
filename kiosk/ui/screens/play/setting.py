"""What touching the board does: checkers are set from one place to another, or moved in a turn."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from kiosk.play import BAR, OFF, Board, BoardError, Game, Step, across, check_board, judge, plays
from kiosk.say import _
from kiosk.ui.screens.play.diagram import THEIR_BAR, THEIR_OFF, counted

if TYPE_CHECKING:
    from kiosk.play import Verdict
    from kiosk.play.rules import PlayRules
    from kiosk.ui.screens.play.diagram import Plan

MOST_STEPS = 8
"""More than any roll allows, so that too many can be shown to be too many."""

plays_of = lru_cache(64)(plays)
"""A picture asks for the same plays and the same verdict several times, and is drawn again each second."""


@lru_cache(64)
def judged(board: Board, dice: tuple[int, int], steps: tuple[Step, ...], rules: PlayRules, ply: int | None) -> Verdict:
    """`kiosk.play.judge`, which is asked of one turn step by step: all of its plays are found only once."""
    return judge(board, dice, steps, rules, ply, legal=plays_of(board, dice, rules, ply))


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


def with_step(plan: Plan, dice: tuple[int, int] | None, steps: tuple[Step, ...], start: int, end: int) -> tuple[Step, ...]:
    """The steps of a turn with one more, legal or not.

    Args:
        plan: The board as it is seen after those before.
        dice: The roll, if it was chosen.
        steps: Those before.
        start: The place a checker is taken from.
        end: Where it goes; the whole tray is the mover's.

    Raises:
        BoardError: It is no move that could be judged; the sentence says why.
    """
    count, mine = plan.at(start)
    if dice is None:
        raise BoardError(_("Choose the dice first."))
    if not count:
        raise BoardError(_("Nothing lies there."))
    if not mine:
        raise BoardError(_("These are the other side's checkers."))
    if start == OFF or end in {BAR, THEIR_BAR}:
        raise BoardError(_("A checker that is off stays off, and nobody moves one to the bar."))
    if len(steps) >= MOST_STEPS:
        raise BoardError(_("No roll moves more checkers than these."))
    return (*steps, Step(start, OFF if end == THEIR_OFF else end))


def laid(board: Board, dice: tuple[int, int], steps: tuple[Step, ...], rules: PlayRules, ply: int | None) -> Board:
    """The position as far as the steps can be laid on a board, whether they are legal or not."""
    for upto in range(len(steps), 0, -1):
        final = judged(board, dice, steps[:upto], rules, ply).final
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
