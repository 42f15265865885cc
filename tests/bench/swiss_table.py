"""How long the table of a large Swiss event takes."""

from __future__ import annotations

from tests.bench.figures import Bench
from tests.bench.swiss import table

BENCH = Bench("s", 0.5, lambda: table(1_000, 11), "the standings of 1,000 players after 11 rounds")
