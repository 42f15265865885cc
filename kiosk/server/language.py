"""Which language a page is in: what the address asks for (`?lang=uk`), else the reader's last choice, else what the browser prefers.

The choice is spoken (`kiosk.say`) for the whole request, so that a sentence that an endpoint makes is in the page's language too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection

from kiosk.say import LANGUAGES, speaking

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

COOKIE = "lang"
"""The reader's last choice; it says nothing about who reads."""
COOKIE_S = 365 * 24 * 3600
"""How long it is kept, in seconds."""


def language_of(connection: HTTPConnection) -> str:
    """The language of a page: one of `LANGUAGES`, English where nothing better is known."""
    for wanted in (asked(connection), connection.cookies.get(COOKIE, "")):
        if wanted in LANGUAGES:
            return wanted
    return preferred(connection.headers.get("accept-language", ""))


def asked(connection: HTTPConnection) -> str:
    """The language that the address asks for, or an empty text."""
    wanted = connection.query_params.get("lang", "")
    return wanted if wanted in LANGUAGES else ""


def preferred(header: str) -> str:
    """The best language for an `Accept-Language` header (RFC 9110, 12.5.4): highest weight first, the first of equals.

    Args:
        header: As it came; what is malformed in it counts for nothing.
    """
    if not header:
        return "en"
    best, language = 0.0, "en"
    for part in header.split(","):
        tag, _, weight = part.partition(";")
        code = tag.strip().split("-")[0].lower()
        if code in LANGUAGES and (value := _weight(weight)) > best:
            best, language = value, code
    return language


def _weight(text: str) -> float:
    if not text.strip():
        return 1.0
    name, _, number = text.strip().partition("=")
    if name.strip() != "q":
        return 0.0
    try:
        value = float(number)
    except ValueError:
        return 0.0
    return value if 0 <= value <= 1 else 0.0


class Spoken:
    """Speaks each request's language while it is answered (an ASGI middleware)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request in its reader's language."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        with speaking(language_of(HTTPConnection(scope))):
            await self._app(scope, receive, send)
