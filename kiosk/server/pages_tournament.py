"""The organizer's desk of the tournament: the entry list, lists that are imported, and stages that are opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.datastructures import FormData, UploadFile
from starlette.responses import Response

from kiosk.domain.setup import bad_value
from kiosk.say import _, mark
from kiosk.server import entries, lists, tournament, tournament_file
from kiosk.server import tournament_forms as forms
from kiosk.server import tournament_views as views
from kiosk.server.login import Checked, Who
from kiosk.server.pages_desk import WRONG as WRONG_BEFORE
from kiosk.server.pages_desk import Chief, Organizer, act_of, back, common, house_of, number, paged, sentence, text
from kiosk.server.problems import Problem
from kiosk.server.rendering import render
from kiosk.server.store import hold
from kiosk.tournament import happened as h
from kiosk.tournament.happened import Leave
from kiosk.tournament.results import TournamentError
from kiosk.tournament.tables import LOT, qualifiers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kiosk.server.acts import Act
    from kiosk.tournament.event import Event, Stage
    from kiosk.tournament.plan import Entrant, StagePlan
    from kiosk.tournament.tables import Shared

router = APIRouter(prefix="/desk/tournament", include_in_schema=False)

HERE = "/desk/tournament"
WRONG = (*WRONG_BEFORE, TournamentError)
"""What a form can be wrong in: told beside the form, with what was typed."""
STATES = {
    entries.NEW: mark("new"),
    entries.SAME: mark("there already"),
    entries.CHANGED: mark("will be changed"),
    entries.WRONG: mark("wrong"),
}
SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
CSV = "text/csv; charset=utf-8"


def now_of(request: Request) -> tournament.Now:
    """The event as it stands."""
    with house_of(request).store.read() as connection:
        return tournament.standing_now(connection)


# ── The entry list ───────────────────────────────────────────────────────────
@router.get("")
def overview(request: Request, who: Chief) -> Response:
    """The stages and the entry list."""
    return _overview(request, who)


def _overview(request: Request, who: Who, form: FormData | None = None, wrong: str = "") -> Response:
    event = now_of(request).event
    shown, links = paged(request, [_entrant(event, each) for each in event.entrants.values()])
    typed = {name: text(form, name)[:210] if form else "" for name in ("name", "club", "country", "rating", "experience")}
    stages = [(stage, _(views.SYSTEMS[stage.plan.system]), views.over(event, stage)) for stage in event.stages]
    given = common(request, stages=stages, entrants=shown, links=links, all=len(event.entrants), typed=typed) | {"wrong": wrong}
    return render(request, "tournament_desk.html", who=who, status=400 if wrong else 200, **given)


def _entrant(event: Event, one: Entrant) -> dict[str, Any]:
    left = event.left.get(one.ident)
    stages = [stage.plan.name for stage in event.stages if one.ident in stage.entrants]
    return {"one": one, "left": None if left is None else _(views.WHY_LEFT[left]), "stages": stages}


@router.post("/entrants")
def add(request: Request, who: Organizer, form: Checked) -> Response:
    """Put somebody on the entry list."""
    try:
        with act_of(request, who) as act:
            made = forms.entrant_of(tournament.next_entrant(act.connection), lambda name: text(form, name))
            tournament.happen(act, [h.Entered(made)])
    except WRONG as error:
        return _overview(request, who, form, sentence(error))
    return back(HERE, "entered")


@router.get("/entrants/{ident}")
def one(request: Request, who: Chief, ident: int) -> Response:
    """Somebody on the entry list: what is known of him, and what may be done."""
    return _one(request, who, ident)


def _found(event: Event, ident: int) -> Entrant:
    if ident not in event.entrants:
        raise Problem(404, _("Nobody on the entry list has the number {number}.", number=ident))
    return event.entrants[ident]


def _one(request: Request, who: Who, ident: int, form: FormData | None = None, wrong: str = "") -> Response:
    event = now_of(request).event
    found = _found(event, ident)
    known = {"name": found.name, "club": found.club, "country": found.country, **entries.numbers(found)}
    values = {name: text(form, name)[:210] if form else value for name, value in known.items()}
    why = [(str(each), _(told)) for each, told in views.WHY_LEFT.items()]
    given = common(request, values=values, why_choices=why, seat=event.seats.get(ident), **_entrant(event, found)) | {"wrong": wrong}
    return render(request, "tournament_entrant.html", who=who, status=400 if wrong else 200, **given)


@router.post("/entrants/{ident}")
def change(request: Request, who: Organizer, ident: int, form: Checked) -> Response:
    """Change what is known of somebody."""
    try:
        with act_of(request, who) as act:
            old = _found(tournament.standing_now(act.connection).event, ident)
            tournament.happen(act, [h.Entered(forms.entrant_of(ident, lambda name: text(form, name), old.again))])
    except WRONG as error:
        return _one(request, who, ident, form, sentence(error))
    return back(HERE, "entrant_changed")


@router.post("/entrants/{ident}/strike")
def strike(request: Request, who: Organizer, ident: int, _form: Checked) -> Response:
    """Take somebody off the list who is in no stage."""
    return _do(request, who, ident, [h.Struck(ident)], "entrant_struck")


@router.post("/entrants/{ident}/leave")
def leave(request: Request, who: Organizer, ident: int, form: Checked) -> Response:
    """Somebody plays no more."""
    return _do(request, who, ident, [h.Left(ident, forms.word(Leave, text(form, "why")))], "entrant_left")


@router.post("/entrants/{ident}/back")
def come_back(request: Request, who: Organizer, ident: int, _form: Checked) -> Response:
    """Somebody plays again."""
    return _do(request, who, ident, [h.CameBack(ident)], "entrant_back")


def _do(request: Request, who: Who, ident: int, what: Sequence[h.Happened], done: str) -> Response:
    try:
        with act_of(request, who) as act:
            tournament.happen(act, what)
    except TournamentError as error:
        return _one(request, who, ident, None, str(error))
    return back(HERE, done)


# ── Lists ────────────────────────────────────────────────────────────────────
@router.get("/import")
def ask_list(request: Request, who: Organizer) -> Response:
    """Where an entry list is chosen."""
    return _list_page(request, who)


@router.post("/import")
def show_list(request: Request, who: Organizer, form: Checked) -> Response:
    """What a list comes to, before anything is entered."""
    try:
        given = form.get("file")
        if isinstance(given, UploadFile) and given.filename:
            raw = lists.read(given.file.read(lists.LARGEST + 1), given.filename[:100], entries.KIND)
        else:
            raw = lists.read(text(form, "pasted").encode("utf-8", "replace"), _("What was pasted"), entries.KIND)
        rows = entries.preview(now_of(request).event, raw)
    except WRONG as error:
        return _list_page(request, who, wrong=sentence(error))
    return _list_page(request, who, rows, raw.unknown)


def _list_page(request: Request, who: Who, rows: Sequence[entries.Row] = (), unknown: tuple[str, ...] = (), wrong: str = "") -> Response:
    count = {state: sum(each.state == state for each in rows) for state in STATES}
    given = common(request, rows_=rows, unknown=unknown, count=count, states=STATES, list=entries.to_text(rows)) | {"wrong": wrong}
    return render(request, "tournament_import.html", who=who, status=400 if wrong else 200, **given)


@router.post("/import/do")
def do_list(request: Request, who: Organizer, form: Checked) -> Response:
    """Enter what was shown."""
    with act_of(request, who) as act:
        entries.apply(act, text(form, "list"))
    return back(HERE, "entrants_imported")


@router.get("/template.{form}")
def template(request: Request, who: Organizer, form: str) -> Response:  # noqa: ARG001 - both are asked for by every endpoint
    """An entry list to be filled in."""
    if form not in {"csv", "xlsx"}:
        raise bad_value("A list is a csv or an xlsx.")
    head = {"Content-Disposition": f'attachment; filename="entries.{form}"'}
    return Response(entries.template(form), media_type=CSV if form == "csv" else SHEET, headers=head)


# ── The whole event as a file ────────────────────────────────────────────────
@router.get("/event.json")
def whole(request: Request, who: Organizer) -> Response:  # noqa: ARG001 - asked for by every endpoint
    """Everything that happened, as one file."""
    house = house_of(request)
    with house.store.read() as connection:
        made = tournament_file.to_bytes(connection, house.event or "")
    return Response(made, media_type="application/json", headers={"Content-Disposition": 'attachment; filename="tournament.json"'})


@router.post("/event")
def open_file(request: Request, who: Organizer, form: Checked) -> Response:
    """Open such a file here, where nothing has happened yet."""
    given = form.get("file")
    try:
        if not (isinstance(given, UploadFile) and given.filename):
            raise bad_value("Choose the file of a tournament.")
        what = tournament_file.read(given.file.read(tournament_file.LARGEST + 1))
        with act_of(request, who) as act:
            tournament_file.open_here(act, what)
    except WRONG as error:
        return _overview(request, who, None, sentence(error))
    return back(HERE, "tournament_opened")


# ── A stage is opened ────────────────────────────────────────────────────────
ASKED = (
    *("name", "system", "rounds", "laps", "groups", "losses", "third", "second_final", "seeded", "of", "losers"),
    *(f"tiebreak{n}" for n in range(1, forms.BREAKS_ASKED + 1)),
    *("unplayed", "avoid_club", "avoid_floats", "first", "forbidden", "seed", "entrants"),
)


@router.get("/stages/new")
def new_stage(request: Request, who: Organizer) -> Response:
    """The form of a new stage, filled in with who may play: the entry list, or those who stood best in an earlier stage."""
    asked = request.query_params
    event, wrong = now_of(request).event, ""
    order = [each.ident for each in event.entrants.values() if each.ident not in event.left and each.again is None]
    shared: list[str] = []
    try:
        earlier = forms.whole(asked.get("from", ""), mark("The stage"))
        if earlier:
            found = qualifiers(event, event.stage(earlier), forms.whole(asked.get("count", ""), mark("How many"), 1))
            order, shared = list(found.entrants), [_shared(event, event.stage(earlier), each) for each in found.shared]
    except WRONG as error:
        wrong = sentence(error)
    if asked.get("order") == "rating":
        order.sort(key=lambda each: -(event.entrants[each].rating or 0))
    name = _("Stage {n}", n=len(event.stages) + 1) if event.stages else _("Main")
    values = dict.fromkeys(ASKED, "") | forms.usual() | {"name": name, "entrants": forms.order_text(event, order)}
    return _stage_form(request, who, event, values, wrong, shared=shared)


def _shared(event: Event, stage: Stage, one: Shared) -> str:
    """What a lot has decided, in words: who shares a place, and who of them stands in the form."""
    names = [f"{each}  {event.name(each)}" for each in one.entrants]
    told = _(
        "{stage}: place {rank} is shared by {names}. By lot {chosen} stands below; change it where you decide otherwise.",
        stage=stage.plan.name if stage.plan.groups == 1 else _("{stage}, group {n}", stage=stage.plan.name, n=one.group),
        rank=one.rank,
        names=", ".join(names),
        chosen=", ".join(names[: one.places]),
    )
    return f"{told} {_('Everybody can check the lots of “{purpose}” on the page of its draw.', purpose=LOT)}"


@router.post("/stages/new")
def open_stage(request: Request, who: Organizer, form: Checked) -> Response:
    """Open a stage."""
    try:
        plan = forms.plan_of(lambda name: text(form, name))
        playing = () if plan.of is not None else forms.order_of(text(form, "entrants"))
        seen = number(form, "seen")
        with act_of(request, who) as act:
            made = _opened(act, seen, plan, playing)
    except WRONG as error:
        values = {name: text(form, name)[:200_000] for name in ASKED}
        return _stage_form(request, who, now_of(request).event, values, sentence(error))
    return back(f"{HERE}/stage/{made}", "stage_opened")


def _opened(act: Act, seen: int, plan: StagePlan, playing: tuple[int, ...]) -> int:
    """Open a stage, and give its number; a form that was sent twice opens one.

    Raises:
        TournamentError: It cannot be opened, or another was since the form was made.
    """
    hold(act.connection, "tournament")
    stages = tournament.standing_now(act.connection).event.stages
    if len(stages) == seen + 1 and (stages[-1].plan, stages[-1].entrants[: len(playing)]) == (plan, playing):
        return len(stages)
    if len(stages) != seen:
        raise TournamentError(
            _("Stages were opened or taken back since this form was made: look at them, and send it again where it still holds.")
        )
    event = tournament.happen(act, [h.StageOpened(seen + 1, plan, playing)]).event
    views.lines(event, event.stage(seen + 1), {})  # a bracket that cannot be drawn says so before it is kept
    return seen + 1


def _stage_form(
    request: Request, who: Who, event: Event, values: dict[str, str], wrong: str = "", *, shared: Sequence[str] = ()
) -> Response:
    given = {
        "seen": len(event.stages),
        "shared": shared,
        "systems": [(str(each), _(told)) for each, told in views.SYSTEMS.items()],
        "breaks": [("", "–"), *((str(each), _(told)) for each, told in views.BREAKS.items())],
        "breaks_asked": forms.BREAKS_ASKED,
        "unplayeds": [(str(each), _(told)) for each, told in views.UNPLAYED.items()],
        "firsts": [(str(each), _(told)) for each, told in views.FIRSTS.items()],
        "stages": [(str(each.number), each.plan.name) for each in event.stages],
        "asked": request.query_params,
    }
    return render(
        request,
        "tournament_stage_form.html",
        who=who,
        status=400 if wrong else 200,
        **(common(request, values=values, **given) | {"wrong": wrong}),
    )
