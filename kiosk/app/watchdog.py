"""systemd's watchdog, fed by the loop itself: a part of it whose turn comes only while the loop truly turns.

A fault in a part, in the table or on the screen is told and ends no turn, so it starves nobody; a turn that hangs does, and systemd starts
the table anew with its match. What is fed is half as old as it may be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from kiosk.domain.types import NS_PER_S
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.ports import Journal
    from kiosk.session import Session
    from kiosk.shell.notify import Notifier

STATUS_NS = NS_PER_S
"""How often it is looked whether the status has changed, where there is no watchdog."""


class Watchdog:
    """Feeds the watchdog, and tells systemd in a line how the table stands; `kiosk.app.loop.Part`."""

    name = "watchdog"

    def __init__(self, notifier: Notifier, status: Callable[[], str]) -> None:
        """Nothing is fed yet.

        Args:
            notifier: The way to systemd.
            status: How the table stands, in one line; asked for whenever the watchdog is fed, at most once a second without one.
        """
        self._notifier = notifier
        self._status = status
        self._every = notifier.feed_ns
        self._fed: int | None = None
        self._told = ""

    def __enter__(self) -> Self:
        """The clocks can be used from now on; the loop begins."""
        self._told = self._status()
        self._notifier.ready(self._told)
        return self

    def __exit__(self, *_: object) -> None:
        """The loop has ended."""
        self._notifier.stopping()
        self._notifier.close()

    def turn(self, now: int) -> None:
        """Feed, if it is time.

        Args:
            now: Nanoseconds of the monotonic clock.
        """
        if not self._notifier.told or (self._fed is not None and now - self._fed < (self._every or STATUS_NS)):
            return
        self._fed = now
        self._notifier.alive()
        status = self._status()
        if status != self._told:
            self._told = status
            self._notifier.status(status)

    def next_wake(self, now: int) -> int | None:
        """When it is to be fed next; None where nobody watches."""
        if self._every is None:
            return None
        return now if self._fed is None else self._fed + self._every


def standing(session: Session, journal: Journal) -> str:
    """How a table stands, for `systemctl status`: its phase, and why nothing is saved, where that is so."""
    phase = _("no match") if session.table.phase is None else str(session.table.phase)
    fault = journal.state().fault
    return phase if fault is None else f"{phase}: {fault}"
