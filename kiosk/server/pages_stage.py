"""The organizer's desk of one stage: its rounds and draws, matches that are released to tables, results, late entries, the table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.responses import Response

from kiosk.domain.types import Pair
from kiosk.say import _
from kiosk.server import acts as hall
from kiosk.server import assignments, checkin, faces, money, plans, seats, tournament
from kiosk.server import tournament_views as views
from kiosk.server.assignments import STATES, State
from kiosk.server.login import Checked, Who
from kiosk.server.pages_desk import (
    Chief,
    Organizer,
    act_of,
    back,
    books,
    common,
    house_of,
    number,
    offered,
    sentence,
    text,
    today,
    zone_of,
)
from kiosk.server.pages_seats import remarks, streams
from kiosk.server.pages_tournament import HERE, WRONG
from kiosk.server.plans import Plan
from kiosk.server.problems import Problem
from kiosk.server.rendering import render
from kiosk.tournament import happened as h
from kiosk.tournament.event import KNOCK_OUT
from kiosk.tournament.plan import System
from kiosk.tournament.results import TournamentError
from kiosk.tournament.seating import seated
from kiosk.tournament.stages import free_places, out_of, proposed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection
    from starlette.datastructures import FormData

    from kiosk.server.assignments import Assignment
    from kiosk.tournament.event import Event, Stage

router = APIRouter(prefix="/desk/tournament/stage", include_in_schema=False)

AT_ONCE = 120
"""So many matches are released at once."""


def stage_of(event: Event, n: int) -> Stage:
    """A stage.

    Raises:
        Problem: There is none.
    """
    if not 1 <= n <= len(event.stages):
        raise Problem(404, _("There is no stage {number}.", number=n))
    return event.stages[n - 1]


def read_stage(request: Request, n: int) -> tuple[tournament.Now, Stage, dict[str, Assignment]]:
    """The event, a stage of it, and what was released of its matches."""
    with house_of(request).store.read() as connection:
        now = tournament.standing_now(connection)
        return now, stage_of(now.event, n), views.matches_of(connection, n)


# ── The stage ────────────────────────────────────────────────────────────────
@router.get("/{n}")
def stage(request: Request, who: Chief, n: int) -> Response:
    """A stage as it stands."""
    return stage_page(request, who, n)


def stage_page(request: Request, who: Who, n: int, wrong: str = "") -> Response:
    """The page of a stage, with what was wrong in a form."""
    now, found, played = read_stage(request, n)
    made = views.lines(now.event, found, played)
    waiting = [each for each in made if each.fixture.ready and (n, each.fixture.key) not in now.released]
    given = {
        "stage": found,
        "about": about(now.event, found),
        "rounds": views.rounds_of(made),
        "waiting": len(waiting),
        "open": sum(each.fixture.ready for each in made),
        "over": views.over(now.event, found),
        "swiss": found.plan.system is System.SWISS,
        "trees": views.trees(now.event, found, made),
        "ranking": views.ranking(now.event, found),
        "states": STATES,
        "fresh": _fresh(found),
        "may_close": n == len(now.event.stages) and not found.draws and not found.ended,
        "may_join": _may_join(now.event, found),
        "seen": now.n,
    }
    return render(request, "tournament_stage.html", who=who, status=400 if wrong else 200, **(common(request, **given) | {"wrong": wrong}))


def _fresh(found: Stage) -> bool:
    """Whether the last drawn round has no result yet."""
    last = len(found.draws)
    return bool(last) and not any(key.startswith(f"R{last}.") for key in found.ended)


def _may_join(event: Event, found: Stage) -> dict[str, list[tuple[str, str]]] | None:
    """Who may join late, and who may enter again; None: nobody can."""
    system = found.plan.system
    if system not in {System.SWISS, System.SINGLE, System.DOUBLE} or (system is not System.SWISS and not free_places(event, found)):
        return None
    here = {event.first_entry(each) for each in found.entrants}
    late = [each for each in event.entrants if event.first_entry(each) not in here and each not in event.left]
    gone = frozenset[int]() if system is System.SWISS else out_of(event, found) - event.left.keys()
    playing = {event.first_entry(each) for each in found.entrants if each not in gone}
    again = {event.first_entry(each): None for each in found.entrants if event.first_entry(each) not in playing}
    told = {"late": late, "again": list(again)}
    return {what: [(str(each), f"{each}  {event.name(each)}") for each in those] for what, those in told.items()}


def about(event: Event, found: Stage) -> list[tuple[str, str]]:
    """How a stage is played, as (what, how)."""
    plan = found.plan
    told = [(_("System"), _(views.SYSTEMS[plan.system]))]
    if plan.system is System.SWISS:
        told.append((_("Rounds"), str(plan.rounds) if not plan.losses else _("until one is left; out after {n} losses", n=plan.losses)))
        told.append((_("First round"), _(views.FIRSTS[plan.first])))
    if plan.system is System.ROUND_ROBIN:
        told += [(_("Laps"), str(plan.laps)), (_("Groups"), str(plan.groups))]
    if plan.of is not None:
        told.append((_("Losers of"), event.stage(plan.of).plan.name))
    if plan.system in {System.SINGLE, System.DOUBLE}:
        told.append((_("Places"), _("by the order of strength") if plan.seeded else _("drawn by lots")))
    if plan.system not in KNOCK_OUT:
        told.append((_("Ties are broken by"), "; ".join(_(views.BREAKS[each]) for each in plan.tiebreaks) or "–"))
        told.append((_("Rounds not played count"), _(views.UNPLAYED[plan.unplayed])))
    return [*told, (_("Public seed"), plan.seed)]


# ── Draws ────────────────────────────────────────────────────────────────────
@router.get("/{n}/draw")
def show_draw(request: Request, who: Organizer, n: int) -> Response:
    """What the next Swiss round would be; nothing is drawn yet."""
    now, found, _played = read_stage(request, n)
    try:
        drawn = _proposed(now.event, found)
    except TournamentError as error:
        return stage_page(request, who, n, str(error))
    pairs = [(now.event.name(left), now.event.name(right)) for left, right in drawn.pairs]
    bye = None if drawn.bye is None else now.event.name(drawn.bye)
    given = common(request, stage=found, round=drawn.round, pairs=pairs, bye=bye, seen=now.n)
    return render(request, "tournament_draw.html", who=who, **given)


def _proposed(event: Event, found: Stage) -> h.RoundDrawn:
    if found.plan.system is not System.SWISS:
        raise TournamentError(_("Only Swiss rounds are drawn one by one."))
    return proposed(event, found)


@router.post("/{n}/draw")
def draw(request: Request, who: Organizer, n: int, form: Checked) -> Response:
    """Draw the next Swiss round, as it was shown."""
    try:
        seen = number(form, "seen")
        with act_of(request, who) as act:
            event = tournament.standing_now(act.connection).event
            tournament.happen(act, [_proposed(event, stage_of(event, n))], seen)
    except WRONG as error:
        return stage_page(request, who, n, sentence(error))
    return back(f"{HERE}/stage/{n}", "drawn")


@router.post("/{n}/undraw")
def undraw(request: Request, who: Organizer, n: int, _form: Checked) -> Response:
    """Take the last drawn round back, and its matches from their tables."""
    try:
        with act_of(request, who) as act:
            now = tournament.standing_now(act.connection)
            last = len(stage_of(now.event, n).draws)
            for number_, key in now.released:
                if number_ == n and key.startswith(f"R{last}."):
                    tournament.take_back(act, n, key)
            tournament.happen(act, [h.DrawTakenBack(n, last)])
    except TournamentError as error:
        return stage_page(request, who, n, str(error))
    return back(f"{HERE}/stage/{n}", "undrawn")


# ── Releasing ────────────────────────────────────────────────────────────────
@router.get("/{n}/release")
def ask_release(request: Request, who: Organizer, n: int) -> Response:
    """Which matches go to which tables: the free ones are proposed."""
    return _release_form(request, who, n)


def _waiting(now: tournament.Now, found: Stage) -> list[views.Line]:
    made = views.lines(now.event, found, {})
    return [each for each in made if each.fixture.ready and (found.number, each.fixture.key) not in now.released]


def _playable(waiting: Sequence[views.Line]) -> list[views.Line]:
    """Of each player the first match only: nobody sits at two tables."""
    taken: set[int | None] = set()
    first = []
    for each in waiting:
        both = {each.fixture.left, each.fixture.right}
        if not both & taken:
            first.append(each)
        taken |= both
    return first


def _free_tables(connection: Connection) -> list[str]:
    """Tables that have a device, and neither a match nor one that waits for them; those that are offline now come last."""
    offline = {face["table"] for face in faces.faces(connection) if not face["online"]}
    busy = {one.plan.table for one in assignments.listed(connection) if one.state in {*assignments.OPEN, State.OPENED}}
    free = sorted((name for name in hall.tables(connection) if name not in busy), key=assignments.natural)
    return sorted(free, key=offline.__contains__)


def _release_form(request: Request, who: Who, n: int, form: FormData | None = None, wrong: str = "") -> Response:
    house = house_of(request)
    with house.store.read() as connection:
        now = tournament.standing_now(connection)
        found, free = stage_of(now.event, n), _free_tables(connection)
        marked = seats.marks(connection)
    waiting = _playable(_waiting(now, found))[:AT_ONCE]
    pairs = [(each.fixture.left or 0, each.fixture.right or 0) for each in waiting]
    proposal = seated(pairs, free, seats.wishes(now.event, marked, n, [each.fixture.key for each in waiting]))
    tables = [text(form, f"table-{each.fixture.key}") if form else table or "" for each, table in zip(waiting, proposal, strict=True)]
    values = {name: text(form, name)[:40] if form else "" for name in ("rulebook", "length", "start", "wait")}
    if not form:
        values |= _last_pattern(request, n) | {"wait": "yes"}
    given = common(
        request,
        stage=found,
        matches=list(zip(waiting, tables, strict=True)),
        values=values,
        rulebooks=offered(house),
        free=free,
        remarks=remarks(now.event, marked, n, waiting),
        streams=streams(marked, n, waiting),
    )
    return render(request, "tournament_release.html", who=who, status=400 if wrong else 200, **(given | {"wrong": wrong}))


def _last_pattern(request: Request, n: int) -> dict[str, str]:
    """Rulebook and length as the stage's last matches have them."""
    with house_of(request).store.read() as connection:
        before = list(views.matches_of(connection, n).values())
    last = max(before, key=lambda one: one.created_ns, default=None)
    return {"rulebook": "ibgf", "length": "7"} if last is None else {"rulebook": last.plan.rulebook, "length": str(last.plan.length or "")}


