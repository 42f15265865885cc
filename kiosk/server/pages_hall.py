"""The desk's page to the hall: pauses, later starts, messages, signed sheets, and what each table has done of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.responses import Response

from kiosk.domain.errors import CommandRefused
from kiosk.domain.setup import bad_value
from kiosk.domain.types import NS_PER_S
from kiosk.server import desk, plans, receiving
from kiosk.server.acts import tables
from kiosk.server.assignments import natural
from kiosk.server.login import Checked, Who
from kiosk.server.pages_desk import WRONG, Chief, Referee, act_of, back, common, house_of, sentence, text, today, zone_of
from kiosk.server.rendering import render

if TYPE_CHECKING:
    from starlette.datastructures import FormData

router = APIRouter(prefix="/desk/hall", include_in_schema=False)

PAGE = "/desk/hall"
MINUTE = 60 * NS_PER_S


@router.get("")
def hall(request: Request, who: Chief) -> Response:
    """What the desk may say to the hall, and who has heard it."""
    return _page(request, who)


def _page(request: Request, who: Who, form: FormData | None = None, wrong: str = "") -> Response:
    house = house_of(request)
    with house.store.read() as connection:
        lasting, obeyed, messages = desk.pause_now(connection), desk.obeyed(connection), desk.messages(connection)
        there = sorted(tables(connection), key=natural)
        rounds = [name for name in desk.rounds(connection) if name]
    typed = {name: text(form, name)[:500] if form else "" for name in ("why", "text", "round", "at", "where", "tables")}
    typed["form"] = request.url.path.rpartition("/")[2]
    given = common(request, pause=lasting, obeyed=obeyed, messages=messages, there=there, rounds=rounds, typed=typed) | {"wrong": wrong}
    given["lifted_ns"] = max((one.at_ns for one in obeyed), default=0)
    given["round_choices"] = [(name, name) for name in rounds]
    return render(request, "desk_hall.html", who=who, status=400 if wrong else 200, **given)


def chosen(form: FormData) -> list[str] | None:
    """Which tables a form names, with commas between them; None: all.

    The page has a form for all tables, which names none, and another for some: what somebody touched is what is done. A form that says
    both is not the page's.

    Raises:
        CommandRefused: It says both, or neither.
    """
    typed = [part for part in re.split(r"\s*[,;]\s*", text(form, "tables").strip()) if part]
    where = text(form, "where")
    if where not in {"all", "some"}:
        raise bad_value("Choose all tables, or only some. Nothing was sent.")
    if where == "all" and typed:
        raise bad_value("All tables were chosen, and some were named as well: {tables}. Nothing was sent.", tables=", ".join(typed)[:200])
    return None if where == "all" else list(dict.fromkeys(typed))


@router.post("/pause")
def pause(request: Request, who: Chief, form: Checked) -> Response:
    """Stop all clocks, or some."""
    try:
        with act_of(request, who) as act:
            desk.pause(act, text(form, "why"), chosen(form))
    except WRONG as error:
        return _page(request, who, form, sentence(error))
    return back(PAGE, "paused")


@router.post("/lift")
def lift(request: Request, who: Chief, form: Checked) -> Response:
    """Let clocks run again."""
    try:
        with act_of(request, who) as act:
            desk.lift(act, chosen(form))
    except WRONG as error:
        return _page(request, who, form, sentence(error))
    return back(PAGE, "lifted")


@router.post("/delay")
def delay(request: Request, who: Chief, form: Checked) -> Response:
    """Let a round begin at another time: at a time of day, or so many minutes from now."""
    try:
        starts_ns = _start(request, text(form, "at"))
        with act_of(request, who) as act:
            desk.delay(act, text(form, "round"), starts_ns)
    except WRONG as error:
        return _page(request, who, form, sentence(error))
    return back(PAGE, "delayed")


def _start(request: Request, typed: str) -> int | None:
    house, typed = house_of(request), typed.strip()
    if re.fullmatch(r"\+\s*[0-9]{1,3}", typed):
        return house.now_ns() + int(typed.removeprefix("+")) * MINUTE
    try:
        starts_ns = plans.start_of(typed, zone_of(house), today(house))
    except CommandRefused as error:
        raise bad_value(
            "A round begins at a time as 14:30, at a date and a time as 2026-12-05 14:30, or in so many minutes, at most 999, as +15; "
            "“{text}” is none of these. Nothing has changed.",
            text=typed[:40],
        ) from error
    if starts_ns is not None and starts_ns <= house.now_ns() - MINUTE:  # the minute that it is now has begun
        raise bad_value(
            "“{text}” is over: it is {now}. Give a later time, with its date where it is tomorrow, or minutes from now as +15.",
            text=typed[:40],
            now=today(house).strftime("%H:%M"),
        )
    return starts_ns


@router.post("/message")
def message(request: Request, who: Chief, form: Checked) -> Response:
    """Show a line at all tables, or at some."""
    try:
        with act_of(request, who) as act:
            desk.message(act, text(form, "text"), chosen(form))
    except WRONG as error:
        return _page(request, who, form, sentence(error))
    return back(PAGE, "sent")


@router.post("/receive/{match}")
def receive(request: Request, who: Referee, match: str, form: Checked) -> Response:
    """Receive a signed sheet: its table is told, or it stands received here where the table has gone on."""
    with act_of(request, who) as act:
        told = receiving.receive(act, match, who)
    return back("/referee" if text(form, "from") == "referee" else "/desk", "received" if told else "received_here")
