"""The organizer's pages of matches: the list, one match, its form, lists that are imported, and matches that were started by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.datastructures import FormData, UploadFile
from starlette.responses import Response

from kiosk.domain.setup import bad_value
from kiosk.domain.types import NS_PER_S, Pair, clock_text
from kiosk.say import _
from kiosk.server import assignments, attach, clashes, desk, imports, lists, plans, results
from kiosk.server.acts import tables
from kiosk.server.assignments import STATES, State
from kiosk.server.attach import Key
from kiosk.server.imports import Defaults
from kiosk.server.login import Checked, Who
from kiosk.server.pages_desk import (
    WRONG,
    Chief,
    Organizer,
    act_of,
    back,
    books,
    common,
    house_of,
    number,
    offered,
    paged,
    sentence,
    text,
    today,
    zone_of,
)
from kiosk.server.plans import Plan
from kiosk.server.rendering import local, render
from kiosk.server.schema import assignment as assigned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from kiosk.server.house import House

router = APIRouter(prefix="/desk/matches", include_in_schema=False)

LIST = "/desk/matches"


# ── The list ─────────────────────────────────────────────────────────────────
@router.get("")
def listed(request: Request, who: Chief) -> Response:
    """Every match that was made; `q` searches names, `round` and `state` choose."""
    house, asked = house_of(request), request.query_params
    wanted = {"q": asked.get("q", "")[:100], "round": asked.get("round", ""), "state": asked.get("state", "")}
    with house.store.read() as connection:
        every = assignments.listed(connection)
        by_hand = results.unattached(connection)
        there = tables(connection)
    shown, links = paged(request, [one for one in every if _fits(one, wanted)])
    rounds = sorted({one.plan.round for one in every if one.plan.round}, key=assignments.natural)
    given = common(request, matches=shown, links=links, wanted=wanted, states=STATES, all=len(every), by_hand=len(by_hand), there=there)
    given["round_choices"] = [("", _("all")), *((name, name) for name in rounds)]
    given["state_choices"] = [("", _("all but withdrawn")), ("all", _("all")), *((str(state), _(told)) for state, told in STATES.items())]
    return render(request, "desk_matches.html", who=who, **given)


def _fits(one: assignments.Assignment, wanted: dict[str, str]) -> bool:
    names = plans.folded(wanted["q"])
    state = wanted["state"]
    standing = one.state is not State.WITHDRAWN if not state else state in {"all", str(one.state)}
    return standing and wanted["round"] in {"", one.plan.round} and names in plans.search_text(one.plan)


# ── The form ─────────────────────────────────────────────────────────────────
FIELDS = ("left", "right", "round", "table", "length", "free", "rulebook", "start", "reserve", "delay", "method", "provide", "practice")


@router.get("/new")
def new(request: Request, who: Organizer) -> Response:
    """The form for a new match; a round that is named is filled in."""
    values = dict.fromkeys(FIELDS, "") | {"rulebook": "ibgf", "length": "7", "round": request.query_params.get("round", "")[:40]}
    return _form(request, who, values, ident=assignments.new_id())


@router.post("/new")
def make(request: Request, who: Organizer, form: Checked) -> Response:
    """Make a match."""
    ident = text(form, "id")
    try:
        plan = _plan(house_of(request), form)
        if len(ident) != 24 or not set(ident) <= set("0123456789abcdef"):
            raise bad_value("A number is missing in this form; load the page again.")
        if doubts := _doubts(request, form, plan, ident):
            return _form(request, who, _typed(form), ident=ident, doubts=doubts)
        with act_of(request, who) as act:
            assignments.make(act, plan, books(house_of(request)), ident)
    except WRONG as error:
        return _form(request, who, _typed(form), ident=ident, wrong=sentence(error))
    return back(f"{LIST}/one/{ident}", "made")


@router.get("/one/{ident}/edit")
def edit(request: Request, who: Organizer, ident: str) -> Response:
    """The form of a match that has not begun."""
    house = house_of(request)
    with house.store.read() as connection:
        one = assignments.find(connection, ident)
    return _form(request, who, _written(house, one.plan), ident=ident, version=one.version)


@router.post("/one/{ident}/edit")
def change(request: Request, who: Organizer, ident: str, form: Checked) -> Response:
    """Change a match that has not begun."""
    try:
        plan = _plan(house_of(request), form)
        version = number(form, "version")
        if doubts := _doubts(request, form, plan, ident):
            return _form(request, who, _typed(form), ident=ident, version=version, doubts=doubts)
        with act_of(request, who) as act:
            assignments.change(act, ident, plan, books(house_of(request)), version)
    except WRONG as error:
        return _form(request, who, _typed(form), ident=ident, version=text(form, "version"), wrong=sentence(error))
    return back(f"{LIST}/one/{ident}", "changed")


def _doubts(request: Request, form: FormData, plan: Plan, ident: str) -> list[str]:
    """What the match cannot be played beside, unless somebody said that it is meant; what has not changed was meant before."""
    if text(form, "meant") == "yes":
        return []
    house = house_of(request)
    plans.check(plan, books(house))
    with house.store.read() as connection:
        before = assignments.listed(connection, assigned.c.id == ident)
        known = clashes.against(connection, before[0].plan, ident) if before else []
        doubts = [told for told in clashes.against(connection, plan, ident) if told not in known]
    same = bool(before) and before[0].plan.starts_ns == plan.starts_ns
    return doubts if same else [*doubts, *clashes.over(plan, house.now_ns())]


def _form(
    request: Request,
    who: Who,
    values: dict[str, str],
    *,
    ident: str,
    version: object = "",
    wrong: str = "",
    doubts: Sequence[str] = (),
) -> Response:
    house = house_of(request)
    with house.store.read() as connection:
        known = {
            "tables": sorted(tables(connection), key=assignments.natural),
            "rounds": [name for name in desk.rounds(connection) if name],
        }
    given = common(request, values=values, ident=ident, version=version, rulebooks=offered(house), known=known, doubts=doubts) | {
        "wrong": wrong
    }
    return render(request, "desk_match_form.html", who=who, status=400 if wrong or doubts else 200, **given)


def _typed(form: FormData) -> dict[str, str]:
    return {name: text(form, name)[:300] for name in FIELDS}


def _plan(house: House, form: FormData) -> Plan:
    method, provide = text(form, "method"), text(form, "provide")
    if method not in {"", "delay", "bronstein", "fischer"} or provide not in {"", "bonus", "breaks", "neither"}:
        raise bad_value("Choose one of what the form offers.")
    return Plan(
        players=Pair(plans.names_of(text(form, "left")), plans.names_of(text(form, "right"))),
        rulebook=text(form, "rulebook").strip(),
        length=plans.length_of(text(form, "length"), free=text(form, "free") == "yes"),
        table=" ".join(text(form, "table").split()),
        round=" ".join(text(form, "round").split()),
        starts_ns=plans.start_of(text(form, "start"), zone_of(house), today(house)),
        practice=text(form, "practice") == "yes",
        reserve_ms=plans.reserve_of(text(form, "reserve")),
        delay_ms=plans.delay_of(text(form, "delay")),
        method=method or None,
        provide=provide or None,
    )


def _written(house: House, plan: Plan) -> dict[str, str]:
    """A plan as somebody would have typed it."""
    start = "" if plan.starts_ns is None else local(plan.starts_ns, zone_of(house)).strftime("%Y-%m-%d %H:%M")
    reserve = [] if plan.reserve_ms is None else [_minutes(plan.reserve_ms.left), _minutes(plan.reserve_ms.right)]
    return {
        "left": " / ".join(plan.players.left),
        "right": " / ".join(plan.players.right),
        "round": plan.round,
        "table": plan.table,
        "length": "" if plan.length is None else str(plan.length),
        "free": "yes" if plan.length is None else "",
        "rulebook": plan.rulebook,
        "start": start,
        "reserve": " / ".join(dict.fromkeys(reserve)),
        "delay": "" if plan.delay_ms is None else f"{plan.delay_ms / 1000:g}",
        "method": plan.method or "",
        "provide": plan.provide or "",
        "practice": "yes" if plan.practice else "",
    }


def _minutes(ms: int) -> str:
    hours, rest = divmod(ms // 1000, 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"


# ── One match ────────────────────────────────────────────────────────────────
@router.get("/one/{ident}")
def one(request: Request, who: Chief, ident: str) -> Response:
    """A match: what was planned, where it stands, what its table was told, what may be done."""
    house = house_of(request)
    with house.store.read() as connection:
        found = assignments.find(connection, ident)
        told = _orders(connection, found)
        fitting = [] if found.match is not None else [(attach.key_of(row), row) for row in _by_hand(connection, found)]
        beside = clashes.against(connection, found.plan, found.id) if found.state in assignments.OPEN else []
    warnings, clock = _setup(house, found.plan)
    given = common(request, one=found, told=told, warnings=[*beside, *warnings], clock=clock, states=STATES, fitting=fitting)
    return render(request, "desk_match.html", who=who, **given, key=None if found.match is None else attach.key_of(found.match))


def _orders(connection: Connection, found: assignments.Assignment) -> list[desk.Told]:
    device = found.match.device if found.match is not None else tables(connection).get(found.plan.table)
    return [] if device is None else desk.orders_of(connection, device, found.id, found.created_ns)


def _by_hand(connection: Connection, found: assignments.Assignment) -> list[Any]:
    wanted = plans.who_plays(found.plan.players)
    return [row for row in results.unattached(connection) if plans.who_plays(attach.players_of(row)) == wanted]


def _setup(house: House, plan: Plan) -> tuple[list[str], str]:
    """What is unusual about a plan, and its clock in words; a plan that no rulebook fits any more says so."""
    try:
        setup = plans.check(plan, books(house))
    except WRONG as error:
        return [sentence(error)], ""
    if not setup.control.clocked:
        return list(setup.warnings), _("without a clock")
    reserve = sorted({clock_text(setup.reserve.left), clock_text(setup.reserve.right)}, reverse=True)
    return list(setup.warnings), _("{reserve}, {n} s a turn", reserve=" / ".join(reserve), n=f"{setup.control.delay / NS_PER_S:g}")


@router.post("/one/{ident}/withdraw")
def withdraw(request: Request, who: Organizer, ident: str, form: Checked) -> Response:
    """Withdraw a match."""
    with act_of(request, who) as act:
        assignments.withdraw(act, ident, " ".join(text(form, "reason").split())[:500])
    return back(f"{LIST}/one/{ident}", "withdrawn")


@router.post("/one/{ident}/again")
def again(request: Request, who: Organizer, ident: str, _form: Checked) -> Response:
    """Let a withdrawn match be played after all."""
    with act_of(request, who) as act:
        assignments.again(act, ident, books(house_of(request)))
    return back(f"{LIST}/one/{ident}", "again")


@router.post("/one/{ident}/offer")
def offer(request: Request, who: Organizer, ident: str, _form: Checked) -> Response:
    """Offer a match again that its table refused."""
    with act_of(request, who) as act:
        assignments.offer_refused(act, ident)
    return back(f"{LIST}/one/{ident}", "offered")


@router.post("/one/{ident}/place")
def place(request: Request, who: Organizer, ident: str, form: Checked) -> Response:
    """Put a match at another table."""
    with act_of(request, who) as act:
        assignments.place(act, ident, text(form, "table"), books(house_of(request)), number(form, "version"))
    return back(f"{LIST}/one/{ident}", "changed")


# ── Lists ────────────────────────────────────────────────────────────────────
@router.get("/import")
def ask_list(request: Request, who: Organizer) -> Response:
    """Where a list of matches is chosen."""
    return _list_page(request, who)


@router.post("/import")
def show_list(request: Request, who: Organizer, form: Checked) -> Response:
    """What a list comes to, before anything is made."""
    house = house_of(request)
    try:
        raw, defaults = _read_list(form), _defaults(form)
        with house.store.read() as connection:
            entries = imports.preview(connection, raw, defaults, books(house), zone_of(house), today(house))
    except WRONG as error:
        return _list_page(request, who, form, wrong=sentence(error))
    return _list_page(request, who, form, entries=entries, unknown=raw.unknown)


@router.post("/import/do")
def do_list(request: Request, who: Organizer, form: Checked) -> Response:
    """Make what was shown."""
    library = books(house_of(request))
    wanted = imports.agreed(text(form, "list"), library)
    with act_of(request, who) as act:
        new, changed = imports.apply(act, wanted, library)
    return back(LIST, "imported", new=new, changed=changed)


@router.get("/template.{form}")
def template(request: Request, who: Organizer, form: str) -> Response:  # noqa: ARG001 - both are asked for by every endpoint
    """A list to be filled in."""
    kinds = {"csv": "text/csv; charset=utf-8", "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}
    if form not in kinds:
        raise bad_value("A list is a csv or an xlsx.")
    return Response(lists.template(form), media_type=kinds[form], headers={"Content-Disposition": f'attachment; filename="matches.{form}"'})


def _read_list(form: FormData) -> lists.RawList:
    given = form.get("file")
    if isinstance(given, UploadFile) and given.filename:
        return lists.read(given.file.read(lists.LARGEST + 1), given.filename[:100])
    return lists.read(text(form, "pasted").encode("utf-8", "replace"), _("What was pasted"))


def _defaults(form: FormData) -> Defaults:
    length, free = text(form, "length"), text(form, "free") == "yes"
    return Defaults(
        text(form, "rulebook").strip() or "ibgf",
        plans.length_of(length, free=free) if length.strip() else None,
        " ".join(text(form, "round").split()),
        practice=text(form, "practice") == "yes",
        free=free or length.strip() in plans.FREE,
    )


@dataclass(frozen=True, slots=True)
class _Shown:
    """A list that was read."""

    entries: list[imports.Entry]
    unknown: tuple[str, ...]
    text: str
    new: int
    changed: int
    bad: int
    clashing: int


def _list_page(  # noqa: PLR0917 - what the page holds
    request: Request,
    who: Who,
    form: FormData | None = None,
    wrong: str = "",
    entries: list[imports.Entry] | None = None,
    unknown: tuple[str, ...] = (),
) -> Response:
    values = {name: text(form, name)[:300] if form else "" for name in ("rulebook", "length", "free", "round", "practice")}
    shown = None
    if entries is not None:
        count = {state: sum(one.state == state for one in entries) for state in imports.WORDS}
        counts = (count[imports.NEW], count[imports.CHANGED], count[imports.WRONG], sum(bool(one.clashes) for one in entries))
        shown = _Shown(entries, unknown, imports.to_text(entries), *counts)
    given = common(request, shown=shown, values=values, rulebooks=offered(house_of(request)), states=imports.WORDS) | {"wrong": wrong}
    return render(request, "desk_import.html", who=who, status=400 if wrong else 200, **given)


# ── Matches that were started by hand ────────────────────────────────────────
@router.get("/played/{key}")
def played(request: Request, who: Chief, key: str) -> Response:
    """A match as a table played it, and what it may count for."""
    house = house_of(request)
    with house.store.read() as connection:
        row = attach.played(connection, Key.read(key))
        fitting = [(each, attach.differences(connection, row, each)) for each in attach.candidates(connection, row)]
        table = attach.table_of(connection, row)
        counts = None if row.attached is None else assignments.find(connection, row.attached)
    import json

    given = common(request, row=row, key=key, told=json.loads(row.summary), fitting=fitting, table=table, counts=counts, states=STATES)
    return render(request, "desk_played.html", who=who, **given)


@router.post("/played/{key}/attach")
def attached(request: Request, who: Organizer, key: str, form: Checked) -> Response:
    """Let it count for an assignment."""
    with act_of(request, who) as act:
        attach.attach(act, Key.read(key), text(form, "to"))
    return back(f"{LIST}/played/{key}", "attached")


@router.post("/played/{key}/own")
def own(request: Request, who: Organizer, key: str, form: Checked) -> Response:
    """Let it count as a match of its own."""
    with act_of(request, who) as act:
        attach.own(act, Key.read(key), text(form, "round"))
    return back(f"{LIST}/played/{key}", "own")


@router.post("/played/{key}/leave")
def leave(request: Request, who: Organizer, key: str, form: Checked) -> Response:
    """Let it count for nothing."""
    with act_of(request, who) as act:
        attach.leave_out(act, Key.read(key), text(form, "reason"))
    return back(f"{LIST}/played/{key}", "left_out")


@router.post("/played/{key}/undo")
def undo(request: Request, who: Organizer, key: str, _form: Checked) -> Response:
    """Take back what was decided about it."""
    with act_of(request, who) as act:
        attach.undo(act, Key.read(key))
    return back(f"{LIST}/played/{key}", "undone")
