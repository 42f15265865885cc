"""Money of an event, as what happened to it: fees that were paid, pools that were joined, what was added, deducted, given back.

A ledger of its own, apart from the draw: nothing of it is read where pairings, places or seeds come from, and a payment that was entered
wrongly touches no match. Entries are appended and never edited; a wrong one is reversed, with a reason, and both stay on record.

Amounts are whole numbers of the currency's smallest unit (cents, where it has two decimals), shares are hundredths of a percent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kiosk.say import _
from kiosk.tournament.results import TournamentError

MAIN = 0
"""The number of the main prize fund, which every entrant's fee goes to; side pools are 1, 2, 3 …"""
MOST = 10**12
"""No amount is larger."""
MOST_DECIMALS = 4
WHOLE = 10_000
"""A hundred percent, in hundredths of a percent."""


@dataclass(frozen=True, slots=True)
class Currency:
    """In what is paid."""

    code: str = "EUR"
    """As people write it behind an amount."""
    decimals: int = 2
    """How many digits stand behind the point; 0: it has no smaller unit."""

    def told(self, amount: int) -> str:
        """An amount for people, e.g. `1234.50 EUR`."""
        return f"{self.plain(amount)} {self.code}"

    def plain(self, amount: int) -> str:
        """An amount without its currency, e.g. `1234.50`."""
        whole, part = divmod(abs(amount), 10**self.decimals)
        digits = f"{whole}.{part:0{self.decimals}}" if self.decimals else str(whole)
        return f"-{digits}" if amount < 0 else digits

    def read(self, text: str) -> int:
        """An amount as it was typed, with a point or a comma.

        Raises:
            TournamentError: It is none, has more decimals than the currency, or is too large.
        """
        typed = "".join(text.split())
        found = re.fullmatch(r"([0-9]{1,13})(?:[.,]([0-9]{1,8}))?", typed, re.ASCII)
        if found is None:
            raise TournamentError(
                _("An amount is a number such as 25 or {example}; “{text}” is none.", example=self.plain(2550), text=text[:40])
            )
        whole, part = found[1], (found[2] or "").rstrip("0")
        if len(part) > self.decimals:
            raise TournamentError(
                _("{code} has {n} digits behind the point; “{text}” has more.", code=self.code, n=self.decimals, text=text[:40])
            )
        amount = int(whole + part.ljust(self.decimals, "0"))
        if amount > MOST:
            raise TournamentError(_("{text} is more than any fund here holds.", text=text[:40]))
        return amount


@dataclass(frozen=True, slots=True)
class Terms:
    """What an organizer decides about the money of an event."""

    currency: Currency = Currency()
    fee: int = 0
    """What an entry costs."""
    again: int = 0
    """What a re-entry costs."""
    late: int = 0
    """What a late entry costs besides; charged to whomever the organizer calls late."""
    unit: int = 1
    """Prizes are multiples of it, but for the rest, which the first place has."""
    published: bool = False
    """Whether anybody may see prizes, with names; what was paid nobody may."""


@dataclass(frozen=True, slots=True)
class TermsSet:
    """The terms, or other ones."""

    terms: Terms


@dataclass(frozen=True, slots=True)
class PoolSet:
    """A side pool is there, or is changed; of the main fund, its payout table."""

    pool: int
    name: str
    """Empty for the main fund."""
    fee: int
    """0 for the main fund, whose fee the terms say."""
    shares: tuple[int, ...]
    """What each place has of the fund, the first place first; empty: nobody has decided yet."""
    stage: int = 0
    """The stage by whose table it is paid, a consolation's say; 0: by the final ranking of the event."""


@dataclass(frozen=True, slots=True)
class PoolDropped:
    """A side pool is not there any more: nobody has taken part."""

    pool: int


@dataclass(frozen=True, slots=True)
class TookPart:
    """Somebody takes part in a side pool, and owes its fee."""

    entrant: int
    pool: int


@dataclass(frozen=True, slots=True)
class Charged:
    """Somebody owes more than the fee: he entered late, say."""

    entrant: int
    pool: int
    amount: int
    why: str


@dataclass(frozen=True, slots=True)
class Paid:
    """Somebody has paid."""

    entrant: int
    pool: int
    amount: int


@dataclass(frozen=True, slots=True)
class Waived:
    """Somebody need not pay so much of what he owes."""

    entrant: int
    pool: int
    amount: int
    why: str


@dataclass(frozen=True, slots=True)
class Refunded:
    """Somebody has got back what he had paid."""

    entrant: int
    pool: int
    amount: int
    why: str


@dataclass(frozen=True, slots=True)
class Added:
    """Somebody who is no entrant gave money for prizes."""

    pool: int
    amount: int
    why: str
    """Who gave it, and what for."""


@dataclass(frozen=True, slots=True)
class Deducted:
    """Before prizes something goes off: expenses, the federation's share."""

    pool: int
    why: str
    points: int
    """Hundredths of a percent of the fees; 0: a fixed amount."""
    amount: int
    """Fixed; 0: a share."""
    to: int = MAIN
    """Of the main fund: the side pool that it goes to, a consolation's say; MAIN: it leaves the event."""


@dataclass(frozen=True, slots=True)
class HandedOver:
    """Somebody has received his prize of a fund, or a part of it."""

    entrant: int
    pool: int
    amount: int


@dataclass(frozen=True, slots=True)
class Reversed:
    """An entry was wrong, and counts for nothing."""

    entry: int
    """Its number in the ledger, from 1 on."""
    why: str


Entry = TermsSet | PoolSet | PoolDropped | TookPart | Charged | Paid | Waived | Refunded | Added | Deducted | HandedOver | Reversed
