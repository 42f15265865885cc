"""What a table has of the hall, put together: its link to the server, the organizer's matches, and who obeys the desk's orders."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from kiosk.app.barred import barred_words, stops_for
from kiosk.app.clocks import Clocks
from kiosk.app.link import Link
from kiosk.app.offers import Offers
from kiosk.app.orders import DeskHall, obey
from kiosk.app.system import boot_id
from kiosk.domain.facts import MatchOpened, MatchTakenOver, MessageRead, MessageShown
from kiosk.domain.types import Instant, Side
from kiosk.session import commands as c
from kiosk.sync.wire import ShowMessage

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.app.config import Config
    from kiosk.app.membership import Membership
    from kiosk.app.system import WallClock
    from kiosk.books import Library
    from kiosk.domain.facts import Fact
    from kiosk.domain.state import Table
    from kiosk.ports import Journal
    from kiosk.session import Session
    from kiosk.sync.wire import Order, OrderAnswer


class Ears:
    """Listens to a session for what the server wants to know; whoever listens comes later."""

    def __init__(self) -> None:
        """Nobody listens yet."""
        self.on_fact: Callable[[Fact], None] = lambda _fact: None

    def hear(self, fact: Fact, _table: Table) -> None:
        """Something happened."""
        self.on_fact(fact)


class Hall:
    """The hall as one table has it."""

    def __init__(
        self, config: Config, session: Session, journal: Journal, library: Library, *, wall: WallClock, now: int, wake: Callable[[], None]
    ) -> None:
        """Put the parts together; nothing goes over the network before the link's first turn.

        Args:
            config: The table's configuration.
            session: The table.
            journal: Its journal.
            library: The rulebooks that it knows.
            wall: The date.
            now: Nanoseconds of the monotonic clock.
            wake: Wakes the loop, from any thread.
        """
        self._session = session
        self._own_name = config.table
        self._unread = {message.n: ShowMessage(message.by, message.text) for message in session.table.hall.messages}
        self._wake, self._disk = wake, ThreadPoolExecutor(1, "offers")
        self.offers = Offers(config.data, library, boot_id(), wall, now, beside=self._beside)
        """The organizer's matches for this table."""
        self.link = Link(config.data, journal, Clocks(boot_id(), wall), wake)
        """Its connection."""
        self.desk = DeskHall(self.offers, config.table, rename=self._rename, fetch_roster=self.link.fetch_roster)
        """What orders are about."""
        self.on_named: Callable[[str], None] = lambda _name: None
        """Told what this table is called, whenever that changes."""
        self.link.obey = self._obey
        self.link.changes, self.link.settled = lambda: self.offers.count, self.offers.settled
        self.link.players = self._players
        self.link.on_joined = self._joined
        self.link.on_barred = self._barred

    def close(self) -> None:
        """Let what is being written come to its end, then part from the server."""
        self._disk.shutdown()
        self.link.close()

    def _beside(self, job: Callable[[], None]) -> None:
        """Write on the thread beside the loop, which is woken afterwards."""
        self._disk.submit(job).add_done_callback(lambda _done: self._wake())

    def hear(self, fact: Fact) -> None:
        """A fact of this table's that the server waits for, or that takes a match from those that are offered."""
        if isinstance(fact, MessageShown):
            self._unread[fact.n] = ShowMessage(fact.by, fact.text)
        elif isinstance(fact, MessageRead):
            self.link.message_read(fact.n, self._unread.pop(fact.n, None))
        elif isinstance(fact, MatchOpened):
            self.offers.opened(fact.match)
            self.link.opened(fact.match)
        elif isinstance(fact, MatchTakenOver):
            self.link.opened(self._session.table.match or "")

    def _obey(self, order: Order, now: int) -> OrderAnswer:
        return obey(order, self._session, Instant(now), self.desk)

    def _rename(self, name: str) -> None:
        self.link.rename(name)

    def _joined(self, joined: Membership | None) -> None:
        name = self._own_name if joined is None else joined.table
        self.desk.table = name
        self.on_named(name)

    def _barred(self, why: str, now: int) -> None:
        """Another device goes on with the match: the clocks stop here, once, until an official lets them run again."""
        if stops_for(why, self._session.table):
            self._session.command(c.PauseHall(None, barred_words(why)), Instant(now))

    def _players(self, match: str) -> tuple[str, ...]:
        table = self._session.table
        if table.setup is None or table.match != match:
            return ()
        return (*table.setup.players[Side.LEFT], *table.setup.players[Side.RIGHT])
