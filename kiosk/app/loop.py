"""The loop of a running table: it sleeps until the nearest of an edge, a touch, a word, a deadline, a heartbeat, a frame, a second.

Buttons and words wake it at once. A window's events cannot be waited for together with them on every stack, so they are looked for
every few milliseconds; that look is cheap, and only what it finds wakes the rest.
"""

from __future__ import annotations

import contextlib
import os
import select
import sys
import time
from typing import TYPE_CHECKING, Protocol

from kiosk.app.logs import log
from kiosk.domain.types import NS_PER_S, Instant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kiosk.app.console import Console
    from kiosk.app.panel import Panel
    from kiosk.app.system import WallClock
    from kiosk.app.table import RunningTable
    from kiosk.ports import Journal

LONGEST_SLEEP_NS = NS_PER_S
ANSWER_SLEEP_NS = 2_000_000


class Part(Protocol):
    """Something beside the table that wants a turn: the link to a server, lamps and sounds, serial devices, the panel's light.

    It never blocks: whatever takes time runs on a thread of its own, which enqueues and wakes the loop. A fault in it is told and keeps no
    other part, and no press, from its turn.
    """

    @property
    def name(self) -> str:
        """What it is called where a fault is told."""
        ...

    def turn(self, now: int) -> None:
        """Do what is to be done by `now`, nanoseconds of the monotonic clock; called after the table's own turn."""
        ...

    def next_wake(self, now: int) -> int | None:
        """When it wants its next turn at the latest, or None: whenever there is one, once a second at least."""
        ...


def wake_pipe() -> tuple[int, int]:
    """A pipe for waking a sleeping loop: its reading and its writing end."""
    return os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)


def wake(descriptor: int) -> None:
    """Wake the loop; safe in a signal handler and on any thread."""
    with contextlib.suppress(BlockingIOError):  # the pipe is full: the loop is being woken already
        os.write(descriptor, b"x")


