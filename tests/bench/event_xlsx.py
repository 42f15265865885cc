"""The workbook of a whole event: how long it takes."""

from __future__ import annotations

from tests.bench.events import event, exported
from tests.bench.figures import Bench


def measure() -> float:
    with event() as journal:
        return exported(journal)[0]


BENCH = Bench("s", 10, measure, "kiosk export all: 200 matches of 11 games as one workbook, the journal read from disk")
