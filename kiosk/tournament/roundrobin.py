"""Round robins: Berger tables, several laps, groups that are drawn by pots (000 §10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.say import _
from kiosk.tournament.lots import drawn
from kiosk.tournament.results import TournamentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kiosk.tournament.results import Player

Seats = tuple[int | None, int | None]
"""Who sits left and right, by their numbers in the group; None: the other has a free round."""


def berger(players: int) -> tuple[tuple[Seats, ...], ...]:
    """The rounds of one lap: everybody meets everybody once.

    Args:
        players: How many, at least 2; with an odd number somebody is free in each round.

    Raises:
        TournamentError: There are fewer than two.
    """
    if players < 2:
        raise TournamentError(_("A round robin needs two players at least."))
    even = players + players % 2
    return tuple(_round(number, even, players) for number in range(1, even))


def _round(number: int, even: int, players: int) -> tuple[Seats, ...]:
    turning = even - 1
    pivot = (number - 1) * (even // 2) % turning + 1
    pairs = [(even, pivot) if number % 2 == 0 else (pivot, even)]
    pairs += [((pivot + i - 1) % turning + 1, (pivot - i - 1) % turning + 1) for i in range(1, even // 2)]
    seated = [(None if a > players else a, None if b > players else b) for a, b in pairs]
    return tuple(sorted(seated, key=lambda both: (both[0] is None, both[0] or 0)))


def laps(players: int, count: int) -> tuple[tuple[Seats, ...], ...]:
    """The rounds of several laps; in every second one the seats are changed.

    Args:
        players: How many.
        count: How many times everybody meets everybody.
    """
    one = berger(players)
    turned = tuple(tuple(sorted(((b, a) for a, b in each), key=lambda both: (both[0] is None, both[0] or 0))) for each in one)
    return tuple(each for lap in range(count) for each in (turned if lap % 2 else one))


def groups(pots: Sequence[Sequence[Player]], count: int, seed: str) -> tuple[tuple[Player, ...], ...]:
    """Draw groups: of each pot, one player into each group, by lots.

    Args:
        pots: The strongest first; only the last may have fewer players than there are groups.
        count: How many groups.
        seed: The event's, public.

    Raises:
        TournamentError: The pots do not fit.
    """
    if count < 1 or any(len(pot) != count for pot in pots[:-1]) or any(len(pot) > count for pot in pots[-1:]):
        raise TournamentError(_("Every pot has one player for each of the {count} groups; only the last pot may have fewer.", count=count))
    made: list[list[Player]] = [[] for _group in range(count)]
    for number, pot in enumerate(pots, 1):
        for group, player in zip(made, drawn(seed, f"pot {number}", pot), strict=False):
            group.append(player)
    return tuple(tuple(group) for group in made)


def pots(players: Sequence[Player], count: int) -> tuple[tuple[Player, ...], ...]:
    """Pots for so many groups from a list by strength, the strongest first."""
    return tuple(tuple(players[n : n + count]) for n in range(0, len(players), count))