class Loop:
    """Turns table, console and panel."""

    def __init__(
        self,
        table: RunningTable,
        console: Console,
        journal: Journal,
        wall: WallClock,
        wake_read: int,
        *,
        panel: Panel | None = None,
        parts: Sequence[Part] = (),
        data_fault: str = "",
    ) -> None:
        """Connect the parts.

        Args:
            table: The running table.
            console: Words in, answers out.
            journal: Its state is told when it changes.
            wall: The date.
            wake_read: A pipe that becomes readable when an edge has come.
            panel: The screen; without one the table ends with its input.
            parts: What wants a turn after the table's.
            data_fault: Why everything will be forgotten at the next reboot, or an empty text.
        """
        self._table = table
        self._console = console
        self._journal = journal
        self._wall = wall
        self._panel = panel
        self._parts = tuple(parts)
        self._sources = [wake_read, sys.stdin.fileno()]
        self._fault: str | None = None
        self._buttons = ""
        self._data = data_fault
        alerts = table.session.table.alerts
        self._told = len(alerts) - bool(alerts and alerts[-1].code == "power_restored")  # earlier ones were told then
        self._going = True

    def stop(self, wake_write: int | None = None) -> None:
        """End the loop at its next turn."""
        self._going = False
        if wake_write is not None:
            wake(wake_write)

    def run(self) -> None:
        """Turn until stopped, or the window was closed, or, without one, the input ends."""
        while self._going:
            now = time.monotonic_ns()
            self._turn(now)
            self._read(self._wait(now + self._sleep(now)))
        last = time.monotonic_ns()
        if self._table.session.next_beat(Instant(last)) is not None:
            self._table.session.beat(Instant(last))  # an orderly end leaves nothing in doubt
        self._journal.flush(2)
        self._turn(time.monotonic_ns())

    def _wait(self, until: int) -> list[int]:
        """Sleep until then, or until something comes in."""
        while True:
            left = until - time.monotonic_ns()
            step = left if self._panel is None else min(left, self._panel.poll_ns())
            ready = select.select(self._sources, [], [], max(0, step) / NS_PER_S)[0]
            if ready or left <= 0 or step == left or (self._panel is not None and self._panel.pending()):
                return ready

    def _read(self, ready: list[int]) -> None:
        if self._sources[0] in ready:
            os.read(self._sources[0], 4096)
        if len(self._sources) > 1 and self._sources[1] in ready and not self._console.read(self._sources[1], time.monotonic_ns()):
            self._sources.pop()
            self._going = self._going and self._panel is not None  # a table with a screen needs no words
        if self._panel is not None and self._panel.pending():
            self._touches(self._panel)

    def _touches(self, panel: Panel) -> None:
        now = time.monotonic_ns()
        self._table_turn(now)  # edges that came before the touch count before it
        try:
            self._going = panel.take(now) and self._going
        except Exception as fault:  # noqa: BLE001 - a fault anywhere leaves the table as it was; the clock goes on
            self._failed("touch", fault, now)

    def _turn(self, now: int) -> None:
        self._table_turn(now)
        for part in self._parts:
            self._part(part, now)
        if self._panel is not None:
            self._answers(self._panel, now)
        self._tell(now)
        if self._panel is not None:
            self._show(self._panel)

    def _table_turn(self, now: int) -> None:
        try:
            self._console.turn(now)
            self._table.turn(now)
        except BrokenPipeError:
            raise  # nobody listens any more
        except Exception as fault:  # noqa: BLE001 - a fault anywhere leaves the table as it was; the clock goes on
            self._failed("table", fault, now)

    def _answers(self, panel: Panel, now: int) -> None:
        try:
            panel.hear(now)
        except Exception as fault:  # noqa: BLE001 - a fault anywhere leaves the table as it was; the clock goes on
            self._failed("sign-in", fault, now)

    def _part(self, part: Part, now: int) -> None:
        try:
            part.turn(now)
        except Exception as fault:  # noqa: BLE001 - a fault anywhere leaves the table as it was; the clock goes on
            self._failed(part.name, fault, now)

    def _failed(self, where: str, fault: Exception, now: int) -> None:
        """A fault is said on the screen, where there is one, and kept in the log; the next press and touch work."""
        if self._panel is None:
            log.error("A fault at %s; the table is as it was. %r", where, fault, exc_info=fault)
        else:
            self._panel.desk.failed(where, fault, now)

    def _show(self, panel: Panel) -> None:
        from kiosk.ui.view import Health

        state = self._journal.state()
        panel.show(time.monotonic_ns(), state, Health(buttons=self._buttons, journal=state.fault or "", data=self._data))

    def _tell(self, now: int) -> None:
        for notice in self._table.notices:
            log.error(notice.sentence)
            self._console.say({"notice": notice.code, "message": notice.sentence})
            if notice.code in {"source_dead", "source_restarted"}:
                self._buttons = notice.sentence if notice.code == "source_dead" else ""
        self._table.notices.clear()
        for fault in self._table.session.take_faults():
            log.error(fault)
            if self._panel is not None:
                self._panel.desk.warn(fault)
        alerts = self._table.session.table.alerts
        if len(alerts) < self._told:
            self._told = 0
        for alert in alerts[self._told :]:
            log.warning("Alert: %s%s %s", alert.code, f" ({alert.side})" if alert.side else "", alert.detail)
            self._console.say({"alert": alert.code, "side": alert.side, "detail": alert.detail})
        self._told = len(alerts)
        self._journal_state()
        if self._wall.newly_trusted():
            self._table.session.wall_clock_trusted(Instant(now))

    def _journal_state(self) -> None:
        fault = self._journal.state().fault
        if fault == self._fault:
            return
        self._fault = fault
        if fault is None:
            log.warning("The journal is being written again; nothing was lost.")
        else:
            log.error(fault)
        self._console.say({"journal": "ok" if fault is None else "not saving", "message": fault or ""})

    def _sleep(self, now: int) -> int:
        wakes = [now + LONGEST_SLEEP_NS]
        if self._console.waiting:
            wakes.append(now + ANSWER_SLEEP_NS)
        times = [self._table.next_wake(), self._table.session.next_beat(Instant(now)), self._console.next_contact()]
        if self._panel is not None:
            times.append(self._panel.next_wake(now))
        times.extend(part.next_wake(now) for part in self._parts)
        wakes.extend(at for at in times if at is not None)
        return max(0, min(wakes) - now)
