"""The demo's tournament server: a process of its own on an embedded store in the demo's folder, and the tables that join it."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import select
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from kiosk.app import joining, membership
from kiosk.app.clocks import Clocks
from kiosk.app.courier import Courier, Keeping
from kiosk.app.offers import FILE, Offers
from kiosk.app.order_book import OrderBook
from kiosk.app.orders import DeskHall, obey
from kiosk.domain.errors import KioskError
from kiosk.domain.types import Instant
from kiosk.journal import MemoryJournal
from kiosk.say import _
from kiosk.session import Session
from kiosk.session import commands as c
from kiosk.sync.wire import Moment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import IO

    from kiosk.app.membership import Membership
    from kiosk.app.simulate import Simulation
    from kiosk.books import Library
    from kiosk.ports import Journal, JournalState, Row

NEEDS = ("alembic", "argon2", "cryptography", "fastapi", "jinja2", "sqlalchemy", "uvicorn")
"""What the extra `server` brings."""

READY_S = 40.0
"""A server that has not begun to answer by then does not."""
OFFER_S = 15.0
SETTLE_S = 20.0
PROGRAM = "from kiosk.server.main import main; main()"


class DemoFailed(KioskError, OSError):
    """The world failed: the demo's server did not do its part."""


def can_serve() -> bool:
    """Whether the extra `server` is installed."""
    return all(importlib.util.find_spec(name) is not None for name in NEEDS)


@dataclass(frozen=True, slots=True)
class DemoServer:
    """The demo's server, while it runs."""

    address: str
    """Where the hall board is."""
    code: str
    """With which its tables join."""
    name: str
    """The organizer's, to log in with."""
    password: str
    folder: Path

    @property
    def export(self) -> Path:
        """The event's workbook; it is written when the server is stopped."""
        return self.folder / "event.xlsx"


@contextlib.contextmanager
def serving(target: Path) -> Iterator[DemoServer]:
    """The demo's server, made anew in the folder `server` of the demo's.

    Raises:
        DemoFailed: It did not start; what it said is in `server.log`.
    """
    folder, said = target / "server", target / "server.log"
    if (folder / "server.id").exists():
        shutil.rmtree(folder)  # the demo's own, of the last time
    command = [sys.executable, "-c", PROGRAM, "sample", str(folder)]
    with said.open("wb") as log, contextlib.ExitStack() as stack:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, start_new_session=True)  # noqa: S603 - our own
        stack.callback(_ended, process)
        out = process.stdout
        first, ready = (None, None) if out is None else (_line(out), _line(out))
        if not first or not ready or "http" not in ready:
            raise DemoFailed(_("The demo's tournament server did not start; {path} says why.", path=said))
        plain = json.loads(first)
        yield DemoServer(ready[ready.index("http") :].strip(), plain["code"], plain["name"], plain["password"], folder)


def _line(out: IO[bytes]) -> str:
    there = select.select([out], [], [], READY_S)[0]
    return out.readline().decode(errors="replace") if there else ""


def _ended(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class DemoTable:
    """The sample match's table at the demo's server: it joins by itself, gets its match, and sends what is played."""

    def __init__(self, server: DemoServer, folder: Path, library: Library) -> None:
        """Join as table 2.

        Args:
            server: The demo's.
            folder: The table's own.
            library: The rulebooks.

        Raises:
            KioskError: It could not join.
        """
        self._joined = join_anew(folder, server, "2")
        self._offered: c.OpenMatch | None = None
        self._source: Simulation | None = None
        self._empty = MemoryJournal()
        clocks = Clocks("demo", lambda: (time.time_ns(), True), told=self._moment)
        journal = cast("Journal", self)
        self._courier = Courier(
            self._joined, journal, clocks, book=OrderBook(None, self._joined.server), keeping=Keeping(), wake=lambda: None
        )
        self._offers = Offers(folder, library, "demo", lambda: (time.time_ns(), True), time.monotonic_ns())
        self._courier.start()

    # ── What the courier reads ───────────────────────────────────────────────
    def rows(self, after: int = 0) -> Iterator[Row]:
        """The journal's rows, as far as the match is played."""
        return self._journal().rows(after)

    def state(self) -> JournalState:
        """How far that is."""
        return self._journal().state()

    def _journal(self) -> Journal:
        return self._empty if self._source is None else self._source.journal

    def _moment(self) -> Moment:
        """The simulated table's own clocks."""
        return Moment("demo", 0, 0, wall_trusted=False) if self._source is None else self._source.moment()

    # ── The match ────────────────────────────────────────────────────────────
    def wait_for_match(self) -> None:
        """Wait for the organizer's match.

        Raises:
            DemoFailed: None came.
        """
        hall = DeskHall(self._offers, self._joined.table)
        idle, until = Session(MemoryJournal()), time.monotonic() + OFFER_S
        while time.monotonic() < until:
            order = self._courier.take()
            if order is None:
                time.sleep(0.02)
                continue
            self._courier.tell(order, obey(order, idle, Instant(time.monotonic_ns()), hall))
            found = self._offers.all(self._joined.table)
            if found:
                self._offered = c.OpenMatch(found[0].match, found[0].setup, found[0].place)
                return
        raise DemoFailed(_("The demo's server has assigned no match."))

    def opening(self, source: Simulation) -> Callable[[c.Command], c.Command]:
        """Has the sample's players open what the organizer assigned, and sends what is played from then on."""

        def opened(command: c.Command) -> c.Command:
            if not isinstance(command, c.OpenMatch) or self._offered is None:
                return command
            self._source = source
            return self._offered

        return opened

    def settle(self) -> tuple[int, int]:
        """Wait until the server has confirmed everything.

        Returns:
            How many entries it has, and how many it lacks in the end.
        """
        until = time.monotonic() + SETTLE_S
        while (left := self._left()) and time.monotonic() < until:
            self._courier.nudge()
            time.sleep(0.02)
        return self.state().accepted - left, left

    def _left(self) -> int:
        state = self.state()
        return state.accepted + state.pending - self._courier.standing().confirmed

    def close(self) -> None:
        """Send no more."""
        self._courier.stop()


def join_anew(folder: Path, server: DemoServer, table: str) -> Membership:
    """Join the demo's server; what is left of the one of the last time goes.

    Args:
        folder: The table's data folder.
        server: The demo's.
        table: What the table is called.

    Raises:
        KioskError: It could not join.
    """
    membership.forget(folder)
    for name in (membership.DEVICE, FILE):
        (folder / name).unlink(missing_ok=True)
    return joining.join(folder, server.address, server.code, table=table)
