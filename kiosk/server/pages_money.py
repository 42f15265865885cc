"""The organizer's desk of the money: who has paid, what each entrant owes, the terms, the prize list, the ledger, and files of them.

GET  /desk/tournament/money                     who has paid and who not; ?q= ?show=open|paid|over
POST /desk/tournament/money/entrant/{n}/full    one touch: he has paid what was open
GET  /desk/tournament/money/entrant/{n}         his entries, and all that can be entered of him
GET  /desk/tournament/money/prizes              who gets what; /receipts: to be signed
POST /desk/tournament/money/prizes/hand         one touch: he has received what was still open of his prize
GET  /desk/tournament/money/{what}.{form}       payments, prizes or the ledger as a file

Nobody else sees who has paid.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from kiosk.say import _, mark
from kiosk.server import money
from kiosk.server import money_views as views
from kiosk.server.login import Checked, Who
from kiosk.server.money_forms import Sent, Typed, WrongFieldsError, terms_of
from kiosk.server.pages_desk import Organizer, act_of, back, common, house_of, number, paged, sentence, text, zone_of
from kiosk.server.pages_files import answered, heading
from kiosk.server.pages_tournament import WRONG
from kiosk.server.problems import Problem
from kiosk.server.rendering import render
from kiosk.sheets.grid import Grid
from kiosk.tournament import money as m
from kiosk.tournament.money import MAIN, MOST_DECIMALS, Currency
from kiosk.tournament.results import TournamentError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kiosk.tournament.ledger import Ledger

router = APIRouter(prefix="/desk/tournament/money", include_in_schema=False)

HERE = "/desk/tournament/money"
TABS = (
    (HERE, mark("Payments")),
    (f"{HERE}/funds", mark("Funds and payout")),
    (f"{HERE}/prizes", mark("Prizes")),
    (f"{HERE}/ledger", mark("Ledger")),
    (f"{HERE}/terms", mark("Terms")),
)
LATE = mark("late entry")
CURRENCIES = ("EUR", "USD", "UAH", "MKD", "RUB", "GBP", "CHF", "JPY")
"""Codes that are offered; any other can be typed."""


def read(request: Request) -> views.Money:
    """The money as it stands."""
    with house_of(request).store.read() as connection:
        return views.read(connection)


def shown(
    request: Request,
    who: Who,
    name: str,
    now: views.Money,
    sent: Sent | None = None,
    **more: Any,  # noqa: ANN401 - a template takes anything
) -> Response:
    """A page of the money, also as the answer to a form that was wrong (`sent`, or `wrong`: a sentence)."""
    sent = sent or Sent()
    given = {"money": now, "tabs": [(path, _(told)) for path, told in TABS], "sent": sent, "wrong": sent.sentence} | more
    return render(request, name, who=who, status=400 if given["wrong"] else 200, **(common(request) | given))


def attempt(
    request: Request,
    who: Who,
    sent: tuple[str, Typed],
    make: Callable[[], Sequence[m.Entry]],
    field: str,
    *,
    asked: Callable[[Ledger], bool] | None = None,
) -> Sent | None:
    """Enter what a form says.

    Args:
        request: The form's.
        who: Who sent it.
        sent: The form's name, and the form, which collects what is wrong by field.
        make: Reads the entries from it.
        field: Beside which field it is told when the ledger refuses them.
        asked: Whether the ledger is still as the form's reader saw it.

    Returns:
        What is wrong, for the page that shows the form again; None: it was entered.
    """
    form, typed = sent
    try:
        what = make()
        typed.check()
        with act_of(request, who) as act:
            money.enter(act, what, asked)
    except WrongFieldsError as error:
        return Sent(form, typed, str(error))
    except WRONG as error:
        typed.wrong[field] = sentence(error)
        return Sent(form, typed, _("Nothing was entered. {why}", why=sentence(error)))
    return None


def again(request: Request, where: str) -> Response:
    """Lead from a form's address to its page, with what was asked of it."""
    return RedirectResponse(f"{where}?{request.url.query}" if request.url.query else where, 303)


# ── Who has paid ─────────────────────────────────────────────────────────────
@router.get("")
def payments(request: Request, who: Organizer) -> Response:
    """Who has paid and who not, at a glance."""
    return _payments(request, who)


def _payments(request: Request, who: Who, wrong: str = "", asked: Mapping[str, str] | None = None) -> Response:
    now = read(request)
    asked = request.query_params if asked is None else asked
    q, show = asked.get("q", "")[:100], asked.get("show", "")
    every = views.payers(now)
    listed, links = paged(request, [each for each in every if views.fits(each, q, show)])
    count = {state: sum(each.state == state for each in every) for state in views.SHOW}
    totals = {
        "received": sum(each.received for each in every),
        "open": sum(each.open for each in every),
        "over": sum(each.over for each in every),
    }
    given: dict[str, Any] = {"payers": listed, "links": links, "q": q, "show": show, "count": count, "all": len(every), "totals": totals}
    return shown(request, who, "money_payments.html", now, wrong=wrong, **given)


