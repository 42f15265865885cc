"""What the process holds in memory with the screen, after a whole match."""

from __future__ import annotations

import time

from tests.bench.figures import Bench
from tests.bench.processes import hidden_display, resident_mb, running_table, say
from tests.bench.screen_cpu import OPEN

GAMES = (("left", "gammon"), ("right", "single"), ("left", "backgammon"), ("right", "gammon"), ("left", "gammon"))
PRESSES = 6
APART_S = 0.2


def measure() -> float:
    with hidden_display() as display, running_table(display) as (process, _):
        say(process, OPEN)
        for winner, kind in GAMES:
            for turn in range(PRESSES):
                say(process, {"do": "press", "side": ("left", "right")[turn % 2]})
                time.sleep(APART_S)
            say(process, {"do": "game", "winner": winner, "kind": kind})
            time.sleep(APART_S)
            say(process, {"do": "confirm", "by": "right" if winner == "left" else "left"})
            time.sleep(APART_S)
        return resident_mb(process.pid)


BENCH = Bench("MB", 90, measure, "resident memory with the screen after a 7-point match")
