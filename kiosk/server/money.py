"""The money of the event on the server: a ledger of its own, one row an entry, apart from what happened in the tournament.

Whatever is entered is checked before it is kept. Who is meant is a number of the entry list; nothing else of the tournament is read here,
and nothing there is read from here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args
from weakref import WeakKeyDictionary

from sqlalchemy import func, insert, select

from kiosk import codec
from kiosk.say import _
from kiosk.server import tournament
from kiosk.server.schema import ledger as kept
from kiosk.server.store import Store, hold, store_of
from kiosk.tournament import money as m
from kiosk.tournament.funds import accounts
from kiosk.tournament.ledger import Ledger, after, fold
from kiosk.tournament.prizes import percent
from kiosk.tournament.results import TournamentError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection

    from kiosk.server.acts import Act
    from kiosk.tournament.event import Event

KINDS: dict[str, type[Any]] = {codec.name_of(kind): kind for kind in get_args(m.Entry)}
"""Every entry by its name in the database."""
NAMES = {kind: name for name, kind in KINDS.items()}


@dataclass(frozen=True, slots=True)
class Line:
    """An entry with who made it and when."""

    n: int
    entry: m.Entry
    by: str
    at_ns: int


_SEEN: WeakKeyDictionary[Store, tuple[Line, ...]] = WeakKeyDictionary()
"""What readers of each store have read: only what is new is read anew."""


def lines(connection: Connection) -> tuple[Line, ...]:
    """Every entry, the first one first.

    Args:
        connection: Any.
    """
    store, reads = store_of(connection)
    old = _SEEN.get(store, ())
    new = _beyond(connection, len(old) - 1) if old else []
    made = (*old, *new[1:]) if new and new[0] == old[-1] else tuple(_beyond(connection, 0))  # else another log: a backup came back
    if reads:
        _SEEN[store] = made  # what is not committed is never kept
    return made


def _beyond(connection: Connection, n: int) -> list[Line]:
    rows = connection.execute(select(kept).where(kept.c.n > n).order_by(kept.c.n))
    return [Line(row.n, read(row.kind, row.data), row.by, row.at_ns) for row in rows]


def read(kind: str, data: str) -> m.Entry:
    """An entry as the database has it."""
    made: m.Entry = codec.from_plain(KINDS[kind], json.loads(data))
    return made


def standing(connection: Connection) -> Ledger:
    """The ledger as it stands.

    Args:
        connection: Any.
    """
    return fold((each.entry for each in lines(connection)), checked=True)


def count(connection: Connection) -> int:
    """How many entries there are; 0: nobody has thought of money here."""
    return int(connection.execute(select(func.count()).select_from(kept)).scalar_one())


def has_table(connection: Connection) -> bool:
    """Whether there is a payout table for anybody to see, or was one."""
    return connection.execute(select(kept.c.n).where(kept.c.kind == NAMES[m.PoolSet]).limit(1)).first() is not None


def seen(ledger: Ledger, *, entrant: int | None = None, pool: int | None = None) -> int:
    """How many entries there are of an entrant, or of what was added to a fund and deducted from it: what a form's reader saw.

    Args:
        ledger: As it stands.
        entrant: Whose.
        pool: Else of which fund.
    """
    if entrant is not None:
        return sum(getattr(each, "entrant", None) == entrant for each in ledger.entries)
    return sum(isinstance(each, m.Added | m.Deducted) and each.pool == pool for each in ledger.entries)


def enter(act: Act, what: Sequence[m.Entry], asked: Callable[[Ledger], bool] | None = None) -> Ledger:
    """Enter all of it, or nothing.

    Args:
        act: Who does it.
        what: In their order.
        asked: Whether the ledger is still as the person saw it; where it is not, it is refused. None: whatever.

    Returns:
        The ledger after it.

    Raises:
        TournamentError: One of them cannot be, or somebody was faster; nothing was entered.
    """
    hold(act.connection, "money")
    made = standing(act.connection)
    if asked is not None and not asked(made):
        raise TournamentError(_("This was entered already, or somebody has entered something meanwhile: look at it as it is now."))
    event = tournament.seen_now(act.connection)
    for each in what:
        if isinstance(each, m.TookPart | m.Charged | m.Paid | m.Waived | m.HandedOver) and each.entrant not in event.entrants:
            raise TournamentError(_("Nobody on the entry list has the number {number}.", number=each.entrant))
        if isinstance(each, m.PoolSet) and each.stage and each.stage not in {stage.number for stage in event.stages}:
            raise TournamentError(_("There is no stage {number}.", number=each.stage))
        if isinstance(each, m.Waived):
            _check_waived(made, event, each)
        made = after(made, each)
        keep(act.connection, len(made.entries), each, act.by, act.at_ns)
        act.note("money_changed", what=NAMES[type(each)], **_told(made, event, each))
    act.touched.add(("desk", "money"))
    if any(isinstance(each, m.TermsSet | m.PoolSet | m.PoolDropped) for each in what):
        act.touched.add(("desk", "tournament"))  # what anybody sees has changed
    return made


def refuse_decided(connection: Connection, stage: int) -> None:
    """Refuse to take back a stage that decides a side pool: another one with its number would decide it unasked.

    Raises:
        TournamentError: A pool's prizes go by this stage's ranking.
    """
    pool = next((pool for pool in standing(connection).pools.values() if pool.stage == stage), None)
    if pool is not None:
        raise TournamentError(_("The side pool {name} is decided by this stage: let it go by another ranking first.", name=pool.name))


def _check_waived(ledger: Ledger, event: Event, entry: m.Waived) -> None:
    """Nobody is let off more than he owes: what is too much would pay for whatever he is charged later."""
    mine = accounts(ledger, event.entrants).get((entry.pool, entry.entrant))
    owes = 0 if mine is None else mine.open
    if entry.amount > owes:
        told = ledger.terms.currency.told(owes)
        raise TournamentError(_("{name} owes {amount}, and cannot be let off more.", name=event.name(entry.entrant), amount=told))


def keep(connection: Connection, n: int, entry: m.Entry, by: str, at_ns: int) -> None:
    """Store one entry.

    Args:
        connection: A writing one.
        n: Its number.
        entry: Which; it was checked.
        by: Who made it.
        at_ns: When, by the house's clock.
    """
    data = json.dumps(codec.to_plain(entry), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    connection.execute(insert(kept).values(n=n, kind=NAMES[type(entry)], data=data, by=by, at_ns=at_ns))


def _told(ledger: Ledger, event: Event, entry: m.Entry) -> dict[str, Any]:
    """An entry for the audit: amounts with their currency, names beside numbers."""
    told = ledger.terms.currency.told
    plain: dict[str, Any] = codec.to_plain(entry)
    found: dict[str, Any] = {key: plain[key] for key in ("entry", "why", "entrant", "name") if key in plain}
    if plain.get("entrant") in event.entrants:
        found["name"] = event.name(plain["entrant"])
    found |= {key: told(plain[key]) for key in ("amount", "fee") if plain.get(key)}
    if "pool" in plain:
        found["fund"] = plain["pool"]
    if plain.get("to"):
        found["to"] = ledger.pools[plain["to"]].name
    match entry:
        case m.TermsSet():
            amounts = (entry.terms.fee, entry.terms.again, entry.terms.late, entry.terms.unit)
            found["amount"] = [told(each) for each in amounts]
        case m.PoolSet():
            found["shares"] = [percent(each) for each in entry.shares]
        case m.Deducted() if entry.points:
            found["share"] = f"{percent(entry.points)} %"
        case _:
            pass
    return found
