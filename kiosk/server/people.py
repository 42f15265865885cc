"""The officials: who logs in on pages (password), who signs in at tables (PIN or badge), and the roster that the tables get.

The roster is the book of a table's `officials.json`, word for word (`kiosk.pins` says how a PIN is kept): hashes only, so that a table
without a network still knows everybody. Its version is its SHA-256; every change orders `FetchRoster` to every table. One salt holds
for the whole event, so that one costly step compares a PIN with all entries.

Everything that changes something takes the house, does it in one transaction with its line in the audit, and publishes it afterwards.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sqlalchemy import insert, select, update

from kiosk import pins
from kiosk.domain.errors import RosterError
from kiosk.domain.officials import Official, Role, badge_secret, badge_taken, check_badge, check_name_free, check_pin, folded, pin_taken
from kiosk.say import _
from kiosk.server import attempts, audit, login, orders
from kiosk.server.house import get, put
from kiosk.server.problems import Problem, WrongUse
from kiosk.server.schema import person
from kiosk.server.store import hold
from kiosk.sync import wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from argon2 import PasswordHasher
    from sqlalchemy import Column, Connection

    from kiosk.server.house import House

T = TypeVar("T")

SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 200
FIRST_TRIED = frozenset(
    {"password", "passwort", "12345678", "123456789", "1234567890", "qwertyui", "qwertyuiop", "tableside", "backgammon"}
)
SALT = "roster_salt"
COST = {"time_cost": 3, "memory_cost": 32 * 1024, "parallelism": 1}
"""What a password costs to work on: three times through 32 MB (in KiB here)."""

_AT_ONCE = threading.BoundedSemaphore(2)
"""So many passwords are worked on at the same time: each takes 32 MB and a core."""


class Person(NamedTuple):
    """Somebody who is entered."""

    id: int
    name: str
    role: Role
    logs_in: bool
    """Has a password."""
    signs_in: bool
    """Has a PIN."""
    created_ns: int
    badge: bool
    """Has a badge, too, where he has a PIN."""


# ── Who there is ─────────────────────────────────────────────────────────────
def listed(connection: Connection) -> list[Person]:
    """Everybody who is entered, by name."""
    rows = connection.execute(select(person).where(person.c.removed_ns.is_(None)).order_by(person.c.folded))
    return [
        Person(r.id, r.name, Role(r.role), r.password is not None, r.pin_hash is not None, r.created_ns, r.badge_hash is not None)
        for r in rows
    ]


def named(connection: Connection, name: str) -> Person:
    """The person of that name.

    Raises:
        RosterError: Nobody is called so.
    """
    everybody = listed(connection)
    for each in everybody:
        if folded(each.name) == folded(name):
            return each
    known = ", ".join(each.name for each in everybody) or _("nobody yet")
    raise RosterError(_("NAME: no official is called {name}; entered are: {known}.", name=repr(name), known=known))


def of_id(connection: Connection, ident: int) -> Person:
    """The person of that id.

    Raises:
        RosterError: There is none, or not any more.
    """
    found = next((each for each in listed(connection) if each.id == ident), None)
    if found is None:
        raise RosterError(_("This person is not entered any more."))
    return found


# ── Changes ──────────────────────────────────────────────────────────────────
def add(house: House, by: str, official: Official, password: str | None = None, pin: str | None = None) -> int:
    """Enter somebody.

    Args:
        house: Where.
        by: Who does it, for the audit.
        official: Name and role.
        password: For pages; None: none.
        pin: For tables; None: none.

    Returns:
        The id.

    Raises:
        CommandRefused: The name or the PIN is taken, or the PIN cannot be used.
        WrongUse: The password cannot be used, or there is neither.
    """
    if password is None and pin is None:
        raise WrongUse(_("{name} needs a password for pages, or a PIN for tables, or both.", name=official.name))
    hashed = None if password is None else _hashed(official.name, password)
    kept = None if pin is None else _stretched(house, pin)

    def entered(connection: Connection) -> int:
        check_name_free(official, (Official(each.name, each.role) for each in listed(connection)))
        salt, entry = (None, None) if kept is None else _entry(connection, kept)
        values = {"name": official.name, "folded": folded(official.name), "role": official.role, "created_ns": house.now_ns()}
        secrets = {"password": hashed, "pin_salt": salt, "pin_hash": entry}
        audit.note(connection, by, "person_added", name=official.name, role=official.role, password=bool(hashed), pin=bool(entry))
        return int(connection.execute(insert(person).values(**values, **secrets).returning(person.c.id)).scalar_one())

    return _changed(house, by, entered)


def remove(house: House, by: str, ident: int) -> Person:
    """Take somebody out; every login ends, and the PIN opens no table any more.

    Raises:
        RosterError: There is none of that id, or it is the last organizer with a password.
    """

    def gone(connection: Connection) -> Person:
        one = of_id(connection, ident)
        _keep_an_organizer(connection, ident)
        connection.execute(update(person).where(person.c.id == ident).values(removed_ns=house.now_ns()))
        login.end_all(connection, ident)
        audit.note(connection, by, "person_removed", name=one.name, role=one.role)
        return one

    return _changed(house, by, gone)


def set_role(house: House, by: str, ident: int, role: Role) -> Person:
    """Give somebody another role.

    Raises:
        RosterError: There is none of that id, or it is the last organizer with a password.
    """

    def changed(connection: Connection) -> Person:
        one = of_id(connection, ident)
        if role is not Role.ORGANIZER:
            _keep_an_organizer(connection, ident)
        connection.execute(update(person).where(person.c.id == ident).values(role=role))
        audit.note(connection, by, "role_changed", name=one.name, old=one.role, new=role)
        return one

    return _changed(house, by, changed)


def set_password(house: House, by: str, ident: int, password: str, keep: str = "") -> Person:
    """Give somebody a new password; all logins end but the one in which it was changed.

    Args:
        house: Where.
        by: Who does it.
        ident: Whose.
        password: The new one.
        keep: The token of the login that goes on.

    Raises:
        RosterError: There is none of that id.
        WrongUse: The password cannot be used.
    """
    with house.store.read() as connection:
        one = of_id(connection, ident)
    hashed = _hashed(one.name, password)
    with house.store.write() as connection:
        one = of_id(connection, ident)
        connection.execute(update(person).where(person.c.id == ident).values(password=hashed))
        ended = login.end_all(connection, ident, but=keep)
        audit.note(connection, by, "password_changed", name=one.name, logins_ended=ended)
    return one


def set_pin(house: House, by: str, ident: int, pin: str | None) -> Person:
    """Give somebody a new PIN, or none.

    Raises:
        RosterError: There is none of that id.
        CommandRefused: The PIN is taken or cannot be used.
    """
    kept = None if pin is None else _stretched(house, pin)

    def changed(connection: Connection) -> Person:
        one = of_id(connection, ident)
        connection.execute(update(person).where(person.c.id == ident).values(pin_salt=None, pin_hash=None))
        if kept is not None:
            salt, entry = _entry(connection, kept)
            connection.execute(update(person).where(person.c.id == ident).values(pin_salt=salt, pin_hash=entry))
        audit.note(connection, by, "pin_changed", name=one.name, pin=kept is not None)
        return one

    return _changed(house, by, changed)


def set_badge(house: House, by: str, ident: int, number: str | None) -> Person:
    """Give somebody who has a PIN a badge in the place of the one before, or none.

    Args:
        house: Where.
        by: Who does it, for the audit.
        ident: Whose.
        number: As a reader tells it; None: the badge is taken away.

    Raises:
        RosterError: There is none of that id, or no PIN.
        CommandRefused: It is no badge's number, or somebody else's badge.
    """
    key = None
    if number is not None:
        check_badge(number)
        key = _key(house, badge_secret(number))

    def changed(connection: Connection) -> Person:
        one = of_id(connection, ident)
        values: dict[str, str | None] = {"badge_salt": None, "badge_hash": None}
        connection.execute(update(person).where(person.c.id == ident).values(values))
        if key is not None:
            if not one.signs_in:
                raise RosterError(_("{name} has no PIN; a badge stands beside a PIN, so give one first.", name=one.name))
            if _is_somebodys(connection, key, person.c.badge_salt, person.c.badge_hash):
                raise badge_taken()
            salt = pins.new_salt()
            values = {"badge_salt": salt.hex(), "badge_hash": pins.entry_hash(key, salt).hex()}
            connection.execute(update(person).where(person.c.id == ident).values(values))
        audit.note(connection, by, "badge_changed", name=one.name, badge=key is not None)
        return one

    return _changed(house, by, changed)


def _changed(house: House, by: str, change: Callable[[Connection], T]) -> T:
    with house.store.write() as connection:
        hold(connection, "audit")
        before = version(connection)
        done = change(connection)
        now = version(connection)
        told = orders.give_all(connection, wire.FetchRoster(now), by, house.now_ns()) if now != before else []
    for device in told:
        house.hub.publish("orders", device)
    house.hub.publish("desk", "people")
    return done


def _keep_an_organizer(connection: Connection, but: int) -> None:
    if not any(each.role is Role.ORGANIZER and each.logs_in and each.id != but for each in listed(connection)):
        raise RosterError(_("This is the last organizer who can log in; enter another one first."))


# ── PINs and the roster ──────────────────────────────────────────────────────
def make_salt(connection: Connection) -> None:
    """Make the salt of a new event's PINs."""
    put(connection, SALT, pins.new_salt().hex())


