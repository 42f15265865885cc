"""The ledger as it stands: folded from its entries, one after the other; what cannot be is refused and changes nothing.

entry 12   Paid(7, MAIN, 3000)        counts
entry 13   Paid(7, MAIN, 3000)        was typed twice: reversed by
entry 14   Reversed(13, "twice")      which itself stays; who was wrong to reverse enters the payment again
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kiosk.say import _
from kiosk.tournament.money import (
    MAIN,
    MOST,
    MOST_DECIMALS,
    WHOLE,
    Added,
    Charged,
    Deducted,
    Entry,
    HandedOver,
    Paid,
    PoolDropped,
    PoolSet,
    Refunded,
    Reversed,
    Terms,
    TermsSet,
    TookPart,
    Waived,
)
from kiosk.tournament.prizes import check_shares
from kiosk.tournament.results import TournamentError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MOST_POOLS = 40
LONGEST_NAME, LONGEST_WHY = 60, 200


@dataclass(frozen=True, slots=True)
class Pool:
    """A prize fund: the main one, or a side pool."""

    number: int
    name: str = ""
    fee: int = 0
    shares: tuple[int, ...] = ()
    stage: int = 0


@dataclass(frozen=True, slots=True)
class Ledger:
    """The ledger."""

    terms: Terms = field(default_factory=Terms)
    pools: Mapping[int, Pool] = field(default_factory=lambda: {MAIN: Pool(MAIN)})
    made: int = 0
    """So many side pools were ever made: numbers are never given twice."""
    entries: tuple[Entry, ...] = ()
    """All of them, number 1 first."""
    undone: Mapping[int, str] = field(default_factory=dict)
    """Why an entry counts for nothing, by its number."""

    def counting(self) -> Iterator[Entry]:
        """The entries that count, in their order."""
        return (each for n, each in enumerate(self.entries, 1) if n not in self.undone)

    def members(self, pool: int) -> tuple[int, ...]:
        """Who takes part in a side pool."""
        return tuple(each.entrant for each in self.counting() if isinstance(each, TookPart) and each.pool == pool)


@dataclass(frozen=True, slots=True)
class Sums:
    """What one entrant's entries in one fund come to."""

    charged: int = 0
    waived: int = 0
    paid: int = 0
    refunded: int = 0

    @property
    def received(self) -> int:
        """What he has paid and not got back."""
        return self.paid - self.refunded


def sums(ledger: Ledger) -> dict[tuple[int, int], Sums]:
    """What everybody's entries come to, by fund and entrant."""
    found: dict[tuple[int, int], Sums] = {}
    for each in ledger.counting():
        match each:
            case TookPart():
                found.setdefault((each.pool, each.entrant), Sums())
            case Charged() | Paid() | Waived() | Refunded():
                key = (each.pool, each.entrant)
                found[key] = _summed(found.get(key, Sums()), each)
            case _:
                pass
    return found


def _summed(before: Sums, each: Charged | Paid | Waived | Refunded) -> Sums:
    match each:
        case Charged():
            return replace(before, charged=before.charged + each.amount)
        case Paid():
            return replace(before, paid=before.paid + each.amount)
        case Waived():
            return replace(before, waived=before.waived + each.amount)
        case _:
            return replace(before, refunded=before.refunded + each.amount)


def handed_over(ledger: Ledger) -> dict[tuple[int, int], int]:
    """What everybody has received of prizes, by fund and entrant."""
    found: dict[tuple[int, int], int] = {}
    for each in ledger.counting():
        if isinstance(each, HandedOver):
            key = (each.pool, each.entrant)
            found[key] = found.get(key, 0) + each.amount
    return found


def fold(entries: Iterable[Entry], ledger: Ledger | None = None, *, checked: bool = False) -> Ledger:
    """The ledger after all of it.

    Args:
        entries: In their order.
        ledger: As it was before; None: it is empty.
        checked: All of it was checked when it was entered, and need not be once more.

    Raises:
        TournamentError: One of them cannot be.
    """
    made = Ledger() if ledger is None else ledger
    if checked:
        return _with(made, tuple(entries))
    for each in entries:
        made = after(made, each)
    return made


