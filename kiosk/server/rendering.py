"""How a page is made: a template in `pages/`, in the reader's language, with who reads and what the house knows.

    return render(request, "hall.html", who=who, faces=faces)

In a template, texts go through `_("Table {n}", n=4)` and `n_("{n} table", "{n} tables", count)`, own files through `static("look.css")`.
What a template uses must be given: a name that is missing is an error, not an empty place. Everything is escaped.

Filters: `names` (players), `score`, `span` (milliseconds of a clock), `wait` (milliseconds since something), `time`, `date` and
`moment` (nanoseconds since 1970, told in the event's zone), `ns` (milliseconds to nanoseconds).
"""

from __future__ import annotations

import gzip
from datetime import datetime, tzinfo
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from starlette.responses import HTMLResponse

from kiosk.domain.types import NS_PER_MS, NS_PER_S, Span, clock_text
from kiosk.say import LANGUAGES, _, n_, speaking
from kiosk.server.assets import assets
from kiosk.server.language import COOKIE, COOKIE_S, asked, language_of
from kiosk.server.settings import here

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jinja2.runtime import Context
    from starlette.requests import Request

    from kiosk.server.house import House
    from kiosk.server.login import Who

WORTH_PACKING = 20_000
"""Pages with more characters are compressed."""
VARY = "Accept-Language, Cookie, Accept-Encoding"
"""What of a request a page depends on besides its address."""
PAGES = Path(__file__).parent / "pages"


def render(request: Request, name: str, *, who: Who | None = None, status: int = 200, **context: object) -> HTMLResponse:
    """A page.

    Args:
        request: What is answered; its language and the house are read from it.
        name: The template's name in `pages/`.
        who: Who has logged in, or None.
        status: The answer's HTTP status.
        context: What the template needs besides.

    Raises:
        jinja2.UndefinedError: The template uses something that was not given.
    """
    language = language_of(request)
    with speaking(language):
        text = environment().get_template(name).render({**_common(request, language, who), **context})
    response = HTMLResponse(text, status, headers={"Vary": VARY})
    if who is None and len(text) > WORTH_PACKING and "gzip" in request.headers.get("accept-encoding", ""):
        _pack(response)
    if asked(request):
        response.set_cookie(COOKIE, language, max_age=COOKIE_S, samesite="lax", path="/")
    return response


def _pack(response: HTMLResponse) -> None:
    """Send a page compressed: there are hundreds of phones in one hall. Not where somebody has logged in: a secret is on that page."""
    response.body = gzip.compress(bytes(response.body), 4, mtime=0)
    response.headers["Content-Encoding"] = "gzip"
    response.headers["Content-Length"] = str(len(response.body))


def _common(request: Request, language: str, who: Who | None) -> dict[str, object]:
    return {
        "request": request,
        "language": language,
        "who": who,
        "csrf": who.csrf if who is not None else "",
        "event": request.app.state.house.event or "Tableside",
        "zone": zone_of(request),
        "here": request.url.path,
        "in_language": {code: request.url.include_query_params(lang=code).query for code in LANGUAGES},
    }


def zone_of(request: Request) -> tzinfo:
    """The event's zone, in which dates are told; the system's where none is set."""
    house: House = request.app.state.house
    return house.settings.zone or here()


@cache
def environment() -> Environment:
    """The templates, with the filters and functions they may use."""
    made = Environment(
        loader=FileSystemLoader(PAGES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    made.globals.update({"_": _, "n_": n_, "static": lambda name: assets().url(name), "languages": LANGUAGES})
    made.filters.update(
        {"names": names, "score": score, "span": span, "wait": wait, "time": _time, "date": _date, "moment": _moment, "ns": nanoseconds}
    )
    return made


# ── Filters ──────────────────────────────────────────────────────────────────
def names(players: Sequence[str]) -> str:
    """The players of one side, as on a sheet: two of them are told apart by a stroke."""
    return " / ".join(players)


def score(pair: Mapping[str, object]) -> str:
    """Both scores, the left one first."""
    return f"{pair['left']}\u2009–\u2009{pair['right']}"


def span(milliseconds: float) -> str:
    """A remaining time as every clock of the product shows it; below 0 it is over."""
    return clock_text(Span(max(0, round(milliseconds * NS_PER_MS))))


def wait(milliseconds: float) -> str:
    """How long something has waited: `m:ss`, from 60 minutes on `h:mm:ss`, begun seconds left out."""
    whole = max(0, int(milliseconds // 1000))
    minutes, seconds = divmod(whole, 60)
    return f"{minutes}:{seconds:02d}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"


def nanoseconds(milliseconds: float) -> int:
    """Milliseconds since 1970 as nanoseconds."""
    return round(milliseconds * NS_PER_MS)


def local(at_ns: int, zone: tzinfo) -> datetime:
    """A date in a zone.

    Args:
        at_ns: Nanoseconds since 1970.
        zone: Where it is told.
    """
    return datetime.fromtimestamp(at_ns // NS_PER_S, zone)


@pass_context
def _time(context: Context, at_ns: int) -> str:
    return local(at_ns, context["zone"]).strftime("%H:%M")


@pass_context
def _date(context: Context, at_ns: int) -> str:
    return local(at_ns, context["zone"]).strftime("%Y-%m-%d")


@pass_context
def _moment(context: Context, at_ns: int) -> str:
    return local(at_ns, context["zone"]).strftime("%Y-%m-%d %H:%M")
