"""Who asks: the login behind a cookie, and what an endpoint may ask for.

    @router.post("/desk/pause")
    async def pause(request: Request, who: Annotated[Who, Depends(chief)], form: Annotated[FormData, Depends(checked)]) -> Response: ...

A cookie holds a random token; the database holds its SHA-256 only. A login ends six hours after the last request, or a day after it began,
at a logout, with a new password, and with the person. A form carries the login's `csrf` value as a hidden field (a script: as the header
`X-CSRF`); without it nothing is done. Before anybody has logged in, the login's own form carries the value of a cookie beside it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request
from sqlalchemy import delete, insert, select, update
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData

from kiosk.domain.officials import Role
from kiosk.say import _
from kiosk.server import clock
from kiosk.server.problems import NeedsLogin, Problem
from kiosk.server.schema import login, person
from kiosk.server.store import StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from sqlalchemy import Connection
    from starlette.responses import Response

    from kiosk.server.house import House

COOKIE = "tableside_login"
CSRF_COOKIE = "tableside_csrf"
IDLE_NS = 6 * 3600 * clock.SECOND
TOTAL_NS = 24 * 3600 * clock.SECOND
SEEN_EVERY_NS = 60 * clock.SECOND
"""How often a login's last use is written down."""
MOST_FIELDS = 200
"""A form has no more fields."""


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody who has logged in."""

    person: int
    """The id."""
    name: str
    role: Role
    csrf: str
    """What each of this login's forms must carry."""

    @property
    def called(self) -> str:
        """Name and role, for the audit and for orders."""
        return f"{self.name} ({self.role})"

    def may(self, role: Role) -> bool:
        """Whether this person may do what `role` may do."""
        return self.role.at_least(role)


# ── Dependencies ─────────────────────────────────────────────────────────────
async def viewer(request: Request) -> Who | None:
    """Who has logged in, or None: anybody may look at what the public may see, and whoever shows no login costs no thread."""
    request.state.viewer = None
    if token_of(request):
        request.state.viewer = await run_in_threadpool(_look_up, request)
    who: Who | None = request.state.viewer
    return who


async def known(request: Request, *, ask: bool) -> Who | None:
    """Who has logged in, for the page of an error: as the request found out already, or as can be found out.

    Args:
        request: Which.
        ask: The database may be asked where nobody did; False: it is what has failed.
    """
    if hasattr(request.state, "viewer"):
        found: Who | None = request.state.viewer
        return found
    if not ask:
        return None
    try:
        return await viewer(request)
    except Exception:  # noqa: BLE001 - an error's page must not fail with another error
        return None


def _look_up(request: Request) -> Who | None:
    token = request.cookies.get(COOKIE, "")
    if not token or len(token) > 100:
        return None
    house: House = request.app.state.house
    now, mine = house.now_ns(), login.c.token_hash == token_hash(token)
    asked = select(login.c.csrf, login.c.created_ns, login.c.seen_ns, person.c.id, person.c.name, person.c.role)
    with house.store.read() as connection:
        row = connection.execute(asked.join(person).where(mine, person.c.removed_ns.is_(None))).first()
    if row is None or now - row.seen_ns > IDLE_NS or now - row.created_ns > TOTAL_NS:
        return None
    if now - row.seen_ns > SEEN_EVERY_NS:
        with suppress(StoreUnavailable), house.store.write() as connection:  # a full disk keeps nobody from looking
            connection.execute(update(login).where(mine).values(seen_ns=now))
    return Who(row.id, row.name, Role(row.role), row.csrf)


Viewer = Annotated[Who | None, Depends(viewer)]
"""An endpoint's parameter of this kind: who has logged in, or None."""


def _at_least(role: Role) -> Callable[[Who | None], Who]:
    def allowed(who: Viewer) -> Who:
        if who is None:
            raise NeedsLogin(_("Log in first."))
        if not who.may(role):
            raise Problem(403, _("This needs the role {role}; you have logged in as {mine}.", role=_(role), mine=_(who.role)))
        return who

    return allowed


