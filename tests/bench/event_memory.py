"""The workbook of a whole event: what it holds in memory."""

from __future__ import annotations

from tests.bench.events import event, exported
from tests.bench.figures import Bench


def measure() -> float:
    with event() as journal:
        return exported(journal)[1]


BENCH = Bench("MB", 200, measure, "the most memory that this export holds")
