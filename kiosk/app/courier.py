"""A table's two threads towards its server: one posts rows and answers, one listens for orders. Neither touches the session.

    journal ──rows──► post ──batch──► server                 The loop asks `state()` and `take()`, tells `tell()` and `nudge()`;
    loop ◄──take()── orders ◄──line── server                 none of them waits. It is woken through its pipe.

Whatever a server does, it can hold up these threads only: answers have deadlines and sizes (`kiosk.sync.transport`), orders that wait
for the loop are few (`MOST_WAITING`), and nothing is written to disk but receipts, answers and a roster, each of bounded size.

That the server is there is known from its stream alone, by the instant of its last whole line: a socket that has become a black hole shows
as offline when that lies `SILENCE_S` behind, whatever these threads are waiting for at the time.
"""

from __future__ import annotations

import contextlib
import random
import threading
import time
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from kiosk.app import membership
from kiosk.app.barred import barred_words
from kiosk.app.logs import log
from kiosk.app.missing import closable, hash_of
from kiosk.domain.errors import KioskError, PeerError
from kiosk.domain.types import NS_PER_S
from kiosk.say import _
from kiosk.sync import wire
from kiosk.sync.outbox import Backoff, Outbox, Peers, compare

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.app.clocks import Clocks
    from kiosk.app.membership import Membership
    from kiosk.app.order_book import OrderBook
    from kiosk.ports import Journal
    from kiosk.sync.outbox import Wish
    from kiosk.sync.transport import Connection

MOST_WAITING = 1000
"""Orders that wait for the loop; a server that sends more is not listened to until some are done."""

MOST_AT_ONCE, ORDER_NS = 600, NS_PER_S
"""So many new orders may come at once, and then one in this time: each leaves an entry in the journal, and a disk has an end."""

ALIVE_NS = 5 * NS_PER_S
"""A stream that has lived as long works; one that ends sooner is begun again after a growing pause."""

SILENCE_NS = int(wire.SILENCE_S * NS_PER_S)
RECEIPT_EVERY_NS = 10 * NS_PER_S
"""A receipt proves all earlier ones, and a card wears out: the newest is kept this often, and at the end."""

STALE_NS = 30 * NS_PER_S
"""Earlier rulings are asked for again after this."""

JOB_PAUSE_NS = 5 * NS_PER_S
"""What could not be fetched is asked for again after this."""

POST, LISTEN, ROSTER, RECEIPT = "post", "listen", "roster", "receipt"
"""What the threads do, by name."""

MOST_ASKED = 16
"""Matches whose earlier rulings are remembered."""


@dataclass(frozen=True)
class Keeping:
    """What is kept over a restart; without a data folder, nothing."""

    proved: wire.Receipt | None = None
    """The newest receipt for this journal."""
    receipt: Callable[[wire.Receipt], None] = lambda _receipt: None
    """Keeps a newer one."""
    roster_version: Callable[[], str] = lambda: ""
    """The digest of the officials that are known."""
    roster: Callable[[bytes], None] = lambda _text: None
    """Keeps the event's officials; an empty text: there are none any more."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How it stands, for whoever shows it."""

    connected: bool
    since_ns: int
    """Since when, on the monotonic clock."""
    confirmed: int
    """The server has everything up to this row."""
    trouble: str
    """A sentence, or nothing."""
    greeting: wire.Greeting | None
    """What the server said last when the table came."""
    barred: str = ""
    """Why the server does not know this device any more, as it says itself; or nothing."""


@dataclass
class _Heard:
    """What the stream brought."""

    greeting: wire.Greeting | None = None
    last_ns: int | None = None
    """The last whole line; None while there is no stream."""
    since_ns: int = 0
    shown: bool = False
    orders: deque[wire.Order] = field(default_factory=deque)


