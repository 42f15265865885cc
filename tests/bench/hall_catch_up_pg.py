"""The same on PostgreSQL, with two processes."""

from __future__ import annotations

from tests.bench.figures import Bench
from tests.bench.hall import on_postgres
from tests.bench.hall_catch_up import caught_up


def _on_postgres() -> float:
    with on_postgres() as database:
        return caught_up(database, workers=2)


BENCH = Bench("µs", 50, _on_postgres, "a fact of 1,000 tables after an outage, PostgreSQL and two processes: 50 is 20,000 a second")
