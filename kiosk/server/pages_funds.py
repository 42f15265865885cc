"""The organizer's desk of prize funds: the main one and side pools, payout tables, deductions, and what was added.

GET  /desk/tournament/money/funds          all of them, with what each holds and pays
GET  /desk/tournament/money/funds/new      the form of a side pool
GET  /desk/tournament/money/funds/{n}      one: its payout table, who takes part, what goes off and was added; 0 is the main fund
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from kiosk.say import _
from kiosk.server import money
from kiosk.server import money_views as views
from kiosk.server.login import Checked, Who
from kiosk.server.money_forms import Sent, Typed, deduction_of, pool_of, shares_text
from kiosk.server.pages_desk import Organizer, back, text
from kiosk.server.pages_money import HERE as MONEY
from kiosk.server.pages_money import again, attempt, read, shown
from kiosk.server.problems import Problem
from kiosk.tournament import money as m
from kiosk.tournament.ledger import Pool
from kiosk.tournament.money import MAIN
from kiosk.tournament.prizes import PRESETS, rising, suggested

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

router = APIRouter(prefix="/desk/tournament/money/funds", include_in_schema=False)

HERE = f"{MONEY}/funds"


@router.get("")
def funds(request: Request, who: Organizer) -> Response:
    """Every fund, with what it holds and pays."""
    now = read(request)
    return shown(request, who, "money_funds.html", now, funds=views.funds(now))


@router.get("/new")
def new(request: Request, who: Organizer) -> Response:
    """The form of a side pool."""
    return _form(request, who, None, Sent())


@router.post("/new")
def make(request: Request, who: Organizer, form: Checked) -> Response:
    """Make a side pool."""
    now = read(request)
    typed = Typed(lambda name: text(form, name), now.ledger.terms.currency)
    made, was = now.ledger.made + 1, typed.text("seen")
    refused = attempt(request, who, ("set", typed), lambda: [pool_of(made, typed)], "name", asked=lambda ledger: str(ledger.made) == was)
    return _form(request, who, None, refused) if refused else back(f"{HERE}/{made}", "pool_made")


@router.get("/{n}")
def fund(request: Request, who: Organizer, n: int) -> Response:
    """One fund."""
    return _form(request, who, n, Sent())


def _form(request: Request, who: Who, n: int | None, sent: Sent) -> Response:
    """A fund's page, or, without a number, the form of a new pool."""
    now = read(request)
    pool = now.ledger.pools.get(n) if n is not None else Pool(-1)
    if pool is None:
        raise Problem(404, _("There is no pool {number}.", number=n))
    members = () if n is None else now.ledger.members(n)
    size = len(now.event.entrants) if n == MAIN else len(members)
    values = {"name": pool.name, "fee": now.plain(pool.fee), "shares": shares_text(pool.shares), "stage": str(pool.stage)}
    given: dict[str, Any] = {
        "n": n,
        "fund": None if n is None else views.fund_of(now, n),
        "members": [(each, now.name(each), now.standing[pool.number, each]) for each in members],
        "free": [(str(each), f"{each}  {one.name}") for each, one in now.event.entrants.items() if each not in members],
        "entries": [views.told(now, line) for line in now.lines if _of_fund(line.entry, n)],
        "stages": [("0", _("the final ranking")), *((str(each.number), each.plan.name) for each in now.event.stages)],
        "others": [("0", _("out of the event")), *((str(each), now.fund_name(each)) for each in sorted(now.ledger.pools) if each != MAIN)],
        "presets": [(str(count), shares_text(shares)) for count, shares in PRESETS.items()],
        "suggested": shares_text(suggested(size)),
        "size": size,
        "seen": now.ledger.made if n is None else money.seen(now.ledger, pool=n),
        "rising": [] if n is None else rising(pool.shares),
        "values": {name: sent.value("set", name, value) for name, value in values.items()},
    }
    return shown(request, who, "money_fund.html", now, sent, **given)


def _of_fund(entry: m.Entry, n: int | None) -> bool:
    return isinstance(entry, m.Added | m.Deducted) and n in {entry.pool, getattr(entry, "to", None) or None}


@router.get("/{n}/{what}")
def fund_again(request: Request, who: Organizer, n: int, what: str) -> Response:  # noqa: ARG001 - the form's own address
    """The address of a form that was refused, loaded again, in another language say."""
    return again(request, f"{HERE}/{n}")


@router.post("/{n}/{what}")
def enter(request: Request, who: Organizer, n: int, what: str, form: Checked) -> Response:
    """Change a fund: its payout table, what goes off or was added, who takes part; or drop it."""
    now = read(request)
    typed = Typed(lambda name: text(form, name), now.ledger.terms.currency)
    makers: dict[str, tuple[Callable[[], Sequence[m.Entry]], str]] = {
        "set": (lambda: [pool_of(n, typed)], "shares"),
        "deduct": (lambda: [deduction_of(n, typed)], "points"),
        "add": (lambda: [m.Added(n, typed.amount("amount", least=1), typed.words("why", 200))], "amount"),
        "join": (lambda: [m.TookPart(typed.whole("entrant"), n)], "entrant"),
        "drop": (lambda: [m.PoolDropped(n)], "drop"),
    }
    if what not in makers or n not in now.ledger.pools:
        raise Problem(404, _("There is no such page."))
    was = typed.text("seen")
    asked = (lambda ledger: str(money.seen(ledger, pool=n)) == was) if what in {"deduct", "add"} else None
    make_it, field = makers[what]
    refused = attempt(request, who, (what, typed), make_it, field, asked=asked)
    if refused:
        return _form(request, who, n, refused)
    return back(HERE if what == "drop" else f"{HERE}/{n}", "pool_dropped" if what == "drop" else "fund_changed")
