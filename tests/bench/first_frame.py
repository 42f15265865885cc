"""From the start of the process until its window shows the first picture."""

from __future__ import annotations

import statistics
import time

from tests.bench.figures import Bench, CannotMeasure
from tests.bench.processes import hidden_display, running_table
from tests.window.display import Display

RUNS = 3
PATIENCE_S = 10


def measure() -> float:
    spent: list[float] = []
    with hidden_display() as display:
        for _ in range(RUNS):
            with running_table(display) as (_process, ready_after):
                said = time.perf_counter()
                spent.append(ready_after + _until_painted(display) - said)
            _until_dark(display)
    return statistics.median(spent)


def _painted(display: Display) -> bool:
    """Whether the window has a picture: its corner is the theme's ground, and not the black of an empty window."""
    corner = (display.SIZE - 800) // 2 + 2, (display.SIZE - 480) // 2 + 2
    return display.pixel(*corner) != (0, 0, 0)


def _until_painted(display: Display) -> float:
    until = time.perf_counter() + PATIENCE_S
    while not _painted(display):
        if time.perf_counter() > until:
            raise CannotMeasure("no picture came.")
        time.sleep(0.001)
    return time.perf_counter()


def _until_dark(display: Display) -> None:
    until = time.perf_counter() + PATIENCE_S
    while _painted(display) and time.perf_counter() < until:
        time.sleep(0.01)


BENCH = Bench("s", 1, measure, "kiosk run --simulate until the first picture is on the display (median of 3)")
