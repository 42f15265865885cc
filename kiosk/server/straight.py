"""The straight way for what tables do all day long: `POST /api/v1/sync` and `GET /api/v1/stream?after=N` past the framework.

For a press it would cost more than the intake itself; a stream that is open would keep alive some thirty of its objects, for as long as
the table is there. The routes stand in `kiosk.server.api` all the same, for the description of the API; both do the same. What holds for
every request (`guard`, `language`) is put around this way as around the other.
"""

from __future__ import annotations

import re
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

AFTER = re.compile(rb"after=([0-9]{1,18})")
"""The query of a stream as tables write it; any other is the framework's to answer."""


class Guarded:
    """What tables send, answered."""

    def __init__(self, told: Told) -> None:
        """Take what makes an answer of an error."""
        self._told = told
        self._guarded = Spoken(Guard(self._answer))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        await self._guarded(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = await (api.sync(request) if scope["path"] == wire.SYNC else api.stream(request, _after(scope)))
        except KioskError as error:
            response = await self._told(request, error)
        await response(scope, receive, send)


class Application(FastAPI):
    """The framework's application, with a way around the framework."""

    straight: Guarded

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "http" and _of_a_table(scope):
            scope["app"] = self
            await self.straight(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


def _of_a_table(scope: Scope) -> bool:
    if scope["method"] == "POST":
        return bool(scope["path"] == wire.SYNC)
    return scope["path"] == wire.STREAM and scope["method"] == "GET" and AFTER.fullmatch(scope["query_string"]) is not None


def _after(scope: Scope) -> int:
    found = AFTER.fullmatch(scope["query_string"])
    return 0 if found is None else int(found[1])
