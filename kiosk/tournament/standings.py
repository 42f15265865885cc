"""The table of an event: points, then the regulation's ordered list of tie-breaks, each place with what decided it.

A tie-break that is a number orders those still tied by it, the higher first. `direct`, `against_higher` and `lots` look at the tied
players themselves, so they are worked out for each group that the ones before them left together.

* `direct`: the points from the matches among the tied, where all of them have met; else whoever is ahead of all others of them whatever
  the missing matches brought. Its figure is the place within the tie, 1 first; 0 where it decides nothing.
* `against_higher` (000 §10): the results against rank 1, then rank 2, and so on; who was not met counts as a loss would.
* `lots`: the public lots of the event (`kiosk.tournament.lots`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING, Any

from kiosk.tournament.lots import lot
from kiosk.tournament.results import PLAYED, POINTS
from kiosk.tournament.tiebreaks import Coefficients, Unplayed, coefficients

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kiosk.tournament.results import Player, Record


class TieBreak(StrEnum):
    """What may decide between those of equal points."""

    DIRECT = "direct"
    BUCHHOLZ = "buchholz"
    BUCHHOLZ_CUT1 = "buchholz_cut1"
    BUCHHOLZ_MEDIAN = "buchholz_median"
    SONNEBORN_BERGER = "sonneborn_berger"
    WINS = "wins"
    AGAINST_HIGHER = "against_higher"
    POINTS_DIFFERENCE = "points_difference"
    PROGRESSIVE = "progressive"
    LOTS = "lots"


USUAL = (TieBreak.BUCHHOLZ_CUT1, TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER, TieBreak.WINS, TieBreak.DIRECT)
"""Where the regulation says nothing."""


@dataclass(frozen=True, slots=True)
class Place:
    """One line of the table."""

    rank: int
    """Those whom nothing separates share one."""
    player: Player
    has: Coefficients
    direct: int
    """The place within a tie that direct encounter decided; 0: it decided none."""
    decided_by: TieBreak | None
    """What put the player behind the one above; None: points, or nothing (a shared rank)."""


@dataclass(slots=True)
class _Table:
    """What is known while the order is made."""

    record: Record
    has: Mapping[Player, Coefficients]
    seed: str
    direct: dict[Player, int] = field(default_factory=dict)
    above: list[tuple[list[Player], TieBreak | None]] = field(default_factory=list)
    """The groups that stand already, the first first, each with what put it behind the one above."""


def standings(
    record: Record,
    tiebreaks: Sequence[TieBreak] = USUAL,
    *,
    unplayed: Unplayed = Unplayed.VIRTUAL,
    seed: str = "",
    players: Sequence[Player] | None = None,
) -> tuple[Place, ...]:
    """The table of an event.

    Args:
        record: What was played.
        tiebreaks: In the regulation's order.
        unplayed: How rounds count that were not played.
        seed: The event's public seed, for lots.
        players: Who is ranked; None: all. The others count as opponents all the same.
    """
    has = coefficients(record, unplayed)
    table = _Table(record, has, seed)
    ranked = record.players if players is None else tuple(players)
    everybody = sorted(ranked, key=lambda player: (-has[player].points, record.order[player]))
    for _points, tied in groupby(everybody, key=lambda player: has[player].points):
        _split(table, list(tied), tuple(tiebreaks), None)
    return tuple(_places(table))


def _places(table: _Table) -> list[Place]:
    places: list[Place] = []
    rank = 1
    for group, by in table.above:
        for n, each in enumerate(group):
            places.append(Place(rank, each, table.has[each], table.direct.get(each, 0), None if n else by))
        rank += len(group)
    return places


def _split(table: _Table, tied: list[Player], tiebreaks: tuple[TieBreak, ...], by: TieBreak | None) -> None:
    """Put the tied behind those that stand already, in groups that nothing separates.

    Args:
        table: What is known.
        tied: In the order of the entry list.
        tiebreaks: Those that are left.
        by: What put them behind the ones above.
    """
    if len(tied) < 2 or not tiebreaks:
        table.above.append((tied, by))
        return
    first, *rest = tiebreaks
    keys = _keys(table, first, tied)
    ordered = sorted(tied, key=keys.__getitem__)  # equal ones stay in the order of the entry list
    for n, (_key, group) in enumerate(groupby(ordered, key=keys.__getitem__)):
        _split(table, list(group), tuple(rest), first if n else by)


def _keys(table: _Table, by: TieBreak, tied: list[Player]) -> dict[Player, Any]:
    """What orders the tied by a tie-break, the smallest first."""
    match by:
        case TieBreak.DIRECT:
            places = _direct(table.record, tied)
            table.direct.update(places)
            return {player: places[player] for player in tied}
        case TieBreak.LOTS:
            return {player: lot(table.seed, "tie", player) for player in tied}
        case TieBreak.AGAINST_HIGHER:
            return {player: _against(table, player) for player in tied}
        case _:
            return {player: -float(getattr(table.has[player], by)) for player in tied}


def _against(table: _Table, player: Player) -> tuple[float, ...]:
    """The points from matches against each group that stands already, the highest first, negated."""
    against: dict[Player, float] = {}
    for card in table.record.cards(player):
        if card.opponent is not None:
            against[card.opponent] = against.get(card.opponent, 0.0) + POINTS[card.result]
    return tuple(-sum(against.get(each, 0.0) for each in group) for group, _by in table.above)


# ── Direct encounter ─────────────────────────────────────────────────────────
def _direct(record: Record, tied: Sequence[Player]) -> dict[Player, int]:
    """The place of each within the tie; 0 for all where it decides nothing."""
    groups = _by_direct(record, list(tied))
    if len(groups) < 2:
        return dict.fromkeys(tied, 0)
    places: dict[Player, int] = {}
    place = 1
    for group in groups:
        places.update(dict.fromkeys(group, place))
        place += len(group)
    return places


def _by_direct(record: Record, tied: list[Player]) -> list[list[Player]]:
    if len(tied) < 2:
        return [tied] if tied else []
    got, missing = _among(record, tied)
    if any(missing.values()):
        ahead = [p for p in tied if all(got[p] > got[q] + missing[q] for q in tied if q != p)]
        if not ahead:
            return [tied]
        return [ahead, *_by_direct(record, [player for player in tied if player not in ahead])]
    ordered = sorted(tied, key=lambda player: -got[player])
    groups = [list(group) for _points, group in groupby(ordered, key=got.__getitem__)]
    if len(groups) == 1:
        return groups
    return [part for group in groups for part in _by_direct(record, group)]


def _among(record: Record, tied: Sequence[Player]) -> tuple[dict[Player, float], dict[Player, int]]:
    """The points of each from matches among the tied that were played, and with how many of them none was."""
    members = set(tied)
    got = dict.fromkeys(tied, 0.0)
    missing: dict[Player, int] = {}
    for player in tied:
        met = set()
        for card in record.cards(player):
            if card.opponent in members and card.result in PLAYED:
                met.add(card.opponent)
                got[player] += POINTS[card.result]
        missing[player] = len(tied) - 1 - len(met)
    return got, missing
