"""Pages for anybody, made once for all who ask: when a result comes, hundreds of phones fetch the same page within two seconds.

A page is kept until something has changed that the pages of the tournament are told of (`kiosk.server.live.TOLD`), a minute has begun, or
the event has another name. Who asks for a page that is being made waits for that one, and holds no thread. A page that depends on who asks
(somebody has logged in, there is a query) is made for itself. A browser that has the page already is told so in a few bytes (304).

    return await kept(request, who, lambda: …)       the lambda makes the page, in a thread
"""

from __future__ import annotations

import asyncio
import hashlib
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from kiosk.server.clock import SECOND
from kiosk.server.language import language_of
from kiosk.server.live import TOLD
from kiosk.server.rendering import VARY

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi import Request

    from kiosk.server.house import House
    from kiosk.server.login import Who

MINUTE_NS = 60 * SECOND
"""What a page tells the time of is not older."""
MOST = 200
"""So many pages are kept: those of some stages in every language, packed and not."""
FRESH = "no-cache"
"""A browser keeps the page, and asks each time whether it still stands."""

_TOLD_AGAIN = ("etag", "vary", "cache-control")
"""What an answer says too that sends nothing."""

_Version = tuple[int, int, str]
_Key = tuple[str, str, bool]
_Page = tuple[bytes, dict[str, str]]
_Part = TypeVar("_Part")


@dataclass(frozen=True, slots=True)
class _Kept:
    """A page, or one that is being made."""

    version: _Version
    page: asyncio.Future[_Page]


class KeptPages:
    """The pages of one process."""

    def __init__(self, house: House) -> None:
        """Nothing has been made yet.

        Args:
            house: Whose hub tells what has changed.
        """
        self._house = house
        self._pages: dict[_Key, _Kept] = {}
        self._parts: dict[str, tuple[_Version, Any]] = {}
        self._lock = threading.Lock()

    def _version(self) -> _Version:
        return self._house.hub.count("desk", TOLD), self._house.now_ns() // MINUTE_NS, self._house.event

    async def answer(self, request: Request, make: Callable[[], Response]) -> Response:
        """A page that is the same for everybody who asks for this address in this language.

        Args:
            request: Who asks.
            make: Makes it; called in a thread, where none that stands is there.

        Raises:
            KioskError: As `make` does; nothing is kept then.
        """
        key = (request.url.path, language_of(request), "gzip" in request.headers.get("accept-encoding", ""))
        version = self._version()
        found = self._pages.get(key)
        if found is None or found.version != version:
            found = self._begin(key, version, make)
        body, headers = await asyncio.shield(found.page)
        if headers["etag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers={name: headers[name] for name in _TOLD_AGAIN if name in headers})
        return Response(body, headers=headers)

    def _begin(self, key: _Key, version: _Version, make: Callable[[], Response]) -> _Kept:
        made = _Kept(version, asyncio.ensure_future(_made(make)))
        self._pages.pop(key, None)
        self._pages[key] = made
        while len(self._pages) > MOST:
            self._pages.pop(next(iter(self._pages)))
        made.page.add_done_callback(lambda page: self._unless_failed(key, made, page))
        return made

    def _unless_failed(self, key: _Key, made: _Kept, page: asyncio.Future[_Page]) -> None:
        if (page.cancelled() or page.exception() is not None) and self._pages.get(key) is made:
            del self._pages[key]

    def once(self, name: str, make: Callable[[], _Part]) -> _Part:
        """What pages that differ by who asks have in common, worked out once as well; called in a thread.

        Args:
            name: What it is, in which language.
            make: Works it out.
        """
        with self._lock:
            version = self._version()
            known = self._parts.get(name)
            if known is None or known[0] != version:
                self._parts[name] = known = (version, make())
        part: _Part = known[1]
        return part


async def _made(make: Callable[[], Response]) -> _Page:
    response = await run_in_threadpool(make)
    body = bytes(response.body)
    headers = {"vary": VARY} | {name: value for name, value in response.headers.items() if name != "content-length"}
    return body, headers | {"cache-control": FRESH, "etag": f'"{hashlib.sha256(body).hexdigest()[:32]}"'}


def kept_pages(request: Request) -> KeptPages:
    """Those of this process."""
    state = request.app.state
    if not hasattr(state, "kept_pages"):
        state.kept_pages = KeptPages(state.house)
    pages: KeptPages = state.kept_pages
    return pages


async def kept(request: Request, who: Who | None, make: Callable[[], Response]) -> Response:
    """A page for anybody: the one that is kept, where it does not depend on who asks.

    Args:
        request: What is answered.
        who: Who has logged in, or None.
        make: Makes the page.
    """
    if who is not None or request.url.query:
        return await run_in_threadpool(make)
    return await kept_pages(request).answer(request, make)
