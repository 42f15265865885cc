"""The organizer's pages of tables and their devices: who is there, codes to let new ones in, and what may be done with each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from sqlalchemy import select
from starlette.responses import RedirectResponse, Response

from kiosk.domain.errors import RosterError
from kiosk.server import desk, devices, enrolment, faces
from kiosk.server.addresses import board, reached
from kiosk.server.login import Checked
from kiosk.server.pages_desk import WRONG, Chief, Organizer, back, common, house_of, number, sentence, text
from kiosk.server.problems import not_there
from kiosk.server.rendering import render
from kiosk.server.schema import journal
from kiosk.server.schema import orders as given
from kiosk.server.told import order_words, who_words
from kiosk.sync.proof import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

router = APIRouter(prefix="/desk/tables", include_in_schema=False)

LIST = "/desk/tables"
CODE, CODE_S = "code", 600
"""The cookie that holds a code for the browser that shows it, and for how many seconds: the server itself does not know it any more."""
WORDS = {"order_words": order_words, "who_words": who_words}
"""What puts program words into words, for a page."""


@router.get("")
def listed(request: Request, who: Chief) -> Response:
    """Every device, the codes that are still good, and the form for a new one."""
    return _page(request, who)


def _page(request: Request, who: Any, wrong: str = "") -> Response:  # noqa: ANN401 - whoever may
    house = house_of(request)
    with house.store.read() as connection:
        there = devices.listed(connection)
        gone = [one for one in devices.listed(connection, revoked=True) if one.revoked_ns is not None]
        seen = {face["device"]: face for face in faces.faces(connection)}
        codes = enrolment.open_codes(connection, house.now_ns())
    there.sort(key=lambda one: faces.by_name(one.table))
    given_ = common(request, there=there, gone=gone, faces=seen, codes=codes) | {"wrong": wrong}
    return render(request, "desk_tables.html", who=who, status=400 if wrong else 200, **given_)


@router.get("/one/{ident}")
def one(request: Request, who: Chief, ident: str) -> Response:
    """One device: its state, its journals, what it was told."""
    house = house_of(request)
    with house.store.read() as connection:
        found = next((each for each in devices.listed(connection, revoked=True) if each.id == ident), None)
        if found is None:
            raise not_there("There is no such device.")
        face = next((each for each in faces.faces(connection) if each["device"] == ident), None)
        told = desk.orders_told(connection, given.c.device == ident, most=30)
        journals = connection.execute(select(journal).where(journal.c.device == ident).order_by(journal.c.id)).all()
    return render(request, "desk_table.html", who=who, **common(request, device=found, face=face, told=told, journals=journals, **WORDS))


@router.post("/code")
def make_code(request: Request, who: Organizer, form: Checked) -> Response:
    """Make a code, and lead to where it is shown: to load that page once more makes no second one."""
    house = house_of(request)
    try:
        uses = number(form, "uses") if text(form, "uses").strip() else 1
        days = number(form, "days") if text(form, "days").strip() else 0
        replaces = text(form, "replaces").strip()
        made = enrolment.make_code(house, who.called, table=text(form, "table").strip(), uses=uses, days=days, replaces=replaces)
    except (*WRONG, RosterError) as error:
        return _page(request, who, sentence(error))
    answer = RedirectResponse(f"{LIST}/code/{made.ident}", 303)
    secret = request.url.scheme == "https"
    answer.set_cookie(CODE, made.code, max_age=CODE_S, path=f"{LIST}/code", httponly=True, samesite="strict", secure=secret)
    return answer


@router.get("/code/{ident}")
def show_code(request: Request, who: Organizer, ident: int) -> Response:
    """A code with its QR code to be printed, in the browser for which it was made, for some minutes."""
    from kiosk.sheets import qr_squares

    house, kept = house_of(request), request.cookies.get(CODE, "")
    made = enrolment.code_again(house, ident, kept) if kept and 0 <= ident < 2**62 else None
    if made is None:
        raise not_there("This code is not shown any more; make another one.")
    where = reached(house.settings)
    path, size = drawn(qr_squares(f"tableside:{where}/{made.code}"))
    given_ = common(request, code=shown(made.code), made=made, path=path, size=size, where=where, board=board(house.settings))
    return render(request, "desk_code.html", who=who, replaces=made.replaces, **given_)


def drawn(squares: Sequence[Sequence[bool]]) -> tuple[str, int]:
    """A QR code as the path of an SVG, in squares, with a quiet margin of four; and its size with it."""
    rows = list(squares)
    parts = [f"M{x + 4} {y + 4}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark]
    return "".join(parts), len(rows) + 8


@router.post("/code/{ident}/drop")
def drop_code(request: Request, who: Organizer, ident: int, _form: Checked) -> Response:
    """Make a code worthless."""
    if 0 <= ident < 2**62:
        enrolment.drop_code(house_of(request), who.called, ident)
    return back(LIST, "code_dropped")


@router.post("/one/{ident}/rename")
def rename(request: Request, who: Organizer, ident: str, form: Checked) -> Response:
    """Call a table otherwise."""
    devices.rename(house_of(request), who.called, ident, text(form, "table"))
    return back(f"{LIST}/one/{ident}", "renamed")


@router.post("/one/{ident}/revoke")
def revoke(request: Request, who: Organizer, ident: str, _form: Checked) -> Response:
    """Take a device's key away."""
    devices.revoke(house_of(request), who.called, ident)
    return back(LIST, "revoked")


@router.post("/one/{ident}/practice")
def practice(request: Request, who: Organizer, ident: str, form: Checked) -> Response:
    """Say whether what is played there is practice."""
    devices.set_practice(house_of(request), who.called, ident, practice=text(form, "practice") == "yes")
    return back(f"{LIST}/one/{ident}", "practice")