@router.post("/entrant/{ident}/full")
def paid_in_full(request: Request, who: Organizer, ident: int, form: Checked) -> Response:
    """He has paid what was open, to every fund."""
    asked = {"q": text(form, "q")[:100], "show": text(form, "show")[:10]}
    try:
        was = number(form, "open")
        with act_of(request, who) as act:
            now = views.read(act.connection)
            mine = [each for each in now.standing.values() if each.entrant == ident and each.open]
            if sum(each.open for each in mine) != was or not mine:
                raise TournamentError(_("Nothing was entered: {name} owes something else by now, look again.", name=now.name(ident)))
            money.enter(act, [m.Paid(ident, each.pool, each.open) for each in mine])
    except WRONG as error:
        return _payments(request, who, sentence(error), asked)
    return RedirectResponse(
        f"{HERE}?{urlencode({key: value for key, value in asked.items() if value} | {'done': 'money_paid'})}#e-{ident}", 303
    )


# ── One entrant ──────────────────────────────────────────────────────────────
@router.get("/entrant/{ident}")
def entrant(request: Request, who: Organizer, ident: int) -> Response:
    """What somebody owes and has paid, and all that can be entered of him."""
    return _entrant(request, who, ident, Sent())


def _entrant(request: Request, who: Who, ident: int, sent: Sent) -> Response:
    now = read(request)
    mine = [each for each in now.standing.values() if each.entrant == ident]
    if not mine:
        raise Problem(404, _("Nobody on the entry list has the number {number}.", number=ident))
    in_pools = {each.pool for each in mine}
    given: dict[str, Any] = {
        "ident": ident,
        "accounts": mine,
        "listed": ident in now.event.entrants,
        "entries": [views.told(now, line) for line in now.lines if getattr(line.entry, "entrant", None) == ident],
        "funds": [(str(each.pool), now.fund_name(each.pool)) for each in mine],
        "free": [(str(n), pool.name) for n, pool in now.ledger.pools.items() if n not in in_pools],
        "open": sum(each.open for each in mine),
        "late": now.ledger.terms.late if not _is_late(now, ident) else 0,
        "seen": money.seen(now.ledger, entrant=ident),
        "at_ns": house_of(request).now_ns(),
    }
    return shown(request, who, "money_entrant.html", now, sent, **given)


def _is_late(now: views.Money, ident: int) -> bool:
    """Whether somebody was charged for his late entry already."""
    late = now.ledger.terms.late
    return any(
        isinstance(each, m.Charged) and (each.entrant, each.pool, each.amount) == (ident, MAIN, late) for each in now.ledger.counting()
    )


MOVES: Mapping[str, type[m.Charged | m.Waived | m.Refunded]] = {"charge": m.Charged, "waive": m.Waived, "refund": m.Refunded}
"""What is entered with a reason, by the form's word."""


@router.get("/entrant/{ident}/{what}")
def entrant_again(request: Request, who: Organizer, ident: int, what: str) -> Response:  # noqa: ARG001 - the form's own address
    """The address of a form that was refused, loaded again, in another language say."""
    return again(request, f"{HERE}/entrant/{ident}")


@router.post("/entrant/{ident}/{what}")
def enter(request: Request, who: Organizer, ident: int, what: str, form: Checked) -> Response:
    """Enter something of somebody: a payment, that he takes part, is late, need not pay, owes more, gets something back."""
    if what not in {"pay", "join", "late", *MOVES}:
        raise Problem(404, _("There is no such page."))
    now = read(request)
    typed = _typed(form, now.ledger.terms.currency)
    was = typed.text("seen")
    field = "pool" if what == "join" else "amount"
    asked = None if what == "join" else lambda ledger: str(money.seen(ledger, entrant=ident)) == was  # who joined cannot join again
    refused = attempt(request, who, (what, typed), lambda: _entries(now, typed, ident, what), field, asked=asked)
    return _entrant(request, who, ident, refused) if refused else back(f"{HERE}/entrant/{ident}", "money_entered")


def _typed(form: FormData, currency: Currency) -> Typed:
    return Typed(lambda name: text(form, name), currency)


def _entries(now: views.Money, typed: Typed, ident: int, what: str) -> list[m.Entry]:
    if what == "late":
        return [m.Charged(ident, MAIN, now.ledger.terms.late, _(LATE))]
    pool = typed.whole("pool")
    if what == "join":
        return [m.TookPart(ident, pool)]
    amount = typed.amount("amount", least=1)
    return [m.Paid(ident, pool, amount)] if what == "pay" else [MOVES[what](ident, pool, amount, typed.words("why", 200))]


@router.get("/reverse/{n}")
def ask_reverse(request: Request, who: Organizer, n: int) -> Response:
    """An entry that may have been wrong, and the form that reverses it."""
    return _reverse(request, who, n, Sent())


def _reverse(request: Request, who: Who, n: int, sent: Sent) -> Response:
    now = read(request)
    if not 1 <= n <= len(now.lines):
        raise Problem(404, _("There is no entry {number}.", number=n))
    line = now.lines[n - 1]
    return shown(request, who, "money_reverse.html", now, sent, one=views.told(now, line), back=_where(line))


