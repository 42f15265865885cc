"""A simulated hall: many tables in one process, each a real session and journal with a real courier and outbox, over the real protocol.

Only the people are made up (`kiosk.app.crowd_play`). A table joins with a code like any other, offers what the organizer assigns to it,
obeys the desk's orders, and answers them. Its clocks run in real time; `speed` shortens what people take between their acts.
"""

from __future__ import annotations

import heapq
import secrets
import threading
import time
from dataclasses import dataclass
from functools import lru_cache, partial
from queue import Empty, SimpleQueue
from random import Random
from typing import TYPE_CHECKING
from uuid import UUID

from kiosk import __version__
from kiosk.app.clocks import Clocks
from kiosk.app.courier import Courier, Keeping
from kiosk.app.crowd_play import NextMatch, Press, Ruled, next_wish
from kiosk.app.logs import log
from kiosk.app.membership import Membership
from kiosk.app.offers import Offers
from kiosk.app.order_book import OrderBook
from kiosk.app.orders import DeskHall, obey
from kiosk.domain.errors import CommandRefused
from kiosk.domain.facts import MatchOpened, MessageRead
from kiosk.domain.setup import Options, resolve
from kiosk.domain.types import NS_PER_S, Instant, Pair
from kiosk.journal import MemoryJournal
from kiosk.session import Session
from kiosk.session import commands as c
from kiosk.sync import proof
from kiosk.sync.enrol import Applicant, enrol

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kiosk.app.crowd_play import Wish
    from kiosk.books import Library
    from kiosk.domain.facts import Fact
    from kiosk.domain.state import Table
    from kiosk.sync.transport import Address

NAMES = (
    "Ana", "Boris", "Vesna", "Goran", "Dina", "Emil", "Zora", "Ivan", "Jana", "Kiril", "Lena", "Marko", "Nina", "Oleg", "Petra", "Rade",
    "Sara", "Toma", "Una", "Filip", "Hana", "Cvetan", "Ђорђе", "Љубица", "Марія", "Николай", "Оксана", "Ирина", "Данило",
)  # fmt: skip
FAMILIES = (
    "Horvat",
    "Petrov",
    "Novak",
    "Bondar",
    "Ilić",
    "Kovač",
    "Lysenko",
    "Marin",
    "Orlov",
    "Popov",
    "Стоянова",
    "Ткаченко",
    "Шевченко",
)
RULEBOOKS = ("ibgf", "ibgf", "ibgf", "rus-long")
LENGTHS = (3, 5, 7)
SMALL_STACK = 256 * 1024
"""Bytes of a thread's stack: a table has two."""
LONGEST_WAIT_S = 0.2
SHORTEST_S = 0.2
"""Nobody acts faster: a press that follows the other at once is taken for a bounce."""


@dataclass(frozen=True)
class Hall:
    """What all tables of a crowd share."""

    library: Library
    folder: Path
    """Where each keeps what it is offered."""
    speed: float
    wake: Callable[[int], None]
    """Wakes the loop for a table, from any thread."""


class SimulatedTable:
    """One table with its two players."""

    def __init__(self, number: int, joined: Membership, hall: Hall, rng: Random) -> None:
        """Switch it on.

        Args:
            number: Its place in the crowd.
            joined: What it is to the server.
            hall: What it shares with the others.
            rng: Chance.
        """
        self.number = number
        self._rng = rng
        self._hall = hall
        boot = f"crowd-{joined.device}"
        wall = _wall
        self.journal = MemoryJournal(boot=boot, wall=wall)
        self.session = Session(self.journal, [self._hear])
        folder = hall.folder / joined.device
        folder.mkdir()
        self.offers = Offers(folder, hall.library, boot, wall, time.monotonic_ns())
        self._desk = DeskHall(self.offers, joined.table)
        book = OrderBook(None, joined.server)
        self.courier = Courier(joined, self.journal, Clocks(boot, wall), book=book, keeping=Keeping(), wake=partial(hall.wake, number))
        self.next_ns = time.monotonic_ns() + int(rng.uniform(0, 10) / hall.speed * NS_PER_S)
        self._wish: Wish | None = None

    @property
    def unsynced(self) -> int:
        """Entries that the server has not confirmed."""
        return max(0, self.journal.state().accepted - self.courier.standing().confirmed)

    def due(self) -> int:
        """When it is to be turned next."""
        deadline = self.session.deadline()
        return self.next_ns if deadline is None else min(self.next_ns, deadline)

    def turn(self, now: int) -> None:
        """Do what is to be done by now.

        Args:
            now: Nanoseconds of the monotonic clock.
        """
        while (order := self.courier.take()) is not None:
            self.courier.tell(order, obey(order, self.session, Instant(now), self._desk))
        self.session.tick(Instant(now))
        if now >= self.next_ns:
            if self._wish is not None:
                self._do(self._wish, now)
            wait, self._wish = next_wish(self.session, self._rng, self._hall.speed)
            self.next_ns = now + int(max(wait / self._hall.speed, SHORTEST_S) * NS_PER_S)
        self.courier.nudge()

    def _do(self, wish: Wish, now: int) -> None:
        at = Instant(now)
        try:
            match wish:
                case Press(side):
                    if self.session.table.hall.pause is None:
                        self.session.press(side, at)
                case Ruled(official, command):
                    self.session.command_as(official, command, at, match=self.session.table.match)
                case NextMatch():
                    self.session.command(self._next_match(), at)
                case _:
                    self.session.command(wish, at)
        except CommandRefused as refused:  # the table has moved on meanwhile, by an order for one
            log.debug("Table %d: %s", self.number, refused)

    def _next_match(self) -> c.OpenMatch:
        offered = self.offers.all(self._desk.table)
        if offered:
            return c.OpenMatch(offered[0].match, offered[0].setup, offered[0].place)
        rng = self._rng
        players: Pair[tuple[str, ...]] = Pair((_name(rng),), (_name(rng),))
        setup = resolve(self._hall.library.load(rng.choice(RULEBOOKS)), Options(length=rng.choice(LENGTHS), players=players))
        return c.OpenMatch(UUID(int=rng.getrandbits(128)).hex, setup)

    def _hear(self, fact: Fact, _table: Table) -> None:
        if isinstance(fact, MessageRead):
            self.courier.message_read(fact.n)
        elif isinstance(fact, MatchOpened):
            self.offers.opened(fact.match)


