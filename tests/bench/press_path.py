"""One press from its edge to a new snapshot, with the journal on disk."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from kiosk.domain.types import Instant
from kiosk.journal import open_journal
from tests.bench.figures import Bench
from tests.bench.tables import MS, S, VirtualTable, alternate

PRESSES = 1_000


def measure() -> float:
    spent: list[int] = []
    with tempfile.TemporaryDirectory(prefix="tableside-bench-") as folder:
        journal, _ = open_journal(Path(folder) / "journal.db", boot="bench", wall=lambda: (0, False))
        table = VirtualTable(journal)
        for _, line in zip(range(PRESSES), alternate(), strict=False):
            at = table.now + 5 * S
            table.now = at
            table.table.turn(at - 1)  # the second's health check is no part of a press
            began = time.perf_counter_ns()
            table.box.drive(line, True, at)
            table.table.turn(at)
            table.session.snapshot(Instant(at))
            spent.append(time.perf_counter_ns() - began)
            table.now = at + 80 * MS
            table.box.drive(line, False, table.now)
            table.table.turn(table.now)
        journal.close()
    return statistics.median(spent) / MS


BENCH = Bench("ms", 0.5, measure, "one press through debounce, session and snapshot (median)")
