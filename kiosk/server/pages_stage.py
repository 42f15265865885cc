"""The organizer's desk of one stage: its rounds and draws, matches that are released to tables, results, late entries, the table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from kiosk.domain.errors import CommandRefused
from kiosk.domain.types import Pair
from kiosk.say import _, mark
from kiosk.server import acts as hall
from kiosk.server import assignments, plans, results, tournament
from kiosk.server import tournament_forms as forms
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
from kiosk.server.pages_tournament import HERE, WRONG
from kiosk.server.plans import Plan
from kiosk.server.problems import Problem
from kiosk.server.rendering import render
from kiosk.tournament import happened as h
from kiosk.tournament.event import KNOCK_OUT
from kiosk.tournament.happened import Outcome
from kiosk.tournament.plan import System
from kiosk.tournament.results import TournamentError
from kiosk.tournament.seating import seated
from kiosk.tournament.stages import fixture, free_places, proposed
from kiosk.tournament.tables import consequences

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection
    from starlette.datastructures import FormData

    from kiosk.server.acts import Act
    from kiosk.server.assignments import Assignment
    from kiosk.tournament.event import Event, Stage
    from kiosk.tournament.tables import Consequences

router = APIRouter(prefix="/desk/tournament/stage", include_in_schema=False)

AT_ONCE = 120
"""So many matches are released at once."""
RESULTS = {
    Outcome.LEFT: mark("{left} won"),
    Outcome.RIGHT: mark("{right} won"),
    Outcome.LEFT_FORFEIT: mark("{right} did not come: + −"),
    Outcome.RIGHT_FORFEIT: mark("{left} did not come: − +"),
    Outcome.BOTH_FORFEIT: mark("Neither came: − −"),
}
"""How a match may have ended."""


def stage_of(event: Event, n: int) -> Stage:
    """A stage.

    Raises:
        Problem: There is none.
    """
    if not 1 <= n <= len(event.stages):
        raise Problem(404, _("There is no stage {number}.", number=n))
    return event.stages[n - 1]


def _read(request: Request, n: int) -> tuple[tournament.Now, Stage, dict[str, Assignment]]:
    with house_of(request).store.read() as connection:
        now = tournament.standing_now(connection)
        return now, stage_of(now.event, n), views.matches_of(connection, n)


# ── The stage ────────────────────────────────────────────────────────────────
@router.get("/{n}")
def stage(request: Request, who: Chief, n: int) -> Response:
    """A stage as it stands."""
    return _stage(request, who, n)


def _stage(request: Request, who: Who, n: int, wrong: str = "") -> Response:
    now, found, played = _read(request, n)
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
    late = [(str(each), f"{each}  {event.name(each)}") for each in event.entrants if each not in found.entrants and each not in event.left]
    again = [(str(each), f"{each}  {event.name(each)}") for each in found.entrants if each not in event.left]
    return {"late": late, "again": again if system is not System.SWISS else []}


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
        told.append((_("Ties are broken by"), ", ".join(_(views.BREAKS[each]) for each in plan.tiebreaks) or "–"))
        told.append((_("Rounds not played count"), _(views.UNPLAYED[plan.unplayed])))
    return [*told, (_("Public seed"), plan.seed)]


# ── Draws ────────────────────────────────────────────────────────────────────
@router.get("/{n}/draw")
def show_draw(request: Request, who: Organizer, n: int) -> Response:
    """What the next Swiss round would be; nothing is drawn yet."""
    now, found, _played = _read(request, n)
    try:
        drawn = _proposed(now.event, found)
    except TournamentError as error:
        return _stage(request, who, n, str(error))
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
        return _stage(request, who, n, sentence(error))
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
        return _stage(request, who, n, str(error))
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
    """Tables that have a device, and neither a match nor one that waits for them."""
    busy = {one.plan.table for one in assignments.listed(connection) if one.state in {*assignments.OPEN, State.OPENED}}
    return sorted((name for name in hall.tables(connection) if name not in busy), key=assignments.natural)


def _release_form(request: Request, who: Who, n: int, form: FormData | None = None, wrong: str = "") -> Response:
    house = house_of(request)
    with house.store.read() as connection:
        now = tournament.standing_now(connection)
        found, free = stage_of(now.event, n), _free_tables(connection)
    waiting = _playable(_waiting(now, found))[:AT_ONCE]
    asked, fixed = request.query_params.get("fixed", "")[:500], {}
    try:
        fixed = forms.fixed_of(asked)
    except CommandRefused as error:
        wrong = wrong or sentence(error)
    proposal = seated([(each.fixture.left or 0, each.fixture.right or 0) for each in waiting], free, fixed)
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
        fixed=asked,
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
            seats = _seats(form, _playable(_waiting(now, stage_of(now.event, n)))[:AT_ONCE])
            tournament.release(act, n, seats, pattern, books(house))
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
    request: Request, who: Who, n: int, key: str, form: FormData | None = None, wrong: str = "", change: Consequences | None = None
) -> Response:
    now, found, played = _read(request, n)
    line = _line(now.event, found, key, played)
    told = found.ended.get(key)
    known = {"outcome": "", "left": "", "right": "", "reason": ""}
    if told is not None:
        known |= {"outcome": str(told.outcome), "left": str(told.left_points or ""), "right": str(told.right_points or "")}
    values = {name: text(form, name)[:500] if form else value for name, value in known.items()}
    names = {"left": line.left, "right": line.right}
    given = {
        "stage": found,
        "line": line,
        "values": values,
        "outcomes": [("", "–"), *((str(each), _(words, **names)) for each, words in RESULTS.items())],
        "change": None if change is None else _told(now.event, change),
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
        now = _read(request, n)[0]
        before = stage_of(now.event, n).ended.get(key)
        if before is not None and text(form, "sure") != "yes":
            return _match(request, who, n, key, form, change=consequences(now.event, ended))
        with act_of(request, who) as act:
            _enter(act, ended, text(form, "reason"), None if before is None else number(form, "seen"))
    except WRONG as error:
        return _match(request, who, n, key, form, sentence(error))
    return back(f"{HERE}/stage/{n}", "ended")


def _enter(act: Act, ended: h.Ended, reason: str, seen: int | None) -> None:
    """Let a match have ended: at the table of results where it was opened at a table, else in the tournament alone."""
    now = tournament.standing_now(act.connection)
    ident = now.released.get((ended.stage, ended.key))
    one = None if ident is None else assignments.find(act.connection, ident)
    if one is not None and one.match is None:
        tournament.take_back(act, ended.stage, ended.key)
    tournament.happen(act, [ended], seen)
    if one is not None and one.match is not None:
        history = results.line(act.connection, one.id).history
        why = reason or _("entered at the tournament's desk")
        results.change(act, one.id, forms.as_result(ended, one.plan.length), why, len(history))
    tournament.put_right(act, ended.stage, ended.key)


@router.post("/{n}/match/{key}/reopen")
def reopen(request: Request, who: Chief, n: int, key: str, _form: Checked) -> Response:
    """A match has no result after all."""
    return _act(request, who, n, key, lambda act: _reopen(act, n, key), "reopened")


def _reopen(act: Act, n: int, key: str) -> None:
    tournament.happen(act, [h.Reopened(n, key)])
    tournament.put_right(act, n, key)


@router.post("/{n}/match/{key}/back")
def take_back(request: Request, who: Organizer, n: int, key: str, _form: Checked) -> Response:
    """Take a released match back from its table."""
    return _act(request, who, n, key, lambda act: tournament.take_back(act, n, key), "taken_back")


def _act(request: Request, who: Who, n: int, key: str, what: Callable[[Act], None], done: str) -> Response:  # noqa: PLR0917 - as above
    now, found, _played = _read(request, n)
    try:
        fixture(now.event, found, key)
        with act_of(request, who) as act:
            what(act)
    except WRONG as error:
        return _stage(request, who, n, sentence(error))
    return back(f"{HERE}/stage/{n}", done)


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
        return _stage(request, who, n, sentence(error))
    return back(f"{HERE}/stage/{n}", "joined")
