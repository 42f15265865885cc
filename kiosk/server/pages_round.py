"""The desk's pages of who is there: the check-in before the event, and the rounds that are played now.

GET  /desk/tournament/checkin             everybody who is expected, with whether they are there
POST /desk/tournament/checkin             somebody is there, or not
GET  /desk/tournament/checkin/withdraw    who would play no more: it asks first
GET  /desk/tournament/round               each released match with its sides, and who is missing now; ?sort=table
POST /desk/tournament/round/seat          somebody sits at his table, or not, as the desk has seen
POST /desk/tournament/round/start         a round begins: its tables ask who is missing
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.responses import Response

from kiosk.domain.latest import GAME_TURNS
from kiosk.server import checkin, plans, round_start, rounds, tournament
from kiosk.server import tournament_forms as forms
from kiosk.server.assignments import STATES
from kiosk.server.login import Checked, Who
from kiosk.server.pages_desk import Chief, Organizer, act_of, back, common, house_of, number, paged, sentence, text
from kiosk.server.pages_tournament import HERE, WRONG
from kiosk.server.rendering import render

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.server.acts import Act

router = APIRouter(prefix=HERE, include_in_schema=False)

CHECKIN, ROUND = f"{HERE}/checkin", f"{HERE}/round"


# ── The whole event ──────────────────────────────────────────────────────────
@router.get("/checkin")
def who_is_there(request: Request, who: Chief) -> Response:
    """Everybody who is expected, and whether they are there."""
    return _checkin(request, who)


def _checkin(request: Request, who: Who, wrong: str = "") -> Response:
    with house_of(request).store.read() as connection:
        event, noted = tournament.standing_now(connection).event, checkin.noted(connection)
    asked = request.query_params.get("q", "")[:100]
    everybody = sorted(checkin.expected(event), key=lambda each: each.name.casefold())
    wanted = [each for each in everybody if plans.folded(asked) in plans.folded(each.name)]
    shown, links = paged(request, [(each, each.ident in noted.event) for each in wanted])
    gone = checkin.missing(event, noted)
    given = common(request, shown=shown, links=links, missing=gone, all=len(everybody), noted=len(everybody) - len(gone), q=asked)
    return render(request, "tournament_checkin.html", who=who, status=400 if wrong else 200, **(given | {"wrong": wrong}))


@router.post("/checkin")
def note(request: Request, who: Chief, form: Checked) -> Response:
    """Somebody is there, or not."""
    return _do_checkin(request, who, lambda act: checkin.note(act, [number(form, "entrant")], here=text(form, "here") == "yes"))


@router.post("/checkin/all")
def note_all(request: Request, who: Chief, _form: Checked) -> Response:
    """Everybody is there: those who are not are taken out one by one."""

    def everybody(act: Act) -> None:
        checkin.note(act, [each.ident for each in checkin.expected(tournament.standing_now(act.connection).event)], here=True)

    return _do_checkin(request, who, everybody, "all_here")


def _do_checkin(request: Request, who: Who, what: Callable[[Act], object], done: str = "") -> Response:
    try:
        with act_of(request, who) as act:
            what(act)
    except WRONG as error:
        return _checkin(request, who, sentence(error))
    return back(CHECKIN, done)


@router.get("/checkin/withdraw")
def ask_withdraw(request: Request, who: Organizer) -> Response:
    """Who would play no more."""
    with house_of(request).store.read() as connection:
        gone = checkin.missing(tournament.standing_now(connection).event, checkin.noted(connection))
    return render(request, "tournament_withdraw.html", who=who, **common(request, missing=gone))


@router.post("/checkin/withdraw")
def withdraw(request: Request, who: Organizer, form: Checked) -> Response:
    """Those who were named, and are not there now either, play no more."""
    return _do_checkin(request, who, lambda act: checkin.withdraw(act, forms.numbers(text(form, "shown"))), "missing_left")


# ── The rounds ───────────────────────────────────────────────────────────────
@router.get("/round")
def round_now(request: Request, who: Chief) -> Response:
    """Each released match of the rounds that are played now, and who is missing."""
    return _round(request, who)


def _round(request: Request, who: Who, wrong: str = "") -> Response:
    house = house_of(request)
    sort = "table" if request.query_params.get("sort") == "table" else "name"
    with house.store.read() as connection:
        played = rounds.rounds(connection, tournament.standing_now(connection), house.now_ns())
    given = common(
        request, rounds=played, missing=rounds.missing(played, sort), sort=sort, states=STATES, turns=GAME_TURNS, now_ns=house.now_ns()
    )
    return render(request, "tournament_round.html", who=who, status=400 if wrong else 200, **(given | {"wrong": wrong}))


@router.post("/round/seat")
def seat(request: Request, who: Chief, form: Checked) -> Response:
    """Somebody sits at his table, or not."""
    return _do_round(
        request,
        who,
        lambda act: checkin.seat(act, number(form, "stage"), text(form, "key"), number(form, "entrant"), here=text(form, "here") == "yes"),
    )


@router.post("/round/start")
def start(request: Request, who: Chief, form: Checked) -> Response:
    """A round begins now."""
    return _do_round(request, who, lambda act: round_start.start_now(act, text(form, "round")), "round_started")


def _do_round(request: Request, who: Who, what: Callable[[Act], object], done: str = "") -> Response:
    try:
        with act_of(request, who) as act:
            what(act)
    except WRONG as error:
        return _round(request, who, sentence(error))
    sort = "?sort=table" if request.query_params.get("sort") == "table" else ""
    return back(ROUND + sort) if not done else back(ROUND, done)