def _stretched(house: House, pin: str) -> bytes:
    """The costly step, outside of any transaction."""
    check_pin(pin)
    return _key(house, pin)


def _key(house: House, secret: str) -> bytes:
    with house.store.read() as connection:
        salt = get(connection, SALT)
    return pins.stretch(secret, bytes.fromhex(salt), pins.COST)


def _entry(connection: Connection, key: bytes) -> tuple[str, str]:
    """A new entry's salt and hash.

    Raises:
        CommandRefused: Somebody has this PIN.
    """
    if _is_somebodys(connection, key, person.c.pin_salt, person.c.pin_hash):
        raise pin_taken()
    salt_ = pins.new_salt()
    return salt_.hex(), pins.entry_hash(key, salt_).hex()


def _is_somebodys(connection: Connection, key: bytes, salts: Column[str], hashes: Column[str]) -> bool:
    """Whether somebody has this secret; all are compared, each in constant time."""
    taken = False
    for salt, kept in connection.execute(select(salts, hashes).where(person.c.removed_ns.is_(None))):
        if kept is not None:
            taken |= hmac.compare_digest(pins.entry_hash(key, bytes.fromhex(salt)), bytes.fromhex(kept))
    return taken


def roster(connection: Connection) -> bytes:
    """The book that tables keep as `officials.json`."""
    rows = connection.execute(select(person).where(person.c.removed_ns.is_(None), person.c.pin_hash.is_not(None)).order_by(person.c.id))
    officials = [
        {"name": r.name, "role": r.role, "salt": r.pin_salt, "hash": r.pin_hash}
        | ({} if r.badge_hash is None else {"badge": {"salt": r.badge_salt, "hash": r.badge_hash}})
        for r in rows
    ]
    whole = {"v": 1, "scrypt": asdict(pins.Cost()), "salt": get(connection, SALT), "officials": officials}
    return json.dumps(whole, indent=1, ensure_ascii=False).encode() + b"\n"


