"""The organizer's pages of results: the table of the event, one result with its history, and what disagrees."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from sqlalchemy import select
from starlette.responses import Response

from kiosk.domain.setup import bad_value
from kiosk.say import _
from kiosk.server import attach, result_acts, results
from kiosk.server.login import Checked, Who
from kiosk.server.pages_desk import WRONG, Chief, act_of, back, common, house_of, number, paged, sentence, text
from kiosk.server.problems import not_there
from kiosk.server.rendering import render
from kiosk.server.results import HOW, WORTHS
from kiosk.server.schema import device as devices
from kiosk.server.schema import match as matches

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row
    from starlette.datastructures import FormData

router = APIRouter(prefix="/desk/results", include_in_schema=False)

LIST = "/desk/results"


@router.get("")
def table(request: Request, who: Chief) -> Response:
    """Every result, and the matches that count for nothing yet."""
    house = house_of(request)
    with house.store.read() as connection:
        lines = results.table(connection)
        by_hand = [
            (attach.key_of(row), json.loads(row.summary), attach.table_of(connection, row)) for row in results.unattached(connection)
        ]
        aside = [(attach.key_of(row), json.loads(row.summary), attach.table_of(connection, row)) for row in _aside(connection)]
    shown, links = paged(request, lines)
    return render(
        request,
        "desk_results.html",
        who=who,
        **common(request, lines=shown, links=links, by_hand=by_hand, aside=aside, worths=WORTHS, how=HOW),
    )


def _aside(connection: Connection) -> list[Row[Any]]:
    """Matches that a person has left out, the newest first."""
    mine = (matches.c.left_out.is_(True), matches.c.practice.is_(False))
    return list(connection.execute(select(matches).where(*mine).order_by(matches.c.opened_ns.desc()).limit(200)))


@router.get("/one/{match}")
def one(request: Request, who: Chief, match: str) -> Response:
    """One result: what counts, every version, and the form to change it."""
    return _page(request, who, match)


@router.post("/one/{match}")
def change(request: Request, who: Chief, match: str, form: Checked) -> Response:
    """Say what the result is, with a reason."""
    try:
        data = {
            "score": {"left": _points(form, "left"), "right": _points(form, "right")},
            "winner": text(form, "winner"),
            "how": text(form, "how"),
        }
        with act_of(request, who) as act:
            result_acts.change(act, match, data, text(form, "reason"), number(form, "version"))
    except WRONG as error:
        return _page(request, who, match, form, wrong=sentence(error))
    return back(f"{LIST}/one/{match}", "result")


@router.post("/one/{match}/decide")
def decide(request: Request, who: Chief, match: str, form: Checked) -> Response:
    """Decide between the sheet and what was decided before."""
    try:
        with act_of(request, who) as act:
            result_acts.decide(act, match, text(form, "keep"), text(form, "reason"), number(form, "version"))
    except WRONG as error:
        return _page(request, who, match, None, wrong=sentence(error))
    return back(f"{LIST}/one/{match}", "result")


def _points(form: FormData, side: str) -> int:
    given = text(form, side).strip()
    if not (given.isascii() and given.isdigit() and len(given) <= 5):
        raise bad_value("A score is a whole number for each side.")
    return int(given)


def _page(request: Request, who: Who, match: str, form: FormData | None = None, wrong: str = "") -> Response:
    house = house_of(request)
    with house.store.read() as connection:
        line = results.line(connection, match)
        tables = {row.id: row.table_name for row in connection.execute(select(devices.c.id, devices.c.table_name))}
    players = line.assignment.plan.players
    history = [(one, results.seated(one.data, players), tables.get(one.by, one.by)) for one in reversed(line.history)]
    data = line.data or {"score": {"left": 0, "right": 0}, "winner": "", "how": "score"}
    values = {
        "left": data["score"]["left"],
        "right": data["score"]["right"],
        "winner": data.get("winner") or "",
        "how": data.get("how") or "score",
    }
    typed = values if form is None else {name: text(form, name)[:20] for name in values}
    reason = "" if form is None else text(form, "reason")[:500]
    other = results.differing(line.versions)
    given = common(request, line=line, history=history, values=typed, reason=reason, how=HOW, worths=WORTHS, version=len(line.history)) | {
        "wrong": wrong
    }
    given["how_choices"] = [(how, _(told)) for how, told in HOW.items()]
    key = None if line.assignment.match is None else attach.key_of(line.assignment.match)
    differs = None if other is None else results.seated(other.data, players)
    return render(request, "desk_result.html", who=who, status=400 if wrong else 200, key=key, other=differs, **given)


# ── What disagrees ───────────────────────────────────────────────────────────
@router.post("/conflicts/{ident}")
def settle(request: Request, who: Chief, ident: int, form: Checked) -> Response:
    """Settle a conflict, with a reason."""
    if not 0 <= ident < 2**62:
        raise not_there("There is nothing of that number to be settled.")
    with act_of(request, who) as act:
        results.settle(act, ident, text(form, "reason"))
    return back("/desk", "settled")
