"""What the kiosk's process holds in memory once it is ready."""

from __future__ import annotations

from tests.bench.figures import Bench
from tests.bench.processes import resident_mb, running_table


def measure() -> float:
    with running_table() as (process, _):
        return resident_mb(process.pid)


BENCH = Bench("MB", 60, measure, "resident memory of kiosk run --simulate --no-screen when ready")
