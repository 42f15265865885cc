"""The intake of facts: what tables send is checked, stored once, and receipted, many tables' batches in one transaction.

    submit (event loop) ──► waiting ──► writer (a thread) ──► one transaction for all that waits ──► receipts ──► submit's answers
                                                                         └──► projections (another thread, see `projections`)

A commit costs milliseconds, so whatever comes while one is under way goes into the next together. One batch that can't be stored harms no
other: where the transaction of a group fails by anything but the world, each of its batches is tried alone, and only the one at fault is
refused. A world that fails (the disk is full, the database is gone) answers all of the group with `StoreUnavailable`; nothing is half
stored, the tables keep their rows and come again.

Several processes on PostgreSQL do not get into each other's way: each locks the rows of its group's devices, in one order, and only then
reads their journals' heads. What happens to one batch is in `kiosk.server.branches` and `kiosk.server.take`.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from kiosk.domain.errors import KioskError, PeerError
from kiosk.say import _
from kiosk.server.clock import SECOND
from kiosk.server.projections import Projections
from kiosk.server.store import StoreUnavailable
from kiosk.server.take import Taken, take_all
from kiosk.sync import wire

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from kiosk.server.hub import Hub
    from kiosk.server.store import Store

log = logging.getLogger("tableside")

MOST_ROWS = 6_000
"""A transaction takes no more rows: those behind wait for the next, a fraction of a second later."""

APART_NS = 20_000_000
"""Between the beginnings of two transactions: while a hall plays one takes in what several tables sent; a lone press waits for nobody."""

MOST_WAITING = 4_000
"""So many batches wait; more are answered with 503, and come again."""


class Signer(Protocol):
    """The part of the server's keys that is needed here."""

    @property
    def server_id(self) -> str:
        """The server's id."""
        ...

    def sign(self, data: bytes) -> bytes:
        """An Ed25519 signature."""
        ...


@dataclass(slots=True, eq=False)
class _Waiting:
    device: str
    batch: wire.Batch
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[wire.SyncAnswer]


