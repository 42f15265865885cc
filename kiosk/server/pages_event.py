"""The whole event for anybody, and at the desk: its final ranking over all stages, and everybody's rating before and after.

GET /tournament/ranking          who stands where over all stages; ?stages=1,3: only these count
GET /tournament/ratings          ratings before and after, with what moved them
GET /tournament/{what}.{form}    the same as csv, xlsx or pdf
GET, POST /desk/tournament/ratings    likewise, and how they are reckoned
GET, POST /desk/tournament/ranking    likewise, and which stages are side events that do not count
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from kiosk.say import _, speaking
from kiosk.server import money, tournament, tournament_forms
from kiosk.server import tournament_grids as grids
from kiosk.server.kept_pages import kept
from kiosk.server.language import language_of
from kiosk.server.login import Checked, Viewer, Who
from kiosk.server.pages_desk import Chief, Organizer, act_of, back, common, sentence, text
from kiosk.server.pages_files import answered, heading
from kiosk.server.pages_tournament import WRONG
from kiosk.server.problems import Problem
from kiosk.server.rendering import render
from kiosk.tournament import happened as h
from kiosk.tournament.plan import System

if TYPE_CHECKING:
    from starlette.datastructures import FormData

    from kiosk.server.house import House
    from kiosk.sheets.grid import Grid
    from kiosk.tournament.event import Event

router = APIRouter(include_in_schema=False)

RATINGS = "/desk/tournament/ratings"
RANKING = "/desk/tournament/ranking"


def _event(request: Request) -> Event:
    house: House = request.app.state.house
    with house.store.read() as connection:
        return tournament.seen_now(connection)


def _stages(request: Request) -> tuple[int, ...] | None:
    """The stages that are asked for; None: those that count where nothing is asked."""
    return tournament_forms.numbers(request.query_params.get("stages", "")[:200]) or None


def _told(request: Request, what: str) -> tuple[list[Grid], str, list[tuple[str, str]]]:
    """What there is to see, what it is called, and how it was made."""
    event = _event(request)
    match what:
        case "ranking":
            return grids.ranking(event, _stages(request)), _("Final ranking"), grids.about_ranking(event, _stages(request))
        case "ratings":
            return grids.ratings(event), _("Ratings"), grids.about_ratings(event)
        case _:
            raise Problem(404, _("There is no such page."))


# ── For anybody ──────────────────────────────────────────────────────────────
@router.get("/tournament/ranking")
async def ranking(request: Request, who: Viewer) -> Response:
    """Who stands where over all stages."""
    return await kept(request, who, lambda: _page(request, who, "ranking"))


@router.get("/tournament/ratings")
async def ratings(request: Request, who: Viewer) -> Response:
    """Everybody's rating before and after."""
    return await kept(request, who, lambda: _page(request, who, "ratings"))


def _page(request: Request, who: Who | None, what: str) -> Response:
    made, title, about = _told(request, what)
    house: House = request.app.state.house
    with house.store.read() as connection:
        prizes = money.has_table(connection)
    given: dict[str, Any] = {"grids": made, "title": title, "about": about, "what": what, "prizes": prizes, "at_ns": house.now_ns()}
    asked = request.query_params.get("stages", "")
    query = f"?stages={asked}" if asked and what == "ranking" else ""
    return render(request, "draw_event.html", who=who, query=query, **given)


@router.get("/tournament/{what}.{form}")
async def file(request: Request, what: str, form: str) -> Response:
    """The same as a file, in the reader's language."""
    return await kept(request, None, lambda: _file(request, what, form))


def _file(request: Request, what: str, form: str) -> Response:
    with speaking(language_of(request)):
        made, title, about = _told(request, what)
        return answered(form, what, made, heading(request, title, about))


# ── At the desk ──────────────────────────────────────────────────────────────
@router.get(RATINGS)
def desk(request: Request, who: Chief) -> Response:
    """Ratings, and how they are reckoned."""
    return _desk(request, who)


def _desk(request: Request, who: Who, form: FormData | None = None, wrong: str = "") -> Response:
    event = _event(request)
    known = {"ramp": str(event.rating.ramp), "length": str(event.rating.length or "")}
    values = {name: text(form, name)[:40] if form else value for name, value in known.items()}
    ramps = [(str(each), _(words)) for each, words in grids.RAMPS.items()]
    given = common(request, values=values, ramps=ramps, grids=grids.ratings(event), about=grids.about_ratings(event)) | {"wrong": wrong}
    return render(request, "tournament_ratings.html", who=who, status=400 if wrong else 200, **given)


@router.post(RATINGS)
def plan(request: Request, who: Organizer, form: Checked) -> Response:
    """Decide how ratings are reckoned, for all that was played and all that will be."""
    try:
        made = tournament_forms.ratings_of(lambda name: text(form, name))
        with act_of(request, who) as act:
            tournament.happen(act, [h.RatingsPlanned(made)])
    except WRONG as error:
        return _desk(request, who, form, sentence(error))
    return back(RATINGS, "ratings_planned")


@router.get(RANKING)
def desk_ranking(request: Request, who: Chief) -> Response:
    """The final ranking, and which stages count for it."""
    event = _event(request)
    stages = [(each, each.number not in event.apart) for each in event.stages if each.plan.system is not System.CONSOLATION]
    given = common(request, stages=stages, grids=grids.ranking(event), about=grids.about_ranking(event))
    return render(request, "tournament_ranking.html", who=who, **given)


@router.post(RANKING)
def count(request: Request, who: Organizer, form: Checked) -> Response:
    """Decide which stages count for the final ranking, and which are side events."""
    with act_of(request, who) as act:
        event = tournament.standing_now(act.connection).event
        asked = [each.number for each in event.stages if each.plan.system is not System.CONSOLATION]
        apart = tuple(each for each in asked if text(form, f"stage-{each}") != "yes")
        tournament.happen(act, [h.StagesApart(apart)])
    return back(RANKING, "stages_counted")
