"""What went wrong: a replay let a long first boot's instants become a later match's present, and a side lost 20 hours of reserve."""

from __future__ import annotations

from kiosk.books import Library
from kiosk.domain.setup import Options, resolve
from kiosk.domain.types import Instant, Pair, Side, seconds
from kiosk.journal import MemoryJournal
from kiosk.session import Session
from kiosk.session import commands as c

HOUR = seconds(3600)


def _open(session: Session, match: str, at: int) -> None:
    setup = resolve(Library().load("ibgf"), Options(length=5, players=Pair(("A",), ("B",))))
    session.command(c.OpenMatch(match, setup), Instant(at))


def test_a_match_on_a_young_boot_is_restored_without_the_old_boots_hours() -> None:
    journal = MemoryJournal(boot="old")
    session = Session(journal)
    session.press(Side.LEFT, Instant(20 * HOUR))  # before any match: recorded, and nothing follows it at the next start
    journal = journal.survivor("young")
    session = Session(journal)
    session.restore(list(journal.rows()), Instant(seconds(5)), last_beat=None, off=None)
    _open(session, "evening", seconds(10))
    session.press(Side.RIGHT, Instant(seconds(20)))
    session.beat(Instant(seconds(27)))
    journal = journal.survivor("third")
    session = Session(journal)
    session.restore(list(journal.rows()), Instant(seconds(3)), last_beat=Instant(seconds(27)), off=None)
    clock = session.table.clock
    assert clock is not None
    assert (clock.reserve.left, clock.used.left) == (seconds(600), seconds(7))
