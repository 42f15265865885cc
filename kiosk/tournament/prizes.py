"""Who gets how much of a fund: a payout table in percent, rounded to a chosen unit, and shared where places are shared.

Exact throughout: whole numbers of the currency's smallest unit, and what is paid is the fund to the last of them.

1. Each place has its share of the fund, rounded down to the unit; what is left over goes to the first place.
2. Places that nobody holds (fewer are ranked than are paid) go to the first place as well.
3. Those who share places share the sum of them equally, rounded down to the unit; of what is left each gets one unit more, in the order
   in which they are published, and what is smaller than a unit goes to the first of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from kiosk.say import _
from kiosk.tournament.money import WHOLE
from kiosk.tournament.results import TournamentError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

MOST_PLACES = 256

PRESETS: Mapping[int, tuple[int, ...]] = {
    4: (7000, 3000),
    8: (5000, 3000, 1000, 1000),
    16: (4000, 2400, 1200, 1200, *[300] * 4),
    32: (3600, 2000, 1100, 1100, *[550] * 4),
    64: (3200, 1700, 950, 950, *[500] * 4, *[150] * 8),
    128: (2700, 1500, 850, 850, *[425] * 4, *[150] * 8, *[75] * 16),
}
"""Payout tables that are suggested, by the least number of entrants; those who go out of a knock-out in one round have the same."""


def suggested(entrants: int) -> tuple[int, ...]:
    """The payout table that is suggested for so many entrants; for very few the winner has it all."""
    return next((shares for least, shares in sorted(PRESETS.items(), reverse=True) if entrants >= least), (WHOLE,))


def check_shares(shares: Sequence[int]) -> None:
    """Whether a payout table can be: each place has something, and together they have everything. None at all is no table yet.

    Raises:
        TournamentError: It cannot.
    """
    if len(shares) > MOST_PLACES:
        raise TournamentError(_("A payout table has at most {most} places.", most=MOST_PLACES))
    if any(share < 1 for share in shares):
        raise TournamentError(_("Every place of a payout table has a share of its own; leave the others out."))
    if shares and sum(shares) != WHOLE:
        raise TournamentError(_("The shares come to {sum} %, not to 100 %.", sum=percent(sum(shares))))


def rising(shares: Sequence[int]) -> list[int]:
    """The places that have more than the one before them: it can be, and is seldom meant."""
    return [n for n, (before, share) in enumerate(pairwise(shares), 2) if share > before]


def percent(share: int) -> str:
    """A share as it is written, e.g. `12.5`."""
    whole, part = divmod(share, 100)
    return f"{whole}.{part:02}".rstrip("0").rstrip(".")


def amounts(fund: int, shares: Sequence[int], unit: int) -> tuple[int, ...]:
    """What each place has of a fund.

    Args:
        fund: All there is.
        shares: As `check_shares` lets them be.
        unit: Amounts are multiples of it, but for the first.

    Returns:
        As many as there are shares; they come to the fund exactly.
    """
    made = [fund * share // WHOLE // unit * unit for share in shares]
    if made:
        made[0] += fund - sum(made)
    return tuple(made)


@dataclass(frozen=True, slots=True)
class Prize:
    """What one entrant gets."""

    entrant: int
    first: int
    """His place, or the first of those that he shares."""
    last: int
    amount: int


def prizes(fund: int, shares: Sequence[int], unit: int, ranking: Sequence[Sequence[int]]) -> tuple[Prize, ...]:
    """Who gets how much.

    Args:
        fund: All there is.
        shares: As `check_shares` lets them be.
        unit: Amounts are multiples of it, but for what is left over.
        ranking: The first place first; of those who share a place all, in the order in which they are published.

    Returns:
        Everybody who gets something, in the order of the ranking: the fund exactly, or nobody, where there is no table or no ranking.
    """
    groups = [group for group in ranking if group]
    ranked = sum(map(len, groups))
    paid = list(amounts(fund, shares, unit))[:ranked]
    if paid:
        paid[0] += fund - sum(paid)
    found: list[Prize] = []
    place = 1
    for group in groups:
        last = place + len(group) - 1
        each = _shared(sum(paid[place - 1 : last]), len(group), unit)
        found += [Prize(entrant, place, last, amount) for entrant, amount in zip(group, each, strict=True) if amount]
        place = last + 1
    return tuple(found)


def _shared(total: int, among: int, unit: int) -> list[int]:
    """Equal parts of a sum, those before having what cannot be divided."""
    units, rest = divmod(total, unit)
    least, more = divmod(units, among)
    made = [(least + (n < more)) * unit for n in range(among)]
    made[0] += rest
    return made


def only(ranking: Sequence[Sequence[int]], who: Collection[int]) -> tuple[tuple[int, ...], ...]:
    """The ranking of those who take part in a side pool: the others are not there."""
    kept = (tuple(each for each in group if each in who) for group in ranking)
    return tuple(group for group in kept if group)
