"""All final positions of a roll, found the slow way: every order of every step, with the rules written down once more.

Nothing here is shared with `kiosk.play` but its values. Every sequence of steps is followed wherever it leads; which are long enough
is decided at the very end.
"""

from __future__ import annotations

from collections.abc import Iterator

from kiosk.domain.rulebook import BlockRule, HeadRule
from kiosk.play import Board, Game, PlayRules

Place = tuple[tuple[int, ...], tuple[int, ...]]
"""Both arrays of a board."""


def finals(board: Board, dice: tuple[int, int], rules: PlayRules, ply: int | None = None) -> set[Board]:
    """Every legal final position; empty where nothing can be played."""
    orders = [[dice[0]] * 4] if dice[0] == dice[1] else [list(dice), list(dice)[::-1]]
    ended: dict[tuple[int, int], set[Place]] = {}
    for order in orders:
        reached: set[tuple[Place, int]] = {((board.me, board.opp), 0)}
        for number, die in enumerate(order, start=1):
            reached = {
                after for place, taken in reached for after in _steps(place, die, rules, taken, _allowed(dice, rules, ply), _stood(board))
            }
            kept = {place for place, _ in reached if rules.block is not BlockRule.AT_THE_END or not _walled(place, _stood(board))}
            ended.setdefault((number, order[0] if number == 1 else 0), set()).update(kept)
    best = max((key for key, places in ended.items() if places), default=None)
    return {Board(*place) for place in ended[best]} if best else set()


def _allowed(dice: tuple[int, int], rules: PlayRules, ply: int | None) -> int:
    plies = (2,) if rules.two_from_head is HeadRule.SECOND else (1, 2)
    return 2 if ply in plies and dice in {(3, 3), (4, 4), (6, 6)} else 1


def _other(point: int, game: Game) -> int:
    if game is Game.BACKGAMMON:
        return 25 - point
    return point + 12 if point <= 12 else point - 12


def _steps(place: Place, die: int, rules: PlayRules, taken: int, allowed: int, stood: set[int]) -> Iterator[tuple[Place, int]]:
    me = dict(enumerate(place[0], start=1))
    for start in range(1, 26):
        if not me.get(start):
            continue
        end = start - die
        if me.get(25) and start != 25:
            continue
        if rules.game is Game.LONG_NARDY and start == 24 and taken == allowed:
            continue
        if end <= 0:
            if any(me[point] for point in me if point > 6):
                continue
            higher = [point for point in me if me[point] and point > start]
            if end < 0 and (me[die] if rules.bear_off_any_lower else higher):
                continue
        against = place[1][_other(end, rules.game) - 1] if end > 0 else 0
        if against > (1 if rules.game is Game.BACKGAMMON else 0):
            continue
        after = _made(place, start, max(end, 0), rules.game, hit=against == 1)
        if rules.block is BlockRule.ON_THE_WAY and _walled(after, stood):
            continue
        yield after, taken + (start == 24)


def _made(place: Place, start: int, end: int, game: Game, *, hit: bool) -> Place:
    me, opp = list(place[0]), list(place[1])
    me[start - 1] -= 1
    if end:
        me[end - 1] += 1
    if hit:
        opp[_other(end, game) - 1] -= 1
        opp[24] += 1
    return tuple(me), tuple(opp)


def _stood(board: Board) -> set[int]:
    return _walls((board.me, board.opp))


def _walled(place: Place, stood: set[int]) -> bool:
    return bool(_walls(place) - stood)


def _walls(place: Place) -> set[int]:
    """Where in the opponent's numbering six points in front of all his checkers begin; only long nardy has any."""
    if len(place[0]) == 25:
        return set()
    mine = {_other(point, Game.LONG_NARDY) for point, count in enumerate(place[0], start=1) if count}
    his = [point for point, count in enumerate(place[1], start=1) if count]
    return {first for first in range(1, 20) if all(first + n in mine for n in range(6)) and all(point > first + 5 for point in his) and his}
