"""What a running clock on the screen costs: the processor time of the whole process."""

from __future__ import annotations

import time

from tests.bench.figures import Bench
from tests.bench.processes import hidden_display, running_table, say, spent_s

SECONDS = 10
SETTLED_S = 1
OPEN = {"do": "open_match", "rulebook": "ibgf", "length": 7, "players": {"left": "Marija", "right": "Boris"}}


def share(*words: dict[str, object]) -> float:
    """Per cent of one core, once these words have been said."""
    with hidden_display() as display, running_table(display) as (process, _):
        say(process, *words)
        time.sleep(SETTLED_S)
        began, before = time.perf_counter(), spent_s(process.pid)
        time.sleep(SECONDS)
        return (spent_s(process.pid) - before) * 100 / (time.perf_counter() - began)


def measure() -> float:
    return share(OPEN, {"do": "press", "side": "left"})


BENCH = Bench("%", 6, measure, "processor time of a running clock on the screen, of one core")
