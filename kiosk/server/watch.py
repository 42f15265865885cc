"""Streams that want a login end with it: at a logout, with a new password or role, with the person, or when its time is over.

A login may end in another process (another worker, `kiosk-server people`), so that the database is asked, once a second for all who read.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

from kiosk.server import login
from kiosk.server.store import StoreUnavailable

if TYPE_CHECKING:
    from kiosk.domain.officials import Role
    from kiosk.server.house import House

LOOK_S = 1.0
"""Between two looks at whose login still stands."""


class Watch:
    """Everybody in this process whose stream wants a login."""

    def __init__(self, house: House) -> None:
        """Nobody yet.

        Args:
            house: Whose logins.
        """
        self._house = house
        self._held: dict[asyncio.Event, tuple[str, Role]] = {}
        self._task: asyncio.Task[None] | None = None

    def hold(self, cut: asyncio.Event, token: str, role: Role) -> None:
        """Watch a login.

        Args:
            cut: Set when the login ends.
            token: The cookie's.
            role: What the person is; with another role the stream begins anew.
        """
        self._held[cut] = (login.token_hash(token), role)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._look())

    def release(self, cut: asyncio.Event) -> None:
        """Watch it no more."""
        self._held.pop(cut, None)
        if not self._held and self._task is not None:
            self._task.cancel()
            self._task = None

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                stand = await run_in_threadpool(self._standing)
            except StoreUnavailable:
                continue  # nobody knows; who is there stays until somebody does
            for cut, wanted in self._held.items():
                if wanted not in stand:
                    cut.set()

    def _standing(self) -> set[tuple[str, Role]]:
        with self._house.store.read() as connection:
            return login.standing(connection, [token for token, _ in list(self._held.values())], self._house.now_ns())
