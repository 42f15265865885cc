"""`kiosk run`: this table, from switching on to switching off. The list in `run` is the start-up; it is undone in reverse."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardware import GpiodEdgeSource, GpiozeroEdgeSource, HardwareFault, SimulatedBox, SourceKeeper, lgpio_alive, lgpio_factory
from kiosk.app.console import Console
from kiosk.app.logs import log
from kiosk.app.power import switch_on
from kiosk.app.rulebooks import Library
from kiosk.app.system import WallClock, boot_id, forgetful
from kiosk.app.table import RunningTable
from kiosk.domain.errors import JournalUnavailable
from kiosk.domain.types import NS_PER_S, Instant
from kiosk.journal import open_journal, verify

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware import EdgeSource
    from kiosk.app.config import Config
    from kiosk.journal import SqliteJournal

LONGEST_SLEEP_NS = NS_PER_S
ANSWER_SLEEP_NS = 2_000_000


@click.command(short_help="Run this table.")
@click.option("--simulate", is_flag=True, help="Simulated buttons: pressed by the console's word `press`.")
@click.pass_obj
def run(config: Config, simulate: bool) -> None:  # noqa: FBT001 - click hands flags over so
    """Run this table without a screen: words of the scenario format come in on standard input, one JSON object a line.

    Prints a line that begins with `ready` when the clocks can be used, then an answer to each word; an entry is answered
    `accepted` when it is safely on disk. Ends with its input, or on a signal; what was recorded is taken up at the next start.
    """
    with contextlib.ExitStack() as parts:
        wall = WallClock()
        journal, notices = open_journal(config.journal, boot=boot_id(), wall=wall)
        parts.callback(journal.close)
        for notice in notices:
            log.error(notice)
        report = verify(journal.rows())
        if report.fault is not None:
            log.error("The journal does not hold together: %s What it says is taken up all the same; tell the referee.", report.fault)
        _warn_of_forgetful(config.data)
        session = switch_on(journal, time.monotonic_ns(), wall(), boot_id())
        box = SimulatedBox() if simulate else None
        wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        keeper = SourceKeeper(_builder(config, box, parts), wake=lambda: _wake(wake_write))
        keeper.start(time.monotonic_ns())
        parts.callback(keeper.close)
        table = RunningTable(session, keeper)
        table.start(time.monotonic_ns())
        console = Console(table, Library([config.rulebooks]), journal, box, sys.stdout)
        loop = Loop(table, console, journal, wall, wake_read)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: loop.stop(wake_write))
        phase = "no match" if session.table.phase is None else session.table.phase
        click.echo(f"ready: {phase}; journal {config.journal}")
        sys.stdout.flush()
        loop.run()
        lost = journal.state().pending
        if lost:
            raise JournalUnavailable(f"{lost} entries could not be saved and are lost: {journal.state().fault}")


def _wake(descriptor: int) -> None:
    with contextlib.suppress(BlockingIOError):  # the pipe is full: the loop is being woken already
        os.write(descriptor, b"x")


def _warn_of_forgetful(folder: Path) -> None:
    kind = forgetful(folder)
    if kind is not None:
        log.error("The data folder %s is on %s and forgets everything at the next reboot; set `data` in kiosk.toml.", folder, kind)


def _builder(config: Config, box: SimulatedBox | None, parts: contextlib.ExitStack) -> Callable[[], EdgeSource]:
    if box is not None:
        return box.source
    if config.buttons == "gpiod":
        return GpiodEdgeSource
    import tempfile

    folder = os.environ.get("RUNTIME_DIRECTORY") or parts.enter_context(tempfile.TemporaryDirectory(prefix="tableside-"))
    return lambda: GpiozeroEdgeSource(lgpio_factory(Path(folder)), driver_alive=lgpio_alive)


class Loop:
    """Sleeps until the nearest of: an edge, a word, a deadline, a heartbeat, a second."""

    def __init__(self, table: RunningTable, console: Console, journal: SqliteJournal, wall: WallClock, wake: int) -> None:
        """Connect the parts.

        Args:
            table: The running table.
            console: Words in, answers out.
            journal: Its state is told when it changes.
            wall: The date.
            wake: A pipe that becomes readable when an edge has come.
        """
        self._table = table
        self._console = console
        self._journal = journal
        self._wall = wall
        self._wake = wake
        self._fault: str | None = None
        alerts = table.session.table.alerts
        self._told = len(alerts) - bool(alerts and alerts[-1].code == "power_restored")  # earlier ones were told then
        self._going = True

    def stop(self, wake: int) -> None:
        """End the loop at its next turn."""
        self._going = False
        _wake(wake)

    def run(self) -> None:
        """Turn until stopped or the input ends."""
        stdin = sys.stdin.fileno()
        sources = [stdin, self._wake]
        while self._going:
            now = time.monotonic_ns()
            self._turn(now)
            ready, _, _ = select.select(sources, [], [], self._sleep(now) / NS_PER_S)
            if self._wake in ready:
                os.read(self._wake, 4096)
            if stdin in ready and not self._console.read(stdin, time.monotonic_ns()):
                self._going = False
        last = time.monotonic_ns()
        if self._table.session.next_beat(Instant(last)) is not None:
            self._table.session.beat(Instant(last))  # an orderly end leaves nothing in doubt
        self._journal.flush(2)
        self._turn(time.monotonic_ns())

    def _turn(self, now: int) -> None:
        try:
            self._console.turn(now)
            self._table.turn(now)
        except BrokenPipeError:
            raise  # nobody listens any more
        except Exception:  # noqa: BLE001 - a fault anywhere leaves the table as it was; the clock goes on
            log.exception("A fault in the table's turn; the table is as it was, and the next press works.")
        self._tell(now)

    def _tell(self, now: int) -> None:
        for notice in self._table.notices:
            log.error(notice.sentence)
            self._console.say({"notice": notice.code, "message": notice.sentence})
        self._table.notices.clear()
        for fault in self._table.session.take_faults():
            log.error(fault)
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
        wakes.extend(
            wake
            for wake in (self._table.next_wake(), self._table.session.next_beat(Instant(now)), self._console.next_contact())
            if wake is not None
        )
        return max(0, min(wakes) - now)


__all__ = ["HardwareFault", "run"]
