"""Sentences as answers: a page for people, JSON for programs."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse

from kiosk.say import _, language
from kiosk.server.rendering import render

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from kiosk.server.login import Who


FOR_PROGRAMS = ("/api/", "/live/", "/static/")
"""What lies below these is asked for by programs, and by a page's own scripts."""


def wants_page(request: Request) -> bool:
    """Whether a person asks: pages answer with pages, unless a program says that it reads nothing but JSON."""
    if request.url.path.startswith(FOR_PROGRAMS):
        return False
    accept = request.headers.get("accept", "")
    return "text/html" in accept or "application/json" not in accept


def sorry(
    request: Request, status: int, sentence: str, *, login: bool = False, retry_s: int | None = None, who: Who | None = None
) -> Response:
    """Why a request was not done.

    Args:
        request: Which.
        status: HTTP.
        sentence: Why, and what to do.
        login: A login would help: a page leads there, and back.
        retry_s: In how many seconds it may go.
        who: Who has logged in, as far as that is known.
    """
    if not wants_page(request):
        response: Response = JSONResponse({"error": sentence}, status)
    elif login and request.method in {"GET", "HEAD"}:
        target = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        response = RedirectResponse(f"/login?next={quote(target, safe='')}", 303)
    else:
        response = _page(request, status, sentence, who)
    if retry_s is not None:
        response.headers["Retry-After"] = str(retry_s)
    return response


def _page(request: Request, status: int, sentence: str, who: Who | None) -> Response:
    """The page of an error; where even that cannot be drawn, its bare sentence."""
    try:
        return render(request, "error.html", who=who, status=status, sentence=sentence, number=status)
    except Exception:  # noqa: BLE001 - an error's page must not fail with another error
        title, back = escape(_("Tableside")), escape(_("Back to the hall"))
        body = f'<!doctype html><html lang="{language()}"><title>{title}</title><p>{escape(sentence)}</p><p><a href="/">{back}</a></p>'
        return HTMLResponse(body, status)


def safe_next(target: str) -> str:
    """Where a login leads: a path of this server, nothing else.

    Args:
        target: As the address said.
    """
    inside = target.startswith("/") and not target.startswith(("//", "/\\")) and target.isprintable() and len(target) <= 500
    return target if inside else "/"
