"""The error of a press through a button box on a cable, against its true time, with both cores busy.

The box is the simulated one in a process of its own, with a counter that is 80 ppm fast and is about to wrap; it prints when it truly
pressed.
"""

from __future__ import annotations

import queue
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from hardware import ButtonBox, Edge, SerialEdgeSource, finder
from tests.bench.figures import Bench, CannotMeasure

PRESSES = 150
BUSY = "while True: pass"
MS = 1e6
BOX = """
import random, sys, time
from pathlib import Path
from hardware.simulated_box_serial import SimulatedButtonBox
box = SimulatedButtonBox(Path(sys.argv[1]), counter_us=2**32 - 6_000_000, drift_ppm=80)
box.plug()
print("plugged", flush=True)
sys.stdin.readline()
for n in range(int(sys.argv[2])):
    time.sleep(random.uniform(0.02, 0.08))
    at = time.monotonic_ns()
    box.drive("left", n % 2 == 0, at)
    print(at, flush=True)
"""
_seen: dict[str, str] = {}


def measure() -> float:
    taken: queue.SimpleQueue[tuple[Edge, int]] = queue.SimpleQueue()
    with ExitStack() as work:
        path = Path(work.enter_context(tempfile.TemporaryDirectory(prefix="tableside-bench-"))) / "box"
        pipe = subprocess.PIPE
        far = work.enter_context(subprocess.Popen([sys.executable, "-c", BOX, path, str(PRESSES)], stdin=pipe, stdout=pipe, text=True))
        work.callback(far.kill)
        assert far.stdin is not None
        assert far.stdout is not None
        far.stdout.readline()
        for _ in range(2):
            busy = work.enter_context(subprocess.Popen([sys.executable, "-c", BUSY]))
            work.callback(busy.kill)
        box = ButtonBox(finder(str(path)))
        work.callback(box.close)
        box.start()
        box.wait(20)
        source = SerialEdgeSource(box)
        source.start(lambda edge: taken.put((edge, time.monotonic_ns())))
        time.sleep(3)  # the clock becomes known, as it has been at any table that plays
        far.stdin.write("go\n")
        far.stdin.flush()
        truth = [int(far.stdout.readline()) for _ in range(PRESSES)]
        came = [taken.get(timeout=20) for _ in truth]
        health = source.health()
    if not health.alive or health.lost:
        raise CannotMeasure(f"the box did not deliver everything: {health}")
    errors = [abs(edge.at_ns - at) / MS for (edge, _), at in zip(came, truth, strict=True)]
    late = [(arrived - at) / MS for (_, arrived), at in zip(came, truth, strict=True)]
    _seen["beside"] = (
        f"median {statistics.median(errors):.3f}; arrivals were up to {max(late):.1f} ms late; "
        f"{health.by_arrival} of {PRESSES} edges stamped by arrival"
    )
    return max(errors)


BENCH = Bench(
    "ms",
    2.0,
    measure,
    "a press through a button box on a cable against its true time: worst of 150, two busy cores",
    lambda: _seen.get("beside", ""),
)
