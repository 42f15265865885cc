"""What a running server does beside answering: it is started in this order, and stopped in reverse."""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import TYPE_CHECKING, Protocol

from starlette.concurrency import run_in_threadpool

from kiosk.domain.errors import KioskError
from kiosk.say import _
from kiosk.server.house import POKE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
    from pathlib import Path

    from kiosk.server.house import House
    from kiosk.server.streams import Streams

NS_PER_S = 1_000_000_000

LOOK_S = 0.5
"""How often the server looks for what commands beside it have changed."""

AGAIN_S = 300.0
"""When a backup is tried again that could not be made."""

FIRST_S = 20.0
"""How long after its start the server looks for the first time whether a backup is due: the tables come back in the seconds before."""

PROGRAM = "import os; os.nice(10); from kiosk.server.main import main; main()"

log = logging.getLogger("tableside.server")


@asynccontextmanager
async def running(house: House, streams: Streams, feeder: Feeder) -> AsyncIterator[None]:
    """Everything that lives as long as the server does.

    Args:
        house: Whose.
        streams: The tables that listen.
        feeder: Who is told that the event loop turns.
    """
    async with AsyncExitStack() as stack:
        for part in (house.hub, house.intake, streams, Looker(house), Keeper(house), Watchdog(feeder)):
            await stack.enter_async_context(part.running())
        yield


class Looker:
    """Sees what commands beside the server have changed (see `kiosk.server.house.Outside`)."""

    def __init__(self, house: House) -> None:
        """Take the house."""
        self._house = house
        self._path = house.settings.folder / POKE

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Look twice a second, while the server runs."""
        async with _task(self._look()):
            yield

    async def _look(self) -> None:
        seen = self._mark()
        while True:
            await asyncio.sleep(LOOK_S)
            if (now := self._mark()) != seen:
                seen = now
                self._house.hub.everything()

    def _mark(self) -> int:
        try:
            return self._path.stat().st_mtime_ns
        except OSError:
            return 0


async def apart(folder: Path) -> str:
    """Make the hour's backup in a process of its own, with low priority: in a large event it is seconds of work.

    Args:
        folder: The data folder.

    Returns:
        Why there is none, in a sentence; empty: it was made, or is being made by another worker.
    """
    given = ("-c", PROGRAM, "--data", str(folder), "backup", "--due")
    nobody = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(sys.executable, *given, stdin=nobody, stdout=nobody, stderr=asyncio.subprocess.PIPE)
    try:
        _out, told = await process.communicate()
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()
    if process.returncode == 0:
        return ""
    lines = told.decode("utf-8", "replace").split("\n")
    last = next((line for line in reversed(lines) if line.strip()), "")
    return last.removeprefix("kiosk-server: ") or _("The backup ended without a word (exit {n}).", n=process.returncode)


class Keeper:
    """Has a backup made every hour, by one worker of the server only."""

    def __init__(self, house: House, make: Callable[[Path], Awaitable[str]] = apart) -> None:
        """Take the house, and what makes a backup.

        Args:
            house: Whose.
            make: Makes the hour's backup of a data folder, and tells in a sentence why it could not.
        """
        self._house = house
        self._make = make

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep backups, while the server runs."""
        async with _task(self._keep()):
            yield

    async def _keep(self) -> None:
        await asyncio.sleep(FIRST_S)
        while True:  # noqa: ASYNC110 - nothing but time says that an hour has gone
            await asyncio.sleep(await self.due())

    async def due(self) -> float:
        """Have a backup made if it is time.

        Returns:
            In how many seconds to look again.
        """
        from kiosk.server import backup

        wait = backup.wait_s(self._house)
        if wait > 0:
            return wait
        try:
            why = await self._make(self._house.settings.folder)
        except OSError as error:
            why = _("The backup's process could not be started: {why}.", why=error.strerror or error)
        if not why and backup.wait_s(self._house) == 0:
            return backup.HOUR_S  # another worker is making it
        if why:
            log.error("%s", why)
        await run_in_threadpool(self._told, why)
        return AGAIN_S if why else backup.HOUR_S

    def _told(self, why: str) -> None:
        """Let the organizers' pages know; where not even that can be written, the log says it."""
        from kiosk.server import backup

        with suppress(KioskError):
            backup.trouble_is(self._house, why)


class Feeder(Protocol):
    """Who wants to be told that the event loop turns: systemd (`kiosk.shell.notify`), or a worker's parent (`kiosk.server.beats`)."""

    @property
    def feed_ns(self) -> int | None:
        """How often, in nanoseconds; None: not at all."""
        ...

    def alive(self) -> None:
        """It turns."""
        ...

    def close(self) -> None:
        """It is told no more."""
        ...


class Watchdog:
    """Feeds a watchdog from the event loop itself: while that answers nobody, it feeds nobody either."""

    def __init__(self, feeder: Feeder) -> None:
        """Nothing is fed yet.

        Args:
            feeder: Who is told.
        """
        self._feeder = feeder

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Feed it, while the server runs."""
        if self._feeder.feed_ns is None:
            yield
            return
        async with _task(self._feed(self._feeder.feed_ns / NS_PER_S)):
            yield
        self._feeder.close()

    async def _feed(self, every_s: float) -> None:
        while True:
            self._feeder.alive()
            await asyncio.sleep(every_s)


@asynccontextmanager
async def _task(work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
