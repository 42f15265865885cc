"""Simulated tables that play whole matches in no time, over the real protocol: each joins by a code, hears its orders, sends what it has.

Session, journal, offers and courier are the product's; a table's own clock is simulated, so that a match of minutes takes milliseconds.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from kiosk.app.clocks import Clocks
from kiosk.app.courier import Courier, Keeping
from kiosk.app.membership import Membership
from kiosk.app.offers import Offers
from kiosk.app.order_book import OrderBook
from kiosk.app.orders import DeskHall, obey
from kiosk.books import Library
from kiosk.domain.facts import Fact, MatchOpened
from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import Kind
from kiosk.domain.state import Table
from kiosk.domain.types import NS_PER_S, Instant, Side, seconds
from kiosk.journal.memory import MemoryJournal
from kiosk.session import Session
from kiosk.session import commands as c
from kiosk.sheets.walk import ScoreSheet, parts, sheet_of
from kiosk.sheets.when import offsets
from kiosk.sync import proof, wire
from kiosk.sync.enrol import Applicant, enrol
from tests.server.served import Served

CHIEF = Official("Ivan", Role.CHIEF)
DATE = 1_700_000_000 * NS_PER_S
"""The date when every table was switched on."""
PATIENCE_S = 60.0


class EventTable:
    """One table with whoever sits there."""

    def __init__(self, name: str, joined: Membership, library: Library, folder: Path, wake: Callable[[], None]) -> None:
        self.name = name
        self.now = seconds(10)
        boot = f"boot of table {name}"
        self.journal = MemoryJournal(boot=boot, wall=self._wall)
        self.session = Session(self.journal, [self._hear])
        folder.mkdir()
        self.offers = Offers(folder, library, boot, self._wall, 0)
        self._hall = DeskHall(self.offers, name)
        clocks = Clocks(boot, self._wall, told=lambda: wire.Moment(boot, self.now, DATE + self.now, True))
        self.courier = Courier(joined, self.journal, clocks, book=OrderBook(None, joined.server), keeping=Keeping(), wake=wake)
        self.courier.start()

    def _wall(self) -> tuple[int, bool]:
        return DATE + self.now, True

    def _hear(self, fact: Fact, _table: Table) -> None:
        if isinstance(fact, MatchOpened):
            self.offers.opened(fact.match)

    # ── Its server ───────────────────────────────────────────────────────────
    def obey(self) -> None:
        """Do what was ordered, and send what is new."""
        while (order := self.courier.take()) is not None:
            self.courier.tell(order, obey(order, self.session, Instant(self.now), self._hall))
        self.courier.nudge()

    @property
    def offered(self) -> list[str]:
        """The matches that wait here."""
        return [offer.match for offer in self.offers.all(self.name)]

    @property
    def confirmed(self) -> bool:
        """Whether the server has everything."""
        return self.courier.standing().confirmed >= self.journal.state().accepted

    # ── Its players ──────────────────────────────────────────────────────────
    def do(self, command: c.Command, after_s: float = 1) -> None:
        """Somebody does something, so many seconds after what was before."""
        self.now += seconds(after_s)
        self.session.command(command, Instant(self.now))

    def press(self, side: Side) -> None:
        """Somebody presses his clock."""
        self.now += seconds(2)
        self.session.press(side, Instant(self.now))

    def open(self, match: str, *, turned: bool = False) -> None:
        """The players sit down, perhaps the other way round than was planned."""
        (offer,) = [offer for offer in self.offers.all(self.name) if offer.match == match]
        self.do(c.OpenMatch(offer.match, offer.setup, offer.place), 60)
        if turned:
            self.do(c.SwapSeats())

    def game(self, winner: Side, kind: Kind = Kind.SINGLE) -> None:
        """A game of few presses."""
        for side in (winner, winner.other, winner):
            self.press(side)
        self.do(c.RecordGame(winner, kind, 1))
        self.do(c.ConfirmGame(winner.other))

    def finish(self, winner: Side) -> None:
        """Play until somebody has won, and sign."""
        while self.session.table.ended is None:
            self.game(winner)
        self.sign()

    def sign(self) -> None:
        """Both sign."""
        for side in Side:
            self.do(c.Sign(side, protest=False))

    def as_chief(self, *acts: c.Command) -> None:
        """The chief referee comes, does something and goes."""
        for act in (c.SignIn(CHIEF), *acts, c.SignOut()):
            self.do(act, 5)

    def played(self) -> Iterator[ScoreSheet]:
        """Every match in the journal, as the kiosk itself would export it."""
        for n, part in enumerate(parts(self.journal.rows()), 1):
            yield sheet_of(part, n, offsets(self.journal.rows()))


class Tables:
    """The tables of a hall, turned by whoever drives the event."""

    def __init__(self, server: Served, code: str, count: int, folder: Path) -> None:
        self._woken: SimpleQueue[str] = SimpleQueue()
        self._server = server
        library, stretch = Library(), lru_cache(1)(proof.code_key)
        self.by_name: dict[str, EventTable] = {}
        for name in (str(n) for n in range(1, count + 1)):
            applicant = Applicant(secrets.token_hex(16), name, "1.0")
            enrolled = enrol(server.address, code, applicant, secrets.token_hex(16), stretch)
            told = enrolled.answer
            joined = Membership(
                server.url, enrolled.fingerprint, applicant.device, told.secret, told.server, told.key, told.table, told.name
            )
            self.by_name[name] = EventTable(name, joined, library, folder / name, lambda name=name: self._woken.put(name))  # type: ignore[misc]

    def __iter__(self) -> Iterator[EventTable]:
        return iter(self.by_name.values())

    def until(self, done: Callable[[], Any]) -> None:
        """Let the tables hear and send until something is so."""
        end = time.monotonic() + PATIENCE_S
        for table in self:
            table.obey()
        while not done():
            assert time.monotonic() < end, "the tables wait for something that does not come"
            try:
                names = {self._woken.get(timeout=0.2)}
                while True:
                    names.add(self._woken.get_nowait())
            except Empty:
                pass
            for name in names:
                self.by_name[name].obey()

    def settle(self) -> None:
        """Wait until the server has everything, and has worked it out."""
        self.until(lambda: all(table.confirmed for table in self))
        assert self._server.house.intake.projections.settled(PATIENCE_S)

    def close(self) -> None:
        """Switch them off."""
        for table in self:
            table.courier.stop(0)
