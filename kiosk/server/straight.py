"""The straight way for what tables send all day long: `POST /api/v1/sync` past the router, which costs more than the intake itself.

The route stands in `kiosk.server.api` all the same, for the description of the API; both do the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request

from kiosk.domain.errors import KioskError
from kiosk.server import api
from kiosk.sync import wire

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send


class Straight:
    """The application within, with a way around it."""

    def __init__(self, app: ASGIApp, told: Callable[[Request, Exception], Awaitable[Response]]) -> None:
        """Take the application, and what makes an answer of an error."""
        self._app, self._told = app, told

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["path"] != wire.SYNC or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        try:
            response = await api.sync(request)
        except KioskError as error:
            response = await self._told(request, error)
        await response(scope, receive, send)
