"""A table switched on again over a long night's journal, which also must not charge anybody for it."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from kiosk.app.power import switch_on
from kiosk.domain.types import Instant, Side, present
from kiosk.journal import open_journal
from tests.bench.figures import Bench, CannotMeasure
from tests.bench.tables import S, alternate, open_match

if TYPE_CHECKING:
    from kiosk.domain.clock import Clock
    from kiosk.session import Session

FACTS = 20_000
"""All of one open match: the hardest case, since every one of them is replayed."""

FAR_AHEAD = 100 * 3600 * S
"""The first boot had been on for long: its instants must not become anybody's present."""


def _no_date() -> tuple[int, bool]:
    return 0, False


def _first_boot(path: Path) -> None:
    journal, _ = open_journal(path, boot="first", wall=_no_date)
    switch_on(journal, 0, _no_date(), "first").wall_clock_trusted(Instant(FAR_AHEAD))
    journal.close()


def _play(session: Session, facts: int, start: int) -> None:
    session.command(open_match(8 * S), Instant(start))
    for turn, line in zip(range(1, facts), alternate(), strict=False):
        session.press(Side(line), Instant(start + turn * 2 * S))


def _second_boot(path: Path) -> Clock:
    journal, _ = open_journal(path, boot="second", wall=_no_date)
    session = switch_on(journal, 0, _no_date(), "second")
    _play(session, FACTS - 1, S)
    complete = journal.flush(60) and journal.state().accepted == FACTS
    journal.close()
    if not complete:
        raise CannotMeasure("the journal could not be filled.")
    return present(session.table.clock)


def measure() -> float:
    with tempfile.TemporaryDirectory(prefix="tableside-bench-") as folder:
        path = Path(folder) / "journal.db"
        _first_boot(path)
        before = _second_boot(path)
        began = time.perf_counter()
        journal, _ = open_journal(path, boot="third", wall=_no_date)
        session = switch_on(journal, 5 * S, _no_date(), "third")
        spent = time.perf_counter() - began
        journal.close()
    after = session.table.clock
    if session.table.match != "bench" or after is None or (after.reserve, after.flags) != (before.reserve, ()):
        raise CannotMeasure("the match was not taken up as it was left.")
    return spent


BENCH = Bench("s", 1, measure, "a journal of 20,000 facts, all of one open match, opened and taken up")
