"""Between an XGID and the pair that GNU Backgammon uses: a position id and a match id, with a colon between.

The player at the bottom is its player 1. Its position is seen by the player who has to decide: after a double that is the other one, while
an XGID still says that it is the doubler's turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.play.ids import IdError, position_id
from kiosk.play.matchid import NOBODY, MatchId
from kiosk.play.xgid import BOTTOM, DOUBLED, TOP, WAITING, Xgid
from kiosk.say import _

if TYPE_CHECKING:
    from kiosk.play.board import Board

OWNERS = {BOTTOM: 1, TOP: 0, 0: NOBODY}
"""Whose the cube is, in each of the two."""


@dataclass(frozen=True, slots=True)
class GnuId:
    """A position and its match."""

    board: Board
    """The position, as the player sees it who has to decide."""
    match: MatchId
    """Score, cube and dice."""

    def __str__(self) -> str:
        """Both ids with a colon between."""
        return f"{position_id(self.board)}:{self.match}"


def to_gnu(xgid: Xgid) -> GnuId:
    """What an XGID says, for GNU Backgammon; whether beavers are played, and the cube's limit, it has no place for.

    Args:
        xgid: The XGID.

    Raises:
        IdError: A beaver waits for its answer, which a match id cannot say.
    """
    if xgid.rolled is None and xgid.dice not in {WAITING, DOUBLED}:
        raise IdError(_("A beaver that waits for its answer cannot be told to GNU Backgammon."))
    doubled = xgid.dice == DOUBLED
    roller = int(xgid.turn == BOTTOM)
    dice = xgid.rolled or (0, 0)
    match = MatchId(
        xgid.cube,
        OWNERS[xgid.owner],
        roller,
        crawford=xgid.rules if xgid.length else 0,
        turn=1 - roller if doubled else roller,
        doubled=int(doubled),
        die0=dice[0],
        die1=dice[1],
        length=xgid.length,
        score0=xgid.score_top,
        score1=xgid.score_bottom,
        plain=1 if xgid.length else 1 - xgid.rules % 2,
    )
    return GnuId(xgid.board.turned() if doubled else xgid.board, match)


def from_gnu(told: GnuId) -> Xgid:
    """What GNU Backgammon says, as an XGID; a resignation that is offered, and a game that is over, it has no place for.

    Args:
        told: Position and match.
    """
    match = told.match
    bottom, top = (told.board.me, told.board.opp) if match.turn else (told.board.opp, told.board.me)
    return Xgid(
        bottom,
        top,
        match.cube,
        next(owner for owner, number in OWNERS.items() if number == match.owner),
        BOTTOM if match.roller else TOP,
        DOUBLED if match.doubled else "".join(map(str, match.rolled or ())) or WAITING,
        match.score1,
        match.score0,
        match.crawford if match.length else 1 - match.plain,
        match.length,
    )