referee = _at_least(Role.REFEREE)
deputy = _at_least(Role.DEPUTY)
chief = _at_least(Role.CHIEF)
organizer = _at_least(Role.ORGANIZER)


async def checked(request: Request, who: Viewer) -> FormData:
    """The form that was sent, once it is known to come from one of our own pages.

    Raises:
        Problem: It does not carry the login's value.
    """
    form = await read_form(request)
    given = request.headers.get("x-csrf") or form.get("csrf")
    wanted = who.csrf if who is not None else request.cookies.get(CSRF_COOKIE, "")
    if not isinstance(given, str) or not wanted or not hmac.compare_digest(given.encode(), wanted.encode()):
        raise Problem(403, _("This form is out of date: go back, load the page again and send it once more."))
    return form


Checked = Annotated[FormData, Depends(checked)]
"""An endpoint's parameter of this kind: the form, checked to be ours."""


async def read_form(request: Request) -> FormData:
    """The form that was sent.

    Raises:
        Problem: It is none.
    """
    from starlette.exceptions import HTTPException

    try:
        return await request.form(max_files=5, max_fields=MOST_FIELDS)
    except HTTPException as error:
        raise Problem(400, _("This form cannot be read: {error}.", error=error.detail)) from error


# ── Beginning and end ────────────────────────────────────────────────────────
def token_hash(token: str) -> str:
    """What the database keeps of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def begin(connection: Connection, person_id: int, now_ns: int) -> str:
    """Log somebody in, and forget logins that have ended by themselves.

    Args:
        connection: A writing one.
        person_id: Who.
        now_ns: Now, by the house's clock.

    Returns:
        The token for the cookie.
    """
    connection.execute(delete(login).where((login.c.seen_ns < now_ns - IDLE_NS) | (login.c.created_ns < now_ns - TOTAL_NS)))
    token = secrets.token_urlsafe(32)
    row = {"token_hash": token_hash(token), "person": person_id, "csrf": secrets.token_urlsafe(24), "created_ns": now_ns, "seen_ns": now_ns}
    connection.execute(insert(login).values(row))
    return token


def standing(connection: Connection, hashes: Collection[str], now_ns: int) -> set[tuple[str, Role]]:
    """Which of these logins stand; to look is no use of them.

    Args:
        connection: Any.
        hashes: What the database keeps of their tokens.
        now_ns: Now, by the house's clock.

    Returns:
        Each with its person's role now.
    """
    asked = (
        select(login.c.token_hash, person.c.role).join(person).where(login.c.token_hash.in_(sorted(hashes)), person.c.removed_ns.is_(None))
    )
    lasting = (login.c.seen_ns >= now_ns - IDLE_NS) & (login.c.created_ns >= now_ns - TOTAL_NS)
    return {(row.token_hash, Role(row.role)) for row in connection.execute(asked.where(lasting))}


def end(connection: Connection, token: str) -> None:
    """Log out.

    Args:
        connection: A writing one.
        token: The cookie's.
    """
    connection.execute(delete(login).where(login.c.token_hash == token_hash(token)))


def end_all(connection: Connection, person_id: int, but: str = "") -> int:
    """End a person's logins: the password has changed, or the person has gone.

    Args:
        connection: A writing one.
        person_id: Whose.
        but: The token of the login that goes on.

    Returns:
        How many ended.
    """
    theirs = login.c.person == person_id
    return connection.execute(delete(login).where(theirs, login.c.token_hash != token_hash(but))).rowcount


def set_cookie(request: Request, response: Response, name: str, value: str) -> None:
    """Set one of the login's cookies: no script reads it, no other site sends it along, and over TLS no plain request carries it."""
    response.set_cookie(name, value, path="/", httponly=True, samesite="lax", secure=request.url.scheme == "https")


def anonymous_csrf(request: Request) -> str:
    """The value that the login's form carries before anybody has logged in: the cookie's, or a new one to be set."""
    kept = request.cookies.get(CSRF_COOKIE, "")
    return kept if 20 <= len(kept) <= 100 and kept.isascii() else secrets.token_urlsafe(24)


def token_of(request: Request) -> str:
    """The cookie's token."""
    return request.cookies.get(COOKIE, "")
