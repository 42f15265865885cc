"""What is lost while 1,000 tables play."""

from __future__ import annotations

from tests.bench.figures import Bench
from tests.bench.hall_at_play import at_play

BENCH = Bench("", 0, lambda: at_play().lost, "facts of 1,000 tables that the server lacks afterwards")
