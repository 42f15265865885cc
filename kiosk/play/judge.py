"""Was that move legal?

Decision: what counts is the position that a move leaves, for until the press a player may still change how he gets there (000 §11, 002,
004 5.4.17): a move is legal if its final position is one that the roll allows, in whatever order it was told. Only where it is not, the
steps are followed in the order told, to say which of them is wrong and why. One step may stand for several dice (24/13 with 6-5): every way
that the checker can have gone is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.play.board import BAR, OFF, Board, BoardError, Step, check_board
from kiosk.play.legal import plays_of
from kiosk.play.turn import Turn, turn_of
from kiosk.play.verdict import Reason, Verdict, article
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kiosk.play.board import Play
    from kiosk.play.rules import PlayRules

Path = tuple[tuple[int, int], ...]
"""Steps of one die each, as (start, end)."""


def judge(
    board: Board,
    dice: Sequence[int],
    steps: Sequence[Step],
    rules: PlayRules,
    ply: int | None = None,
    *,
    legal: tuple[Play, ...] | None = None,
) -> Verdict:
    """Say whether a move is legal, and if not, why not.

    Args:
        board: The position before it, from the mover's view.
        dice: The two numbers thrown, in any order.
        steps: What was moved; a step may stand for several dice, and whether it hits, the board knows. Empty: nothing.
        rules: What holds.
        ply: 1 and 2 are the first throws of the first and of the second player, None is any later one; only long nardy asks.
        legal: What `plays` says of the same turn, by whoever knows it already.

    Raises:
        BoardError: The position, the throw, the ply or a place is none.
    """
    turn = turn_of(board, dice, rules, ply)
    for step in steps:
        if not (1 <= step.start <= BAR and OFF <= step.end <= BAR):
            raise BoardError(_("{start}/{end}: places are 24 to 1, 25 for the bar and 0 for off.", start=step.start, end=step.end))
    return _judged(turn, tuple(steps), plays_of(turn) if legal is None else legal)


def judge_final(board: Board, dice: Sequence[int], final: Board, rules: PlayRules, ply: int | None = None) -> Verdict:
    """Say whether a roll may leave a position, and if not, why not.

    Args:
        board: The position before the move, from the mover's view.
        dice: The two numbers thrown, in any order.
        final: The position after it, from the same view.
        rules: What holds.
        ply: As for `judge`.

    Raises:
        BoardError: One of the positions, the throw or the ply is none.
    """
    turn = turn_of(board, dice, rules, ply)
    check_board(final, rules.game)
    legal = plays_of(turn)
    played = next((play.steps for play in legal if play.final == final), None)
    if played is not None:
        return _legal(final, played, legal)
    ways = [turn.told(way) for way in _reaching(turn, final)]
    verdicts = [replace(_judged(turn, way, legal, at_most=1), made=way) for way in ways]
    if not verdicts:
        return _illegal(turn, Reason.GAME_OVER if turn.over else Reason.NOT_THIS_ROLL, None, legal, final)
    # Of several ways to that position the one is told that breaks a rule last.
    return max(verdicts, key=lambda verdict: len(turn.dice) if verdict.at_step is None else verdict.at_step)


def _judged(turn: Turn, steps: tuple[Step, ...], legal: tuple[Play, ...], at_most: int = 4) -> Verdict:
    # at_most: how many dice a step may stand for.
    if not steps and not legal:
        return _legal(turn.board, (), legal)
    finals = {play.final: play.steps for play in legal}
    laid = _laid(turn, steps)
    beginning = _Walk(tuple(turn.start()), (), 0, None, turn.dice)
    if laid in finals:
        made = finals[laid]
        walks = _in_any_order(turn, steps, beginning, 1) if len(steps) == len(made) else iter(())
        return _legal(laid, next((turn.told(walk.path) for walk in walks), made), legal)  # as it was told, die by die, where it can be
    if turn.over:
        return _illegal(turn, Reason.GAME_OVER, None, legal, laid)
    whole = list(_in_any_order(turn, steps, beginning, at_most)) if len(steps) <= len(turn.dice) else []
    for walk in whole:
        final = walk.final(turn)
        if final in finals:
            return _legal(final, turn.told(walk.path), legal)
    if whole:
        return _illegal(turn, _short(turn, whole[0], legal), None, legal, laid)
    faults = [(walk.steps, walk.fault) for walk in _as_told(turn, steps, beginning, at_most) if walk.fault is not None]
    at_step, reason = max(faults, key=lambda fault: fault[0])
    return _illegal(turn, reason, at_step, legal, laid)


def _short(turn: Turn, walk: _Walk, legal: tuple[Play, ...]) -> Reason:
    """Why a move whose every step is legal is not."""
    if turn.ends_blocked(walk.me):
        return Reason.SIX_BLOCK
    most, two = len(legal[0].steps), len(turn.dice) == 2
    if len(walk.path) == most:
        return Reason.LARGER  # 000 §3, 004 5.4.26: either number, but not both
    return Reason.BOTH if two and most == 2 else Reason.MORE


def _legal(final: Board, made: tuple[Step, ...], legal: tuple[Play, ...]) -> Verdict:
    return Verdict(legal=True, final=final, reason=None, article=None, at_step=None, plays=legal, made=made)


def _illegal(turn: Turn, reason: Reason, at_step: int | None, legal: tuple[Play, ...], final: Board | None) -> Verdict:
    return Verdict(legal=False, final=final, reason=reason, article=article(reason, turn.rules), at_step=at_step, plays=legal)


def _laid(turn: Turn, steps: Sequence[Step]) -> Board | None:
    """The position when the checkers are laid as told, whatever the rules say; None where they cannot be."""
    me = turn.start()
    for step in steps:
        me[step.start] -= 1
        me[step.end] += 1
    if min(me) < 0:
        return None
    laid = turn.after(me, turn.blots.intersection(step.end for step in steps))
    try:
        check_board(laid, turn.rules.game)
    except BoardError:
        return None
    return laid


# ── Following the steps ──────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Walk:
    """How far the steps of a move can be followed."""

    me: tuple[int, ...]
    path: Path
    steps: int
    """How many of the steps told were legal."""
    fault: Reason | None
    """What is wrong with the next one; None: nothing so far."""
    left: tuple[int, ...]
    """The numbers not yet played."""

    def final(self, turn: Turn) -> Board:
        return turn.after(self.me, turn.blots.intersection(end for _, end in self.path))


def _as_told(turn: Turn, steps: tuple[Step, ...], walk: _Walk, at_most: int) -> Iterator[_Walk]:
    """Every way to follow the steps one after the other, up to its first fault; asked only where each has one."""
    for on in _after(turn, steps[walk.steps], walk, at_most):
        if on.fault is None:
            yield from _as_told(turn, steps, on, at_most)
        else:
            yield on


def _in_any_order(turn: Turn, steps: tuple[Step, ...], walk: _Walk, at_most: int) -> Iterator[_Walk]:
    """Every way to make these steps in which each is legal; that in the order told comes first."""
    if not steps:
        yield walk
        return
    for n, step in enumerate(steps):
        if step not in steps[:n]:
            for on in _after(turn, step, walk, at_most):
                if on.fault is None:
                    yield from _in_any_order(turn, steps[:n] + steps[n + 1 :], on, at_most)


def _after(turn: Turn, step: Step, walk: _Walk, at_most: int) -> Iterator[_Walk]:
    """Every way to make one more step, or what is wrong with it."""
    ways = _ways(step, walk.left, at_most)
    fault = _outright(walk.me, step, walk.left, ways)
    if fault is not None:
        yield replace(walk, fault=fault)
    else:
        yield from (_moved(turn, walk, step.start, way) for way in ways)


def _outright(me: Sequence[int], step: Step, left: tuple[int, ...], ways: Sequence[tuple[int, ...]]) -> Reason | None:
    """What is wrong with a step whichever dice it is for."""
    if not left:
        return Reason.TOO_MANY
    if not me[step.start]:
        return Reason.NO_CHECKER
    if step.end >= step.start:
        return Reason.DIRECTION  # 000 §1, 004 5.4.23: from higher numbers to lower ones
    if me[BAR] and step.start != BAR:
        return Reason.BAR_FIRST
    return None if ways else Reason.WRONG_NUMBER


def _ways(step: Step, left: tuple[int, ...], at_most: int) -> list[tuple[int, ...]]:
    """The dice that a step can stand for, one die before several and an exact number before a larger one."""
    several = range(1, min(len(left), at_most) + 1)
    orders = (left, left[::-1]) if len(left) == 2 else (left,)
    return sorted({order[:n] for n in several for order in orders if _fits(step, order[:n])}, key=lambda way: (len(way), sum(way), way))


def _fits(step: Step, way: tuple[int, ...]) -> bool:
    if step.end == OFF:
        return sum(way[:-1]) < step.start <= sum(way)
    return sum(way) == step.start - step.end


def _moved(turn: Turn, walk: _Walk, start: int, way: tuple[int, ...]) -> _Walk:
    me, path, left = list(walk.me), walk.path, list(walk.left)
    for die in way:
        end = max(start - die, OFF)
        fault = turn.fault(me, start, die)
        if fault is None:
            me[start] -= 1
            me[end] += 1
            path = (*path, (start, end))
            left.remove(die)
            fault = Reason.SIX_BLOCK if turn.builds(me, end) else None
        if fault is not None:
            return replace(walk, fault=fault)
        start = end
    return _Walk(tuple(me), path, walk.steps + 1, None, tuple(left))


# ── From a position back to steps ────────────────────────────────────────────


def _reaching(turn: Turn, final: Board) -> Iterator[Path]:
    """Every way to a position by these dice, legal or not."""
    goal = turn.start(final)
    for dice in dict.fromkeys((turn.dice, turn.dice[::-1])):
        for path in _onwards(turn.start(), (), dice, goal):
            if turn.after(goal, turn.blots.intersection(end for _, end in path)) == final:
                yield path


def _onwards(me: list[int], path: Path, dice: tuple[int, ...], goal: list[int]) -> Iterator[Path]:
    if me[OFF + 1 :] == goal[OFF + 1 :]:
        yield path
    if len(path) == len(dice):
        return
    # The steps of a double are followed from the highest down only: their order changes nothing (see `kiosk.play.legal`), and a point that
    # has been passed stays as it is.
    a_double = len(dice) == 4
    for start in range(path[-1][0] if path and a_double else BAR, OFF, -1):
        if me[start]:
            end = max(start - dice[len(path)], OFF)
            me[start] -= 1
            me[end] += 1
            yield from _onwards(me, (*path, (start, end)), dice, goal)
            me[start] += 1
            me[end] -= 1
        if a_double and me[start] != goal[start]:
            return
