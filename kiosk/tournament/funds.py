"""What everybody owes and has paid, and what each fund holds: worked out from the ledger and the entry list.

    received + added  =  counted + over + added  =  deductions + prizes + over

Decision: a fund holds what has been received, not what is owed; what it would hold once everybody has paid is told beside it. Who has paid
more than he owes (twice, or he was struck off the list) is owed the rest, which is nobody's prize.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from kiosk.tournament.final import final_ranking
from kiosk.tournament.ledger import Sums, sums
from kiosk.tournament.money import MAIN, WHOLE, Added, Deducted
from kiosk.tournament.prizes import Prize, only, prizes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kiosk.tournament.event import Event
    from kiosk.tournament.ledger import Ledger
    from kiosk.tournament.plan import Entrant


@dataclass(frozen=True, slots=True)
class Account:
    """One entrant's standing with one fund."""

    pool: int
    entrant: int
    due: int
    """Fee and charges; 0 for one who is not on the entry list any more."""
    sums: Sums

    @property
    def owed(self) -> int:
        """What he has to pay in all: what is due less what was waived."""
        return max(0, self.due - self.sums.waived)

    @property
    def open(self) -> int:
        """What he has still to pay."""
        return max(0, self.owed - self.sums.received)

    @property
    def over(self) -> int:
        """What he has paid too much."""
        return max(0, self.sums.received - self.owed)

    @property
    def counted(self) -> int:
        """What is in the fund from him."""
        return min(self.owed, self.sums.received)


def accounts(ledger: Ledger, entrants: Mapping[int, Entrant]) -> dict[tuple[int, int], Account]:
    """Everybody's standing, by fund and entrant.

    Args:
        ledger: As it stands.
        entrants: The entry list. Every entry on it owes the fee, a re-entry its own; late ones owe what they were charged.
    """
    told = sums(ledger)
    keys = dict.fromkeys([*((MAIN, ident) for ident in entrants), *told])
    return {key: _account(ledger, entrants, *key, told.get(key, Sums())) for key in keys}


def _account(ledger: Ledger, entrants: Mapping[int, Entrant], pool: int, entrant: int, told: Sums) -> Account:
    who = entrants.get(entrant)
    if who is None:
        return Account(pool, entrant, 0, told)
    fee = ledger.pools[pool].fee
    if pool == MAIN:
        fee = ledger.terms.fee if who.again is None else ledger.terms.again
    return Account(pool, entrant, fee + told.charged, told)


@dataclass(frozen=True, slots=True)
class Taken:
    """One deduction."""

    entry: Deducted
    amount: int
    """What goes off."""
    short: int
    """What could not: the fund holds less."""


@dataclass(frozen=True, slots=True)
class Fund:
    """What one fund holds."""

    fees: int
    """What is in it from entrants."""
    added: int
    """Besides; from the main fund as well."""
    taken: tuple[Taken, ...]
    over: int
    """What entrants have paid too much: it is kept for them, and is in nobody's prize."""

    @property
    def prizes(self) -> int:
        """What is paid out."""
        return self.fees + self.added - sum(each.amount for each in self.taken)


def fund(ledger: Ledger, standing: Mapping[tuple[int, int], Account], pool: int, *, expected: bool = False) -> Fund:
    """What a fund holds.

    Args:
        ledger: As it stands.
        standing: As `accounts` gives it.
        pool: Which.
        expected: Once everybody has paid what he owes.
    """
    mine = [each for each in standing.values() if each.pool == pool]
    fees = sum(each.owed if expected else each.counted for each in mine)
    added = sum(each.amount for each in ledger.counting() if isinstance(each, Added) and each.pool == pool)
    if pool != MAIN:
        added += sum(each.amount for each in fund(ledger, standing, MAIN, expected=expected).taken if each.entry.to == pool)
    left, taken = fees + added, []
    for each in ledger.counting():
        if isinstance(each, Deducted) and each.pool == pool:
            asked = each.amount or fees * each.points // WHOLE  # a share is one of the fees: what was given for prizes is for prizes
            went = min(asked, left)
            taken.append(Taken(each, went, asked - went))
            left -= went
    return Fund(fees, added, tuple(taken), sum(each.over for each in mine))


def ranking(event: Event, stage: int = 0) -> tuple[tuple[int, ...], ...]:
    """Who stands where, for prizes: those who share a place together, everybody by the number of his first entry.

    Args:
        event: As it stands.
        stage: By whose table alone, where it has been opened; 0: at the end of the event.
    """
    if stage > len(event.stages):
        return ()
    placed = [each for each in final_ranking(event, [stage] if stage else None) if each.rank is not None]
    return tuple(tuple(event.first_entry(each.entrant) for each in tied) for _rank, tied in groupby(placed, key=lambda each: each.rank))


def won(
    ledger: Ledger,
    event: Event,
    standing: Mapping[tuple[int, int], Account],
    pool: int,
    ranked: Sequence[Sequence[int]],
    *,
    expected: bool = False,
) -> tuple[Prize, ...]:
    """Who gets how much of a fund.

    Decision: of a side pool that costs something the best placed of those who take part, with whichever of their entries; one without a
    fee is everybody's.

    Args:
        ledger: As it stands.
        event: As it stands.
        standing: As `accounts` gives it.
        pool: Which.
        ranked: As `ranking` gives it, of the pool's stage.
        expected: Once everybody has paid what he owes.
    """
    one = ledger.pools[pool]
    if one.fee:
        ranked = only(ranked, {event.first_entry(each) for each in ledger.members(pool) if each in event.entrants})
    return prizes(fund(ledger, standing, pool, expected=expected).prizes, one.shares, ledger.terms.unit, ranked)
