"""One turn: what the board, the rules and the throw allow a single checker and a single die to do.

The mover's checkers are worked with as a list of 26 numbers, by point: 0 off, 1–24, 25 the bar. What the opponent blocks never grows in a
turn, and a blot that is hit never comes back in it, so both are read off the position before the turn.

**The six-block** (004 5.4.13). In front of *all* the opponent's checkers means: in his numbering the six points lie below the lowest point
that he holds; checkers that he has borne off do not count as ahead of it. A `window` is six such points; the turn may not fill one.
Decision: a block that stood before the turn was not built in it, and is not held against a move; 5.4.47 has let it pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

from kiosk.domain.rulebook import BlockRule, HeadRule
from kiosk.play.board import BAR, HOME, OFF, POINTS, Board, BoardError, Game, Step, across, check_board
from kiosk.play.verdict import Reason
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kiosk.play.rules import PlayRules

Window: TypeAlias = Callable[[Sequence[int]], tuple[int, ...]]
"""Takes out of the mover's checkers, by point, those on six points."""

HEAD = 24
BLOCK = 6
HEAD_DOUBLES = frozenset({3, 4, 6})
"""The doubles with which two may be taken from the head at first (004 5.4.11)."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The turn's fixed circumstances; `me` lists are handed in."""

    board: Board
    """The position before it."""
    rules: PlayRules
    """What holds."""
    dice: tuple[int, ...]
    """The numbers to be played, the larger first; a double has four (000 §3, 004 5.4.25)."""
    closed: tuple[bool, ...]
    """By point: whether the opponent blocks it."""
    blots: frozenset[int]
    """Points on which a single checker of the opponent can be hit."""
    over: bool
    """Whether nothing is played any more: the mover has borne off everything, or the opponent has and there is no last roll."""
    head_floor: int
    """How many checkers must stay on the head at least; -1 where there is no head."""
    windows: tuple[Window, ...]
    """What the turn may not fill, of what it could."""
    watched: Mapping[int, tuple[Window, ...]]
    """The same windows, by each of their points."""

    def start(self, board: Board | None = None) -> list[int]:
        """The mover's checkers before the turn, by point; or those of another position."""
        me = (board or self.board).me
        return [OFF, *me, *([0] * (BAR - len(me)))]

    def fault(self, me: Sequence[int], start: int, die: int) -> Reason | None:
        """Why one checker may not be moved by one die; the six-block is looked at when it has been (`builds`).

        Args:
            me: The mover's checkers, by point.
            start: Where it stands, 25 the bar.
            die: 1 to 6.
        """
        if not me[start]:
            return Reason.NO_CHECKER
        if me[BAR] and start != BAR:
            return Reason.BAR_FIRST  # 000 §4: those on the bar before any other
        if start == HEAD and me[HEAD] <= self.head_floor:
            return Reason.HEAD  # 004 5.4.11: one a turn
        if start > die:
            if not self.closed[start - die]:
                return None  # 000 §3, 004 5.4.12: open points only
            return Reason.ENTRY_BLOCKED if start == BAR else Reason.BLOCKED
        if any(me[HOME + 1 :]):
            return Reason.NOT_ALL_HOME  # 000 §5, 004 5.4.35: all fifteen in the home
        # 000 §5: a number that nobody stands on is played from above; only with nothing there the highest checker leaves. 004 5.4.37 by
        # the letter asks no more than that the point of the number itself is empty.
        above = me[die] if self.rules.bear_off_any_lower else any(me[start + 1 : HOME + 1])
        return Reason.HIGHER_FIRST if start < die and above else None

    def builds(self, me: Sequence[int], end: int) -> bool:
        """Whether a checker that has just come to `end` fills a window (004 5.4.13), where that counts on the way."""
        if self.rules.block is not BlockRule.ON_THE_WAY:
            return False
        return any(all(held(me)) for held in self.watched.get(end, ()))

    def ends_blocked(self, me: Sequence[int]) -> bool:
        """Whether the final position fills a window, where only that counts."""
        if self.rules.block is not BlockRule.AT_THE_END:
            return False
        return any(all(held(me)) for held in self.windows)

    def after(self, me: Sequence[int], hits: frozenset[int]) -> Board:
        """The position when the mover's checkers stand so, and those on `hits` were hit."""
        size = len(self.board.me)
        return Board(tuple(me[1 : size + 1]), self._hit(hits) if hits else self.board.opp)

    def _hit(self, hits: frozenset[int]) -> tuple[int, ...]:
        opp = list(self.board.opp)
        for point in hits:
            opp[across(point, self.rules.game) - 1] = 0
        opp[BAR - 1] += len(hits)
        return tuple(opp)

    def told(self, path: Sequence[tuple[int, int]]) -> tuple[Step, ...]:
        """The steps of a path of (start, end), with their hits."""
        blots = set(self.blots)
        steps = []
        for start, end in path:
            steps.append(Step(start, end, end in blots))
            blots.discard(end)
        return tuple(steps)