@router.post("/{n}/release")
def release(request: Request, who: Organizer, n: int, form: Checked) -> Response:
    """Release matches to their tables."""
    house = house_of(request)
    try:
        pattern = Plan(
            Pair(("",), ("",)),
            text(form, "rulebook").strip(),
            plans.length_of(text(form, "length")),
            starts_ns=plans.start_of(text(form, "start"), zone_of(house), today(house)),
        )
        with act_of(request, who) as act:
            now = tournament.standing_now(act.connection)
            given = _seats(form, _playable(_waiting(now, stage_of(now.event, n)))[:AT_ONCE])
            tournament.release(act, n, given, pattern, books(house))
    except WRONG as error:
        return _release_form(request, who, n, form, sentence(error))
    return back(f"{HERE}/stage/{n}", "released")


def _seats(form: FormData, waiting: Sequence[views.Line]) -> dict[str, str | None]:
    """Which match goes to which table; those without one wait for it, where that is wanted."""
    given = {each.fixture.key: " ".join(text(form, f"table-{each.fixture.key}").split()) for each in waiting}
    asked = {key: table for key, table in given.items() if f"table-{key}" in form}
    named = [table for table in asked.values() if table]
    twice = next((table for table in named if named.count(table) > 1), None)
    if twice is not None:
        raise TournamentError(_("Table {table} stands there twice.", table=twice))
    return {key: table or None for key, table in asked.items() if table or text(form, "wait") == "yes"}


