"""A Swiss event of chance, in the middle of which a round is paired and a table made."""

from __future__ import annotations

import time
from functools import cache
from random import Random

from kiosk.tournament.results import Entry, Record, Result
from kiosk.tournament.standings import standings
from kiosk.tournament.swiss import pair


@cache
def event(players: int, rounds: int) -> tuple[Record, float]:
    """So many rounds, and the seconds that the slowest of them took to pair."""
    chance, entries, worst = Random(players), list[Entry](), 0.0
    everybody = range(1, players + 1)
    for number in range(1, rounds + 1):
        record = Record(everybody, number - 1, entries)
        began = time.perf_counter()
        made = pair(record, everybody, number, seed="bench")
        worst = max(worst, time.perf_counter() - began)
        entries += [Entry(number, a, b, chance.choice([Result.WIN, Result.LOSS])) for a, b in made.pairs]
        entries += [Entry(number, made.bye, None, Result.BYE_WIN)] if made.bye is not None else []
    return Record(everybody, rounds, entries), worst


def table(players: int, rounds: int) -> float:
    """Seconds for the table of such an event."""
    record, _worst = event(players, rounds)
    began = time.perf_counter()
    standings(record)
    return time.perf_counter() - began
