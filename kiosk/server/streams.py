"""The open streams of one worker: every table that is there listens on one, for orders.

A stream holds no queue: it is woken, reads from the database what the device has not had yet, and sends it, so that a slow reader costs
nothing but its turn. Who does not take a line within `PATIENCE_S` is cut off, and so is a device that was revoked, or that has opened
another stream since. A device is present while a stream of its is open; the socket itself gives up where nothing is confirmed any more
(`kiosk.server.sockets`).
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from sqlalchemy import select
from starlette.responses import Response

from kiosk.server import orders, people
from kiosk.server.house import get
from kiosk.server.schema import device as devices
from kiosk.sync import wire

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.types import Receive, Scope, Send

    from kiosk.server.devices import Doorkeeper
    from kiosk.server.house import House

PATIENCE_S = 10.0
"""A reader that takes longer for a line is cut off."""
QUIET = b"{}\n"

log = logging.getLogger("tableside.server")


class Streams:
    """Who listens in this worker."""

    def __init__(self, house: House, doorkeeper: Doorkeeper) -> None:
        """Nobody yet."""
        self._house = house
        self._doorkeeper = doorkeeper
        self._open: dict[str, asyncio.Event] = {}

    def __len__(self) -> int:
        """How many devices listen here."""
        return len(self._open)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Wake streams as orders come, while the server runs."""
        task = asyncio.create_task(self._wake_all())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    def leave(self) -> None:
        """End every stream: the server is about to stop."""
        for event in self._open.values():
            event.set()
        self._open.clear()

    async def _wake_all(self) -> None:
        async with self._house.hub.subscribe("orders") as changes:
            async for changed in changes:
                for _topic, ident in changed:
                    self.wake(ident)

    def wake(self, ident: str) -> None:
        """Let a device's stream look at the database; `*`: every one's."""
        everybody = ident == "*"
        self._doorkeeper.forget(None if everybody else ident)
        for event in list(self._open.values()) if everybody else [self._open[ident]] if ident in self._open else []:
            event.set()

    async def lines(self, ident: str, after: int) -> AsyncIterator[bytes]:
        """What a device's stream says.

        Args:
            ident: The device.
            after: The highest order that it has answered.
        """
        woken = asyncio.Event()
        before, self._open[ident] = self._open.get(ident), woken
        if before is not None:
            before.set()  # the older stream sees that it is not the newest any more
        try:
            greeting, waiting = await self._house.for_tables.run(self._begun, ident, after)
            if greeting is None:
                return
            self._house.intake.presence(ident, online=True)
            yield wire.to_json(greeting) + b"\n"
            while waiting is not None:
                for each in waiting:
                    yield wire.order_to_json(orders.as_sent(each, self._house.now_ns())) + b"\n"
                    after = each.order.n
                while len(waiting) < orders.MOST and not await _set_within(woken, wire.KEEPALIVE_S):
                    yield QUIET
                if self._open.get(ident) is not woken:
                    return
                woken.clear()
                waiting = await self._house.for_tables.run(self._waiting, ident, after)
        finally:
            if self._open.get(ident) is woken:
                del self._open[ident]
                self._house.intake.presence(ident, online=False)

    def _begun(self, ident: str, after: int) -> tuple[wire.Greeting | None, list[orders.Open] | None]:
        """The first line and what waits behind it, in one look; None where the device was revoked."""
        with self._house.store.read() as connection:
            table = connection.execute(select(devices.c.table_name).where(devices.c.id == ident, devices.c.revoked_ns.is_(None))).scalar()
            if table is None:
                return None, None
            event, board = get(connection, "name"), self._house.settings.address.rstrip("/")
            greeting = wire.Greeting(self._house.keys.server_id, table, people.version(connection), event, board)
            return greeting, orders.open_orders(connection, ident, after)

    def _waiting(self, ident: str, after: int) -> list[orders.Open] | None:
        """What a device has not had, or None where it was revoked."""
        with self._house.store.read() as connection:
            if connection.execute(select(devices.c.id).where(devices.c.id == ident, devices.c.revoked_ns.is_(None))).scalar() is None:
                return None
            return orders.open_orders(connection, ident, after)


async def _set_within(event: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True


class Lines(Response):
    """An answer that goes on line by line, until its source ends, the reader goes, or takes nothing any more."""

    def __init__(self, source: AsyncIterator[bytes]) -> None:
        """Take the source of the lines."""
        super().__init__(media_type="application/x-ndjson")
        self._source = source
        del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - as ASGI calls it
        """Send it."""
        sending = asyncio.create_task(self._send(send))
        leaving = asyncio.create_task(_gone(receive))
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, leaving):
                task.cancel()
                with suppress(asyncio.CancelledError, OSError, TimeoutError):
                    await task
            await self._source.aclose()  # type: ignore[attr-defined] # it is a generator

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async for line in self._source:
            async with asyncio.timeout(PATIENCE_S):
                await send({"type": "http.response.body", "body": line, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