def turn_of(board: Board, dice: Sequence[int], rules: PlayRules, ply: int | None = None) -> Turn:
    """The circumstances of a turn.

    Args:
        board: The position, from the mover's view.
        dice: The two numbers thrown, in any order.
        rules: What holds.
        ply: 1 and 2 are the first throws of the first and of the second player, None is any later one.

    Raises:
        BoardError: The position, the throw or the ply is none.
    """
    check_board(board, rules.game)
    numbers = _numbers(dice)
    if ply is not None and (type(ply) is not int or ply < 1):
        raise BoardError(_("A ply is a whole number from 1 on, not {ply}.", ply=repr(ply)))
    hostile = [0] * (POINTS + 1)
    for place, count in enumerate(board.opp[:POINTS], start=1):
        hostile[across(place, rules.game)] = count
    enough = 2 if rules.game is Game.BACKGAMMON else 1  # 004 5.4.12: in long nardy one closes a point
    blots = frozenset(point for point, count in enumerate(hostile) if 0 < count < enough)
    floor = -1
    windows: list[tuple[int, ...]] = []
    if rules.game is Game.LONG_NARDY:
        floor = board.me[HEAD - 1] - _from_head(numbers, rules.two_from_head, ply)
        windows = _windows(board, len(numbers))
    held = [(window, itemgetter(*window)) for window in windows]
    watched = {point: tuple(get for points, get in held if point in points) for window in windows for point in window}
    closed = tuple(count >= enough for count in hostile)
    over = not any(board.me) or not (any(board.opp) or _has_last_roll(rules, ply))
    return Turn(board, rules, numbers, closed, blots, over, floor, tuple(get for _points, get in held), watched)


def _numbers(dice: Sequence[int]) -> tuple[int, ...]:
    if len(dice) != 2 or any(type(die) is not int or not 1 <= die <= 6 for die in dice):
        raise BoardError(_("A throw is two numbers from 1 to 6, not {dice}.", dice=" ".join(str(die) for die in dice)))
    high, low = max(dice), min(dice)
    return (high, low) if high != low else (high,) * 4


def _has_last_roll(rules: PlayRules, ply: int | None) -> bool:
    # The first player's plies are odd: he has no last roll after the second has finished. A ply that is not told is taken for the second's.
    return rules.last_roll and rules.game is Game.LONG_NARDY and (ply is None or ply % 2 == 0)


def _from_head(numbers: tuple[int, ...], who: HeadRule, ply: int | None) -> int:
    # 004 5.4.11: two with 3-3, 4-4 and 6-6 at the first throw of the second player, by other federations' rules of either. Decision: "in
    # spite of obstacles" makes the right depend on the throw alone, whatever stands in the way; and what may be played must be (5.4.26).
    first = ply == 2 or (ply == 1 and who is HeadRule.BOTH)
    return 2 if first and len(numbers) == 4 and numbers[0] in HEAD_DOUBLES else 1


def _windows(board: Board, steps: int) -> list[tuple[int, ...]]:
    lowest = next((place for place, count in enumerate(board.opp, start=1) if count), OFF)
    windows = []
    for first in range(1, lowest - BLOCK + 1):
        window = tuple(across(point, Game.LONG_NARDY) for point in range(first, first + BLOCK))
        held = sum(1 for point in window if board.me[point - 1])
        if BLOCK - steps <= held < BLOCK:  # a step fills one point at most
            windows.append(window)
    return windows
