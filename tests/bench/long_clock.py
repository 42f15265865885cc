"""A clock that has run for twelve hours: every nanosecond must be where the presses and stops put it."""

from __future__ import annotations

from kiosk.domain.facts import StopReason
from kiosk.domain.types import Instant
from kiosk.journal import MemoryJournal
from kiosk.session.commands import Resume, StopClock
from tests.bench.figures import Bench
from tests.bench.tables import MS, Account, S, VirtualTable, alternate, gaps

PRESSES = 20_000
HOURS = 12
DELAY = 1_500 * MS
STOP_EVERY = 500
STOPPED = 20 * S
SEED = 12


def measure() -> float:
    table = VirtualTable(MemoryJournal(), DELAY)
    account = Account(DELAY)
    at = table.now
    for turn, (line, gap) in enumerate(zip(alternate(), gaps(PRESSES, HOURS * 3600 * S, 200 * MS, SEED), strict=False), start=1):
        if turn % STOP_EVERY == 0:
            at = _stop(table, account, at + gap // 2)
        at += gap
        table.press(line, at)
        account.press(line, at)
    return account.error(table.session)


def _stop(table: VirtualTable, account: Account, at: int) -> int:
    at = max(at, table.now)
    table.session.command(StopClock("left", StopReason.DICE), Instant(at))
    account.stop(at)
    table.session.command(Resume(), Instant(at + STOPPED))
    account.resume(at + STOPPED)
    return at + STOPPED


BENCH = Bench("ns", 0, measure, "12 virtual hours and 20,000 presses against independent arithmetic")