class Crowd:
    """Many tables, turned by one loop."""

    def __init__(self, library: Library, folder: Path, *, speed: float, seed: int) -> None:
        """Nobody is there yet.

        Args:
            library: The rulebooks.
            folder: Where tables keep what they are offered.
            speed: How many times faster than people these are.
            seed: For chance.
        """
        self._ready: SimpleQueue[int] = SimpleQueue()
        self._hall = Hall(library, folder, speed, self._ready.put)
        self._seed = seed
        self._stop = False
        self.tables: list[SimulatedTable] = []

    def join(self, address: Address, code: str, count: int, first: int, told: Callable[[int], None] = lambda _n: None) -> None:
        """Have every table join, and start.

        Args:
            address: The server's.
            code: A code that is good for all of them.
            count: How many.
            first: The number that the first one is called.
            told: Told how many have joined.

        Raises:
            KioskError: One could not.
        """
        stretch = lru_cache(1)(proof.code_key)
        before = threading.stack_size(SMALL_STACK)
        try:
            for number in range(first, first + count):
                if self._stop:
                    return
                applicant = Applicant(secrets.token_hex(16), str(number), __version__)
                enrolled = enrol(address, code, applicant, secrets.token_hex(16), stretch)
                answer = enrolled.answer
                joined = Membership(
                    address.url, enrolled.fingerprint, applicant.device, answer.secret, answer.server, answer.key, answer.table, answer.name
                )
                table = SimulatedTable(len(self.tables), joined, self._hall, Random(f"{self._seed} {number}"))  # noqa: S311 - play
                self.tables.append(table)
                table.courier.start()
                told(len(self.tables))
        finally:
            threading.stack_size(before)

    def stop(self) -> None:
        """End the loop at its next turn; safe in a signal handler."""
        self._stop = True

    def run(self, until_ns: int | None = None) -> None:
        """Play.

        Args:
            until_ns: Until when on the monotonic clock; None: until stopped.
        """
        due = [(table.due(), table.number) for table in self.tables]
        heapq.heapify(due)
        while not self._stop and (until_ns is None or time.monotonic_ns() < until_ns):
            now = time.monotonic_ns()
            if due and due[0][0] <= now:
                table = self.tables[heapq.heappop(due)[1]]
                table.turn(now)
                heapq.heappush(due, (max(table.due(), now + 1_000_000), table.number))
                continue
            wait = min(LONGEST_WAIT_S, max(0.001, (due[0][0] - now) / NS_PER_S)) if due else LONGEST_WAIT_S
            for number in self._woken(wait):
                self.tables[number].turn(time.monotonic_ns())

    def _woken(self, wait_s: float) -> set[int]:
        """Tables for which something has come."""
        found: set[int] = set()
        try:
            found.add(self._ready.get(timeout=wait_s))
            while len(found) < len(self.tables):
                found.add(self._ready.get_nowait())
        except Empty:
            pass
        return found

    def settle(self, timeout_s: float) -> int:
        """Wait until the server has confirmed everything.

        Returns:
            How many entries it has not, in the end.
        """
        until = time.monotonic() + timeout_s
        while (left := sum(table.unsynced for table in self.tables)) and time.monotonic() < until:
            for table in self.tables:
                table.courier.nudge()
            self._woken(0.05)
        return left

    def close(self) -> None:
        """Switch every table off."""
        for table in self.tables:
            table.courier.stop(0)

    def recorded(self) -> int:
        """How many entries all tables have."""
        return sum(table.journal.state().accepted for table in self.tables)


def _wall() -> tuple[int, bool]:
    return time.time_ns(), True


def _name(rng: Random) -> str:
    return f"{rng.choice(NAMES)} {rng.choice(FAMILIES)}"
