"""The same on a panel that is mounted on its side: the picture is drawn upright, and turned on its way to the panel."""

from __future__ import annotations

from kiosk.ui.mount import Mount
from tests.bench.figures import Bench
from tests.bench.redraw import face


def measure() -> float:
    return face(lambda painter: painter.forget(), Mount(90))  # type: ignore[attr-defined]


BENCH = Bench("ms", 8, measure, "a whole clock face drawn anew at 800×480 on a panel that is turned by 90° (median)")
