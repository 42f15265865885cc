"""How long the touch board takes from a lifted finger to the picture with the verdict in it."""

from __future__ import annotations

import gc
import os
import statistics
import time
from dataclasses import replace
from unittest import mock

from tests.bench.figures import Bench
from tests.bench.plays import doubles

FRAME_MS = 16.7
"""Of a panel that is painted sixty times a second."""


def measure() -> float:
    """Milliseconds of a processor, the 99th percentile: a checker of a rich position dropped by a small double, at 800×480.

    Garbage is looked for as in a running table: seldom, and not among what was there from the start.
    """
    from kiosk.app.main import GARBAGE
    from kiosk.ui.actions import Draw
    from kiosk.ui.window import Window
    from tests.ui.moments import MOMENTS, PLAIN, PLAYED

    spent: list[float] = []
    with mock.patch.dict(os.environ, {"SDL_VIDEODRIVER": "dummy"}):
        window = Window(size=(800, 480))
    try:
        table = MOMENTS["examine-set"](PLAIN)
        window.show(table.desk, table.now)
        gc.set_threshold(*GARBAGE)
        gc.freeze()
        for board, dice, rules in doubles():
            start = max(point for point in range(dice[0] + 1, 25) if board.me[point - 1])
            table.show(replace(PLAYED, board=board, rules=rules, dice=dice, moving=True, steps=(), picked=None))
            window.show(table.desk, table.now)
            table.wait(1)
            (plan,) = [each.action.board for each in table.picture().controls if isinstance(each.action, Draw)]
            assert plan is not None
            a, b = plan.zone(start), plan.zone(start - dice[0])
            table.desk.touch(a.x + a.w // 2, a.y + a.h // 2, table.now)
            table.desk.move(b.x + b.w // 2, b.y + b.h // 2, table.now)
            window.show(table.desk, table.now)
            began = time.process_time()
            table.desk.release(table.now)
            window.show(table.desk, table.now)
            spent.append(time.process_time() - began)
            assert table.desk._open[-1].steps, "the checker was dropped"  # type: ignore[attr-defined]
    finally:
        window.close()
        gc.unfreeze()
    return statistics.quantiles(spent, n=100)[98] * 1e3


BENCH = Bench("ms", FRAME_MS, measure, "from a checker dropped on the touch board to its picture, p99 of 240 rich doubles: one frame")