@router.post("/{n}/close")
def close(request: Request, who: Organizer, n: int, _form: Checked) -> Response:
    """Take a stage back that was opened by mistake, and forget what was noted of its matches."""
    try:
        with act_of(request, who) as act:
            stage_of(tournament.standing_now(act.connection).event, n)
            money.refuse_decided(act.connection, n)
            tournament.close_stage(act, n)
            checkin.forget(act, n)
            seats.show(act, n, {})
    except TournamentError as error:
        return stage_page(request, who, n, str(error))
    return back(HERE, "stage_closed")


# ── Late ones ────────────────────────────────────────────────────────────────
@router.post("/{n}/join")
def join(request: Request, who: Organizer, n: int, form: Checked) -> Response:
    """Somebody joins a stage that has begun, or enters it again."""
    try:
        with act_of(request, who) as act:
            event = tournament.standing_now(act.connection).event
            stage_of(event, n)
            given, again = number(form, "entrant"), text(form, "again") == "yes"
            what: list[h.Happened] = []
            if again:
                old = event.entrants.get(given)
                if old is None:
                    raise TournamentError(_("Nobody on the entry list has the number {number}.", number=given))
                made = tournament.next_entrant(act.connection)
                what.append(h.Entered(replace(old, ident=made, again=given)))
                given = made
            tournament.happen(act, [*what, h.Joined(n, given)])
    except WRONG as error:
        return stage_page(request, who, n, sentence(error))
    return back(f"{HERE}/stage/{n}", "joined")
