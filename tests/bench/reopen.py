"""A table switched on again over a long evening's journal."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from kiosk.app.power import switch_on
from kiosk.domain.types import Instant, Side
from kiosk.journal import open_journal
from kiosk.session import Session
from tests.bench.figures import Bench, CannotMeasure
from tests.bench.tables import S, alternate, open_match

FACTS = 20_000


def _no_date() -> tuple[int, bool]:
    return 0, False


def _fill(path: Path) -> None:
    journal, _ = open_journal(path, boot="before", wall=_no_date)
    session = Session(journal)
    session.command(open_match(8 * S), Instant(0))
    for number, line in zip(range(1, FACTS), alternate(), strict=False):
        session.press(Side(line), Instant(number * 2 * S))
    complete = journal.flush(60) and journal.state().accepted == FACTS
    journal.close()
    if not complete:
        raise CannotMeasure("the journal could not be filled.")


def measure() -> float:
    with tempfile.TemporaryDirectory(prefix="tableside-bench-") as folder:
        path = Path(folder) / "journal.db"
        _fill(path)
        began = time.perf_counter()
        journal, _ = open_journal(path, boot="after", wall=_no_date)
        session = switch_on(journal, 5 * S, _no_date(), "after")
        spent = time.perf_counter() - began
        journal.close()
        if session.table.match != "bench":
            raise CannotMeasure("the match was not taken up.")
    return spent


BENCH = Bench("s", 1, measure, "a journal of 20,000 facts, opened and taken up")
