"""What became of the server's orders: none is done twice, and a repeat gets its first answer again.

An order comes again whenever the server has not heard the answer: after an outage, and after this table was switched off. So answers are
remembered over a restart; they are on disk before they are sent.

Between doing and remembering lie some milliseconds in which the power can go. For nearly all orders that does no harm: to offer a match,
to stop the clocks, to show a message for a second time leads where the first time led. A ruling is another matter: done twice, it is two
penalties. So that a ruling (or its taking back) is begun is put on disk *before* it is done. Comes such an order again and nobody knows
what became of it, it is refused with the advice to look: a person sees at once whether the ruling is there; a machine that guesses
punishes a player twice, or not at all.

A server that was restored from a backup may give a number anew to another order. Numbers are therefore remembered with a digest of what
was ordered: the same number with something else in it is a new order.
"""

from __future__ import annotations

import hashlib
import json
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk import codec
from kiosk.app import membership
from kiosk.app.logs import log
from kiosk.domain.errors import mark
from kiosk.sync.wire import AssignMatch, DelayStart, Order, OrderAnswer, RuleAt, ShowMessage, VoidAt

if TYPE_CHECKING:
    from pathlib import Path

MOST = 200
"""Orders that are remembered."""

ONCE = (RuleAt, VoidAt)
"""What must not be done twice."""

INTERRUPTED = mark("The table was switched off while it did this. Look at the match's rulings, and order it again if it is missing.")


@dataclass(frozen=True, slots=True)
class Remembered:
    """An order, and what became of it."""

    n: int
    digest: str
    """Of what was ordered."""
    answer: OrderAnswer | None
    """None: it was begun."""


class OrderBook:
    """The orders of one server to this table; every call may come from any thread."""

    def __init__(self, folder: Path | None, server: str) -> None:
        """Read what is remembered.

        Args:
            folder: The data folder; None: nothing outlasts this process.
            server: The server's id: another server's numbers mean nothing here.
        """
        self._folder = folder
        self._server = server
        self._lock = threading.Lock()
        self._known: dict[int, Remembered] = {one.n: one for one in self._read()}
        self._at_work: dict[int, str] = {}
        self._unsaved = False
        self._told = ""

    def meet(self, order: Order) -> OrderAnswer | bool:
        """An order has come.

        Args:
            order: The order.

        Returns:
            True where it is to be done now; False where it is being done already; else its answer, which is to be sent (again).

        Raises:
            JoinUnavailable: It must not be done twice, and that it is begun cannot be written down; it is not to be done now.
        """
        digest = digest_of(order)
        with self._lock:
            if self._at_work.get(order.n) == digest:
                return False
            known = self._known.get(order.n)
            if known is not None and known.digest == digest:
                if known.answer is None:
                    known = replace(known, answer=OrderAnswer(order.n, done=False, code="interrupted", sentence=INTERRUPTED, read=False))
                    self._remember(known)
                return known.answer or False
            if isinstance(order.what, ONCE):
                self._remember(Remembered(order.n, digest, None))
                self._write()
            self._at_work[order.n] = digest
            return True

    def done(self, order: Order, answer: OrderAnswer) -> None:
        """It was done or refused."""
        with self._lock:
            self._at_work.pop(order.n, None)
            self._remember(Remembered(order.n, digest_of(order), answer))

    def read(self, n: int, message: ShowMessage | None = None) -> OrderAnswer | None:
        """A message was read: its answer from now on, or None where there is no such order.

        Args:
            n: The number under which the table has shown it: the order's, unless another server's message had that.
            message: What it said; None: the number alone tells it.
        """
        with self._lock:
            known = self._known.get(n)
            if message is not None:
                known = self._of(message, known)
            if known is None or known.answer is None or not known.answer.done:
                return None
            answer = replace(known.answer, read=True)
            self._remember(replace(known, answer=answer))
            return answer

    def _of(self, message: ShowMessage, known: Remembered | None) -> Remembered | None:
        """The order that a message came by: the one of its number, if it said so, or the newest that did."""
        digest = digest_of(Order(0, message))
        if known is not None and known.digest == digest:
            return known
        same = [one for one in self._known.values() if one.digest == digest and one.answer is not None and not one.answer.read]
        return max(same, key=lambda one: one.n, default=None)

    def save(self) -> None:
        """Put what is new on disk, before it is sent; what cannot be written is said and tried again the next time."""
        with self._lock:
            if self._unsaved:
                try:
                    self._write()
                except membership.JoinUnavailable as error:
                    if str(error) != self._told:
                        log.error("%s After a restart an order may be done again.", error)
                    self._told = str(error)

    def _remember(self, one: Remembered) -> None:
        self._known.pop(one.n, None)
        self._known[one.n] = one
        while len(self._known) > MOST:
            del self._known[next(iter(self._known))]
        self._unsaved = True

    def _write(self) -> None:
        if self._folder is not None:
            whole = {"server": self._server, "orders": [codec.to_plain(one) for one in self._known.values()]}
            membership.write(self._folder, membership.ORDERS, json.dumps(whole, ensure_ascii=False) + "\n")
        self._unsaved = False

    def _read(self) -> list[Remembered]:
        if self._folder is None:
            return []
        try:
            plain = membership.read(self._folder, membership.ORDERS)
        except membership.JoinUnavailable as error:
            log.error("%s", error)
            return []
        if plain is None or plain.get("server") != self._server:
            return []
        try:
            return [codec.from_plain(Remembered, one) for one in membership.whole_list(plain.get("orders"))]
        except ValueError as error:
            log.error("What became of earlier orders cannot be read (%s).", error)
            return []


def digest_of(order: Order) -> str:
    """What was ordered, as a short digest; a time that is told relative to its sending does not count."""
    what = order.what
    if isinstance(what, AssignMatch | DelayStart):
        what = replace(what, starts_in_ms=0 if what.starts_in_ms is not None else None)
    text = json.dumps([type(what).__name__, codec.to_plain(what)], sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
