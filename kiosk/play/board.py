"""A position as its mover sees it, and what a roll can make of it: the values of this room.

Every player counts the points from his own side (000 §1, 004 5.4.2): 1–6 his home, 24 the far end from which he comes. A checker moves from
a higher number to a lower one; 25 is the bar and 0 is off. A `Board` holds each player's checkers in *his own* numbering, so that the same
functions serve both; whose point is which of the other's, `across` knows:

- backgammon: the players move against each other, his point 1 is the other's 24;
- long nardy: both move the same way round, his head (24) is the other's 12.

What a player has borne off is not kept: it is what is missing to fifteen.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kiosk.domain.errors import KioskError
from kiosk.say import _

CHECKERS = 15
"""What each player has (000 §1, 004 5.4.9)."""
POINTS = 24
HOME = 6
"""The highest point of the home."""
BAR = 25
OFF = 0


class Game(StrEnum):
    """Which game is played."""

    BACKGAMMON = "backgammon"
    LONG_NARDY = "long_nardy"


class BoardError(KioskError, ValueError):
    """You erred: this is no position, no roll or no move that could stand on a board; the text says what and where."""


@dataclass(frozen=True, slots=True)
class Board:
    """A position, from the mover's view. Whatever comes from outside goes through `check_board` first."""

    me: tuple[int, ...]
    """The mover's checkers from his ace point (index 0) on; backgammon has 25 entries, the last is the bar, long nardy 24."""
    opp: tuple[int, ...]
    """The opponent's, counted from the opponent's own ace point."""

    def turned(self) -> Board:
        """The same position as the other player sees it."""
        return Board(self.opp, self.me)

    @property
    def off(self) -> tuple[int, int]:
        """How many checkers the mover and the opponent have borne off."""
        return CHECKERS - sum(self.me), CHECKERS - sum(self.opp)


def across(point: int, game: Game) -> int:
    """The number that the other player gives to a point.

    Args:
        point: 1 to 24, as one player counts.
        game: Which game.
    """
    if game is Game.BACKGAMMON:
        return POINTS + 1 - point  # 000 §1: his point 1 is the other's 24
    return (point + 11) % POINTS + 1  # 004 5.4.10: the heads stand on 24 and 12


def entries(game: Game) -> int:
    """How many entries an array of this game has: the points, and in backgammon the bar."""
    return POINTS + (game is Game.BACKGAMMON)


def start_board(game: Game) -> Board:
    """The position in which a game begins (000 §1, 004 5.4.10)."""
    places = {6: 5, 8: 3, 13: 5, 24: 2} if game is Game.BACKGAMMON else {24: CHECKERS}
    side = tuple(places.get(point, 0) for point in range(1, entries(game) + 1))
    return Board(side, side)


def check_board(board: Board, game: Game) -> None:
    """See whether a position can stand on a board.

    Args:
        board: The position.
        game: Which game's.

    Raises:
        BoardError: It cannot; the sentence says why, with points in the mover's numbering.
    """
    for array, whose in ((board.me, _("the side to move")), (board.opp, _("the opponent"))):
        _check_side(array, whose, game)
    for point in range(1, POINTS + 1):
        if board.me[point - 1] and board.opp[across(point, game) - 1]:
            raise BoardError(_("Both sides have checkers on point {point} of the side to move. Take one side's away.", point=point))
    if game is Game.BACKGAMMON and not any(board.me) and not any(board.opp):
        raise BoardError(_("Both sides have borne off everything. One of them must have checkers left."))


def _check_side(array: tuple[int, ...], whose: str, game: Game) -> None:
    wanted = entries(game)
    if len(array) != wanted:
        raise BoardError(_("An array of {whose} has {n} numbers, this game wants {wanted}.", whose=whose, n=len(array), wanted=wanted))
    for place, count in enumerate(array, start=1):
        if type(count) is not int or not 0 <= count <= CHECKERS:
            raise BoardError(
                _(
                    "On place {place} of {whose} stands {count}. Give whole numbers from 0 to 15.",
                    place=place,
                    whose=whose,
                    count=repr(count),
                )
            )
    if sum(array) > CHECKERS:
        raise BoardError(_("There are {n} checkers of {whose}, and 15 are all there are.", n=sum(array), whose=whose))


@dataclass(frozen=True, slots=True)
class Step:
    """One checker moved by one die, in the mover's own numbering."""

    start: int
    """Where it stood: 24 to 1, or 25 from the bar."""
    end: int
    """Where it goes: 24 to 1, or 0 for off."""
    hit: bool = False
    """Whether it hits. Where somebody tells a move this may be left out: the board knows."""


@dataclass(frozen=True, slots=True)
class Play:
    """One way to play a roll."""

    steps: tuple[Step, ...]
    """What is moved, in an order that is legal throughout."""
    final: Board
    """The position afterwards, still as the mover sees it; `turned()` is how the opponent finds it."""
