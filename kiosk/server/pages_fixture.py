"""One match of the tournament at the organizer's desk: its result, what a correction would change, and back from its table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from kiosk.say import _, mark
from kiosk.server import assignments, result_acts, results, tournament
from kiosk.server import tournament_forms as forms
from kiosk.server import tournament_views as views
from kiosk.server.assignments import STATES
from kiosk.server.login import Checked, Who
from kiosk.server.pages_desk import (
    Chief,
    Organizer,
    act_of,
    back,
    common,
    number,
    sentence,
    text,
)
from kiosk.server.pages_stage import read_stage, stage_of, stage_page
from kiosk.server.pages_tournament import HERE, WRONG
from kiosk.server.problems import Problem
from kiosk.server.rendering import render
from kiosk.tournament import happened as h
from kiosk.tournament.happened import Outcome
from kiosk.tournament.results import TournamentError
from kiosk.tournament.stages import fixture
from kiosk.tournament.tables import consequences

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.datastructures import FormData

    from kiosk.server.acts import Act
    from kiosk.server.assignments import Assignment
    from kiosk.tournament.event import Event, Stage
    from kiosk.tournament.tables import Consequences

router = APIRouter(prefix="/desk/tournament/stage", include_in_schema=False)

RESULTS = {
    Outcome.LEFT: mark("{left} won"),
    Outcome.RIGHT: mark("{right} won"),
    Outcome.LEFT_FORFEIT: mark("{right} did not come"),
    Outcome.RIGHT_FORFEIT: mark("{left} did not come"),
    Outcome.BOTH_FORFEIT: mark("Neither came"),
}
"""How a match may have ended."""


# ── One match ────────────────────────────────────────────────────────────────
@router.get("/{n}/match/{key}")
def match(request: Request, who: Chief, n: int, key: str) -> Response:
    """A match of the tournament: its result, and the form to enter or correct it."""
    return _match(request, who, n, key)


def _line(event: Event, found: Stage, key: str, played: dict[str, Assignment]) -> views.Line:
    line = next((each for each in views.lines(event, found, played) if each.fixture.key == key), None)
    if line is None:
        raise Problem(404, _("There is no match {key} in this stage.", key=key))
    return line


def _match(  # noqa: PLR0917 - what the page holds
    request: Request,
    who: Who,
    n: int,
    key: str,
    form: FormData | None = None,
    wrong: str = "",
    change: Consequences | None = None,
    *,
    reopening: bool = False,
) -> Response:
    now, found, played = read_stage(request, n)
    line = _line(now.event, found, key, played)
    told = found.ended.get(key)
    known = {"outcome": "", "left": "", "right": "", "length": "", "reason": ""}
    if line.match is not None:
        known["length"] = str(tournament.length_of(line.match) or "")
    if told is not None:
        known |= {"outcome": str(told.outcome), "left": str(told.left_points or ""), "right": str(told.right_points or "")}
        known["length"] = str(told.length or "")
    values = {name: text(form, name)[:500] if form else value for name, value in known.items()}
    names = {"left": line.left, "right": line.right}
    given = {
        "stage": found,
        "line": line,
        "values": values,
        "outcomes": [("", "–"), *((str(each), _(words, **names)) for each, words in RESULTS.items())],
        "change": None if change is None else _told(now.event, change),
        "reopening": reopening,
        "states": STATES,
        "seen": now.n,
    }
    return render(request, "tournament_match.html", who=who, status=400 if wrong else 200, **(common(request, **given) | {"wrong": wrong}))


def _told(event: Event, change: Consequences) -> dict[str, Any]:
    """Consequences with names."""
    moved = [(event.stage(each.stage).plan.name, event.name(each.entrant), each.before, each.after) for each in change.moved]
    drawn = [(event.stage(number_).plan.name, round_) for number_, round_ in change.drawn]
    return {"moved": moved, "drawn": drawn, "entrants": [event.stage(each).plan.name for each in change.entrants]}


@router.post("/{n}/match/{key}")
def decide(request: Request, who: Chief, n: int, key: str, form: Checked) -> Response:
    """Enter a result; one that corrects another shows first what it changes."""
    try:
        ended = forms.ended_of(n, key, lambda name: text(form, name))
        now = read_stage(request, n)[0]
        before = stage_of(now.event, n).ended.get(key)
        if before is not None and text(form, "sure") != "yes":
            return _match(request, who, n, key, form, change=consequences(now.event, ended))
        with act_of(request, who) as act:
            if before is None and stage_of(tournament.standing_now(act.connection).event, n).ended.get(key) is not None:
                raise TournamentError(  # two at once: the second one would correct what he has not seen
                    _("This was entered already, or somebody has entered something meanwhile: look at it as it is now.")
                )
            _enter(act, ended, text(form, "reason"), None if before is None else number(form, "seen"))
    except WRONG as error:
        return _match(request, who, n, key, form, sentence(error))
    return back(f"{HERE}/stage/{n}", "ended")


def _enter(act: Act, ended: h.Ended, reason: str, seen: int | None) -> None:
    """Let a match have ended: at the table of results where it was opened at a table, else in the tournament alone."""
    now = tournament.standing_now(act.connection)
    ident = now.released.get((ended.stage, ended.key))
    one = None if ident is None else assignments.find(act.connection, ident)
    if one is not None and not ended.length:
        ended = replace(ended, length=tournament.length_of(one))
    if one is not None and one.match is None:
        tournament.take_back(act, ended.stage, ended.key)
    tournament.happen(act, [ended], seen)
    if one is not None and one.match is not None:
        history = results.line(act.connection, one.id).history
        why = reason or _("entered at the tournament's desk")
        result_acts.change(act, one.id, forms.as_result(ended, one.plan.length), why, len(history))


@router.post("/{n}/match/{key}/reopen")
def reopen(request: Request, who: Chief, n: int, key: str, form: Checked) -> Response:
    """A match has no result after all; what that changes is shown first."""
    happened = h.Reopened(n, key)
    if text(form, "sure") != "yes":
        try:
            change = consequences(read_stage(request, n)[0].event, happened)
        except WRONG as error:
            return stage_page(request, who, n, sentence(error))
        return _match(request, who, n, key, change=change, reopening=True)
    return _act(request, who, n, key, lambda act: tournament.happen(act, [happened], number(form, "seen")), "reopened")


@router.post("/{n}/match/{key}/back")
def take_back(request: Request, who: Organizer, n: int, key: str, _form: Checked) -> Response:
    """Take a released match back from its table."""
    return _act(request, who, n, key, lambda act: tournament.take_back(act, n, key), "taken_back")


def _act(request: Request, who: Who, n: int, key: str, what: Callable[[Act], object], done: str) -> Response:  # noqa: PLR0917 - as above
    now, found, _played = read_stage(request, n)
    try:
        fixture(now.event, found, key)
        with act_of(request, who) as act:
            what(act)
    except WRONG as error:
        return stage_page(request, who, n, sentence(error))
    return back(f"{HERE}/stage/{n}", done)
