"""Swiss pairings (000 §10): equal or nearest scores, nobody twice, the odd one out has a bye that counts as a win, once per player.

What a round costs is, in this order: the sum of the squared differences of the pairs' scores (so that no single pair is far apart), then
pairs who float the same way as a round before, then pairs of one club, each where the organizer wants it avoided. No other pairing of the
whole round costs less. Among pairings of the same cost those are taken whose lots lie nearest together: in each score the players stand in
the order of their lots under the event's public seed (`kiosk.tournament.lots`), and neighbours meet.

A Swiss stage with elimination goes on until one is left. Decision: where those who are left have all met, the pairing with the fewest and
rarest repeats is taken, and who had a bye may have another.

Large rounds are paired in two steps. First only near neighbours are looked at. The sorted scores paired off one by one, whoever met whom,
give a bound below which no pairing can be; where the first step has reached it, that is the answer. Else every pair of scores that could be
part of a pairing as good as the first is looked at, and only those that provably cannot are left out.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from kiosk.say import _
from kiosk.tournament.lots import drawn
from kiosk.tournament.matching import cheapest
from kiosk.tournament.results import POINTS, Result, TournamentError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from kiosk.tournament.matching import Edge
    from kiosk.tournament.results import Player, Record


class FirstRound(StrEnum):
    """How the first round is paired."""

    DRAWN = "drawn"
    """By lots."""
    FOLDED = "folded"
    """The first of the entry list meets the last, the second the last but one."""
    HALVES = "halves"
    """The first of the upper half meets the first of the lower."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the organizer wants of a round."""

    forbidden: frozenset[frozenset[Player]] = frozenset()
    """Pairs that must not meet."""
    club: Mapping[Player, str] = field(default_factory=dict)
    """Whose matches against each other are avoided, where the scores allow it."""
    floats: bool = False
    """Nobody floats the same way twice in a row, where the scores allow it."""
    first: FirstRound = FirstRound.DRAWN
    until_one: bool = False
    """It goes on until one is left (`losses`): where nothing else is possible, those who met meet again, as few as can be."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One round."""

    pairs: tuple[tuple[Player, Player], ...]
    """Highest scores first; the left one is the first of the two by score, then by lots."""
    bye: Player | None
    """Who plays nobody."""


class NoPairing(TournamentError):
    """There is no pairing that keeps the rules; the text says which."""


NEAR = 24
"""Of each player so many neighbours on either side are looked at first."""
WHOLE = 260
"""Up to so many players, everybody is looked at."""
AGAIN = 1 << 100
"""What each meeting before weighs, where they may meet again: more than all else of a round together."""
CLOSE, FLOAT, CLUB, TIE = 1 << 60, 1 << 46, 1 << 32, 1 << 20
"""What a squared point of difference, a float, a club's match, and at most a tie number weigh: each more than all of the next together."""


def pair(record: Record, playing: Sequence[Player], number: int, *, seed: str, wishes: Wishes | None = None) -> Pairing:
    """Pair a round.

    Args:
        record: The rounds before.
        playing: Who plays this one.
        number: The round's, from 1 on.
        seed: The event's, public: the same entry and seed always give the same draw.
        wishes: The organizer's.

    Raises:
        NoPairing: Whoever is left has met everybody who is left, or everybody has had a bye.
    """
    try:
        return _strict(record, playing, number, seed, wishes or Wishes())
    except NoPairing:
        if wishes is None or not wishes.until_one:
            raise
    return _strict(record, playing, number, seed, wishes, again=True)


def _strict(record: Record, playing: Sequence[Player], number: int, seed: str, wanted: Wishes, *, again: bool = False) -> Pairing:
    if len(set(playing)) != len(playing) or any(each not in record.order for each in playing):
        raise TournamentError(_("Somebody is to play who is not on the entry list, or is there twice."))
    points = {player: round(2 * record.points(player)) for player in playing}
    lots = {player: n for n, player in enumerate(drawn(seed, f"round {number}", playing))}
    order = sorted(playing, key=lambda player: (-points[player], lots[player]))
    if number == 1 and wanted.first is not FirstRound.DRAWN:
        order = sorted(playing, key=lambda player: (-points[player], record.order[player]))
    round_ = _Round(record, points, seed, number, wanted, again)
    if len(order) % 2 == 0:
        found = _paired(round_, order)
        if found is None:
            raise NoPairing(
                _("There is no pairing in which nobody meets somebody twice: too few are left, or too many pairs are forbidden.")
            )
        return Pairing(found, None)
    return _with_bye(round_, order)


@dataclass(slots=True)
class _Round:
    record: Record
    points: dict[Player, int]
    """In half points."""
    seed: str
    number: int
    wishes: Wishes
    again: bool
    """Those who met may meet again, and who had a bye may have another."""


def _with_bye(round_: _Round, order: list[Player]) -> Pairing:
    """The bye goes to the lowest who has had none and without whom the others can be paired."""
    lowest = list(reversed(order))
    eligible = [player for player in lowest if not _byes(round_.record, player)]
    if round_.again:
        eligible = sorted(lowest, key=lambda player: _byes(round_.record, player))
    if not eligible:
        raise NoPairing(_("Everybody has had a bye already, and the number of players is odd."))
    for player in eligible:
        found = _paired(round_, [each for each in order if each != player])
        if found is not None:
            return Pairing(found, player)
    raise NoPairing(_("There is no pairing in which nobody meets somebody twice: too few are left, or too many pairs are forbidden."))


