"""What the organizer's and the referees' pages share: who may, how something is done as them, and how a page says that it was done.

Every act follows one pattern: a form posts, the act is done in one transaction (or a sentence says why not, and nothing was), and the
answer leads back to a page (303), so that loading it again does nothing twice.
"""

from __future__ import annotations

from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from urllib.parse import urlencode

from fastapi import Depends
from starlette.responses import RedirectResponse

from kiosk.books import Library
from kiosk.domain.errors import CommandRefused, KioskError, RulebookError
from kiosk.domain.setup import bad_value
from kiosk.domain.types import NS_PER_S
from kiosk.say import _, language, mark, n_, refusal
from kiosk.server import login
from kiosk.server.acts import acting
from kiosk.server.login import Who
from kiosk.server.orders import NoSuchDevice
from kiosk.server.problems import Problem, WrongUse
from kiosk.server.settings import here

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import tzinfo

    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.responses import Response

    from kiosk.server.acts import Act
    from kiosk.server.house import House

T = TypeVar("T")

Referee = Annotated[Who, Depends(login.referee)]
Chief = Annotated[Who, Depends(login.chief)]
Organizer = Annotated[Who, Depends(login.organizer)]

BOOKS = "rulebooks"
"""The organizer's own rulebooks: this folder in the data folder."""

DONE = {
    "made": mark("The match was made."),
    "changed": mark("The match was changed."),
    "withdrawn": mark("The match was withdrawn."),
    "offered": mark("The match is offered again."),
    "again": mark("The match is planned again."),
    "attached": mark("The match counts for its assignment now."),
    "own": mark("The match counts as one of its own now."),
    "left_out": mark("The match counts for nothing now."),
    "undone": mark("That was taken back."),
    "result": mark("The result was changed."),
    "settled": mark("That is settled."),
    "paused": mark("All clocks there are told to stop."),
    "lifted": mark("The pause was lifted: clocks are resumed at the tables."),
    "delayed": mark("The start of the round was changed."),
    "sent": mark("The message was sent."),
    "coming": mark("The table is told that you are on the way."),
    "ruled": mark("The ruling was sent to its table."),
    "voided": mark("The table is told to take the ruling back."),
    "received": mark("The table is told that its sheet was received."),
    "received_here": mark("The sheet is received."),
    "renamed": mark("The table was renamed."),
    "revoked": mark("The device was revoked."),
    "practice": mark("The table was changed."),
    "code_dropped": mark("The code is worthless now."),
    "added": mark("The official was entered."),
    "person": mark("The official was changed."),
    "removed": mark("The official was taken out."),
    "backup": mark("The backup was made."),
    "event": mark("The event was renamed."),
    "entered": mark("The entrant is on the list."),
    "entrant_changed": mark("The entrant was changed."),
    "entrant_struck": mark("The entrant is off the list."),
    "entrant_left": mark("The entrant plays no more."),
    "entrant_back": mark("The entrant plays again."),
    "entrants_imported": mark("The entry list was imported."),
    "tournament_opened": mark("The tournament was opened."),
    "stage_opened": mark("The stage was opened."),
    "stage_closed": mark("The stage was taken back."),
    "drawn": mark("The round was drawn."),
    "stages_counted": mark("These stages count for the final ranking."),
    "ratings_planned": mark("Ratings are reckoned so from now on, for what was played already as well."),
    "undrawn": mark("The draw was taken back."),
    "released": mark("The matches are released to their tables."),
    "taken_back": mark("The match was taken back from its table."),
    "ended": mark("The result was entered."),
    "reopened": mark("The match is open again."),
    "joined": mark("The entrant is in the stage."),
    "seats": mark("The seats are kept."),
    "stream": mark("The stream's match is kept."),
    "all_here": mark("Everybody is noted as here."),
    "missing_left": mark("Whoever was not here plays no more."),
    "round_started": mark("The tables are told that the round has begun."),
    "money_paid": mark("The payment was entered."),
    "money_entered": mark("It was entered."),
    "prize_handed": mark("The prize was handed over; a mistake is reversed in the ledger."),
    "money_reversed": mark("The entry was reversed: it stays on record, and counts for nothing."),
    "money_terms": mark("The terms were changed."),
    "pool_made": mark("The side pool was made."),
    "pool_dropped": mark("The side pool was dropped."),
    "fund_changed": mark("The fund was changed."),
}
"""What a page says after an act, by the word in its address."""


