"""Every way to play a roll.

**The maximum** (000 §3, 004 5.4.26): as many numbers as possible must be played; where either of two can be played but not both, the
larger. So all legal sequences are looked at, the longest count, and of sequences of one number those by the larger.

**Two different numbers** are played in both orders, checker by checker.

**A double** could be played in up to 24 orders of the same four steps, with the same end. Only the one that takes checkers from the highest
point down is looked at: whoever must go first in another order (from the bar, into the home, off a higher point) stands higher. Two sets of
steps never lead to the same position. Where the order matters after all, because a six-block shows on the way or 004 5.4.37 is read by the
letter, the set is noted as doubtful and its other orders are tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.play.board import BAR, OFF, Board, Play, Step
from kiosk.play.turn import HEAD, Turn, turn_of
from kiosk.play.verdict import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kiosk.play.rules import PlayRules

_Path = tuple[tuple[int, int], ...]


def plays(board: Board, dice: Sequence[int], rules: PlayRules, ply: int | None = None) -> tuple[Play, ...]:
    """Every legal play: one for each distinct final position, in a fixed order, highest points first; empty where nothing can be played.

    Args:
        board: The position, from the mover's view.
        dice: The two numbers thrown, in any order.
        rules: What holds.
        ply: 1 and 2 are the first throws of the first and of the second player, None is any later one; only long nardy asks.

    Raises:
        BoardError: The position, the throw or the ply is none.
    """
    return plays_of(turn_of(board, dice, rules, ply))


def plays_of(turn: Turn) -> tuple[Play, ...]:
    """The same, of a turn that is known."""
    if turn.over:
        return ()
    return _Doubles(turn).all() if len(turn.dice) == 4 else _two(turn)


# ── Two different numbers ────────────────────────────────────────────────────


def _two(turn: Turn) -> tuple[Play, ...]:
    both: dict[Board, _Path] = {}
    single: dict[int, dict[Board, _Path]] = {die: {} for die in turn.dice}
    me = turn.start()
    for first, second in (turn.dice, turn.dice[::-1]):
        for step in _steps(turn, me, first):
            if not turn.ends_blocked(me):
                single[first].setdefault(_after(turn, me, (step,)), (step,))
            for then in _steps(turn, me, second):
                if not turn.ends_blocked(me):
                    both.setdefault(_after(turn, me, (step, then)), (step, then))
    large, small = (single[die] for die in turn.dice)
    return tuple(Play(turn.told(path), final) for final, path in (both or large or small).items())


def _steps(turn: Turn, me: list[int], die: int) -> Iterator[tuple[int, int]]:
    """Each legal step, made on `me` while it is handed out, and taken back after."""
    for start in range(BAR, OFF, -1):
        if me[start] and turn.fault(me, start, die) is None:
            end = max(start - die, OFF)
            me[start] -= 1
            me[end] += 1
            if not turn.builds(me, end):
                yield start, end
            me[start] += 1
            me[end] -= 1


def _after(turn: Turn, me: list[int], path: _Path) -> Board:
    return turn.after(me, turn.blots.intersection(end for _, end in path))


# ── Doubles ──────────────────────────────────────────────────────────────────


class _Doubles:
    """The search through a double."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.me = turn.start()
        self.die = turn.dice[0]
        self.path: list[int] = []
        self.most = 1
        self.found: list[Play] = []
        self.orders: dict[tuple[int, ...], tuple[int, ...]] = {}
        self.ends = [max(start - self.die, OFF) for start in range(BAR + 1)]
        self.steps = [Step(start, end) for start, end in enumerate(self.ends)]
        open_to = [start for start in range(BAR, OFF, -1) if not turn.closed[self.ends[start]]]
        self.below = [[start for start in open_to if start <= top] for top in range(BAR + 1)]
        """By point: the points from there down whose step of this number is not blocked."""

    def all(self) -> tuple[Play, ...]:
        """Every play of the most steps there are."""
        self.search(BAR, doubtful=False)
        return tuple(self.found)

    def search(self, top: int, *, doubtful: bool) -> None:
        """Go on from what has been moved.

        Args:
            top: The highest point that may still be moved from.
            doubtful: Whether this very order is not legal, though another may be.
        """
        me, path, watched = self.me, self.path, self.turn.watched
        plain = HEAD if not me[BAR] else OFF
        for start in self.below[top]:
            if not me[start]:
                continue
            doubt = doubtful
            if not self.die < start < plain:  # what lies between can only be blocked, and is not
                fault = self.turn.fault(me, start, self.die)
                doubt = doubt or fault is not None
                if fault and not (fault is Reason.HIGHER_FIRST and self.turn.rules.bear_off_any_lower):
                    continue
            end = self.ends[start]
            me[start] -= 1
            me[end] += 1
            path.append(start)
            self.reach(start, doubtful=doubt or (end in watched and self.turn.builds(me, end)))
            path.pop()
            me[start] += 1
            me[end] -= 1

    def reach(self, start: int, *, doubtful: bool) -> None:
        """Keep what has been moved, if nothing longer is known, and go on from there."""
        if len(self.path) >= self.most and not self.turn.ends_blocked(self.me):
            order = self.order(tuple(self.path)) if doubtful else self.path
            if order:
                self.keep(order)
        if len(self.path) < len(self.turn.dice):
            self.search(start, doubtful=doubtful)

    def keep(self, order: Sequence[int]) -> None:
        """Note a play; a longer one than all before makes those worthless."""
        if len(order) > self.most:
            self.most = len(order)
            self.found.clear()
        hits = self.turn.blots.intersection([self.ends[start] for start in order]) if self.turn.blots else self.turn.blots
        steps = self.turn.told([(start, self.ends[start]) for start in order]) if hits else tuple([self.steps[start] for start in order])
        self.found.append(Play(steps, self.turn.after(self.me, hits)))

    def order(self, steps: tuple[int, ...]) -> tuple[int, ...]:
        """An order of these steps that is legal throughout; empty where there is none.

        Whichever comes last, the others lead to the same position before it: so each set of steps is worked out once.
        """
        if steps not in self.orders:
            rests = ((steps[:n] + steps[n + 1 :], last) for n, last in enumerate(steps))
            legal = ((*self.order(rest), last) for rest, last in rests if (not rest or self.order(rest)) and self.may_follow(rest, last))
            self.orders[steps] = next(legal, ())
        return self.orders[steps]

    def may_follow(self, before: tuple[int, ...], last: int) -> bool:
        """Whether a step is legal after these."""
        me = self.turn.start()
        for start in before:
            me[start] -= 1
            me[self.ends[start]] += 1
        if self.turn.fault(me, last, self.die):
            return False
        me[last] -= 1
        me[self.ends[last]] += 1
        return not self.turn.builds(me, self.ends[last])
