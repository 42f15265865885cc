"""What holds for every request: how large it may be, and the headers of every answer."""

from __future__ import annotations

import logging
from functools import cache
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse

from kiosk.say import _
from kiosk.server.answers import sorry
from kiosk.sync import wire

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger("tableside.server")
"""The server's logger."""

LARGEST = 8_000_000
"""No request of a page has more bytes: a list of matches as a workbook."""
DRAINED = 2 * LARGEST
"""So much of a request that is too large is still taken from the wire, and thrown away."""
SMALL = 20_000
"""Nor one that anybody may send before a login, or a device's short question."""

OVERLAY = "/overlay"
"""Pages below it may stand in another program's frame: they show what anybody may see and can be touched nowhere."""

CSP = (
    "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; font-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors {frames}"
)
HSTS = "max-age=31536000"
CACHE = b"cache-control"


class TooLarge(Exception):
    """A request's body goes on beyond its largest size."""


class Guard:
    """The application within: each request bounded, each answer with its headers."""

    def __init__(self, app: ASGIApp) -> None:
        """Take the application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def told(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                _add_headers(scope, message)
            await send(message)

        limit = largest(scope["path"])
        body = _Body(receive, limit)
        if _announced(scope) > limit:
            await _too_large(scope, body, told)
            return
        try:
            await self._app(scope, body, told)
        except TooLarge:
            if not begun:
                await _too_large(scope, body, told)
        except ClientDisconnect:
            log.debug("%s %s: whoever asked has gone.", scope["method"], scope["path"])
        except Exception:
            log.exception("%s %s failed.", scope["method"], scope["path"])
            if not begun:
                await _failed(scope, receive, told)


class Headless:
    """Answers HEAD as GET, without the body (RFC 9110, 9.3.2); a stream ends where it would begin."""

    def __init__(self, app: ASGIApp) -> None:
        """Take the application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        ended = False

        async def told(message: Message) -> None:
            nonlocal ended
            if message["type"] != "http.response.body":
                await send(message)
            elif not ended:
                ended = True
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        await self._app({**scope, "method": "GET"}, receive, told)


def largest(path: str) -> int:
    """How many bytes a request to a path may have."""
    if path == wire.SYNC:
        return wire.LARGEST
    return SMALL if path.startswith(("/api/", "/login", "/account")) else LARGEST


def _announced(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() and len(value) < 20 else 2**63
    return 0


class _Body:
    """A request's body as it comes, within its largest size."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive, self._limit = receive, limit
        self._had, self._more = 0, True

    async def __call__(self) -> Message:
        """The next part, as ASGI has it."""
        message = await self._next()
        if self._had > self._limit:
            raise TooLarge
        return message

    async def drain(self) -> None:
        """Take what still comes and throw it away, up to a bound: most senders read no answer while they send."""
        while self._more and self._had < DRAINED:
            await self._next()

    async def _next(self) -> Message:
        message = await self._receive()
        self._had += len(message.get("body", b""))
        self._more = message.get("more_body", False)
        return message


async def _too_large(scope: Scope, body: _Body, send: Send) -> None:
    await body.drain()
    answer = JSONResponse({"error": _("This is larger than anything that is taken here.")}, 413, headers={"Connection": "close"})
    await answer(scope, body, send)


async def _failed(scope: Scope, receive: Receive, send: Send) -> None:
    sentence = _("Something unexpected went wrong at the server; it is written in its log.")
    request = Request(scope)
    await sorry(request, 500, sentence, who=getattr(request.state, "viewer", None))(scope, receive, send)


def _add_headers(scope: Scope, message: Message) -> None:
    added = _headers(framed=scope["path"].startswith(OVERLAY), secret=scope.get("scheme") == "https")
    names, told = added.keys(), message.get("headers", ())
    kept = [(name, value) for name, value in told if name not in names]
    if not any(name == CACHE for name, _value in kept):
        kept.append((CACHE, b"no-store"))
    message["headers"] = [*kept, *added.items()]


@cache
def _headers(*, framed: bool, secret: bool) -> dict[bytes, bytes]:
    """Those of every answer, whatever it says itself."""
    headers = {
        "content-security-policy": CSP.format(frames="*" if framed else "'none'"),
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=()",
        "cross-origin-opener-policy": "same-origin",
    }
    headers |= {} if framed else {"x-frame-options": "DENY"}
    headers |= {"strict-transport-security": HSTS} if secret else {}
    return {name.encode(): value.encode() for name, value in headers.items()}
