"""The pages on which people log in and out and change their password."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from kiosk.domain.officials import Role
from kiosk.domain.setup import LONGEST_NAME
from kiosk.say import _
from kiosk.server import audit, login, people
from kiosk.server.answers import safe_next
from kiosk.server.login import Checked, Viewer, Who
from kiosk.server.problems import Problem, WrongUse
from kiosk.server.rendering import render

if TYPE_CHECKING:
    from starlette.datastructures import FormData

    from kiosk.server.house import House

router = APIRouter(include_in_schema=False)


@router.get("/login")
def ask(request: Request, who: Viewer, next: str = "") -> Response:  # noqa: A002 - the address's own word
    """The form to log in."""
    return _form(request, who, safe_next(next) if next else "")


def _form(request: Request, who: Who | None, target: str, name: str = "", refused: Problem | None = None) -> Response:
    csrf = who.csrf if who is not None else login.anonymous_csrf(request)
    wrong, status = ("", 200) if refused is None else (str(refused), refused.status)
    page = render(request, "login.html", who=who, status=status, csrf=csrf, target=target, typed=name[:LONGEST_NAME], wrong=wrong)
    if who is None:
        login.set_cookie(request, page, login.CSRF_COOKIE, csrf)
    return page


@router.post("/login")
async def log_in(request: Request, who: Viewer, form: Checked) -> Response:
    """Log somebody in, and lead back to where the login was asked for, or else to where this person works."""
    target = safe_next(text(form, "next")) if text(form, "next") else ""
    host = request.client.host if request.client else ""
    house: House = request.app.state.house
    try:
        token = await run_in_threadpool(people.log_in, house, host, text(form, "name"), text(form, "password"))
    except Problem as problem:
        page = await run_in_threadpool(_form, request, who, target, text(form, "name"), problem)
        if problem.retry_s is not None:
            page.headers["Retry-After"] = str(problem.retry_s)
        return page
    answer = RedirectResponse(target or await run_in_threadpool(_place, house, token), 303)
    login.set_cookie(request, answer, login.COOKIE, token)
    answer.delete_cookie(login.CSRF_COOKIE)
    return answer


def _place(house: House, token: str) -> str:
    """Where somebody works who has just logged in."""
    with house.store.read() as connection:
        logins = login.standing(connection, {login.token_hash(token)}, house.now_ns())
    return "/desk" if any(role.at_least(Role.CHIEF) for _hash, role in logins) else "/referee"


@router.post("/logout")
async def log_out(request: Request, who: Viewer, form: Checked) -> Response:  # noqa: ARG001 - the form is checked to be ours
    """Log somebody out."""
    house: House = request.app.state.house

    def ended() -> None:
        with house.store.write() as connection:
            login.end(connection, login.token_of(request))
            if who is not None:
                audit.note(connection, who.called, "logged_out")

    await run_in_threadpool(ended)
    answer = RedirectResponse("/", 303)
    answer.delete_cookie(login.COOKIE)
    return answer


@router.get("/account")
def account(request: Request, who: Annotated[Who, Depends(login.referee)]) -> Response:
    """One's own name, role and password."""
    return render(request, "account.html", who=who, wrong="", done=False)


@router.post("/account")
async def change(request: Request, who: Annotated[Who, Depends(login.referee)], form: Checked) -> Response:
    """Change one's own password; every other login of one's own ends."""
    wrong, status = await run_in_threadpool(_changed, request, who, form)
    return await run_in_threadpool(lambda: render(request, "account.html", who=who, status=status, wrong=wrong, done=not wrong))


def _changed(request: Request, who: Who, form: FormData) -> tuple[str, int]:
    """Change a password.

    Returns:
        What is wrong, or an empty text, and the status.
    """
    house: House = request.app.state.house
    old, new = text(form, "old"), text(form, "new")
    if new != text(form, "again"):
        return _("The two new passwords differ; nothing has changed."), 400
    with house.store.read() as connection:
        kept = people.kept_password(connection, who.person)
    try:
        people.check_own(house, who, request.client.host if request.client else "", kept, old)
        people.set_password(house, who.called, who.person, new, keep=login.token_of(request))
    except (Problem, WrongUse) as error:
        return str(error), getattr(error, "status", 400)
    return "", 200


def text(form: FormData, name: str) -> str:
    """A field's text; empty where there is none, or a file."""
    value = form.get(name)
    return value if isinstance(value, str) else ""
