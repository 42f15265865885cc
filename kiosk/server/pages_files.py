"""What players see of the tournament as files, without a login: tables and pairings as CSV, workbook and PDF, a bracket as PDF.

GET /tournament/{n}/{what}.{form}   what: standings, crosstable, pairings (?round=, else the current one); form: csv, xlsx, pdf
GET /tournament/{n}/bracket.pdf
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.responses import Response

from kiosk.say import _, speaking
from kiosk.server import tournament, tournament_forms
from kiosk.server import tournament_views as views
from kiosk.server.kept_pages import kept
from kiosk.server.language import language_of
from kiosk.server.pages_stage import about, stage_of
from kiosk.server.problems import Problem
from kiosk.server.rendering import local, zone_of
from kiosk.server.tournament_grids import bracket, pairings
from kiosk.sheets.bracket import to_bracket_pdf
from kiosk.sheets.grid import to_grid_csv, to_grid_xlsx
from kiosk.sheets.grid_pdf import Heading, to_grid_pdf

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kiosk.server.assignments import Assignment
    from kiosk.server.house import House
    from kiosk.sheets.grid import Grid
    from kiosk.tournament.event import Event, Stage

router = APIRouter(prefix="/tournament", include_in_schema=False)

KINDS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pdf": "application/pdf",
}


def legend() -> str:
    """What the marks of a table mean."""
    return _("1 won, 0 lost; {plus} and {minus}: the match was not played, for one of them did not come.", plus="+", minus="−")


def heading(request: Request, title: str, of: Sequence[tuple[str, str]] = (), *notes: str) -> Heading:
    """What stands above a table on paper.

    Args:
        request: Whose event, and whose clock.
        title: What the table is.
        of: How it was played, as (what, how).
        notes: What stands behind it.
    """
    house: House = request.app.state.house
    return Heading(house.event or "Tableside", title, local(house.now_ns(), zone_of(request)), tuple(of), notes)


def answered(form: str, name: str, grids: Sequence[Grid], top: Heading) -> Response:
    """Tables as a file.

    Args:
        form: `csv`, `xlsx` or `pdf`.
        name: What the file is called, without its ending.
        grids: What stands in it.
        top: What they are of.

    Raises:
        Problem: There is no such form.
    """
    title = f"{top.event}: {top.title}"
    writers: dict[str, Callable[[], bytes]] = {
        "csv": lambda: to_grid_csv(grids, title=title, at=top.at),
        "xlsx": lambda: to_grid_xlsx([_with_heading(each, top) for each in grids], title=title, at=top.at),
        "pdf": lambda: to_grid_pdf(grids, top),
    }
    if form not in writers:
        raise Problem(404, _("There is no such page."))
    how = "inline" if form == "pdf" else "attachment"  # a PDF is looked at and printed
    return _sent(writers[form](), form, f'{how}; filename="{name}.{form}"')


def _sent(data: bytes, form: str, disposition: str) -> Response:
    return Response(data, media_type=KINDS[form], headers={"Content-Disposition": disposition, "Vary": "Accept-Language, Cookie"})


def _with_heading(grid: Grid, top: Heading) -> Grid:
    """A worksheet says below its table what the paper says around it."""
    return replace(grid, notes=(*grid.notes, *top.notes, *(f"{what}: {how}" for what, how in top.about)))


@router.get("/{n}/{what}.{form}")
async def file(request: Request, n: int, what: str, form: str) -> Response:
    """A stage's tables as files, in the reader's language; made once for all who ask."""
    return await kept(request, None, lambda: _file(request, n, what, form))


def _file(request: Request, n: int, what: str, form: str) -> Response:
    house: House = request.app.state.house
    with house.store.read() as connection:
        event = tournament.seen_now(connection)
        stage = stage_of(event, n)
        played = views.matches_of(connection, n) if what in {"pairings", "bracket"} else {}
    with speaking(language_of(request)):
        if (what, form) == ("bracket", "pdf"):
            return _bracket(request, event, stage, played)
        grids, title = _told(request, event, stage, what, played)
        top = heading(request, f"{stage.plan.name} · {title}", about(event, stage), *([legend()] if grids else []))
        return answered(form, f"{what}-{n}", grids, top)


def _bracket(request: Request, event: Event, stage: Stage, played: dict[str, Assignment]) -> Response:
    drawn = bracket(views.trees(event, stage, views.lines(event, stage, played)))
    top = heading(request, f"{stage.plan.name} · {_('Bracket')}", about(event, stage))
    return _sent(to_bracket_pdf(drawn, top), "pdf", f'inline; filename="bracket-{stage.number}.pdf"')


def _told(request: Request, event: Event, stage: Stage, what: str, played: dict[str, Assignment]) -> tuple[list[Grid], str]:
    match what:
        case "standings":
            return views.ranking(event, stage), _("Standings")
        case "crosstable":
            return views.crosstable(event, stage), _("Crosstable")
        case "pairings":
            lines = views.lines(event, stage, played)
            return pairings(event, stage, lines, tournament_forms.whole(request.query_params.get("round", ""), _("Round")))
        case _:
            raise Problem(404, _("There is no such page."))
