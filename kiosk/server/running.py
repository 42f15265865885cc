"""What a running server does beside answering: it is started in this order, and stopped in reverse."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from kiosk.server.house import House


@asynccontextmanager
async def running(house: House) -> AsyncIterator[None]:
    """Everything that lives as long as the server does.

    Args:
        house: Whose.
    """
    async with AsyncExitStack() as stack:
        for part in (house.hub, house.intake):
            if hasattr(part, "running"):
                await stack.enter_async_context(part.running())
        yield
