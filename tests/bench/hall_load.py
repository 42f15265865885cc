"""How long a table waits for its press to be stored while 1,000 play."""

from __future__ import annotations

from tests.bench.figures import Bench
from tests.bench.hall_at_play import at_play

BENCH = Bench(
    "ms",
    250,
    lambda: at_play().intake_p99_ms,
    "a press is stored and answered, 99 of 100, with 1,000 tables at play",
    lambda: at_play().left_out(),
)