def after(ledger: Ledger, entry: Entry) -> Ledger:
    """The ledger after one more entry.

    Raises:
        TournamentError: It cannot be; the ledger is as it was.
    """
    _check_text(entry)
    match entry:
        case TermsSet():
            _check_terms(ledger, entry.terms)
        case PoolSet():
            _check_pool(ledger, entry)
        case PoolDropped():
            _check_dropped(ledger, entry.pool)
        case Reversed():
            _check_reversed(ledger, entry)
        case _:
            _check_entry(ledger, entry)
    return _with(ledger, (entry,))


def _with(ledger: Ledger, entries: tuple[Entry, ...]) -> Ledger:
    """With entries that were checked."""
    terms, pools, made, undone = ledger.terms, dict(ledger.pools), ledger.made, dict(ledger.undone)
    for each in entries:
        match each:
            case TermsSet():
                terms = each.terms
            case PoolSet():
                pools[each.pool] = Pool(each.pool, each.name, each.fee, each.shares, each.stage)
                made = max(made, each.pool)
            case PoolDropped():
                del pools[each.pool]
            case Reversed():
                undone[each.entry] = each.why
            case _:
                pass
    return Ledger(terms, pools, made, (*ledger.entries, *entries), undone)


def _check_text(entry: Entry) -> None:
    if isinstance(entry, Charged | Waived | Refunded | Added | Deducted | Reversed):
        if not entry.why.strip():
            raise TournamentError(_("Say what it is for: it stays on record."))
        if len(entry.why) > LONGEST_WHY:
            raise TournamentError(_("A reason has at most {most} characters.", most=LONGEST_WHY))


def _check_terms(ledger: Ledger, terms: Terms) -> None:
    if not 1 <= len(terms.currency.code.strip()) <= 8:
        raise TournamentError(_("A currency has a code of 1 to 8 characters, such as EUR."))
    if not 0 <= terms.currency.decimals <= MOST_DECIMALS:
        raise TournamentError(_("A currency has 0 to {most} digits behind the point.", most=MOST_DECIMALS))
    before = ledger.terms.currency
    if terms.currency.decimals != before.decimals and any(_has_amount(each) for each in ledger.entries):
        raise TournamentError(_("Amounts have been entered already: the digits behind the point stay as they are."))
    if terms.currency.code != before.code and any(_has_amount(each) for each in ledger.counting()):
        raise TournamentError(_("Amounts in {code} count already: reverse them before another currency is chosen.", code=before.code))
    for amount in (terms.fee, terms.again, terms.late):
        _check_amount(amount, 0)
    _check_amount(terms.unit, 1)


def _has_amount(entry: Entry) -> bool:
    match entry:
        case PoolSet():
            return entry.fee > 0
        case TermsSet() | PoolDropped() | TookPart() | Reversed():
            return False
        case _:
            return entry.amount > 0


def _check_amount(amount: int, least: int) -> None:
    if not least <= amount <= MOST:
        raise TournamentError(_("An amount has to be more than zero, and no more than any fund here holds."))


# ── Funds ────────────────────────────────────────────────────────────────────
def _check_pool(ledger: Ledger, entry: PoolSet) -> None:
    check_shares(entry.shares)
    if entry.pool != MAIN:
        _check_side(ledger, entry)
    elif entry.name or entry.fee or entry.stage:
        raise TournamentError(_("The main fund has no name, its fee stands in the terms, and the final ranking is its own."))


