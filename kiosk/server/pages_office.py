"""The organizer's pages of the office: officials, exports, backups, the audit, and the event's name."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from sqlalchemy import select
from starlette.responses import FileResponse, Response

from kiosk.domain.errors import RosterError, RulebookError
from kiosk.domain.officials import RANKS, Official, Role
from kiosk.domain.setup import bad_value
from kiosk.say import _, language, mark
from kiosk.server import audit, backup, desk, matches, people, results
from kiosk.server import told as told_
from kiosk.server.house import put
from kiosk.server.login import Checked, Who
from kiosk.server.pages_desk import WRONG, Chief, Organizer, act_of, back, books, common, house_of, paged, sentence, text, zone_of
from kiosk.server.problems import Problem, not_there
from kiosk.server.rendering import render
from kiosk.server.schema import audit as acts
from kiosk.sheets import event as registers
from kiosk.sheets import to_csv, to_json, to_pdf, to_receipt, to_xlsx
from kiosk.sheets.spreadsheet import to_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.server.house import House
    from kiosk.sheets import ScoreSheet

router = APIRouter(prefix="/desk", include_in_schema=False)

PLACES = {"officials": "/desk/officials", "backups": "/desk/backups", "audit": "/desk/audit"}
MOST_ACTS = 200
"""So many acts a page of the audit has."""


# ── Officials ────────────────────────────────────────────────────────────────
@router.get("/officials")
def officials(request: Request, who: Organizer) -> Response:
    """Who there is, and the form for somebody new."""
    return _officials(request, who)


def _officials(request: Request, who: Who, wrong: str = "", name: str = "", role: str = "referee") -> Response:
    with house_of(request).store.read() as connection:
        everybody = people.listed(connection)
    given = common(request, everybody=everybody, roles=RANKS, typed=name, role=role) | {"wrong": wrong}
    given["role_choices"] = [(str(each), _(each)) for each in RANKS]
    return render(request, "desk_officials.html", who=who, status=400 if wrong else 200, **given)


def _role(typed: str) -> Role:
    if typed not in set(RANKS):
        raise bad_value("Choose one of the roles that the form offers.")
    return Role(typed)


@router.post("/officials")
def add(request: Request, who: Organizer, form: Checked) -> Response:
    """Enter somebody."""
    name, password, pin = " ".join(text(form, "name").split()), text(form, "password"), text(form, "pin").strip()
    try:
        official = Official(name, _role(text(form, "role")))
        people.add(house_of(request), who.called, official, password or None, pin or None)
    except (*WRONG, RosterError) as error:
        return _officials(request, who, sentence(error), name[:100], text(form, "role"))
    return back(PLACES["officials"], "added")


@router.post("/officials/{ident}")
def change(request: Request, who: Organizer, ident: int, form: Checked) -> Response:
    """Change somebody: the role, the password, the PIN, or take the person out."""
    house, what = house_of(request), text(form, "what")
    if not 0 <= ident < 2**62:
        raise bad_value("This person is not entered any more.")
    try:
        match what:
            case "role":
                people.set_role(house, who.called, ident, _role(text(form, "role")))
            case "password":
                people.set_password(house, who.called, ident, text(form, "password"))
            case "pin":
                people.set_pin(house, who.called, ident, text(form, "pin").strip() or None)
            case "badge":
                people.set_badge(house, who.called, ident, text(form, "badge").strip().upper() or None)
            case "remove":
                people.remove(house, who.called, ident)
            case _:
                raise bad_value("Choose one of what the form offers.")
    except (*WRONG, RosterError) as error:
        return _officials(request, who, sentence(error))
    return back(PLACES["officials"], "removed" if what == "remove" else "person")


# ── Backups, the event's name ────────────────────────────────────────────────
@router.get("/backups")
def backups(request: Request, who: Organizer) -> Response:
    """The backups there are."""
    house = house_of(request)
    found = backup.listed(house.settings)[:200]
    with house.store.read() as connection:
        no_backup = backup.trouble(connection)
    given = common(request, found=found, folder=house.settings.backups, no_backup=no_backup)
    return render(request, "desk_backups.html", who=who, **given)


@router.post("/backups")
def make_backup(request: Request, who: Organizer, _form: Checked) -> Response:
    """Make a backup now."""
    backup.make(house_of(request), who.called)
    return back(PLACES["backups"], "backup")


@router.get("/backups/{name}")
def fetch_backup(request: Request, who: Organizer, name: str) -> Response:
    """A backup, to be kept elsewhere; it holds the server's keys, so fetching it is an act that is written down."""
    house = house_of(request)
    names = {
        path.name: path for path in ((one if not isinstance(one, backup.Backup) else one.path) for one in backup.listed(house.settings))
    }
    if name not in names:
        raise Problem(404, _("There is no such backup any more."))
    with act_of(request, who) as act:
        act.note("backup_fetched", file=name)
    return FileResponse(names[name], media_type="application/zip", filename=name)


@router.post("/event")
def rename_event(request: Request, who: Organizer, form: Checked) -> Response:
    """Call the event otherwise."""
    name = desk.line_of(text(form, "name")[:120], mark("The name"))
    with act_of(request, who) as act:
        put(act.connection, "name", name)
        act.note("event_renamed", name=name)
    return back("/desk", "event")


