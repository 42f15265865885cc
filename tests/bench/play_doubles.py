"""How long all plays of a double take to find; 30 ms are allowed on a table's box, whose core is some four times slower than this."""

from __future__ import annotations

from kiosk.play import plays
from tests.bench.figures import Bench
from tests.bench.plays import most, slowest

BENCH = Bench("ms", 10, lambda: slowest(plays), "all plays of the slowest of 240 doubles, rich positions", lambda: f"up to {most()} plays")