def _check_side(ledger: Ledger, entry: PoolSet) -> None:
    if entry.pool not in ledger.pools and entry.pool != ledger.made + 1:
        raise TournamentError(_("The next pool is number {number}.", number=ledger.made + 1))
    if entry.pool > MOST_POOLS:
        raise TournamentError(_("An event has at most {most} side pools.", most=MOST_POOLS))
    if not 1 <= len(entry.name.strip()) <= LONGEST_NAME:
        raise TournamentError(_("A pool has a name of 1 to {most} characters.", most=LONGEST_NAME))
    if any(pool.name == entry.name and n != entry.pool for n, pool in ledger.pools.items()):
        raise TournamentError(_("There is a pool called {name} already.", name=entry.name))
    _check_amount(entry.fee, 0)
    if entry.stage < 0:
        raise TournamentError(_("There is no stage {number}.", number=entry.stage))


def _known(ledger: Ledger, pool: int) -> Pool:
    if pool not in ledger.pools:
        raise TournamentError(_("There is no pool {number}.", number=pool))
    return ledger.pools[pool]


def _check_dropped(ledger: Ledger, pool: int) -> None:
    name = _known(ledger, pool).name
    if pool == MAIN:
        raise TournamentError(_("The main fund stays."))
    of_it = (each for each in ledger.counting() if pool in {getattr(each, "pool", None), getattr(each, "to", None)})
    if any(not isinstance(each, PoolSet) for each in of_it):
        raise TournamentError(_("{name} has entries that count: reverse those first.", name=name))


# ── Entries ──────────────────────────────────────────────────────────────────
def _check_entry(ledger: Ledger, entry: TookPart | Charged | Paid | Waived | Refunded | Added | Deducted | HandedOver) -> None:
    pool = _known(ledger, entry.pool)
    match entry:
        case TookPart():
            if entry.pool == MAIN:
                raise TournamentError(_("Every entrant is in the main fund as it is."))
            if entry.entrant in ledger.members(entry.pool):
                raise TournamentError(_("Entrant {number} takes part in {pool} already.", number=entry.entrant, pool=pool.name))
        case Deducted():
            if (entry.points > 0) is (entry.amount > 0) or not 0 <= entry.points <= WHOLE:
                raise TournamentError(_("A deduction is a share up to 100 %, or a fixed amount."))
            _check_amount(entry.amount, 0)
            _known(ledger, entry.to)
            if MAIN not in {entry.to, entry.pool}:
                raise TournamentError(_("Only of the main fund something goes to a side pool."))
        case Added() | HandedOver():
            _check_amount(entry.amount, 1)
        case Refunded():
            _check_amount(entry.amount, 1)
            _check_received(ledger, entry, entry.amount)
        case _:
            _check_amount(entry.amount, 1)
            if entry.pool != MAIN and entry.entrant not in ledger.members(entry.pool):
                raise TournamentError(_("Entrant {number} does not take part in {pool}.", number=entry.entrant, pool=pool.name))


def _check_received(ledger: Ledger, entry: Paid | Refunded, amount: int) -> None:
    received = sums(ledger).get((entry.pool, entry.entrant), Sums()).received
    if received < amount:
        told = ledger.terms.currency.told(received)
        raise TournamentError(_("Entrant {number} has paid {amount} that can be given back.", number=entry.entrant, amount=told))


def _check_reversed(ledger: Ledger, entry: Reversed) -> None:
    if not 1 <= entry.entry <= len(ledger.entries):
        raise TournamentError(_("There is no entry {number}.", number=entry.entry))
    if entry.entry in ledger.undone:
        raise TournamentError(_("Entry {number} is reversed already.", number=entry.entry))
    match wrong := ledger.entries[entry.entry - 1]:
        case TermsSet() | PoolSet() | PoolDropped() | Reversed():
            raise TournamentError(_("Entry {number} cannot be reversed: enter what is right instead.", number=entry.entry))
        case Paid():
            _check_received(ledger, wrong, wrong.amount)
        case TookPart():
            if sums(ledger).get((wrong.pool, wrong.entrant), Sums()) != Sums():
                raise TournamentError(_("Entrant {number} has entries in this pool: reverse those first.", number=wrong.entrant))
        case _:
            pass
