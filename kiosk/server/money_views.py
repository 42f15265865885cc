"""What pages, print-outs and files show of the money: names instead of numbers, amounts with their currency."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from kiosk.say import _, mark
from kiosk.server import money, plans, tournament
from kiosk.server import tournament_views as views
from kiosk.server.rendering import local
from kiosk.server.told import who_words
from kiosk.sheets.grid import Grid
from kiosk.tournament import money as m
from kiosk.tournament.funds import Account, Fund, accounts, fund, ranking, won
from kiosk.tournament.ledger import fold, handed_over
from kiosk.tournament.money import MAIN
from kiosk.tournament.plan import System
from kiosk.tournament.prizes import Prize, amounts, percent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

    from sqlalchemy import Connection

    from kiosk.tournament.event import Event
    from kiosk.tournament.ledger import Ledger

WHAT = {
    m.TermsSet: mark("terms"),
    m.PoolSet: mark("fund and payout table"),
    m.PoolDropped: mark("pool dropped"),
    m.TookPart: mark("takes part"),
    m.Charged: mark("owes besides"),
    m.Paid: mark("paid"),
    m.Waived: mark("need not pay"),
    m.Refunded: mark("given back"),
    m.Added: mark("added for prizes"),
    m.Deducted: mark("deducted before prizes"),
    m.HandedOver: mark("prize handed over"),
    m.Reversed: mark("reversed"),
}
"""Every kind of entry."""
SHOW = ("open", "paid", "over")
"""Whose payments may be asked for; else everybody's."""


@dataclass(frozen=True, slots=True)
class Money:
    """All of it, at one moment."""

    ledger: Ledger
    lines: Sequence[money.Line]
    event: Event
    standing: Mapping[tuple[int, int], Account]

    def told(self, amount: int) -> str:
        """An amount with its currency."""
        return self.ledger.terms.currency.told(amount)

    def plain(self, amount: int) -> str:
        """An amount as a form has it; nothing where there is none."""
        return self.ledger.terms.currency.plain(amount) if amount else ""

    def fund_name(self, pool: int) -> str:
        """What a fund is called; one that was dropped by its number."""
        if pool == MAIN:
            return _("Main fund")
        return self.ledger.pools[pool].name if pool in self.ledger.pools else _("Pool {n}", n=pool)

    def name(self, entrant: int) -> str:
        """Who it is."""
        return self.event.name(entrant) if entrant in self.event.entrants else _("{name}, off the list", name=self.event.gone[entrant].name)


def read(connection: Connection) -> Money:
    """The money as it stands.

    Args:
        connection: Any.
    """
    lines = money.lines(connection)
    ledger = fold((each.entry for each in lines), checked=True)
    event = tournament.seen_now(connection)
    return Money(ledger, lines, event, accounts(ledger, event.entrants))


# ── Who has paid ─────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Payer:
    """One line of the list of payments."""

    ident: int
    name: str
    owed: int
    received: int
    open: int
    over: int
    pools: tuple[str, ...]
    """The side pools he takes part in."""
    left: str
    """Why he plays no more; empty: he plays."""

    @property
    def state(self) -> str:
        """`open`, `paid` (nothing is open) or `over` (something is to be given back)."""
        return "open" if self.open else "over" if self.over else "paid"


def payers(now: Money) -> list[Payer]:
    """Everybody who owes or has paid something, in the order of the entry list."""
    mine: dict[int, list[Account]] = {}
    for each in now.standing.values():
        mine.setdefault(each.entrant, []).append(each)
    return [_payer(now, ident, mine[ident]) for ident in sorted(mine)]


def _payer(now: Money, ident: int, mine: Sequence[Account]) -> Payer:
    left = now.event.left.get(ident)
    return Payer(
        ident,
        now.name(ident),
        sum(each.owed for each in mine),
        sum(each.sums.received for each in mine),
        sum(each.open for each in mine),
        sum(each.over for each in mine),
        tuple(now.fund_name(each.pool) for each in mine if each.pool != MAIN),
        "" if left is None else _(views.WHY_LEFT[left]),
    )


def fits(payer: Payer, q: str, show: str) -> bool:
    """Whether a line is one of those asked for: by a part of the name or the number, and by its state."""
    wanted = plans.folded(q) if q.strip() else ""
    return (not wanted or wanted in plans.folded(payer.name) or wanted == str(payer.ident)) and (show not in SHOW or payer.state == show)


