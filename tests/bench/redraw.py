"""A whole clock face from the table's state to pixels."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from unittest import mock

from kiosk.ui.mount import Mount
from tests.bench.figures import Bench
from tests.bench.tables import MS

UPRIGHT = Mount()
TIMES = 300
STEP = 97 * MS
"""Between two pictures: no multiple of anything that a clock shows."""


def face(before: Callable[[object], None], mount: Mount = UPRIGHT) -> float:
    """Milliseconds from the state to `display.update` (median), at 800×480 on SDL's dummy driver.

    Args:
        before: Done to the painter before each picture.
        mount: How the panel is mounted.
    """
    from kiosk.ui.window import Window
    from tests.ui.moments import MOMENTS, PLAIN

    with mock.patch.dict(os.environ, {"SDL_VIDEODRIVER": "dummy"}):
        window = Window(size=mount.size(800, 480), mount=mount)
    try:
        table = MOMENTS["playing"](PLAIN)
        window.show(table.desk, table.now)
        spent: list[int] = []
        for _ in range(TIMES):
            table.now += STEP
            before(window._painter)
            began = time.perf_counter_ns()
            window.show(table.desk, table.now)
            spent.append(time.perf_counter_ns() - began)
    finally:
        window.close()
    return statistics.median(spent) / MS


def measure() -> float:
    return face(lambda painter: painter.forget())  # type: ignore[attr-defined]


BENCH = Bench("ms", 3, measure, "a whole clock face drawn anew at 800×480 (median)")
