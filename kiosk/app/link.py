"""The table's end of its connection to a tournament server: the loop calls `turn` at every turn, the screen `state` at every frame.

It looks whether the table has joined a server (also while it runs: `kiosk server join` counts within a second), starts a `Courier` for
it, hands the server's orders to whoever obeys them, and tells what became of them. Everything that may take long, the first reading of kept
files included, happens on other threads; the HTTP client is imported there too.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from kiosk.app import hall_roster, membership, missing
from kiosk.app.logs import log
from kiosk.domain.errors import KioskError, Refusal
from kiosk.domain.types import NS_PER_S, Instant
from kiosk.ports import Earlier, LinkState

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kiosk.app.clocks import Clocks
    from kiosk.app.courier import Courier
    from kiosk.app.membership import Membership
    from kiosk.ports import Journal
    from kiosk.sync.wire import Order, OrderAnswer, Receipt, ShowMessage

LOOK_NS = NS_PER_S
"""How often it is looked whether this table has joined or left a server."""

LONGEST_ADDRESS = 200
"""Characters of an address that people are shown."""

LAST_S = 1.0
"""So long the last entries may take to the server when the table is left, while it is connected."""

ORDERS_A_TURN = 20
"""So many orders are done in one turn of the loop; presses come in between."""


@dataclass(frozen=True, slots=True)
class _Untold:
    """An order that was obeyed or refused, and not answered yet."""

    courier: Courier
    """It brought the order, and gets the answer."""
    order: Order
    answer: OrderAnswer
    change: int
    """What it changed in a file beside the journal; 0: nothing."""


class Link:
    """A table's connection, `kiosk.ports.Uplink`; all but the threads behind it belongs to the loop."""

    def __init__(self, folder: Path, journal: Journal, clocks: Clocks, wake: Callable[[], None]) -> None:
        """Nothing is looked at yet.

        Args:
            folder: The data folder.
            journal: What is to be sent.
            clocks: The table's.
            wake: Wakes the loop, from any thread.
        """
        self._folder = folder
        self._journal = journal
        self._clocks = clocks
        self._wake = wake
        self._courier: Courier | None = None
        self._seen: tuple[tuple[int, ...], ...] | None = None
        self._looked: int | None = None
        self._beginning: threading.Thread | None = None
        self._fault = ""
        self._gone = ""
        """What is missing in the journal or damaged beside it, in sentences."""
        self._unheld: tuple[Receipt, ...] = ()
        """Evidence that is not on disk yet; no receipt is kept before it is."""
        self._known = False
        self.obey: Callable[[Order, int], OrderAnswer] | None = None
        """Does an order on the loop's thread; set before the first turn."""
        self.changes: Callable[[], int] = lambda: 0
        """The number of the last change that an order made in a file beside the journal."""
        self.settled: Callable[[int], KioskError | bool] = lambda _change: True
        """Whether such a change is on disk; a fault: it is taken back."""
        self._untold: list[_Untold] = []
        self.players: Callable[[str], tuple[str, ...]] = lambda _match: ()
        """Who plays a match of this table's."""
        self.on_joined: Callable[[Membership | None], None] = lambda _joined: None
        """Told on the loop's thread when the table has joined, left or was renamed."""
        self.on_barred: Callable[[str, int], None] = lambda _why, _now: None
        """Told on the loop's thread, once, that the server does not know this device any more, and why."""
        self._barred = ""
        self._joined: Membership | None = None
        self._told: Membership | None = None

    # ── For the loop ─────────────────────────────────────────────────────────
    name = "server"

    def next_wake(self, _now: int) -> int | None:
        """Its threads wake the loop."""
        return None

    def turn(self, now: int) -> None:
        """Do what is to be done; never waits.

        Args:
            now: Nanoseconds of the monotonic clock.
        """
        if self._looked is None or now - self._looked >= LOOK_NS:
            self._looked = now
            self._look()
        if self._told != self._joined:
            self._told = self._joined
            self.on_joined(self._joined)
        courier = self._courier
        if courier is None:
            return
        if courier.standing().barred != self._barred:
            self._barred = courier.standing().barred
            self.on_barred(self._barred, now)
        courier.nudge()
        self._tell()
        for _turn in range(ORDERS_A_TURN):
            order = courier.take() if self.obey is not None else None
            if order is None or self.obey is None:
                return
            before = self.changes()
            answer = self.obey(order, now)
            self._untold.append(_Untold(courier, order, answer, 0 if self.changes() == before else self.changes()))
            self._tell()
        self._wake()  # there may be more

    def _tell(self) -> None:
        """Tell what became of orders whose traces are on disk; the others wait in their order."""
        left: list[_Untold] = []
        for one in self._untold:
            kept = self.settled(one.change)
            if kept is False:
                left.append(one)
            elif kept is True:
                one.courier.tell(one.order, one.answer)
            else:
                refused = replace(one.answer, done=False, code=Refusal.BAD_VALUE, sentence=str(kept), read=False)
                one.courier.tell(one.order, refused)
        self._untold = left

    def message_read(self, n: int, message: ShowMessage | None = None) -> None:
        """Somebody at the table has read a message.

        Args:
            n: The number under which it was shown.
            message: What it said: another server's messages have numbers of their own.
        """
        if self._courier is not None:
            self._courier.message_read(n, message)

    def fetch_roster(self, _version: str = "") -> None:
        """The officials have changed: fetch them, beside the loop."""
        if self._courier is not None:
            self._courier.fetch_roster()

    def rename(self, table: str) -> None:
        """The table is called otherwise from now on; it is kept beside the loop."""
        if self._joined is not None:
            self._joined = replace(self._joined, table=table)
            threading.Thread(target=partial(self._keep, self._joined), name="rename", daemon=True).start()

    def opened(self, match: str) -> None:
        """A match is on this table: if it is the one that waited to be taken over, it waits no more; that is kept beside the loop."""
        if self._joined is not None and self._joined.takes_over == match:
            self._joined = replace(self._joined, takes_over="")
            threading.Thread(target=partial(self._keep, self._joined), name="taken over", daemon=True).start()

    def close(self) -> None:
        """Stop, and keep what is new; what was accepted last still goes to the server, if it is there."""
        if self._beginning is not None:
            self._beginning.join(1)
        self._tell()
        if self._courier is not None:
            self._courier.finish(LAST_S)
            self._courier.stop()

    # ── The port ─────────────────────────────────────────────────────────────
    def state(self) -> LinkState:
        """How it stands."""
        joined, courier = self._joined, self._courier
        if joined is None or courier is None:
            return LinkState(trouble=" ".join(filter(None, (self._fault, self._gone))))
        standing = courier.standing()
        unsynced = max(0, self._journal.state().accepted - standing.confirmed)
        event = joined.event if standing.greeting is None else standing.greeting.name
        return LinkState(
            joined=True,
            connected=standing.connected,
            since=Instant(standing.since_ns),
            unsynced=unsynced,
            event=event,
            trouble=" ".join(filter(None, (standing.trouble, self._gone))),
            table=joined.table,
            takes_over=joined.takes_over,
            address=joined.url if standing.greeting is None else _board(standing.greeting.board) or joined.url,
        )

    def earlier(self, match: str) -> tuple[Earlier, ...] | None:
        """Earlier rulings of this event on a match's players; None: not known."""
        players = self.players(match)
        found = self._courier.earlier(players) if self._courier is not None and players else None
        if found is None:
            return None
        return tuple(
            Earlier(r.player, r.table, r.match, r.at_ns, r.infraction, r.sanction, r.by, r.note) for r in found if r.match != match
        )

    # ── Joining and leaving ──────────────────────────────────────────────────
    def _look(self) -> None:
        """Whether a file about the server, or about what is missing, is another one than before."""
        seen = tuple(_stamp(self._folder / name) for name in (membership.SERVER, missing.FILE, membership.DEVICE))
        if seen == self._seen or (self._beginning is not None and self._beginning.is_alive()):
            return
        first, self._seen = self._seen is None, seen
        if not any(seen) and self._courier is None and not (first and (self._folder / membership.RECEIPTS).exists()):
            self._fault = self._gone = ""
            return
        self._beginning = threading.Thread(target=self._begin, name="join", daemon=True)
        self._beginning.start()

    def _begin(self) -> None:
        """Take up a server, or none; on a thread of its own."""
        try:
            self._hold_what_is_missing()
            joined = membership.load(self._folder)
            if joined is not None and joined == self._joined and self._courier is not None:
                self._courier.parted(known=self._known)
                return  # it was renamed, or something was accepted, and that is known
            before, self._courier = self._courier, None
            if before is not None:
                before.stop()
            courier = None if joined is None else self._taken_up(joined)
        except Exception as error:  # noqa: BLE001 - without a server the table plays on
            log.error("%s", error)
            self._fault = str(error)
            joined = courier = None
        else:
            self._fault = ""
        self._joined, self._courier = joined, courier
        if courier is not None:
            courier.parted(known=self._known)
            courier.start()
        self._wake()

    def _hold_what_is_missing(self) -> None:
        """Hold the journal against the receipts before newer ones take their place; what it does not bear out is kept, and told."""
        told, faults = "", missing.faults(self._folder)
        own = missing.Own(missing.hash_of(self._journal, 1), partial(missing.hash_of, self._journal))
        try:
            self._unheld = missing.find(missing.every(self._folder), own)
            told = missing.told(self._unheld, own)
            self._hold()
            self._known = bool(own.first) and missing.read(self._folder).known == own.first
        except KioskError as error:
            faults.append(str(error))
        gone = " ".join(filter(None, (told, *faults)))
        if gone and gone != self._gone:
            log.error("%s", gone)
        self._gone = gone

    def _hold(self) -> None:
        missing.hold(self._folder, self._unheld)
        self._unheld = ()

    def _keep_receipt(self, receipt: Receipt) -> None:
        if self._unheld:
            self._hold()
        membership.keep_receipt(self._folder, receipt)

    def _taken_up(self, joined: Membership) -> Courier:
        from kiosk.app.courier import Courier, Keeping
        from kiosk.app.order_book import OrderBook

        first = missing.hash_of(self._journal, 1)
        proved = None
        try:
            proved = None if not first else membership.newest(self._folder, joined, first)
        except membership.JoinUnavailable as error:  # everything is offered again, and the server knows it
            log.error("%s", error)
        keeping = Keeping(
            proved=proved,
            receipt=self._keep_receipt,
            roster_version=partial(hall_roster.version, self._folder),
            roster=partial(hall_roster.keep, self._folder),
        )
        book = OrderBook(self._folder, joined.server)
        return Courier(joined, self._journal, self._clocks, book=book, keeping=keeping, wake=self._wake)

    def _keep(self, joined: Membership) -> None:
        try:
            membership.save(self._folder, joined)
        except KioskError as error:
            log.error("%s", error)


def _board(told: str) -> str:
    """The address that the server tells for people, where it can be one: it goes into a QR code as it is."""
    sound = told.startswith(("https://", "http://")) and len(told) <= LONGEST_ADDRESS and told.isascii() and told.isprintable()
    return told.rstrip("/") if sound and " " not in told else ""


def _stamp(path: Path) -> tuple[int, ...]:
    """What changes when a file does; empty where there is none."""
    try:
        status = path.stat()
    except OSError:
        return ()
    return status.st_ino, status.st_mtime_ns, status.st_size