def version(connection: Connection) -> str:
    """The roster's digest."""
    return hashlib.sha256(roster(connection)).hexdigest()


# ── Passwords ────────────────────────────────────────────────────────────────
@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher(COST["time_cost"], COST["memory_cost"], COST["parallelism"])


def check_password(name: str, password: str) -> None:
    """Refuse a password that cannot be used.

    Args:
        name: Whose.
        password: Which.

    Raises:
        WrongUse: It cannot be used; the sentence does not repeat it.
    """
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise WrongUse(_("A password has {shortest} to {longest} characters.", shortest=SHORTEST_PASSWORD, longest=LONGEST_PASSWORD))
    if folded(password) in FIRST_TRIED | {folded(name)} or len(set(password)) < 3:
        raise WrongUse(_("This password is among the first that anybody tries; choose another one."))


def _hashed(name: str, password: str) -> str:
    """A password as it is kept."""
    check_password(name, password)
    with _AT_ONCE:
        return _hasher().hash(password)


@cache
def _nobodys() -> str:
    """What the password of a name that nobody has is compared with: the answer takes as long."""
    return _hasher().hash("nobody has this password")


def fits(kept: str | None, password: str) -> bool:
    """Whether a password is the one that is kept; None, as for an unknown name, takes as long and never fits."""
    from argon2.exceptions import Argon2Error, InvalidHashError

    with _AT_ONCE:
        try:
            _hasher().verify(kept or _nobodys(), password)
        except (Argon2Error, InvalidHashError):
            return False
    return kept is not None