# ── Funds ────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Step:
    """Some places of a payout table that have the same."""

    places: str
    share: str
    amount: int
    """Each, of what is there."""
    expected: int
    """Each, once everybody has paid."""


@dataclass(frozen=True, slots=True)
class FundView:
    """A fund with its payout table."""

    number: int
    name: str
    members: int
    fee: int
    now: Fund
    expected: Fund
    steps: tuple[Step, ...]
    by: str
    """The stage by whose table it is paid; empty: by the final ranking."""


def funds(now: Money) -> list[FundView]:
    """The main fund and the side pools."""
    return [fund_of(now, number) for number in sorted(now.ledger.pools)]


def fund_of(now: Money, number: int) -> FundView:
    """One fund."""
    pool = now.ledger.pools[number]
    held, expected = (fund(now.ledger, now.standing, number, expected=each) for each in (False, True))
    members = len(now.ledger.members(number)) if number != MAIN and pool.fee else len(now.event.entrants)
    fee = now.ledger.terms.fee if number == MAIN else pool.fee
    return FundView(
        number,
        now.fund_name(number),
        members,
        fee,
        held,
        expected,
        steps(now, pool.shares, held.prizes, expected.prizes),
        stage_name(now, pool.stage),
    )


def stage_name(now: Money, stage: int) -> str:
    """What a stage is called; empty where it is none, or is not opened yet."""
    return now.event.stages[stage - 1].plan.name if 1 <= stage <= len(now.event.stages) else ""


def steps(now: Money, shares: tuple[int, ...], held: int, expected: int) -> tuple[Step, ...]:
    """A payout table in words, places that have the same in one line."""
    unit = now.ledger.terms.unit
    rows = list(zip(range(1, len(shares) + 1), shares, amounts(held, shares, unit), amounts(expected, shares, unit), strict=True))
    found = []
    for (share, one, other), run in groupby(rows, key=lambda row: row[1:]):
        places = [row[0] for row in run]
        found.append(Step(places_text(places[0], places[-1]), percent(share), one, other))
    return tuple(found)


def places_text(first: int, last: int) -> str:
    """A place, or the places that are shared."""
    return str(first) if first == last else f"{first}–{last}"


# ── Prizes ───────────────────────────────────────────────────────────────────
def stands(event: Event, stage: int = 0) -> bool:
    """Whether a ranking stands: its stage is over, or, of the final one, every stage but consolations is."""
    if stage:
        return stage <= len(event.stages) and views.over(event, event.stage(stage))
    counting = [each for each in event.stages if each.plan.system is not System.CONSOLATION]
    return bool(counting) and all(views.over(event, each) for each in counting)


@dataclass(frozen=True, slots=True)
class Winners:
    """Who gets what of a fund."""

    number: int
    name: str
    fund: int
    prizes: tuple[Prize, ...]
    stands: bool
    """Whether its ranking does."""
    handed: Mapping[int, int]
    """What each entrant has received of it, whether it is his prize or not any more."""

    def open(self, prize: Prize) -> int:
        """What is still to be handed over; below zero: so much was handed over too much."""
        return prize.amount - self.handed.get(prize.entrant, 0)

    def astray(self) -> tuple[tuple[int, int], ...]:
        """Who has received something of it and has no prize, and how much."""
        winning = {each.entrant for each in self.prizes}
        return tuple((who, amount) for who, amount in self.handed.items() if who not in winning)


def winners(now: Money, *, final: bool = False) -> list[Winners]:
    """Of every fund who gets how much, by the ranking as it is; nobody while all of them share the first place, for nothing was played.

    Args:
        now: The money as it stands.
        final: Nobody as well while the ranking does not stand.
    """
    stages = {pool.stage for pool in now.ledger.pools.values()}
    stand = {stage: stands(now.event, stage) for stage in stages}
    ranked = {stage: ranking(now.event, stage) if stand[stage] or not final else () for stage in stages}
    handed = handed_over(now.ledger)
    found = []
    for number, pool in sorted(now.ledger.pools.items()):
        mine = {who: amount for (of, who), amount in handed.items() if of == number}
        held = fund(now.ledger, now.standing, number).prizes
        prizes = won(now.ledger, now.event, now.standing, number, ranked[pool.stage])
        decided = stand[pool.stage] or any(each.first > 1 for each in prizes)
        found.append(Winners(number, now.fund_name(number), held, prizes if decided else (), stand[pool.stage], mine))
    return found