def _where(line: money.Line) -> str:
    """The page on which an entry stands."""
    if (entrant := getattr(line.entry, "entrant", None)) is not None:
        return f"{HERE}/entrant/{entrant}"
    return f"{HERE}/funds/{line.entry.pool}" if isinstance(line.entry, m.Added | m.Deducted) else f"{HERE}/ledger"


@router.post("/reverse/{n}")
def reverse(request: Request, who: Organizer, n: int, form: Checked) -> Response:
    """An entry was wrong; it stays on record, and counts for nothing."""
    now = read(request)
    typed = _typed(form, now.ledger.terms.currency)
    refused = attempt(request, who, ("reverse", typed), lambda: [m.Reversed(n, typed.words("why", 200))], "why")
    return _reverse(request, who, n, refused) if refused else back(_where(now.lines[n - 1]), "money_reversed")


# ── The ledger ───────────────────────────────────────────────────────────────
@router.get("/ledger")
def ledger(request: Request, who: Organizer) -> Response:
    """Every entry, the newest first."""
    now = read(request)
    lines, links = paged(request, now.lines[::-1])
    return shown(request, who, "money_ledger.html", now, entries=[views.told(now, line) for line in lines], links=links)


# ── The terms ────────────────────────────────────────────────────────────────
@router.get("/terms")
def terms(request: Request, who: Organizer) -> Response:
    """Currency, fees, rounding, and what anybody may see."""
    return _terms(request, who, Sent())


def _terms(request: Request, who: Who, sent: Sent) -> Response:
    now = read(request)
    was = now.ledger.terms
    values = {"code": was.currency.code, "decimals": str(was.currency.decimals), "published": "yes" if was.published else ""}
    values |= {"fee": now.plain(was.fee), "again": now.plain(was.again), "late": now.plain(was.late), "unit": now.plain(was.unit)}
    values = {name: sent.value("terms", name, value) for name, value in values.items()}
    digits = [(str(n), f"{n} ({Currency('', n).plain(10**n)})") for n in range(MOST_DECIMALS + 1)]
    return shown(request, who, "money_terms.html", now, sent, values=values, digits=digits, codes=CURRENCIES)


@router.post("/terms")
def set_terms(request: Request, who: Organizer, form: Checked) -> Response:
    """Other terms."""
    made, typed = terms_of(lambda name: text(form, name))
    refused = attempt(request, who, ("terms", typed), lambda: [m.TermsSet(made)], "decimals")
    return _terms(request, who, refused) if refused else back(f"{HERE}/terms", "money_terms")


# ── Prizes ───────────────────────────────────────────────────────────────────
@router.get("/prizes")
def prizes(request: Request, who: Organizer) -> Response:
    """Who gets what: provisional while matches are open."""
    return _prizes(request, who, "money_prizes.html")


@router.post("/prizes/hand")
def hand_over(request: Request, who: Organizer, form: Checked) -> Response:
    """Somebody has received what was still open of his prize."""
    try:
        pool, ident, was = (number(form, field) for field in ("pool", "entrant", "open"))
        with act_of(request, who) as act:
            now = views.read(act.connection)
            fund = next((each for each in views.winners(now) if each.number == pool and each.stands), None)
            mine = None if fund is None else next((each for each in fund.prizes if each.entrant == ident), None)
            if fund is None or mine is None or fund.open(mine) != was or was < 1:
                raise TournamentError(_("Nothing was entered: this prize is another one by now, look again."))
            money.enter(act, [m.HandedOver(ident, pool, was)])
    except WRONG as error:
        return _prizes(request, who, "money_prizes.html", wrong=sentence(error))
    return back(f"{HERE}/prizes", "prize_handed")


@router.get("/prizes/receipts")
def receipts(request: Request, who: Organizer) -> Response:
    """A slip for each prize, to be printed and signed."""
    return _prizes(request, who, "money_receipts.html")


def _prizes(request: Request, who: Who, template: str, wrong: str = "") -> Response:
    now = read(request)
    given: dict[str, Any] = {"winners": views.winners(now), "places": views.places_text}
    return shown(request, who, template, now, wrong=wrong, at_ns=house_of(request).now_ns(), **given)


# ── Files ────────────────────────────────────────────────────────────────────
@router.get("/{what}.{form}")
def file(request: Request, who: Organizer, what: str, form: str) -> Response:  # noqa: ARG001 - both are asked for by every endpoint
    """Payments, the prize list or the ledger as a file."""
    makers: dict[str, tuple[Callable[[views.Money], list[Grid]], str]] = {
        "payments": (views.payments_grid, _("Payments")),
        "prizes": (views.prizes_grid, _("Prizes")),
        "ledger": (partial(views.ledger_grid, zone=zone_of(house_of(request))), _("Ledger")),
    }
    if what not in makers:
        raise Problem(404, _("There is no such page."))
    grids, title = makers[what]
    return answered(form, what, grids(read(request)), heading(request, title))
