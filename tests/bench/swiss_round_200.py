"""How long a Swiss round of 200 takes to pair."""

from __future__ import annotations

from tests.bench.figures import Bench
from tests.bench.swiss import event

BENCH = Bench("s", 0.5, lambda: event(200, 9)[1], "the slowest of 9 Swiss rounds of 200 players")
