"""Pages for anybody: the hall, a match, an overlay for a stream. All are right as they are loaded; scripts keep them so.

GET /                  the hall; ?q= ?round= ?show=calls|offline|playing, ?wall=1 for a projector
GET /m/{match}         a match; the code on the table's screen leads here
GET /overlay/{table}   a table laid over a picture; ?at=bottom-left … ?size=50|75|100|125|150|200
"""

from __future__ import annotations

from math import ceil, sqrt
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.responses import Response

from kiosk.domain.types import NS_PER_MS
from kiosk.say import _
from kiosk.server import pages_live, published
from kiosk.server.faces import by_name
from kiosk.server.login import Viewer
from kiosk.server.problems import Problem
from kiosk.server.public import Face, public_face
from kiosk.server.rendering import names, render
from kiosk.server.seen import Seen, look
from kiosk.server.showing import counts, fits, shown, words

if TYPE_CHECKING:
    from kiosk.server.house import House

PLACES = ("top-left", "top", "top-right", "bottom-left", "bottom", "bottom-right")
"""Where an overlay may stand."""
SIZES = ("50", "75", "100", "125", "150", "200")
"""How large, in per cent."""
SHOW = ("playing", "calls", "offline")
"""Which tables of the hall may be asked for; else all."""
WIDE = 4.4
"""How much wider than high a table is drawn best on a wall."""
WALL = 16 / 9
"""A projector's picture."""
MOST_COLUMNS = 14

router = APIRouter(include_in_schema=False)
router.include_router(pages_live.router)


@router.get("/")
def hall(request: Request, who: Viewer) -> Response:
    """The hall."""
    house: House = request.app.state.house
    seen, now_ms = look(house), _now_ms(house)
    faces = [public_face(face) for face in seen.faces]
    asked = request.query_params
    show = asked.get("show", "")
    wanted = {"q": asked.get("q", ""), "round": asked.get("round", ""), "show": show if show in SHOW else "all"}
    tables = [(shown(face, now_ms), fits(face, **wanted)) for face in faces]
    return render(
        request,
        "hall.html",
        who=who,
        tables=tables,
        blank=shown(_blank(""), now_ms),
        rounds=sorted({str(face["round"]) for face in faces if face["round"]}, key=by_name),
        wanted=wanted,
        counts=counts(faces),
        any=any(fit for _table, fit in tables),
        pause=seen.pause,
        words=words(),
        wall=bool(asked.get("wall")),
        columns=columns(sum(fit for _table, fit in tables)),
    )


@router.get("/overlay/{table}")
def overlay(request: Request, table: str, at: str = "bottom", size: str = "100") -> Response:
    """One table over a picture."""
    house: House = request.app.state.house
    faces = {face["table"]: public_face(face) for face in look(house).faces}
    place, large = at if at in PLACES else "bottom", size if size in SIZES else "100"
    face = shown(faces.get(table, _blank(table)), _now_ms(house))
    return render(request, "overlay.html", table=table, shown=face, words=words(), place=place, size=large)


@router.get("/m/{ident}")
def match(request: Request, ident: str, who: Viewer) -> Response:
    """A match, for spectators."""
    house: House = request.app.state.house
    seen = look(house)
    with house.store.read() as connection:
        told = published.match(connection, ident)
    face = _of_match(seen, ident)
    if told is None and face is None:
        raise Problem(404, _("There is no such match."))
    players = told.players if told is not None else face["players"] if face else None
    return render(
        request,
        "match.html",
        who=who,
        match=ident,
        heading=_heading(players),
        shown=shown(face, _now_ms(house)) if face else None,
        pause=seen.pause,
        words=words(),
        sheet=told.sheet if told is not None else None,
        result=told.result if told is not None else None,
        sentence=published.sentence,
        players={side: names(each) for side, each in (players or {}).items()},
    )


@router.get("/results")
def results(request: Request, who: Viewer) -> Response:
    """The results."""
    house: House = request.app.state.house
    wanted = {"q": request.query_params.get("q", ""), "round": request.query_params.get("round", "")}
    with house.store.read() as connection:
        every = published.published(connection)
        told = published.published(connection, **wanted) if any(wanted.values()) else every
    rounds = sorted({one.round for one in every if one.round}, key=by_name)
    return render(request, "results.html", who=who, results=told, rounds=rounds, wanted=wanted)


def _of_match(seen: Seen, match: str) -> Face | None:
    return next((public_face(face) for face in seen.faces if face["match"] == match), None)


def _heading(players: dict[str, list[str]] | None) -> str:
    return f"{names(players['left'])} – {names(players['right'])}" if players else _("Match")


def _blank(table: str) -> Face:
    """A table of which nothing is known."""
    return public_face({"table": table, "online": True})


def _now_ms(house: House) -> float:
    return house.now_ns() / NS_PER_MS


def columns(count: int) -> int:
    """In how many columns so many tables fill a wall best."""
    return max(1, min(MOST_COLUMNS, ceil(sqrt(count * WALL / WIDE)), count))
