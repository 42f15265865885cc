"""Matches by chance, always the same for a seed: legal moves, doubles, resignations."""

from __future__ import annotations

from random import Random

from kiosk.domain.rulebook import Kind
from kiosk.domain.types import Pair, Side
from kiosk.play.legal import plays
from kiosk.play.transcript import Act, Progress, Transcript, Turn, begin, told


def match_by_chance(seed: int, length: int, games: int = 99, names: Pair[str] = Pair("Ana", "Boris")) -> Transcript:  # noqa: B008 - frozen
    """A match until somebody has won it, or so many games of it.

    Args:
        seed: Says which.
        length: Points of the match; 0 is a session.
        games: How many at most.
        names: Who plays.
    """
    chance = Random(seed)
    match = Transcript(names, length, ())
    while len(match.games) < games and not (match.games and told(match)[-1].last):
        match = Transcript(names, length, (*match.games, _game_by_chance(chance, begin(match).progress)))
    return match


def _game_by_chance(chance: Random, progress: Progress) -> tuple[Turn, ...]:
    first = chance.choice((Side.LEFT, Side.RIGHT))
    while not progress.winner:
        side = progress.acting or first
        progress = progress.add(_turn(chance, progress, side))
    return progress.turns


def _turn(chance: Random, progress: Progress, side: Side) -> Turn:
    if progress.offered:
        return Turn(side, Act.PASS if chance.random() < 0.2 else Act.TAKE)
    may = progress.side and progress.turned and progress.owner in {None, side} and progress.cube < 64
    if may and chance.random() < 0.05:
        return Turn(side, Act.DOUBLE)
    if progress.side and chance.random() < 0.01:
        return Turn(chance.choice((Side.LEFT, Side.RIGHT)), Act.RESIGN, kind=chance.choice((Kind.SINGLE, Kind.GAMMON, Kind.BACKGAMMON)))
    dice = (chance.randint(1, 6), chance.randint(1, 6))
    if not progress.side and dice[0] == dice[1]:
        dice = (6, 5)
    legal = plays(progress.board, dice, progress.terms.rules)
    return Turn(side, Act.MOVE, dice, chance.choice(legal).steps if legal else ())
