"""What the server holds while 1,000 tables play."""

from __future__ import annotations

from tests.bench.figures import Bench
from tests.bench.hall_at_play import at_play

BENCH = Bench("MB", 600, lambda: at_play().memory_mb, "the server's memory, at the most, with 1,000 tables at play")