def _byes(record: Record, player: Player) -> int:
    return sum(card.result is Result.BYE_WIN for card in record.cards(player))


def _paired(round_: _Round, order: list[Player]) -> tuple[tuple[Player, Player], ...] | None:
    if not order:
        return ()
    found = _matched(round_, order)
    if found is None:
        return None
    found.sort(key=lambda both: (-max(round_.points[order[n]] for n in both), -sum(round_.points[order[n]] for n in both), both[0]))
    return tuple((order[a], order[b]) for a, b in found)


def _matched(round_: _Round, order: list[Player]) -> list[tuple[int, int]] | None:
    costs = _Costs(round_, order)
    everybody = len(order)
    if everybody <= WHOLE or round_.again:
        return cheapest(everybody, costs.edges(lambda _a, _b: True))
    near = cheapest(everybody, costs.edges(_near(costs)))
    if near is None:
        return cheapest(everybody, costs.edges(lambda _a, _b: True))
    reached = sum(costs.of(a, b) // CLOSE for a, b in near)
    if reached == bound(costs.scores) and not any(costs.of(a, b) % CLOSE >= TIE for a, b in near):
        return near
    possible = _possible(costs.scores, reached)
    return cheapest(everybody, costs.edges(lambda a, b: (costs.scores[a], costs.scores[b]) in possible))


class _Costs:
    """What it costs to pair two of a round."""

    def __init__(self, round_: _Round, order: list[Player]) -> None:
        self.order = order
        self.scores = [round_.points[player] for player in order]
        self._round = round_
        self._opponents = [round_.record.opponents(player) for player in order]
        self._meetings = [Counter(card.opponent for card in round_.record.cards(player)) for player in order] if round_.again else []
        self._ways = [_last_float(round_.record, player) for player in order] if round_.wishes.floats else []

    def edges(self, wanted: Callable[[int, int], bool]) -> Iterator[Edge]:
        """Whom everybody may meet, and what it costs."""
        forbidden = self._round.wishes.forbidden
        for a, player in enumerate(self.order):
            met = self._opponents[a]
            for b in range(a + 1, len(self.order)):
                other = self.order[b]
                if wanted(a, b) and (self._meetings or other not in met) and (not forbidden or frozenset((player, other)) not in forbidden):
                    yield a, b, self.of(a, b)

    def of(self, a: int, b: int) -> int:
        """What a pair costs."""
        apart = self.scores[a] - self.scores[b]
        cost = apart * apart * CLOSE + self._tie(a, b)
        if self._meetings:
            cost += AGAIN * self._meetings[a][self.order[b]]
        if self._ways and apart:
            cost += FLOAT * ((self._ways[a] > 0) + (self._ways[b] < 0))
        club = self._round.wishes.club
        if club and (mine := club.get(self.order[a], "")) and mine == club.get(self.order[b], ""):
            cost += CLUB
        return cost

    def _tie(self, a: int, b: int) -> int:
        first, everybody = self._round.wishes.first, len(self.order)
        wanted = a
        if self._round.number == 1 and first is not FirstRound.DRAWN:
            wanted = everybody - 1 - a if first is FirstRound.FOLDED else a + everybody // 2
        return min((b - wanted) ** 2, TIE - 1)


def _near(costs: _Costs) -> Callable[[int, int], bool]:
    """Neighbours in the order, and whoever has a score that few have."""
    have = Counter(costs.scores)
    few = [have[score] <= NEAR for score in costs.scores]
    return lambda a, b: b - a <= NEAR or (few[a] and few[b])


def bound(scores: Sequence[int]) -> int:
    """The least sum of squared differences with which scores can be paired, whoever met whom: the sorted ones one by one.

    Args:
        scores: An even number of them.
    """
    ordered = sorted(scores)
    return sum((a - b) ** 2 for a, b in zip(ordered[::2], ordered[1::2], strict=True))


def _possible(scores: Sequence[int], reached: int) -> frozenset[tuple[int, int]]:
    """Pairs of scores that may be part of a pairing that costs no more than one that was found."""
    have = Counter(scores)
    possible: set[tuple[int, int]] = set()
    for a in have:
        for b in have:
            if a == b and have[a] < 2:
                continue
            left = list((have - Counter((a, b))).elements())
            if (a - b) ** 2 + bound(left) <= reached:
                possible.add((a, b))
    return frozenset(possible)


def _last_float(record: Record, player: Player) -> int:
    """Which way a player floated in the last round: 1 to a lower score, −1 to a higher one, 0 not at all."""
    if not record.rounds:
        return 0
    card = record.card(player, record.rounds)
    if card.opponent is None:
        return 0
    mine = record.points(player) - POINTS[card.result]
    last = record.card(card.opponent, record.rounds)
    theirs = record.points(card.opponent) - POINTS[last.result]
    return (mine > theirs) - (mine < theirs)
