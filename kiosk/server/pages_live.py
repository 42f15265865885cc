"""The streams that open pages read: an answer that goes on, and its addresses. What they are told is `kiosk.server.live`'s."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from kiosk.domain.officials import Role
from kiosk.say import _
from kiosk.server.live import LOGIN, MOST_CHANNELS, Live, Reader
from kiosk.server.login import Viewer, Who, referee, token_of
from kiosk.server.problems import Problem
from kiosk.server.watch import Watch

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send

RETRY_MS = 1000
"""When a browser tries again after its connection broke."""
LAST_WORD_S = 0.2
"""How long a reader that was cut off may take for the end of its answer."""


# ── The answer ───────────────────────────────────────────────────────────────
class Stream(Response):
    """An answer that goes on until the reader leaves, or is cut off."""

    media_type = "text/event-stream"

    def __init__(self, live: Live, *channels: str, watch: Watch | None = None, who: tuple[str, Role] | None = None) -> None:
        """Read channels.

        Args:
            live: Whose.
            channels: `board`, `desk`, `table:…` or `match:…`.
            watch: Ends streams with their logins.
            who: The login that this one wants: its token and the person's role.
        """
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._live, self._channels, self._watch, self._who = live, channels, watch, who

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until one of the two ends."""
        with self._live.counted(_address(scope)):
            await self._answer(receive, send)

    async def _answer(self, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        await send(_part(f"retry: {RETRY_MS}\n\n".encode()))
        reader = await self._live.join(*self._channels)
        if self._watch is not None and self._who is not None:
            self._watch.hold(reader.cut, *self._who)
        ends = [asyncio.ensure_future(each) for each in (_send_all(reader, send), _left(receive), reader.cut.wait())]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if self._watch is not None:
                self._watch.release(reader.cut)
            for channel in self._channels:
                self._live.leave(channel, reader)
            for task in ends:
                task.cancel()
            await asyncio.gather(*ends, return_exceptions=True)
        with suppress(TimeoutError, OSError):
            await asyncio.wait_for(send({"type": "http.response.body", "body": b"", "more_body": False}), LAST_WORD_S)


def _address(scope: Scope) -> str:
    return str((scope.get("client") or ("",))[0])


def _part(event: bytes) -> Message:
    return {"type": "http.response.body", "body": event, "more_body": True}


async def _send_all(reader: Reader, send: Send) -> None:
    while (event := await reader.events.get()) is not None:
        await send(_part(event))


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def live_of(request: Request) -> Live:
    """The open pages of this process."""
    state = request.app.state
    if not hasattr(state, "live"):
        state.live = Live(state.house)
    live: Live = state.live
    return live


async def _room(request: Request) -> None:
    live_of(request).check_room(_address(request.scope))


router = APIRouter(prefix="/live", include_in_schema=False, dependencies=[Depends(_room)])


@router.get("/board")
async def board(request: Request) -> Response:
    """Every table."""
    return Stream(live_of(request), "board")


@router.get("/table/{table}")
async def table(request: Request, table: str) -> Response:
    """One table."""
    return Stream(live_of(request), f"table:{table}")


@router.get("/match/{match}")
async def match(request: Request, match: str) -> Response:
    """One match."""
    return Stream(live_of(request), f"match:{match}")


@router.get("/desk")
async def desk(request: Request, who: Annotated[Who, Depends(referee)]) -> Response:
    """What referees and organizers see has changed."""
    return Stream(live_of(request), "desk", watch=_watch_of(request), who=(token_of(request), who.role))


@router.get("/several")
async def several(request: Request, who: Viewer, of: Annotated[list[str], Query(max_length=MOST_CHANNELS)]) -> Response:
    """All that the open pages of one browser read.

    Whoever may not read the desk's is not refused the others: a page of the desk is told to ask anew, and is led to the login.
    """
    asked = [each for each in dict.fromkeys(of) if each in {"board", "desk"} or each.partition(":")[0] in {"table", "match"}]
    if not asked:
        raise Problem(400, _("Say what is to be read."))
    if "desk" not in asked:
        return Stream(live_of(request), *asked)
    if who is None or not who.may(Role.REFEREE):
        return Stream(live_of(request), *(LOGIN if each == "desk" else each for each in asked))
    return Stream(live_of(request), *asked, watch=_watch_of(request), who=(token_of(request), who.role))


def _watch_of(request: Request) -> Watch:
    state = request.app.state
    if not hasattr(state, "watch"):
        state.watch = Watch(state.house)
    watch: Watch = state.watch
    return watch
