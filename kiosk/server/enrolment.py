"""How a device comes into the hall: the organizer makes a code, the table proves that it knows it, and gets a key of its own.

What the two proofs cover, and against whom, says `kiosk.sync.proof`. Here is what the server decides:

| a device | its answer |
|---|---|
| with a code that fits, for a table that nobody has | its key; a code for one device is used up |
| the same one again by the same code, asking anew (the answer was lost) | a new key |
| the same request once more, word for word | refused: a request is good once |
| for a table that another device has | refused, unless the code was made to replace that one |
| by a code that replaces a device | its key; the other one is revoked, and its running match waits to be taken over, asked for or not |
| that comes again before it took over what waits for it | the same match waits, as long as it is for the same table |
| whose code does not fit, is used up or too old, or that saw another certificate | refused, with one sentence for all |
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import delete, insert, select, update

from kiosk.domain.errors import RosterError
from kiosk.domain.state import OVER
from kiosk.say import _
from kiosk.server import assignments, attempts, clock, desk
from kiosk.server.acts import Act, acting
from kiosk.server.devices import check_free, check_table, holder, listed, of_table, secret_hash, touch
from kiosk.server.problems import Problem, WrongUse
from kiosk.server.schema import code as codes
from kiosk.server.schema import device, match
from kiosk.sync.proof import ALPHABET, LONG, SHORT, code_key, proof
from kiosk.sync.wire import EnrolAnswer, EnrolRequest

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

    from kiosk.server.devices import Device
    from kiosk.server.house import House

MINUTES = 15
"""So long a code for one device is good."""
MOST_USES = 1000
MOST_DAYS = 14
_DIGITS = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class Code:
    """A code that was made; who does not know it can look it up nowhere."""

    code: str
    until_ns: int
    table: str
    uses: int
    ident: int
    """Its number in the list of codes."""
    taken: bool
    """The table has a device: only that one can join by it."""
    replaces: str = ""
    """The table whose device is to be replaced."""


class Kept(NamedTuple):
    """What is still known of a code."""

    id: int
    table: str
    replaces: str | None
    until_ns: int
    uses_left: int
    made_by: str


def make_code(house: House, by: str, *, table: str = "", uses: int = 1, days: int = 0, replaces: str = "") -> Code:
    """Make a code.

    Args:
        house: Where.
        by: Who makes it.
        table: What the device will be called; empty: as it says itself.
        uses: How many devices may use it.
        days: How long it is good; 0: a quarter of an hour.
        replaces: The table whose device is to be replaced.

    Raises:
        WrongUse: A number that cannot be, or a name for many.
        WrongUse: There is no table to be replaced.
    """
    if not 1 <= uses <= MOST_USES or not 0 <= days <= MOST_DAYS:
        raise WrongUse(_("A code is good for 1 to {uses} devices and for at most {days} days.", uses=MOST_USES, days=MOST_DAYS))
    if (table or replaces) and uses > 1:
        raise WrongUse(_("A code for one table is good for one device."))
    code = "".join(secrets.choice(ALPHABET) for _each in range(LONG if uses > 1 or days else SHORT))
    key, now = code_key(code, house.keys.server_id), house.now_ns()
    until = now + (days * 24 * 3600 if days else MINUTES * 60) * clock.SECOND
    with acting(house, by) as act:
        old = _to_be_replaced(act.connection, replaces) if replaces else None
        table = old.table if old is not None else check_table(table) if table else ""
        kept = {"key": key, "table_name": table, "replaces": old.id if old is not None else None, "created_ns": now, "until_ns": until}
        forget_old(act.connection, now)
        made = insert(codes).values(**kept, uses_left=uses, made_by=by).returning(codes.c.id)
        ident = int(act.connection.execute(made).scalar_one())
        taken = _taken(act.connection, table, old)
        act.note("code_made", table=table, uses=uses, days=days, replaces=replaces)
    return Code(code, until, table, uses, ident, taken, replaces)


def _taken(connection: Connection, table: str, old: Device | None) -> bool:
    return bool(table) and old is None and holder(connection, table) is not None


def code_again(house: House, ident: int, code: str) -> Code | None:
    """What a code is good for, told to somebody who knows it; None: it is not this one, or it is good no more.

    Args:
        house: Where.
        ident: Its number in the list of codes.
        code: As it was made.
    """
    with house.store.read() as connection:
        row = connection.execute(_good(house.now_ns()).where(codes.c.id == ident)).first()
        if row is None or not hmac.compare_digest(code_key(code, house.keys.server_id), bytes(row.key)):
            return None
        old = next((each for each in listed(connection) if each.id == row.replaces), None)
        taken = _taken(connection, row.table_name, old)
    return Code(code, row.until_ns, row.table_name, row.uses_left, ident, taken, "" if old is None else old.table)


def _to_be_replaced(connection: Connection, table: str) -> Device:
    try:
        return of_table(connection, table)
    except RosterError as error:
        told = listed(connection)
        known = ", ".join(each.table for each in told) or _("none yet")
        raise WrongUse(_("--replaces: no table is called {table}; enrolled are: {known}.", table=repr(table), known=known)) from error


def open_codes(connection: Connection, now_ns: int) -> list[Kept]:
    """The codes that are still good."""
    rows = connection.execute(_good(now_ns))
    return [Kept(row.id, row.table_name, row.replaces, row.until_ns, row.uses_left, row.made_by) for row in rows]


def drop_code(house: House, by: str, ident: int) -> None:
    """Make a code worthless."""
    with acting(house, by) as act:
        act.connection.execute(update(codes).where(codes.c.id == ident).values(until_ns=0))
        act.note("code_dropped", code=ident)


def _good(now_ns: int):  # type: ignore[no-untyped-def] # noqa: ANN202 - SQLAlchemy's select has the columns in its type
    return select(codes).where(codes.c.until_ns > now_ns, codes.c.uses_left > 0).order_by(codes.c.id)


# ── A device asks ────────────────────────────────────────────────────────────
def enrol(house: House, host: str, asked: EnrolRequest) -> EnrolAnswer:
    """Take a device into the hall.

    Args:
        house: Where.
        host: The address that it asks from.
        asked: What it says.

    Raises:
        Problem: It is not taken in: 403, or 429 after too many attempts.
    """
    _check(asked)
    address, now = attempts.address_of(host), house.now_ns()
    with house.store.write() as connection:
        attempts.count(connection, attempts.ENROL_ADDRESS, address, now)
    with acting(house, address) as act:
        code = _fitting(act.connection, house, asked, now)
        known = act.connection.execute(select(device).where(device.c.id == asked.device)).first()
        answer = None if code is None or not _may(code, known, asked) else _taken_in(act, house, code, known, asked)
        if answer is None:
            act.note("enrolment_refused", device=asked.device, table=asked.table)
        else:
            attempts.take_back(act.connection, attempts.ENROL_ADDRESS, address)
    if answer is None:
        raise _no_fit()
    return answer


def _no_fit() -> Problem:
    return Problem(
        403,
        _(
            "The code does not fit: it was typed wrongly, is used up or too old, or somebody stands between this table and the server. "
            "Ask for a new one."
        ),
    )


def _check(asked: EnrolRequest) -> None:
    for text, length in ((asked.device, 32), (asked.nonce, 32), (asked.proof, 64)):
        if len(text) != length or not set(text) <= _DIGITS:
            raise Problem(400, _("This is no enrolment as a table sends it."))
    if asked.table:
        check_table(asked.table)
    if len(asked.version) > 100 or not asked.version.isprintable():
        raise Problem(400, _("This is no enrolment as a table sends it."))


def _fitting(connection: Connection, house: House, asked: EnrolRequest, now: int) -> Row[tuple[object, ...]] | None:
    """The code that the proof was made with; all that are good are compared, each in constant time."""
    found = None
    used = select(device.c.code).where(device.c.id == asked.device)
    for row in connection.execute(select(codes).where(codes.c.until_ns > now, (codes.c.uses_left > 0) | codes.c.id.in_(used))):
        made = proof(row.key, "table", house.keys.fingerprint, asked.device, asked.table, asked.nonce)
        found = row if hmac.compare_digest(made, asked.proof) else found
    if found is not None and connection.dialect.name == "postgresql":  # two devices with one code: the second waits, and sees it used
        return connection.execute(select(codes).where(codes.c.id == found.id).with_for_update()).first()
    return found


def _may(code: Row[tuple[object, ...]], known: Row[tuple[object, ...]] | None, asked: EnrolRequest) -> bool:
    if known is not None and known.nonce == asked.nonce:
        return False  # the same request once more
    return code.uses_left > 0 or (known is not None and known.code == code.id)


def _taken_in(
    act: Act, house: House, code: Row[tuple[object, ...]], known: Row[tuple[object, ...]] | None, asked: EnrolRequest
) -> EnrolAnswer:
    if not (code.table_name or asked.table):
        raise WrongUse(_("This code names no table: say what this one is called, by --table or as `table` in kiosk.toml."))
    table, now, connection = check_table(code.table_name or asked.table), act.at_ns, act.connection
    if code.replaces and code.replaces != asked.device:
        takes_over = _replaced(act, code.replaces, asked.device)
    else:
        takes_over = _waits(connection, known, asked.device) if known is not None and known.table_name == table else ""
    check_free(connection, table, but=asked.device)
    secret = secrets.token_hex(32)
    row = {"table_name": table, "secret_hash": secret_hash(secret), "version": asked.version, "code": code.id, "nonce": asked.nonce}
    row |= {"enrolled_ns": now, "revoked_ns": None, "replaced_by": None, "seen_ns": now, "takes_over": takes_over or None}
    if known is None:
        connection.execute(insert(device).values(id=asked.device, practice=False, last_order=0, **row))
    else:
        connection.execute(update(device).where(device.c.id == asked.device).values(row))
    if known is None or known.code != code.id:
        connection.execute(update(codes).where(codes.c.id == code.id).values(uses_left=codes.c.uses_left - 1))
    act.by = code.made_by
    act.note("device_enrolled", device=asked.device, table=table, replaces=code.replaces, takes_over=takes_over)
    if known is not None and known.revoked_ns is None and known.table_name != table:
        assignments.device_left(act, asked.device, known.table_name)
    desk.device_came(act, asked.device, table)
    touch(act, asked.device)
    ours = proof(code.key, "server", house.keys.fingerprint, asked.device, asked.table, asked.nonce)
    return EnrolAnswer(ours, secret, table, house.keys.server_id, house.event, house.keys.public_hex, takes_over)


def _replaced(act: Act, old: str, new: str) -> str:
    """Revoke the device that is replaced, and say which match waits: the one that it plays, or that it was to take over itself.

    The code decides: whoever comes by it gets the match, whether it says that it is a spare device or not.
    """
    act.connection.execute(update(device).where(device.c.id == old, device.c.revoked_ns.is_(None)).values(revoked_ns=act.at_ns))
    act.connection.execute(update(device).where(device.c.id == old).values(replaced_by=new))
    touch(act, old)
    theirs = select(match.c.id).where(match.c.device == old, match.c.phase.not_in(OVER)).order_by(match.c.changed_ns.desc()).limit(1)
    running = act.connection.execute(theirs).scalar()
    before = act.connection.execute(select(device).where(device.c.id == old)).first()
    return str(running or _waits(act.connection, before, new))


def _waits(connection: Connection, known: Row[tuple[object, ...]] | None, new: str) -> str:
    """The match that a device was to take over and has not, or nothing: `new` is that device, or takes its place, and nobody else has."""
    if known is None or not known.takes_over or known.replaced_by not in {None, new}:
        return ""
    taken = connection.execute(select(match.c.id).where(match.c.device == known.id, match.c.id == known.takes_over).limit(1)).scalar()
    return "" if taken is not None else str(known.takes_over)


def forget_old(connection: Connection, now_ns: int) -> None:
    """Drop codes that nobody used and that are long over.

    Args:
        connection: A writing one.
        now_ns: Now, by the house's clock.
    """
    used = select(device.c.code)
    connection.execute(delete(codes).where(codes.c.until_ns < now_ns - MOST_DAYS * 24 * 3600 * clock.SECOND, codes.c.id.not_in(used)))