# ── The audit ────────────────────────────────────────────────────────────────
@router.get("/audit")
def the_audit(request: Request, who: Organizer, before: int = 2**62) -> Response:
    """Every act, the newest first; and whether all of them are as they were written."""
    before = min(max(before, 0), 2**62)
    asked = select(acts).where(acts.c.id < before).order_by(acts.c.id.desc()).limit(MOST_ACTS)
    with house_of(request).store.read() as connection:
        rows = connection.execute(asked).all()
        fault = audit.fault(connection) if request.query_params.get("check") else None
    zone = zone_of(house_of(request))
    told = [(row, told_.who_words(row.who), told_.act_words(row.act), told_.details(json.loads(row.what), zone)) for row in rows]
    older = rows[-1].id if len(rows) == MOST_ACTS else None
    given = common(request, rows=told, older=older, fault=fault, checked=bool(request.query_params.get("check")))
    return render(request, "desk_audit.html", who=who, **given)


# ── Exports ──────────────────────────────────────────────────────────────────
ONE = {
    "pdf": "application/pdf",
    "receipt": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
}
ALL = {"results.csv": "all", "games.csv": "games", "rulings.csv": "rulings", "times.csv": "times"}
_AT_ONCE = threading.BoundedSemaphore(2)
"""So many exports of the whole event are made at the same time; each holds its cells in memory."""


@router.get("/exports")
def exports(request: Request, who: Chief) -> Response:
    """What can be had of the event."""
    with house_of(request).store.read() as connection:
        found, links = paged(request, matches.kept(connection))
    return render(request, "desk_exports.html", who=who, **common(request, found=found, links=links))


@router.get("/exports/match/{match}.{form}")
def export_one(request: Request, who: Chief, match: str, form: str) -> Response:  # noqa: ARG001 - both are asked for by every endpoint
    """A match's score sheet."""
    if form not in ONE:
        raise bad_value("A sheet can be had as {names}.", names=tuple(ONE))
    house = house_of(request)
    with house.store.read() as connection:
        found = matches.find(connection, match)
        sheet = None if found is None else matches.sheet_at(connection, found, 1)
    if found is None or sheet is None:
        raise not_there("There is no such match, or its entries cannot be read.")
    about = {"event": house.event, "round_name": found.round, "table": found.table}
    if form in {"csv", "json"}:
        data = (to_csv if form == "csv" else to_json)(sheet, **about)
    else:
        write = {"pdf": to_pdf, "receipt": to_receipt, "xlsx": to_xlsx}[form]
        data = write(sheet, **about, rulebook=_title(house, sheet.setup.rulebook), zone=zone_of(house))
    return _file(data, f"match-{match[:40]}.{'pdf' if form == 'receipt' else form}", ONE[form])


def _title(house: House, word: str) -> str:
    """A regulation's title; empty where this server does not know it."""
    try:
        return books(house).load(word).title(language())
    except RulebookError:
        return ""


@router.get("/exports/event.xlsx")
def export_event(request: Request, who: Chief) -> Response:  # noqa: ARG001 - as above
    """Everything of every match as one workbook."""
    house, where = house_of(request), dict[int, str]()
    with _AT_ONCE:
        sheets = _told(house, where)
        data = registers.to_event_xlsx(sheets, event=house.event, table=lambda sheet: where[sheet.number], zone=zone_of(house))
    return _file(data, "event.xlsx", ONE["xlsx"])


def _told(house: House, where: dict[int, str]) -> Iterator[ScoreSheet]:
    """Every sheet that counts, one at a time; `where` learns each one's table."""
    with house.store.read() as connection:
        for one, sheet in matches.told(connection):
            where[sheet.number] = one.table
            yield sheet


@router.get("/exports/standings.csv")
def export_standings(request: Request, who: Chief) -> Response:  # noqa: ARG001 - as above
    """The results as they count, organizers' decisions among them."""
    with house_of(request).store.read() as connection:
        lines = results.table(connection)
    heads = (
        "round",
        "table",
        "left",
        "right",
        "score_left",
        "score_right",
        "standing_left",
        "standing_right",
        "winner",
        "how",
        "worth",
        "match",
    )
    return _file(to_table(heads, map(_standing, lines)), "standings.csv", ONE["csv"])


def _standing(line: results.Line) -> dict[str, object]:
    plan, data = line.assignment.plan, line.data or {}
    score, standing = data.get("score") or {}, data.get("standing") or {}
    names = {"left": " / ".join(plan.players.left), "right": " / ".join(plan.players.right)}
    return {
        "round": plan.round,
        "table": plan.table,
        **names,
        "score_left": score.get("left"),
        "score_right": score.get("right"),
        "standing_left": standing.get("left"),
        "standing_right": standing.get("right"),
        "winner": names.get(str(data.get("winner")), ""),
        "how": data.get("how"),
        "worth": str(line.worth),
        "match": line.assignment.id,
    }


@router.get("/exports/{name}")
def export_all(request: Request, who: Chief, name: str) -> Response:  # noqa: ARG001 - as above
    """One register of every match."""
    if name not in ALL:
        raise Problem(404, _("There is no such export."))
    write = {
        "all": registers.to_event_csv,
        "games": registers.to_games_csv,
        "rulings": registers.to_rulings_csv,
        "times": registers.to_times_csv,
    }
    where: dict[int, str] = {}
    with _AT_ONCE:
        data = write[ALL[name]](_told(house_of(request), where), table=lambda sheet: where[sheet.number])
    return _file(data, name, ONE["csv"])


def _file(data: bytes, name: str, kind: str) -> Response:
    safe = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-._") else "_" for letter in name)
    return Response(data, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{safe}"', "Cache-Control": "no-store"})
