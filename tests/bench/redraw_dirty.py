"""A running clock's next picture: only what differs is drawn."""

from __future__ import annotations

from tests.bench.figures import Bench
from tests.bench.redraw import face


def measure() -> float:
    return face(lambda _painter: None)


BENCH = Bench("ms", 1.5, measure, "a running clock's next picture at 800×480 (median)")
