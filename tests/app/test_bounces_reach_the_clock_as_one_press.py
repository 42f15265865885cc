"""A thousand random bounce traces through the simulated box: each is one press, charged to its first edge."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from virtual_bench import Bench

from kiosk.domain.types import Side

if TYPE_CHECKING:
    from hardware import Line

TRACES = 1000


def test_a_thousand_bounce_traces_are_a_thousand_presses() -> None:
    dice = random.Random(20)
    bench = Bench()
    wanted: list[tuple[Side, float]] = []
    at = 100.0
    for number in range(TRACES):
        side: Line = "left" if number % 2 else "right"
        wanted.append((Side(side), round(at, 6)))
        moment = at
        for turn in range(2 * dice.randint(0, 10) + 1):
            bench.edge(side, 1 - turn % 2, moment)
            moment += dice.uniform(0.1, 30)
            if dice.random() < 0.3:
                bench.turn(moment - 0.05)
        bench.edge(side, 0, moment + 40)
        at = round(moment + dice.uniform(150, 400), 3)
        bench.turn(at - 1)
    assert [(side, round(ms, 6)) for side, ms in bench.presses] == wanted