def house_of(request: Request) -> House:
    """The house of a request."""
    house: House = request.app.state.house
    return house


def books(house: House) -> Library:
    """The rulebooks that the server knows: the bundled ones, and the organizer's."""
    return Library([house.settings.folder / BOOKS])


def offered(house: House) -> list[tuple[str, str]]:
    """Every rulebook's word and title; one whose file has faults keeps its word."""
    library, found = books(house), []
    for word in library.names():
        try:
            found.append((word, library.load(word).title(language())))
        except RulebookError:
            found.append((word, _("{name} (its file has faults)", name=word)))
    return found


def regulations(house: House) -> Callable[[str], str]:
    """What tells a rulebook's title by its word; its word where this server does not know it."""
    library = books(house)

    def regulation(word: str) -> str:
        try:
            return library.load(word).title(language())
        except RulebookError:
            return word

    return regulation


def zone_of(house: House) -> tzinfo:
    """The event's time zone."""
    return house.settings.zone or here()


def today(house: House) -> datetime:
    """This moment in the event's zone."""
    return datetime.fromtimestamp(house.now_ns() // NS_PER_S, zone_of(house))


@contextmanager
def act_of(request: Request, who: Who) -> Iterator[Act]:
    """Do something as somebody who has logged in.

    Raises:
        Problem: A device is not there any more.
    """
    try:
        with acting(house_of(request), who.called) as act:
            yield act
    except NoSuchDevice as error:
        raise Problem(409, _("This table's device is not enrolled any more: nobody would do it. Nothing has changed.")) from error


def text(form: FormData, name: str) -> str:
    """A field's text; empty where there is none, or a file."""
    value = form.get(name)
    return value if isinstance(value, str) else ""


def number(form: FormData, name: str) -> int:
    """A whole number from a hidden field.

    Raises:
        CommandRefused: It is none.
    """
    value = text(form, name).strip()
    if not (value.isascii() and value.isdigit() and len(value) <= 15):
        raise bad_value("A number is missing in this form; load the page again.")
    return int(value)


def back(where: str, done: str = "", **counts: int) -> Response:
    """Lead to a page, which says what was done.

    Args:
        where: A path of this server.
        done: A word of `DONE`.
        counts: How many, where the sentence tells it.
    """
    return RedirectResponse(where + (f"?{urlencode({'done': done, **counts})}" if done else ""), 303)


def said(request: Request) -> str:
    """What the last act was, in the language spoken now; empty: there was none."""
    word = request.query_params.get("done", "")
    if word == "imported":
        new, changed = (_count(request, name) for name in ("new", "changed"))
        made = n_("{n} match was made", "{n} matches were made", new)
        return _("The list was imported: {made}, {changed}.", made=made, changed=n_("{n} was changed", "{n} were changed", changed))
    told = DONE.get(word, "")
    return _(told) if told else ""


def _count(request: Request, name: str) -> int:
    typed = request.query_params.get(name, "")
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 6 else 0


A_PAGE = 200
"""So many rows a long list shows at once."""


def paged(request: Request, rows: Sequence[T]) -> tuple[Sequence[T], dict[str, Any]]:
    """A long list's rows on the page that is asked for, and where the pages before and behind it are.

    Args:
        request: Its `page`, counted from 1; one that there is not is the nearest.
        rows: All of them.
    """
    typed = request.query_params.get("page", "")
    last = max(1, -(-len(rows) // A_PAGE))
    number_ = min(max(int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 6 else 1, 1), last)

    def at(n: int) -> str:
        return f"?{request.url.include_query_params(page=n).query}"

    links = {
        "number": number_,
        "last": last,
        "before": at(number_ - 1) if number_ > 1 else "",
        "behind": at(number_ + 1) if number_ < last else "",
    }
    return rows[(number_ - 1) * A_PAGE : number_ * A_PAGE], links


WRONG = (CommandRefused, RulebookError, WrongUse)
"""What a form can be wrong in: told beside the form, with what was typed."""


def sentence(error: KioskError) -> str:
    """What an error says, in the language spoken now."""
    return refusal(error) if isinstance(error, CommandRefused) else str(error)


def common(request: Request, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - a template takes anything
    """What every page of the desk is given."""
    return {"done": said(request), "wrong": "", "regulation": regulations(house_of(request)), **more}
