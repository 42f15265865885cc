"""The application: the house, its rooms (routers), and what holds for every request.

Every answer carries the security headers; every request has a largest size; whatever goes wrong is one sentence, on a page for people
and in JSON for programs. Nothing here asks who is there: endpoints do, through `kiosk.server.login`.
"""

from __future__ import annotations

import errno
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from kiosk import __version__
from kiosk.domain.errors import CommandRefused, KioskError, PeerError
from kiosk.say import _, mark, refusal
from kiosk.server import (
    api,
    assets,
    pages_draw,
    pages_event,
    pages_files,
    pages_login,
    pages_organizer,
    pages_prizes,
    pages_public,
    pages_referee,
)
from kiosk.server.answers import sorry, wants_page
from kiosk.server.devices import Doorkeeper
from kiosk.server.guard import Guard, Headless, log
from kiosk.server.language import Spoken
from kiosk.server.login import known
from kiosk.server.problems import NeedsLogin, NotThere, Problem
from kiosk.server.store import StoreUnavailable, full_words
from kiosk.server.straight import Application, Guarded
from kiosk.server.streams import Streams
from kiosk.shell.notify import Notifier
from kiosk.sync import wire

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.responses import Response

    from kiosk.server.house import House
    from kiosk.server.running import Feeder


FULL = {errno.ENOSPC, errno.EDQUOT}
PROGRAMS = "/api/"
"""Addresses below it are for programs: they are told what the framework says."""
ORGANIZERS = "/desk"
"""Pages below it are for whoever looks after the server."""


def create_app(house: House, feeder: Feeder | None = None) -> FastAPI:
    """The application of a house.

    Args:
        house: What every request shares.
        feeder: Who is told that the event loop turns; systemd, where none is named.
    """
    app = Application(
        title="Tableside", version=__version__, docs_url=None, redoc_url=None, openapi_url="/api/v1/openapi.json", lifespan=_lifespan
    )
    app.state.house = house
    app.state.feeder = Notifier() if feeder is None else feeder
    app.state.doorkeeper = Doorkeeper(house)
    app.state.streams = Streams(house, app.state.doorkeeper)
    for room in (
        assets,
        api,
        pages_login,
        pages_public,
        pages_prizes,
        pages_event,
        pages_files,
        pages_draw,
        pages_referee,
        pages_organizer,
    ):
        app.include_router(room.router)
    app.add_exception_handler(HTTPException, _told_http)
    app.add_exception_handler(RequestValidationError, _told_shape)
    app.add_exception_handler(KioskError, _told)
    app.add_exception_handler(OSError, _told_full)
    app.straight = Guarded(_told)
    app.add_middleware(Guard)
    app.add_middleware(Spoken)
    app.add_middleware(Headless)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Start up in this order, shut down in reverse."""
    from kiosk.server.running import running

    async with running(app.state.house, app.state.streams, app.state.feeder):
        yield


# ── What went wrong, in a sentence ───────────────────────────────────────────
async def _told(request: Request, error: Exception) -> Response:
    who = await known(request, ask=not isinstance(error, StoreUnavailable)) if wants_page(request) else None
    match error:
        case NeedsLogin():
            return sorry(request, 401, str(error), login=True)
        case Problem():
            response = sorry(request, error.status, str(error), retry_s=error.retry_s, who=who)
            if error.barred:
                response.headers[wire.BARRED] = error.barred
            return response
        case CommandRefused():
            return sorry(request, 404 if isinstance(error, NotThere) else 409, refusal(error), who=who)
        case PeerError():
            return sorry(request, 400, str(error), who=who)
        case StoreUnavailable():
            log.error("%s", error)
            return sorry(request, 503, error.outside, retry_s=5, who=who)
        case _ if isinstance(error, ValueError):
            return sorry(request, 400, str(error), who=who)
        case _:
            # Paths, addresses and users of the server are for whoever looks after it: the log has them, and the organizers' pages.
            log.error("%s", error)
            outside = _("The server cannot do this at the moment; whoever looks after it finds the reason in its log.")
            return sorry(request, 503, str(error) if request.url.path.startswith(ORGANIZERS) else outside, retry_s=5, who=who)


async def _told_full(request: Request, error: Exception) -> Response:
    """A disk that is full where no database is written: what a form brings, and what an export is put together from, lie in files."""
    if not isinstance(error, OSError) or error.errno not in FULL:
        raise error
    return await _told(request, StoreUnavailable(str(error), full_words()))


async def _told_http(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    sentences = {
        404: _("There is no such page."),
        405: _("This cannot be done here."),
        413: _("This is larger than anything that is taken here."),
    }
    detail = str(getattr(error, "detail", "")) or _("This request cannot be answered.")
    who = await known(request, ask=True) if wants_page(request) else None
    response = sorry(request, status, sentences.get(status, detail), who=who)
    response.headers.update(getattr(error, "headers", None) or {})
    return response


async def _told_shape(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for it
    first = error.errors()[0] if error.errors() else {"loc": (), "msg": "", "type": ""}
    who = await known(request, ask=True) if wants_page(request) else None
    if request.url.path.startswith(PROGRAMS):
        place = ".".join(str(part) for part in first["loc"])
        return sorry(request, 422, _("{place} cannot be so: {why}.", place=place, why=first["msg"]), who=who)
    if first["loc"][:1] == ("path",):  # a letter where a number belongs: nothing has this address
        return sorry(request, 404, _("There is no such page."), who=who)
    place, why = str(first["loc"][-1]), _(_WRONG.get(str(first["type"]), _WRONG[""]))
    return sorry(request, 422, _("{place} cannot be so: {why}.", place=place, why=why), who=who)


_WRONG = {
    "": mark("it cannot be read"),
    "missing": mark("it is missing"),
    "int_parsing": mark("it is no whole number"),
    "too_long": mark("there are too many"),
}
"""What the framework finds wrong with a page's address, as people read it."""
