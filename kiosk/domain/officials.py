"""Who may do what at a table: officials, their roles in rising order, and what a PIN must be."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from kiosk.domain.errors import CommandRefused
from kiosk.domain.setup import LONGEST_NAME, bad_value

SHORTEST_PIN = 4
LONGEST_PIN = 8
SHORTEST_BADGE = 4
LONGEST_BADGE = 32


class Role(StrEnum):
    """What an official is; each may do all that those before may do. A player signs in nowhere and has none."""

    REFEREE = "referee"
    DEPUTY = "deputy"
    CHIEF = "chief"
    ORGANIZER = "organizer"

    def at_least(self, other: Role) -> bool:
        """Whether this role may do what `other` may do.

        Not `<`: roles are texts, and texts compare by the alphabet.
        """
        return RANKS.index(self) >= RANKS.index(other)


RANKS = tuple(Role)
"""The roles, rising."""


@dataclass(frozen=True, slots=True)
class Official:
    """Somebody who can sign in."""

    name: str
    """One line of at most 100 printable characters."""
    role: Role
    """The highest thing that may be done."""

    def __post_init__(self) -> None:
        """Refuse what cannot be shown on one line.

        Raises:
            CommandRefused: The name does not fit.
        """
        name = self.name
        if not name.strip() or name != name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
            raise bad_value(
                "An official's name must be one line of at most {longest} printable characters, without spaces at its ends.",
                longest=LONGEST_NAME,
            )

    def is_called(self, name: str) -> bool:
        """Whether people would say that this is the same name: written in capitals or composed otherwise, it is."""
        return folded(self.name) == folded(name)


def folded(name: str) -> str:
    """A name as names are compared."""
    return unicodedata.normalize("NFKC", name).casefold()


def check_name_free(official: Official, others: Iterable[Official]) -> None:
    """Refuse a name that another official has.

    Raises:
        CommandRefused: It is taken.
    """
    for other in others:
        if other.is_called(official.name):
            raise bad_value("{name} is entered already, as {role}.", name=other.name, role=other.role)


def check_pin(pin: str) -> None:
    """Refuse a PIN that is no PIN, or that everybody tries first.

    Raises:
        CommandRefused: It cannot be used; the sentence does not repeat it.
    """
    if not (pin.isascii() and pin.isdigit() and SHORTEST_PIN <= len(pin) <= LONGEST_PIN):
        raise bad_value("A PIN has {shortest} to {longest} digits.", shortest=SHORTEST_PIN, longest=LONGEST_PIN)
    steps = {(int(after) - int(before)) % 10 for before, after in pairwise(pin)}
    if len(steps) == 1 and steps <= {0, 1, 9}:
        raise bad_value("This PIN is the first that anybody tries (equal digits, or digits in a row); choose another one.")


def pin_taken() -> CommandRefused:
    """The refusal of a PIN that somebody has: by the PIN alone the table tells who signs in."""
    return bad_value("This PIN cannot be used here; choose another one.")


def badge_secret(number: str) -> str:
    """A badge's number as a secret beside the PINs: no PIN is written so, and none can be typed so."""
    return f"badge:{number}"


def check_badge(number: str) -> None:
    """Refuse what no reader tells.

    Raises:
        CommandRefused: It is no badge's number; the sentence does not repeat it.
    """
    plain = number.replace(":", "").replace("-", "")
    if not (plain.isascii() and plain.isalnum() and number == number.upper() and SHORTEST_BADGE <= len(number) <= LONGEST_BADGE):
        raise bad_value(
            "A badge's number has {shortest} to {longest} digits and capital letters.", shortest=SHORTEST_BADGE, longest=LONGEST_BADGE
        )


def badge_taken() -> CommandRefused:
    """The refusal of a badge that somebody has: by the badge alone the table tells who signs in."""
    return bad_value("This badge is somebody else's; it has to be taken from there first.")
