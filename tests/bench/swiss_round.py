"""How long a Swiss round of 1,000 takes to pair."""

from __future__ import annotations

from tests.bench.figures import Bench
from tests.bench.swiss import event

BENCH = Bench("s", 5, lambda: event(1_000, 11)[1], "the slowest of 11 Swiss rounds of 1,000 players")
