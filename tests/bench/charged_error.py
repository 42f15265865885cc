"""Charged time against the stamps, with both cores busy and a loop that stalls for half a second again and again."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from contextlib import ExitStack

from hardware import SimulatedBox, SourceKeeper
from kiosk.app.table import RunningTable
from kiosk.domain.types import Instant
from kiosk.journal import MemoryJournal
from kiosk.session import Session
from tests.bench.figures import Bench, CannotMeasure
from tests.bench.tables import MS, Account, alternate, open_match

PRESSES = 24
DELAY = 40 * MS
STALL_S = 0.5
BUSY = "while True: pass"


def _drive(box: SimulatedBox, account: Account) -> None:
    """A button's thread: the stamp is taken at the edge, whatever the loop does meanwhile."""
    for _, line in zip(range(PRESSES), alternate(), strict=False):
        time.sleep(0.11)
        stamp = time.monotonic_ns()
        box.drive(line, True, stamp)
        account.press(line, stamp)
        time.sleep(0.04)
        box.drive(line, False, time.monotonic_ns())


def measure() -> float:
    account = Account(DELAY)
    box = SimulatedBox()
    keeper = SourceKeeper(box.source)
    session = Session(MemoryJournal())
    table = RunningTable(session, keeper)
    start = time.monotonic_ns()
    keeper.start(start)
    table.start(start)
    session.command(open_match(DELAY), Instant(start))
    hand = threading.Thread(target=_drive, args=(box, account))
    with ExitStack() as work:
        for _ in range(2):
            busy = work.enter_context(subprocess.Popen([sys.executable, "-c", BUSY]))
            work.callback(busy.kill)
        hand.start()
        while hand.is_alive():
            table.turn(time.monotonic_ns())
            time.sleep(STALL_S)
        hand.join()
        table.turn(time.monotonic_ns())
    keeper.close()
    if account.turns != PRESSES - 1 or account.left + account.right == 0:
        raise CannotMeasure("the presses did not charge anything.")
    return account.error(session)


BENCH = Bench("ns", 0, measure, "charged time against the stamps: two busy cores, a loop that stalls 500 ms")
