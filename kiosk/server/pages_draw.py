"""The tournament for anybody, without a login: where one plays, pairings, standings, crosstable, bracket, and how to check a draw.

GET /tournament                     the stages, and where do I play: ?q=
GET /tournament/{n}                 a stage: pairings of the current round by name, all rounds
GET /tournament/{n}/standings       its table; ranks with what decided them; as files: `kiosk.server.pages_files`
GET /tournament/{n}/crosstable      likewise
GET /tournament/{n}/bracket         a knock-out, drawn
GET /tournament/{n}/check           the public seed, and how to check a draw with it

All of it can be printed as it is; the pages hear of changes on the channel `tournament`, and are made once for all who ask (`kept_pages`).
"""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from kiosk.domain.text import seen
from kiosk.say import _
from kiosk.server import money, plans, tournament
from kiosk.server import tournament_views as views
from kiosk.server.kept_pages import kept, kept_pages
from kiosk.server.language import language_of
from kiosk.server.login import Viewer, Who
from kiosk.server.pages_stage import about, stage_of
from kiosk.server.rendering import render
from kiosk.tournament.event import KNOCK_OUT
from kiosk.tournament.lots import lot
from kiosk.tournament.plan import System
from kiosk.tournament.tables import LOT

if TYPE_CHECKING:
    from kiosk.server.house import House
    from kiosk.tournament.event import Event, Stage

router = APIRouter(prefix="/tournament", include_in_schema=False)


class _Read:
    """A stage with its matches."""

    def __init__(self, request: Request, n: int) -> None:
        house: House = request.app.state.house
        with house.store.read() as connection:
            self.event: Event = tournament.seen_now(connection)
            self.stage: Stage = stage_of(self.event, n)
            self.lines = views.lines(self.event, self.stage, views.matches_of(connection, n))


def _page(request: Request, who: Who | None, name: str, read: _Read, **more: Any) -> Response:  # noqa: ANN401 - a template takes anything
    knock_out = read.stage.plan.system in KNOCK_OUT
    at = f"/tournament/{read.stage.number}"
    tabs = [(at, _("Pairings")), (f"{at}/standings", _("Standings"))]
    tabs += [(f"{at}/bracket", _("Bracket"))] if knock_out else [(f"{at}/crosstable", _("Crosstable"))]
    tabs.append((f"{at}/check", _("Draw")))
    house: House = request.app.state.house
    given: dict[str, Any] = {"stage": read.stage, "tabs": tabs, "at_ns": house.now_ns(), "over": views.over(read.event, read.stage)}
    return render(request, name, who=who, **given, **more)


@router.get("")
async def stages(request: Request, who: Viewer) -> Response:
    """The stages, and where somebody plays."""
    return await kept(request, who, lambda: _stages(request, who))


def _stages(request: Request, who: Who | None) -> Response:
    house: House = request.app.state.house
    asked = request.query_params.get("q", "")[:100]
    told = kept_pages(request).once(f"stages {language_of(request)}", lambda: _Stages(house))
    wanted = plans.folded(asked) if asked and seen(asked) else ""
    found = [seat for name, seat in told.seats if wanted and wanted in name]
    return render(request, "draw_stages.html", who=who, stages=told.listed, q=asked, found=found, names=told.names, prizes=told.prizes)


class _Stages:
    """What a look for a name goes through."""

    def __init__(self, house: House) -> None:
        with house.store.read() as connection:
            event = tournament.seen_now(connection)
            self.prizes = money.has_table(connection)
            every = [(stage, views.lines(event, stage, views.matches_of(connection, stage.number))) for stage in event.stages]
        self.listed = [(stage, _(views.SYSTEMS[stage.plan.system]), views.over(event, stage)) for stage, _lines in every]
        running = [(stage, lines) for (stage, lines), (_stage, _system, over) in zip(every, self.listed, strict=True) if not over]
        self.seats = [(plans.folded(seat.name), seat) for stage, lines in running for seat in views.seats(event, stage, lines)]
        self.names = sorted({name for each in event.entrants.values() for name in each.names}, key=str.casefold)


@router.get("/{n}")
async def pairings(request: Request, who: Viewer, n: int) -> Response:
    """Who plays whom and where now, by name; and every round."""
    return await kept(request, who, lambda: _pairings(request, who, n))


def _pairings(request: Request, who: Who | None, n: int) -> Response:
    read = _Read(request, n)
    seats = views.seats(read.event, read.stage, read.lines)
    rounds = views.rounds_of(read.lines)
    if read.stage.plan.system is System.SWISS:
        rounds.reverse()
    return _page(request, who, "draw_pairings.html", read, seats=seats, rounds=rounds, about=about(read.event, read.stage))


@router.get("/{n}/standings")
async def standings(request: Request, who: Viewer, n: int) -> Response:
    """A stage's table, with what decided each place."""
    return await kept(request, who, lambda: _standings(request, who, n))


def _standings(request: Request, who: Who | None, n: int) -> Response:
    read = _Read(request, n)
    return _page(
        request, who, "draw_tables.html", read, grids=views.ranking(read.event, read.stage), what="standings", title=_("Standings")
    )


@router.get("/{n}/crosstable")
async def crosstable(request: Request, who: Viewer, n: int) -> Response:
    """Who did what against whom."""
    return await kept(request, who, lambda: _crosstable(request, who, n))


def _crosstable(request: Request, who: Who | None, n: int) -> Response:
    read = _Read(request, n)
    grids = views.crosstable(read.event, read.stage)
    return _page(request, who, "draw_tables.html", read, grids=grids, what="crosstable", title=_("Crosstable"))


@router.get("/{n}/bracket")
async def bracket(request: Request, who: Viewer, n: int) -> Response:
    """A knock-out, drawn."""
    return await kept(request, who, lambda: _bracket(request, who, n))


def _bracket(request: Request, who: Who | None, n: int) -> Response:
    read = _Read(request, n)
    return _page(request, who, "draw_bracket.html", read, trees=views.trees(read.event, read.stage, read.lines))


@router.get("/{n}/check")
def check(request: Request, who: Viewer, n: int) -> Response:
    """The public seed, and how to check a draw with it."""
    read = _Read(request, n)
    plan, first = read.stage.plan, (read.stage.entrants or tuple(read.event.entrants))[:1]
    purpose = f"round {max(1, len(read.stage.draws))}" if plan.system is System.SWISS else "pot 1" if plan.groups > 1 else "places"
    example = None
    if first:
        command = f"printf %s {quote(f'{plan.seed}/{purpose}/{first[0]}')} | sha256sum"
        example = (command, lot(plan.seed, purpose, first[0]), read.event.name(first[0]))

    def lots(drawn: str) -> list[tuple[int, str, str]]:
        return [(each, read.event.name(each), lot(plan.seed, drawn, each)) for each in read.stage.entrants]

    draws = plan.system is System.SWISS or plan.groups > 1 or (plan.system in {System.SINGLE, System.DOUBLE} and not plan.seeded)
    listed = [(purpose, lots(purpose))] if draws else []
    listed += [(LOT, lots(LOT))] if n < len(read.event.stages) else []
    return _page(request, who, "draw_check.html", read, example=example, listed=listed, draws=draws, goes_on=n < len(read.event.stages))
