"""The straight way for what tables do all day long: `POST /api/v1/sync` past the framework, which costs more than the intake itself.

The route stands in `kiosk.server.api` all the same, for the description of the API; both do the same. What holds for every request
(`guard`, `language`) is put around this way as around the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.requests import Request

from kiosk.domain.errors import KioskError
from kiosk.server import api
from kiosk.server.guard import Guard
from kiosk.server.language import Spoken
from kiosk.sync import wire

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.responses import Response
    from starlette.types import Receive, Scope, Send

    Told = Callable[[Request, Exception], Awaitable[Response]]


class Guarded:
    """What tables send, answered."""

    def __init__(self, told: Told) -> None:
        """Take what makes an answer of an error."""
        self._told = told
        self._guarded = Spoken(Guard(self._sync))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        await self._guarded(scope, receive, send)

    async def _sync(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = await api.sync(request)
        except KioskError as error:
            response = await self._told(request, error)
        await response(scope, receive, send)


class Application(FastAPI):
    """The framework's application, with a way around the framework."""

    straight: Guarded

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "http" and scope["path"] == wire.SYNC and scope["method"] == "POST":
            scope["app"] = self
            await self.straight(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)
