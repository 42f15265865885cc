"""What a screen costs on which nothing moves."""

from __future__ import annotations

from tests.bench.figures import Bench
from tests.bench.screen_cpu import OPEN, share


def measure() -> float:
    return share(OPEN)


BENCH = Bench("%", 1, measure, "processor time of a screen that stands still, of one core")