class Intake:
    """Takes in what tables send."""

    def __init__(self, store: Store, hub: Hub, keys: Signer, now_ns: Callable[[], int]) -> None:
        """Take in nothing yet.

        Args:
            store: Where facts go.
            hub: Who is told.
            keys: Signs receipts.
            now_ns: The house's clock.
        """
        self._store, self._hub, self._keys, self._now_ns = store, hub, keys, now_ns
        self.projections = Projections(store, hub, now_ns)
        self._lock = threading.Condition()
        self._waiting: deque[_Waiting] = deque()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._ending = threading.Event()

    async def submit(self, device: str, batch: wire.Batch) -> wire.SyncAnswer:
        """Take a batch in.

        Args:
            device: Which device sent it; the API has checked that it is this one, and that it was not revoked.
            batch: What it sent, each row's hash already worked out anew.

        Raises:
            PeerError: It cannot be stored, whatever the server does: the table must not send it again unchanged.
            StoreUnavailable: It cannot be stored now.
        """
        _check_storable(batch)
        loop = asyncio.get_running_loop()
        waiting = _Waiting(device, batch, loop, loop.create_future())
        with self._lock:
            if self._closed:
                raise StoreUnavailable(_("The server is about to stop."))
            if len(self._waiting) >= MOST_WAITING:
                raise StoreUnavailable(_("The server has more to store than it can at the moment."))
            self._waiting.append(waiting)
            self._started()
            if len(self._waiting) == 1:
                self._lock.notify()
        return await waiting.answer

    def presence(self, device: str, online: bool) -> None:  # noqa: FBT001 - as the brief of the API has it
        """A device's stream has begun, or ended; from any thread. Its face follows in a moment."""
        self.projections.presence(device, online)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While the server runs: what waits at its end is still stored."""
        self.projections.start()
        try:
            yield
        finally:
            await asyncio.to_thread(self.close)

    def close(self) -> None:
        """Store what waits, and end."""
        with self._lock:
            self._closed = True
            self._lock.notify()
        self._ending.set()
        if self._thread is not None:
            self._thread.join()
        self.projections.close()

    # ── The writer's thread ──────────────────────────────────────────────────
    def _started(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._write, name="intake", daemon=True)
            self._thread.start()

    def _write(self) -> None:
        began = self._now_ns() - APART_NS
        while group := self._next(began + APART_NS):
            began = self._now_ns()
            self._settle(group)

    def _next(self, not_before_ns: int) -> list[_Waiting]:
        """What is stored together next; empty at the end. A group has one batch of a device: two at once are answered one by one."""
        with self._lock:
            while not self._waiting and not self._closed:
                self._lock.wait()
        if (early := not_before_ns - self._now_ns()) > 0:
            self._ending.wait(min(early, APART_NS) / SECOND)
        with self._lock:
            group: list[_Waiting] = []
            rows, devices, later = 0, set[str](), []
            while self._waiting and rows < MOST_ROWS:
                waiting = self._waiting.popleft()
                if waiting.device in devices:
                    later.append(waiting)
                    continue
                devices.add(waiting.device)
                group.append(waiting)
                rows += len(waiting.batch.rows)
            self._waiting.extendleft(reversed(later))
            return group

    def _settle(self, group: list[_Waiting]) -> None:
        group.sort(key=lambda waiting: waiting.device)
        try:
            done: Sequence[Taken | KioskError] = self._take(group)
        except StoreUnavailable as error:
            done = [error] * len(group)
        except Exception as error:  # noqa: BLE001 - one batch's fault must not be another's
            log.warning("a group of %s batches failed: %r; each is tried alone", len(group), error)
            done = [self._alone(waiting) for waiting in group]
        told = [(waiting, self._answer(result)) for waiting, result in zip(group, done, strict=True)]
        self.projections.stored([result for result in done if isinstance(result, Taken)])
        for loop in {waiting.loop for waiting in group}:
            mine = [(waiting.answer, answer) for waiting, answer in told if waiting.loop is loop]
            if not loop.is_closed():
                loop.call_soon_threadsafe(_tell, mine)

    def _take(self, group: Sequence[_Waiting]) -> list[Taken | KioskError]:
        with self._store.write() as connection:
            return take_all(connection, [(waiting.device, waiting.batch) for waiting in group], self._now_ns())

    def _alone(self, waiting: _Waiting) -> Taken | KioskError:
        try:
            return self._take([waiting])[0]
        except StoreUnavailable as error:
            return error
        except Exception:
            log.exception("a batch of %s could not be stored", waiting.device)
            return PeerError("The server cannot store this batch; it tells the organizer why.")

    def _answer(self, done: Taken | KioskError) -> wire.SyncAnswer | KioskError:
        if isinstance(done, KioskError):
            return done
        return wire.SyncAnswer(done.verdict, self._receipt(done), done.want, done.answered)

    def _receipt(self, done: Taken) -> wire.Receipt | None:
        if done.at is None:
            return None
        seq, digest = done.at
        bare = wire.Receipt(self._keys.server_id, done.device, done.ident, done.branch, seq, digest, self._now_ns(), "")
        signature = self._keys.sign(bare.signed_text()).hex()
        return wire.Receipt(bare.server, bare.device, bare.journal, bare.branch, seq, digest, bare.at_ns, signature)


def _check_storable(batch: wire.Batch) -> None:
    """Refuse what no database holds: half of a surrogate pair, a NUL. No table writes such."""
    for row in batch.rows:
        for text in (row.boot, row.type, row.data):
            if "\0" in text or not (text.isascii() or _whole(text)):
                raise PeerError(f"Row {row.seq} of the batch has a character that cannot be stored.")
    for answer in batch.answers:
        for text in (answer.code, answer.sentence):
            if "\0" in text or not _whole(text):
                raise PeerError(f"The answer to order {answer.n} has a character that cannot be stored.")
    if "\0" in batch.now.boot or not _whole(batch.now.boot):
        raise PeerError("The batch's boot has a character that cannot be stored.")


def _whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _tell(answers: Sequence[tuple[asyncio.Future[wire.SyncAnswer], wire.SyncAnswer | KioskError]]) -> None:
    for future, answer in answers:
        if future.done():  # whoever asked has gone
            continue
        if isinstance(answer, KioskError):
            future.set_exception(answer)
        else:
            future.set_result(answer)
