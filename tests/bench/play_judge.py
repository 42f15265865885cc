"""How long a wrong move of a double takes to be judged, all plays found beside it."""

from __future__ import annotations

from tests.bench.figures import Bench
from tests.bench.plays import asked, slowest

BENCH = Bench("ms", 10, lambda: slowest(asked), "the slowest of 240 wrong moves of a double from rich positions, judged")