def log_in(house: House, host: str, name: str, password: str) -> str:
    """Log somebody in.

    Args:
        house: Where.
        host: The address that the request came from.
        name: As typed.
        password: As typed.

    Returns:
        The token for the cookie.

    Raises:
        Problem: Name and password do not fit each other (403), or were tried too often (429).
    """
    account, address, now = folded(name)[:100], attempts.address_of(host), house.now_ns()
    with house.store.write() as connection:
        attempts.count(connection, attempts.LOGIN_ADDRESS, address, now)
        attempts.count(connection, attempts.LOGIN_ACCOUNT, account, now)
        row = connection.execute(select(person).where(person.c.folded == account, person.c.removed_ns.is_(None))).first()
    if not fits(None if row is None else row.password, password[: LONGEST_PASSWORD + 1]) or row is None:
        with house.store.write() as connection:
            audit.note(connection, f"{address}", "login_refused", name=name[:100])
        raise Problem(403, _("Name and password do not fit each other."))
    with house.store.write() as connection:
        attempts.take_back(connection, attempts.LOGIN_ADDRESS, address)
        attempts.take_back(connection, attempts.LOGIN_ACCOUNT, account)
        audit.note(connection, f"{row.name} ({row.role})", "logged_in", address=address)
        return login.begin(connection, row.id, now)


def kept_password(connection: Connection, ident: int) -> str | None:
    """What is kept of somebody's password."""
    return connection.execute(select(person.c.password).where(person.c.id == ident)).scalar()


def check_own(house: House, who: login.Who, host: str, kept: str | None, password: str) -> None:
    """Make sure that somebody who has logged in still knows the password.

    Args:
        house: Where.
        who: Who has logged in.
        host: The address that the request came from.
        kept: As `kept_password` says.
        password: As typed.

    Raises:
        Problem: It is another one (403), or was tried too often (429).
    """
    address, account = attempts.address_of(host), folded(who.name)[:100]
    with house.store.write() as connection:
        attempts.count(connection, attempts.LOGIN_ADDRESS, address, house.now_ns())
        attempts.count(connection, attempts.LOGIN_ACCOUNT, account, house.now_ns())
    if not fits(kept, password[: LONGEST_PASSWORD + 1]):
        raise Problem(403, _("The old password is another one; nothing has changed."))
    with house.store.write() as connection:
        attempts.take_back(connection, attempts.LOGIN_ADDRESS, address)
        attempts.take_back(connection, attempts.LOGIN_ACCOUNT, account)
