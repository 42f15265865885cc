"""The officials' file as values: who there is, with the hashes of PIN and badge, read from JSON and written as JSON.

A badge is kept like a PIN (`kiosk.pins`): its number is stretched with the table's salt and hashed with a salt of its own. So one costly
step finds out whose PIN or whose badge a secret is. An official without a badge has no `badge` in the file.

Decision: that is no new version of the file. A program that knows no badges yet reads it rightly and lets its officials in by their PINs;
only when it writes the file are the badges dropped.
"""

from __future__ import annotations

import binascii
import hmac
import json
from dataclasses import asdict, dataclass, replace
from typing import Any

from kiosk import pins
from kiosk.app import kept
from kiosk.domain.errors import CommandRefused, RosterError
from kiosk.domain.officials import Official, Role
from kiosk.say import _

VERSION = 1


class Newer(Exception):
    """A newer Tableside wrote it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An official, and what his secrets are compared with."""

    official: Official
    salt: bytes
    hash: bytes
    badge: tuple[bytes, bytes] | None = None
    """Salt and hash of the badge's number; None: he has no badge."""

    def fits(self, key: bytes) -> bool:
        """Whether a stretched secret is his; takes as long whether it is or not."""
        kept_ones = ((self.salt, self.hash), *((self.badge,) if self.badge is not None else ()))
        return any([hmac.compare_digest(pins.entry_hash(key, salt), one) for salt, one in kept_ones])  # noqa: C419 - all of them


@dataclass(frozen=True, slots=True)
class Book:
    """What the file holds."""

    salt: bytes
    cost: pins.Cost
    entries: tuple[Entry, ...] = ()

    def officials(self) -> tuple[Official, ...]:
        """Everybody."""
        return tuple(entry.official for entry in self.entries)

    def find(self, secret: str) -> Official | None:
        """Whose secret this is; takes long."""
        if not self.entries:
            return None
        key = pins.stretch(secret, self.salt, self.cost)
        found = None
        for entry in self.entries:  # all of them, each in constant time: how long it takes does not tell whose it was
            found = entry.official if entry.fits(key) else found
        return found

    def entry(self, official: Official, secret: str) -> Entry:
        """An official with a PIN; takes long."""
        salt = pins.new_salt()
        return Entry(official, salt, pins.entry_hash(pins.stretch(secret, self.salt, self.cost), salt))

    def with_badge(self, index: int, number: str | None) -> Book:
        """The book in which an official has this badge and no other, or none."""
        entry = self.entries[index]
        if number is None:
            changed = replace(entry, badge=None)
        else:
            fresh = self.entry(entry.official, number)
            changed = replace(entry, badge=(fresh.salt, fresh.hash))
        return replace(self, entries=(*self.entries[:index], changed, *self.entries[index + 1 :]))

    def named(self, name: str) -> int:
        """Which entry an official's is.

        Raises:
            RosterError: Nobody is called so.
        """
        for index, entry in enumerate(self.entries):
            if entry.official.is_called(name):
                return index
        known = ", ".join(official.name for official in self.officials()) or _("nobody yet")
        raise RosterError(_("NAME: no official is called {name}; entered are: {known}.", name=repr(name), known=known))


def text_of(book: Book) -> str:
    """The file of a book."""
    people = [_person(entry) for entry in book.entries]
    whole = {"v": VERSION, "scrypt": asdict(book.cost), "salt": book.salt.hex(), "officials": people}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _person(entry: Entry) -> dict[str, Any]:
    """No PIN, ever, and no badge's number."""
    official = entry.official
    person: dict[str, Any] = {"name": official.name, "role": str(official.role), "salt": entry.salt.hex(), "hash": entry.hash.hex()}
    if entry.badge is not None:
        person["badge"] = {"salt": entry.badge[0].hex(), "hash": entry.badge[1].hex()}
    return person


def book_of(text: str) -> Book:
    """The book of a file.

    Raises:
        Damaged: It is none.
        Newer: A newer Tableside wrote it.
    """
    try:
        plain: Any = json.loads(text)
        if _whole(plain["v"]) > VERSION:
            raise Newer
        cost = pins.Cost(**{name: _whole(value) for name, value in plain["scrypt"].items()})
        entries = tuple(_entry(person) for person in plain["officials"])
        book = Book(_bytes(plain["salt"], pins.SALT_BYTES), cost, entries)
    except kept.Damaged:
        raise
    except CommandRefused as error:
        raise kept.Damaged(_("a name in it is none")) from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise kept.Damaged(_("{name} while reading it", name=type(error).__name__)) from error
    if not cost.bearable():
        raise kept.Damaged(_("its scrypt parameters are out of bounds"))
    return book


def _entry(person: Any) -> Entry:  # noqa: ANN401 - whatever stands in the file
    official = Official(_string(person["name"]), Role(person["role"]))
    badge = person.get("badge")
    kept_badge = None if badge is None else (_bytes(badge["salt"], pins.SALT_BYTES), _bytes(badge["hash"], pins.HASH_BYTES))
    return Entry(official, _bytes(person["salt"], pins.SALT_BYTES), _bytes(person["hash"], pins.HASH_BYTES), kept_badge)


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise kept.Damaged(_("a text in it is none"))
    return value


def _whole(value: object) -> int:
    if type(value) is not int:
        raise kept.Damaged(_("a number in it is none"))
    return value


def _bytes(value: object, length: int) -> bytes:
    data = binascii.unhexlify(_string(value))
    if len(data) != length:
        raise kept.Damaged(_("a salt or hash in it has the wrong length"))
    return data
