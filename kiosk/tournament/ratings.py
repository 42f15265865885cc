"""Backgammon ratings as FIBS reckons them: by match length and experience.

With D the difference of the ratings and N the length, the stronger one wins with the probability 1 / (10^(−D·√N/2000) + 1). The winner
gains, and the loser loses, 4 · √N · K · (1 − the probability with which the winner was to win), where K is each one's own: it falls with
experience, the points of all matches played so far, from the beginning to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import sqrt


class Ramp(StrEnum):
    """How a beginner's rating moves faster."""

    FIBS = "fibs"
    """K is 5 − experience / 100, not below 1."""
    SLOW = "slow_ramp_2_400"
    """K is 2 − experience / 400, not below 1."""
    NONE = "no_ramp"
    """K is 1."""


_RAMPS = {Ramp.FIBS: (5.0, 100), Ramp.SLOW: (2.0, 400), Ramp.NONE: (1.0, 1)}
"""K at the beginning, and by how many points of experience it falls by 1."""

BEGIN = 1500.0
"""A beginner's rating."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's."""

    value: float = BEGIN
    experience: int = 0
    """Points of all matches so far, the longest of each counted: a match to 7 adds 7."""


def factor(experience: int, ramp: Ramp = Ramp.FIBS) -> float:
    """K."""
    begin, points = _RAMPS[ramp]
    return max(1.0, begin - experience / points)


def chance(one: float, other: float, length: int) -> float:
    """The probability with which the first wins a match to `length` points."""
    return 1.0 / (10 ** (-(one - other) * sqrt(length) / 2000) + 1.0)


def after(winner: Rating, loser: Rating, length: int, ramp: Ramp = Ramp.FIBS) -> tuple[Rating, Rating]:
    """Both ratings after a match.

    Args:
        winner: The winner's before.
        loser: The loser's before.
        length: Points that were needed to win.
        ramp: How experience counts.
    """
    moved = 4.0 * sqrt(length) * (1.0 - chance(winner.value, loser.value, length))
    return (
        Rating(winner.value + moved * factor(winner.experience, ramp), winner.experience + length),
        Rating(loser.value - moved * factor(loser.experience, ramp), loser.experience + length),
    )
