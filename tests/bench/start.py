"""From the start of the process until the table says that it is ready."""

from __future__ import annotations

import statistics

from tests.bench.figures import Bench
from tests.bench.processes import running_table

RUNS = 5


def measure() -> float:
    spent: list[float] = []
    for _ in range(RUNS):
        with running_table() as (_, ready_after):
            spent.append(ready_after)
    return statistics.median(spent)


BENCH = Bench("s", 0.6, measure, "kiosk run --simulate --no-screen until ready (median of 5)")
