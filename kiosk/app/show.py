"""A scenario in the window, in real time or faster: `kiosk simulate FILE --speed 1`, and the demo's match to watch.

The simulation still plays in virtual time, to the nanosecond; between its lines it stops sixty times a second, and the window shows the
virtual instant that has been reached. Touches may look around but change nothing.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from kiosk.app.panel import books, on_fault, remembered
from kiosk.app.simulate import WindowClosed
from kiosk.domain.types import NS_PER_S
from kiosk.ui.chronicle import Chronicle
from kiosk.ui.desk import Desk
from kiosk.ui.view import Health

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.books import Library
    from kiosk.ports import JournalState
    from kiosk.session import Carried, Session
    from kiosk.ui.window import Window

LONGEST_STEP = NS_PER_S // 60


class Show:
    """Paces a simulation and shows it."""

    def __init__(self, window: Window, library: Library, speed: float, table_name: str = "") -> None:
        """Take a seat.

        Args:
            window: Where it is shown.
            library: Rulebooks.
            speed: Virtual seconds in a second.
            table_name: What the table is called.
        """
        self.chronicle = Chronicle()
        self._window = window
        self._books = books(library)
        self._speed = speed
        self._name = table_name
        self._desk: Desk | None = None
        self._began: tuple[int, float] | None = None
        self._last: int | None = None
        self._left = False

    def switched_on(self, session: Session) -> None:
        """Look at this table from now on."""
        if self._desk is None:
            self._desk = Desk(session, self._books, self.chronicle, new_match=lambda: "", table_name=self._name)
            self._desk.watching = True
            self._desk.on_leave = self._leave
            self._desk.on_fault = on_fault
        else:
            self._desk.take_over(session)

    def _leave(self) -> None:
        self._left = True

    def taken_up(self, match: Carried) -> None:
        """A suspended match was taken up at the table."""
        self.chronicle.put_before(remembered(match.rows))
        if self._desk is not None:
            self._desk.take_over(self._desk.session)

    def frames(self, since: int, until: int) -> Iterator[int]:
        """The virtual instants between two at which something is to be shown; each is shown when the next is asked for.

        Args:
            since: Nanoseconds of virtual time reached.
            until: Up to which nothing but time happens.

        Raises:
            WindowClosed: The window was closed.
        """
        if self._began is None:
            self._began = (since, time.monotonic())
        now = since
        self._show(now)
        while True:
            reached = self._began[0] + int((time.monotonic() - self._began[1]) * NS_PER_S * self._speed)
            if reached >= until:
                return
            if reached > now:
                now = reached
                yield now
            self._show(now)
            time.sleep(self._rest(now, until))

    def _rest(self, now: int, until: int) -> float:
        """Sleep to the next change, but look at the window's events sixty times a second."""
        changes = self._window.next_show(now, changed=False)
        wait = min(until, until if changes is None else changes) - now
        return max(0.001, min(LONGEST_STEP, wait / self._speed) / NS_PER_S)

    def _show(self, now: int) -> None:
        if self._desk is None:
            return
        wanted, changed = self._window.take_events(self._desk, now, None)
        if not wanted or self._left:
            raise WindowClosed
        key = self.chronicle.count
        if changed or key != self._last or self._window.due(now):
            self._last = key
            self._window.show(self._desk, now)

    def stay(self, now: int, journal: JournalState) -> None:
        """Show how it ended until the window is closed; virtual time stands still but for the touches' sake."""
        began = time.monotonic_ns()
        if self._desk is not None:
            self._desk.health = Health(journal=journal.fault or "")
        try:
            while True:
                self._show(now + time.monotonic_ns() - began)
                time.sleep(LONGEST_STEP / NS_PER_S)
        except WindowClosed:
            return