# ── Entries in words ─────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Told:
    """An entry as it is shown."""

    line: money.Line
    what: str
    who: str
    fund: str
    amount: str
    why: str
    by: str
    """Who entered it."""
    undone: str | None
    """Why it counts for nothing; None: it counts."""
    may_reverse: bool


def told(now: Money, line: money.Line) -> Told:
    """One entry in words."""
    entry = line.entry
    who = getattr(entry, "entrant", None)
    pool = getattr(entry, "pool", None)
    undone = now.ledger.undone.get(line.n)
    fixed = isinstance(entry, m.TermsSet | m.PoolSet | m.PoolDropped | m.Reversed)
    return Told(
        line,
        _(WHAT[type(entry)]),
        "" if who is None else now.name(who),
        "" if pool is None else now.fund_name(pool),
        _amount(now, entry),
        _why(now, entry),
        who_words(line.by),
        undone,
        undone is None and not fixed,
    )


def _why(now: Money, entry: m.Entry) -> str:
    match entry:
        case m.Reversed():
            return _("entry {n}: {why}", n=entry.entry, why=entry.why)
        case m.Deducted() if entry.to != MAIN:
            return _("{why}, goes to {fund}", why=entry.why, fund=now.fund_name(entry.to))
        case _:
            return str(getattr(entry, "why", ""))


def _amount(now: Money, entry: m.Entry) -> str:
    match entry:
        case m.TermsSet():
            return now.told(entry.terms.fee)
        case m.Deducted() if entry.points:
            return f"{percent(entry.points)} %"
        case m.PoolSet():
            return now.told(entry.fee) if entry.fee else ""
        case m.PoolDropped() | m.TookPart() | m.Reversed():
            return ""
        case _:
            return now.told(entry.amount)


# ── Files ────────────────────────────────────────────────────────────────────
def cell(now: Money, amount: int) -> int | float:
    """An amount as a spreadsheet counts it: at the edge only, nothing is worked out with it."""
    currency = now.ledger.terms.currency
    return amount if not currency.decimals else float(currency.plain(amount))


def _places(now: Money, *columns: int) -> tuple[tuple[int, int], ...]:
    return tuple((column, now.ledger.terms.currency.decimals) for column in columns)


def payments_grid(now: Money) -> list[Grid]:
    """Who has paid and who has not."""
    code = now.ledger.terms.currency.code
    heads = (
        _("No."),
        _("Name"),
        _("Owes ({code})", code=code),
        _("Paid ({code})", code=code),
        _("Open ({code})", code=code),
        _("Side pools"),
    )
    rows = tuple(
        (each.ident, each.name, cell(now, each.owed), cell(now, each.received), cell(now, each.open), ", ".join(each.pools))
        for each in payers(now)
    )
    return [Grid(_("Payments"), heads, rows, places=_places(now, 2, 3, 4))]


def prizes_grid(now: Money) -> list[Grid]:
    """The prize list, each row with its fund."""
    code = now.ledger.terms.currency.code
    heads = (_("Fund"), _("Place"), _("Name"), _("Amount ({code})", code=code), _("Handed over ({code})", code=code))
    found = [each for each in winners(now) if each.prizes]
    rows = tuple(
        (each.name, _place(one), now.name(one.entrant), cell(now, one.amount), cell(now, each.handed.get(one.entrant, 0)))
        for each in found
        for one in each.prizes
    )
    provisional = tuple(_("{fund}: provisional, matches are still open.", fund=each.name) for each in found if not each.stands)
    return [Grid(_("Prizes"), heads, rows, provisional, places=_places(now, 3, 4))]


def _place(prize: Prize) -> str | int:
    return prize.first if prize.first == prize.last else places_text(prize.first, prize.last)


def ledger_grid(now: Money, zone: tzinfo) -> list[Grid]:
    """Every entry, those that were reversed among them."""
    heads = (_("Entry"), _("When"), _("What"), _("Who"), _("Fund"), _("Amount"), _("Reason"), _("Entered by"), _("Reversed"))
    rows = []
    for line in now.lines:
        one = told(now, line)
        when = local(line.at_ns, zone).strftime("%Y-%m-%d %H:%M")
        rows.append((line.n, when, one.what, one.who, one.fund, one.amount, one.why, one.by, one.undone or ""))
    return [Grid(_("Ledger"), heads, tuple(rows))]
