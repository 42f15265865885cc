"""Coefficients by which those of equal points are placed, each a number for every player.

How rounds count that were not played is a setting (`Unplayed`), for published rule sets differ:

* `plain`: an opponent counts with the points he has, and a round without an opponent counts nothing;
* `virtual` (the international chess federation's tie-break regulations of 2024): a round that was not played counts as if against an
  opponent with the player's own points; of an opponent, rounds in which he was absent to the end count as draws.

Cut 1 leaves out the lowest contribution; under `virtual` it is one of the rounds that the player himself chose not to play, where there is
one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from kiosk.tournament.results import PLAYED, POINTS, WON, Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kiosk.tournament.results import Card, Player, Record


class Unplayed(StrEnum):
    """How rounds count that were not played."""

    PLAIN = "plain"
    VIRTUAL = "virtual"


CHOSEN = frozenset({Result.FORFEIT_LOSS, Result.ABSENT})
"""The player himself chose not to play."""


@dataclass(frozen=True, slots=True)
class Coefficients:
    """One player's."""

    points: float
    wins: int
    """Byes and matches that the other did not come to are among them."""
    buchholz: float
    buchholz_cut1: float
    buchholz_median: float
    """Without the highest and the lowest contribution."""
    sonneborn_berger: float
    points_difference: int
    """Points won in all matches less points lost."""
    progressive: float
    """The sum of what the player had after each round."""


@dataclass(frozen=True, slots=True)
class _Part:
    """What one round contributes to Buchholz."""

    value: float
    result: Result

    @property
    def chosen(self) -> bool:
        return self.result in CHOSEN


def coefficients(record: Record, unplayed: Unplayed) -> Mapping[Player, Coefficients]:
    """Work out everybody's.

    Args:
        record: What was played.
        unplayed: How rounds count that were not.
    """
    points = {player: record.points(player) for player in record.players}
    cards = {player: record.cards(player) for player in record.players}
    if unplayed is Unplayed.PLAIN:
        return {player: _of(cards[player], _plain(cards[player], points), points[player]) for player in record.players}
    adjusted = {player: points[player] + _absent_to_the_end(cards[player]) / 2 for player in record.players}
    return {
        player: _of(cards[player], _virtual(cards[player], adjusted, points[player]), points[player], virtual=True)
        for player in record.players
    }


def _plain(cards: tuple[Card, ...], points: Mapping[Player, float]) -> list[_Part]:
    return [_Part(0.0 if card.opponent is None else points[card.opponent], card.result) for card in cards]


def _virtual(cards: tuple[Card, ...], adjusted: Mapping[Player, float], own: float) -> list[_Part]:
    return [_Part(adjusted[card.opponent] if card.opponent is not None and card.result in PLAYED else own, card.result) for card in cards]


def _absent_to_the_end(cards: tuple[Card, ...]) -> int:
    """So many rounds at the end a player was not paired in; one to which he did not come may lie between."""
    count = 0
    for card in reversed(cards):
        if card.result not in CHOSEN:
            break
        count += card.result is Result.ABSENT
    return count


def _of(cards: tuple[Card, ...], parts: list[_Part], points: float, *, virtual: bool = False) -> Coefficients:
    whole = sum(part.value for part in parts)
    cut = _lowest(parts, virtual=virtual)
    highest = max((part.value for part in parts), default=0.0) if len(parts) > 1 else 0.0
    had, progressive = 0.0, 0.0
    for card in cards:
        had += POINTS[card.result]
        progressive += had
    return Coefficients(
        points=points,
        wins=sum(card.result in WON for card in cards),
        buchholz=whole,
        buchholz_cut1=whole - cut,
        buchholz_median=whole - cut - highest,
        sonneborn_berger=sum(part.value * POINTS[part.result] for part in parts),
        points_difference=sum(card.difference for card in cards),
        progressive=progressive,
    )


def _lowest(parts: list[_Part], *, virtual: bool) -> float:
    chosen = [part.value for part in parts if virtual and part.chosen]
    return min(chosen or [part.value for part in parts], default=0.0)
