"""How far the hall's board is behind while 1,000 tables play."""

from __future__ import annotations

from tests.bench.figures import Bench
from tests.bench.hall_at_play import at_play

BENCH = Bench(
    "ms",
    1000,
    lambda: at_play().board_behind_ms,
    "a press is on an open board, at the worst, with 1,000 tables at play",
    lambda: at_play().left_out(),
)