class Courier:
    """The threads of one table and one server."""

    def __init__(
        self, joined: Membership, journal: Journal, clocks: Clocks, *, book: OrderBook, keeping: Keeping, wake: Callable[[], None]
    ) -> None:
        """Nothing is started yet.

        Args:
            joined: Which server, and this table's key there.
            journal: What is to be sent.
            clocks: The table's.
            book: What became of orders.
            keeping: What outlasts a restart.
            wake: Wakes the loop, from any thread.
        """
        self.joined = joined
        self._journal = journal
        self._clocks = clocks
        self._book = book
        self._keeping = keeping
        self._wake = wake
        self._change = threading.Condition()
        self._outbox = Outbox(Peers(joined.server, joined.device), keeping.proved, _compared(keeping.proved, journal))
        self._heard = _Heard(since_ns=clocks.mono_ns())
        self._jobs: OrderedDict[str, Callable[[], None]] = OrderedDict()
        self._jobs_from = 0
        self._rulings: OrderedDict[tuple[str, ...], tuple[int, tuple[wire.EarlierRuling, ...]]] = OrderedDict()
        self._troubles: dict[str, str] = {}
        self._barred = ""
        self._stopping = False
        self._seen = -1
        self._kept_ns = clocks.mono_ns()
        self._unkept: wire.Receipt | None = None
        self._orders_upto = clocks.mono_ns() - MOST_AT_ONCE * ORDER_NS
        self._greeted_ns = 0
        self._connections: list[Connection] = []
        self._threads = [threading.Thread(target=run, name=name, daemon=True) for run, name in ((self._post, POST), (self._listen, LISTEN))]

    def start(self) -> None:
        """Start both threads."""
        for thread in self._threads:
            thread.start()

    def finish(self, timeout_s: float) -> None:
        """Let the last accepted rows come to the server before `stop`, where it is connected.

        Args:
            timeout_s: How long that may take.
        """
        until = time.monotonic() + timeout_s
        with self._change:
            self._change.notify_all()
            while self.standing().connected and self._journal.state().accepted > self._outbox.progress().confirmed:
                left = until - time.monotonic()
                if left <= 0:
                    return
                self._change.wait(min(left, 0.05))

    def stop(self, timeout_s: float = 1.0) -> None:
        """End both threads, and keep the newest receipt.

        Args:
            timeout_s: How long a thread that waits for the network is waited for; it ends by itself later.
        """
        with self._change:
            self._stopping = True
            self._change.notify_all()
        for connection in list(self._connections):
            connection.end()
        until = time.monotonic() + timeout_s
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.0, until - time.monotonic()))
        self._book.save()
        self._keep_receipt(at_once=True)

    # ── For the loop ─────────────────────────────────────────────────────────
    def nudge(self) -> None:
        """Look whether there is something to send: called at every turn, and it costs nothing."""
        state = self._journal.state()
        upto = state.accepted + state.pending
        if upto != self._seen:
            self._seen = upto
            with self._change:
                self._change.notify_all()

    def take(self) -> wire.Order | None:
        """The next order, or None."""
        return self._heard.orders.popleft() if self._heard.orders else None

    def tell(self, order: wire.Order, answer: wire.OrderAnswer) -> None:
        """What became of an order."""
        self._book.done(order, answer)
        self._answer(answer)

    def message_read(self, n: int, message: wire.ShowMessage | None = None) -> None:
        """A message was read; one that another server had sent is none of this one's orders."""
        answer = self._book.read(n, message)
        if answer is not None:
            self._answer(answer)

    def fetch_roster(self) -> None:
        """Fetch the event's officials, beside the loop."""
        self._ask(ROSTER, self._fetch_roster)

    def parted(self, *, known: bool) -> None:
        """Somebody knows, or nobody yet, that the journal and the server's copy part."""
        with self._change:
            self._outbox.parted(known=known)

    def earlier(self, players: tuple[str, ...]) -> tuple[wire.EarlierRuling, ...] | None:
        """Earlier rulings on players, as far as they are known; asking has them fetched.

        Returns:
            None while nothing is known.
        """
        known = self._rulings.get(players)
        now = self._clocks.mono_ns()
        if (known is None or now - known[0] > STALE_NS) and self.standing().connected:
            self._ask(f"rulings {players}", lambda: self._fetch_rulings(players))
        return None if known is None else known[1]

    def standing(self) -> Standing:
        """How it stands now; cheap enough for every frame."""
        now = self._clocks.mono_ns()
        heard = self._heard
        last = heard.last_ns
        connected = last is not None and now - last <= SILENCE_NS
        if connected != heard.shown:
            heard.shown = connected
            heard.since_ns = now
        progress = self._outbox.progress()
        trouble = _(progress.trouble) if progress.trouble else next((text for text in tuple(self._troubles.values()) if text), "")
        return Standing(connected, heard.since_ns, progress.confirmed, trouble, heard.greeting, self._barred)

    def _answer(self, answer: wire.OrderAnswer) -> None:
        with self._change:
            self._outbox.tell(answer)
            self._change.notify_all()

    def _ask(self, name: str, job: Callable[[], None]) -> None:
        with self._change:
            if name not in self._jobs and len(self._jobs) < MOST_ASKED:
                self._jobs[name] = job
                self._change.notify_all()

    # ── The posting thread ───────────────────────────────────────────────────
    def _post(self) -> None:
        from kiosk.sync.transport import Connection, read_address  # a table is ready before it knows HTTP

        self._connection = Connection(read_address(self.joined.url, plain=True), self.joined.fingerprint, self.joined.token)
        self._connections.append(self._connection)
        while not self._stopping:
            name, job = self._next() or ("", None)
            if job is None:
                continue
            try:
                job()
            except Exception as fault:  # noqa: BLE001 - whatever it is, this thread lives on and tries again
                self._failed(name, fault)
                if name != POST:
                    self._later(name, job)
            else:
                self._went(name)
        self._connection.close()

    def _next(self) -> tuple[str, Callable[[], None]] | None:
        """What is to be done now, by its name; None after waiting for it."""
        with self._change:
            state = self._journal.state()
            now = self._clocks.mono_ns()
            wish = self._outbox.wish(now, state.accepted)
            if wish is not None:
                return POST, lambda: self._send(wish, state.accepted)
            if self._jobs and self._heard.last_ns is not None and now >= self._jobs_from:
                return self._jobs.popitem(last=False)
            until = self._outbox.deadline(state.accepted, pending=state.pending > 0, at=now)
            wait = 1.0 if until is None else max(0.0, min(1.0, (until - now) / NS_PER_S))
            self._change.wait(wait)
        self._keep_receipt(at_once=False)
        return None

    def _later(self, name: str, job: Callable[[], None]) -> None:
        """What could not be fetched is tried again; who is asked about at a sign-in is asked about again there."""
        self._jobs_from = self._clocks.mono_ns() + JOB_PAUSE_NS
        if name == ROSTER:
            self._ask(name, job)

    def _send(self, wish: Wish, accepted: int) -> None:
        self._book.save()
        try:
            with contextlib.closing(closable(self._journal.rows(max(0, wish.after - 1)))) as rows:
                batch = self._outbox.batch(wish, rows, self._clocks.moment(), accepted)
            data = self._connection.ask("POST", wire.SYNC, wire.batch_to_json(batch))
            answer: wire.SyncAnswer = wire.from_json(wire.SyncAnswer, data)
            ours = {row.seq: row.hash for row in batch.rows[-1:]}
            seq = 0 if answer.receipt is None else answer.receipt.seq
            if seq not in ours:
                ours[seq] = hash_of(self._journal, seq)
            with self._change:
                before = self._outbox.progress().trouble
                self._outbox.answered(batch, answer, ours.get, self._clocks.mono_ns())
        except BaseException as fault:
            least = int((getattr(fault, "retry_s", None) or 0) * NS_PER_S)
            with self._change:
                self._outbox.failed(self._clocks.mono_ns(), random.random(), least)  # noqa: S311 - jitter
            raise
        self._unkept = self._outbox.proved
        if self._outbox.progress().trouble != before:
            if trouble := self._outbox.progress().trouble:
                log.error("%s", trouble)
            else:
                log.info("Everything that the server had lost was sent again.")
            self._keep_receipt(at_once=True)
        self._wake()

    def _fetch_roster(self) -> None:
        text = self._connection.ask("GET", wire.ROSTER, largest=membership.LARGEST_ROSTER)
        self._keeping.roster(text)
        self._wake()

    def _forget_roster(self) -> None:
        self._keeping.roster(b"")

    def _fetch_rulings(self, players: tuple[str, ...]) -> None:
        query = urlencode([("player", player) for player in players])
        found: wire.EarlierRulings = wire.from_json(wire.EarlierRulings, self._connection.ask("GET", f"{wire.RULINGS}?{query}"))
        with self._change:
            self._rulings[players] = (self._clocks.mono_ns(), found.rulings)
            while len(self._rulings) > MOST_ASKED:
                self._rulings.popitem(last=False)
        self._wake()

    def _keep_receipt(self, *, at_once: bool) -> None:
        now = self._clocks.mono_ns()
        receipt = self._unkept
        if receipt is None or (not at_once and now - self._kept_ns < RECEIPT_EVERY_NS):
            return
        self._unkept, self._kept_ns = None, now
        try:
            self._keeping.receipt(receipt)
        except KioskError as error:
            self._failed(RECEIPT, error)
        else:
            self._went(RECEIPT)

    # ── The listening thread ─────────────────────────────────────────────────
    def _listen(self) -> None:
        from kiosk.sync.transport import Connection, read_address

        connection = Connection(read_address(self.joined.url, plain=True), self.joined.fingerprint, self.joined.token)
        self._connections.append(connection)
        pause = Backoff()
        while not self._stopping:
            try:
                for line in connection.stream(f"{wire.STREAM}?after={self._outbox.answered_upto}"):
                    self._line(line, pause)
            except Exception as fault:  # noqa: BLE001 - whatever it is, this thread lives on and tries again
                self._gone(fault)
            connection.close()
            self._rest(pause)

    def _line(self, data: bytes, pause: Backoff) -> None:
        said = wire.line_from_json(data)
        heard = self._heard
        if heard.last_ns is None:
            if not isinstance(said, wire.Greeting) or said.server != self.joined.server:
                raise PeerError(_("Another server answers at {url} than was joined.", url=self.joined.url))
            self._greeted(said)
        heard.last_ns = self._clocks.mono_ns()
        if heard.last_ns - self._greeted_ns > ALIVE_NS:
            pause.reset()
        if isinstance(said, wire.Order):
            self._order(said)

    def _greeted(self, said: wire.Greeting) -> None:
        self._heard.greeting = said
        self._greeted_ns = self._clocks.mono_ns()
        self._went(LISTEN)
        self._barred = ""
        with self._change:
            self._outbox.reached(self._clocks.mono_ns())
            self._change.notify_all()
        if said.roster != self._keeping.roster_version():
            self._ask(ROSTER, self._fetch_roster if said.roster else self._forget_roster)
        self._wake()

    def _order(self, order: wire.Order) -> None:
        now = self._clocks.mono_ns()
        if len(self._heard.orders) >= MOST_WAITING or self._orders_upto > now:
            raise PeerError(_("The server says more than any table needs."))
        try:
            met = self._book.meet(order)
        except KioskError as error:  # it must be written down before it is done, and the disk does not take it
            self.tell(order, wire.OrderAnswer(order.n, done=False, code="journal_unavailable", sentence=str(error), read=False))
            return
        if met is True:
            self._orders_upto = max(self._orders_upto, now - MOST_AT_ONCE * ORDER_NS) + ORDER_NS
            self._heard.orders.append(order)
            self._wake()
        elif met is not False:
            self._answer(met)

    def _gone(self, fault: Exception) -> None:
        self._heard.last_ns = None
        self._failed(LISTEN, fault)
        self._wake()

    # ── Both ─────────────────────────────────────────────────────────────────
    def _rest(self, pause: Backoff) -> None:
        until = time.monotonic() + pause.pause(random.random()) / NS_PER_S  # noqa: S311 - jitter
        with self._change:
            self._change.wait_for(lambda: self._stopping, max(0.0, until - time.monotonic()))

    def _failed(self, where: str, fault: Exception) -> None:
        """Being offline is normal and shown as such; anything else is told."""
        from kiosk.sync.transport import ServerRefused, ServerUnreachable

        if self._stopping:
            return
        barred = fault.barred if isinstance(fault, ServerRefused) else ""
        if barred_words(barred):
            self._barred = barred
        if not isinstance(fault, KioskError):
            log.error("A fault while talking to the server (%s); it is tried again. %r", where, fault, exc_info=fault)
        told = "" if isinstance(fault, ServerUnreachable) else str(fault) or type(fault).__name__
        told = barred_words(barred) or told
        if told and self._troubles.get(where) != told:
            log.warning("%s", told)
        self._troubles[where] = told

    def _went(self, where: str) -> None:
        self._troubles.pop(where, None)


def _compared(proved: wire.Receipt | None, journal: Journal) -> str:
    if proved is None:
        return ""
    with contextlib.closing(closable(journal.rows(proved.seq - 1))) as rows:
        row = next(rows, None)
    return compare(proved, journal.state().accepted, None if row is None else row.hash)
