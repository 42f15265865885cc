"""What the kiosk's process holds in memory once it is ready."""

from __future__ import annotations

from pathlib import Path

from tests.bench.figures import Bench, CannotMeasure
from tests.bench.processes import running_table


def measure() -> float:
    with running_table() as (process, _):
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    for line in status.splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024 / 1e6
    raise CannotMeasure("this system does not say how much memory a process holds.")


BENCH = Bench("MB", 60, measure, "resident memory of kiosk run --simulate --no-screen when ready")
