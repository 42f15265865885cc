"""How fast the server takes in what 1,000 tables have after an outage: half an hour of play each."""

from __future__ import annotations

from tests.bench.figures import Bench, CannotMeasure
from tests.bench.hall import hall

TABLES = 1_000
PRESSES = 360
"""Half an hour of a press each 5 s."""


def caught_up(database: str = "", workers: int = 1) -> float:
    """Microseconds for each stored fact, from the first connection to the last answer; every row is looked for afterwards."""
    with hall(TABLES, database=database, workers=workers) as place:
        told = place.tables("catch_up", 2, presses=PRESSES, batch=500)
        rows = sum(each["rows"] for each in told)
        if place.stored() != rows:
            raise CannotMeasure("the server lacks facts that it has answered for.")
    return (max(each["ended"] for each in told) - min(each["began"] for each in told)) * 1e6 / rows


BENCH = Bench("µs", 125, caught_up, "a fact of 1,000 tables after an outage, SQLite: 125 is 8,000 facts a second, 67 is 15,000")
