"""The organizer's page of tables that are not like the others and of who has to sit where, and what a release is told of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.responses import Response

from kiosk.say import _
from kiosk.server import seats, tournament
from kiosk.server import tournament_forms as forms
from kiosk.server.acts import tables
from kiosk.server.assignments import natural
from kiosk.server.login import Checked, Who
from kiosk.server.pages_desk import Organizer, act_of, back, common, house_of, number, sentence, text
from kiosk.server.pages_tournament import HERE, WRONG
from kiosk.server.rendering import render
from kiosk.tournament.happened import SeatAsked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.datastructures import FormData

    from kiosk.server.tournament_views import Line
    from kiosk.tournament.event import Event

router = APIRouter(prefix=HERE, include_in_schema=False)

PAGE = f"{HERE}/seats"
ASKED = ("accessible", "stream", "fixed", "needs")
LONGEST = 5000


@router.get("/seats")
def ask(request: Request, who: Organizer) -> Response:
    """Which tables are not like the others, and who has to sit where."""
    return _page(request, who)


def _page(request: Request, who: Who, form: FormData | None = None, wrong: str = "") -> Response:
    with house_of(request).store.read() as connection:
        now, made, there = tournament.standing_now(connection), seats.marks(connection), sorted(tables(connection), key=natural)
    known = {
        "accessible": ", ".join(made.accessible),
        "stream": ", ".join(made.stream),
        "fixed": ", ".join(f"{who_}={asked.table}" for who_, asked in sorted(now.event.seats.items()) if asked.table),
        "needs": ", ".join(str(who_) for who_, asked in sorted(now.event.seats.items()) if asked.accessible),
    }
    values = {name: text(form, name)[:LONGEST] if form else value for name, value in known.items()}
    sitting = [(now.event.entrants[who_], asked) for who_, asked in sorted(now.event.seats.items())]
    given = common(request, values=values, sitting=sitting, there=there, seen=now.n) | {"wrong": wrong}
    return render(request, "tournament_seats.html", who=who, status=400 if wrong else 200, **given)


@router.post("/seats")
def keep(request: Request, who: Organizer, form: Checked) -> Response:
    """Keep both."""
    try:
        fixed, needs = forms.fixed_of(text(form, "fixed")), forms.numbers(text(form, "needs"))
        with act_of(request, who) as act:
            event = tournament.standing_now(act.connection).event
            seats.mark_tables(act, _names(text(form, "accessible")), _names(text(form, "stream")))
            changed = seats.changes(event, fixed, needs)
            if changed:
                tournament.happen(act, changed, number(form, "seen"))
    except WRONG as error:
        return _page(request, who, form, sentence(error))
    return back(PAGE, "seats")


def _names(typed: str) -> list[str]:
    return [" ".join(part.split()) for part in re.split(r"[,;\n]+", typed) if part.strip()]


@router.post("/entrants/{ident}/seat")
def seat(request: Request, who: Organizer, ident: int, form: Checked) -> Response:
    """Where one of them has to sit."""
    with act_of(request, who) as act:
        asked = SeatAsked(ident, forms.short(text(form, "table"), 40), text(form, "accessible") == "yes")
        tournament.happen(act, [asked])
    return back(f"{HERE}/entrants/{ident}", "seats")


@router.post("/stage/{n}/shown")
def shown(request: Request, who: Organizer, n: int, form: Checked) -> Response:
    """Which matches of a stage the streams show."""
    with act_of(request, who) as act:
        tournament.standing_now(act.connection).event.stage(n)
        made = seats.marks(act.connection)
        seats.show(act, n, {table: text(form, f"shown-{place}")[:20] for place, table in enumerate(made.stream)})
    return back(f"{HERE}/stage/{n}/release", "stream")


# ── For a release ────────────────────────────────────────────────────────────
def remarks(event: Event, made: seats.Marks, stage: int, lines: Sequence[Line]) -> dict[str, list[str]]:
    """What is to be known of the seats of some matches, by their keys."""
    found: dict[str, list[str]] = {each.fixture.key: [] for each in lines}
    for each in lines:
        told = found[each.fixture.key]
        for who in (each.fixture.left, each.fixture.right):
            asked = None if who is None else event.seats.get(who)
            if who is None or asked is None:
                continue
            if asked.table:
                told.append(_("{name}: table {table}", name=event.name(who), table=asked.table))
            if asked.accessible:
                told.append(_("{name}: needs an accessible table", name=event.name(who)))
        told += [
            _("for the stream, table {table}", table=table) for table, match in made.shown.items() if match == (stage, each.fixture.key)
        ]
    return found


def streams(made: seats.Marks, stage: int, lines: Sequence[Line]) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """The stream's tables, each with the match that was chosen for it, and the matches that may be: (table, key, choices)."""
    choices = [("", "–"), *((each.fixture.key, f"{each.fixture.key}  {each.left} – {each.right}") for each in lines)]
    keys = {each.fixture.key for each in lines}
    return [
        (table, key if of == stage and key in keys else "", choices)
        for table in made.stream
        for of, key in (made.shown.get(table, (0, "")),)
    ]
