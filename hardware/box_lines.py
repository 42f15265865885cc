"""The lines of a button box: text in, values out. Pure. BUTTON_BOX.md says what each line means and how a box is built.

A line is words, a star and a checksum, `edge 7 123456789 L 1*5B0C`. What the checksum does not vouch for is dropped and counted; a line
that is all right and that this version does not know is passed over, so that a newer box may say more.
"""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hardware.offset import COUNTER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardware.edges import Line

VERSION = 1
"""The protocol that this table speaks."""

BAUD = 115_200

LONGEST = 80
"""A line is at most so long, its end not counted: bytes."""

SEQUENCES = 1 << 16
"""Edges are numbered from 1, modulo this."""

TOKENS = 1 << 16
"""Pings are numbered modulo this."""


@dataclass(frozen=True, slots=True)
class Contacts:
    """How the box's contacts stand: what a hello and a beat have in common."""

    sequence: int
    """The number of the latest edge, 0 when there was none since it began."""
    counter_us: int
    """The box's counter when the line was made."""
    levels: dict[Line, bool]
    """True is closed."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The box began, or was asked who it is."""

    version: int
    """The protocol it speaks."""
    device: str
    """Its own name: 1 to 24 letters, digits, `-`, `_` or `.`."""
    contacts: Contacts


@dataclass(frozen=True, slots=True)
class Beat:
    """A sign of life."""

    contacts: Contacts


@dataclass(frozen=True, slots=True)
class BoxEdge:
    """A contact changed."""

    sequence: int
    counter_us: int
    """The counter at the change itself."""
    line: Line
    closed: bool


@dataclass(frozen=True, slots=True)
class Pong:
    """The answer to a ping."""

    token: int
    """The ping's number."""
    counter_us: int
    """The counter when the ping had been read."""


BoxLine = Hello | Beat | BoxEdge | Pong
"""Everything that a box can say."""


def sealed(words: str) -> bytes:
    """A line as it goes over the cable: words, checksum, end."""
    return f"{words}*{binascii.crc_hqx(words.encode('ascii'), 0xFFFF):04X}\n".encode("ascii")


def who() -> bytes:
    """Asks a box to say hello."""
    return sealed("who")


def ping(token: int) -> bytes:
    """Asks a box for its counter."""
    return sealed(f"ping {token % TOKENS}")


_NAME = re.compile(r"[A-Za-z0-9._-]{1,24}")
_NUMBER = re.compile(r"[0-9]{1,10}")
_LEVELS = re.compile(r"[01]{2}")
_SEALED = re.compile(rb"([ -)+-~]+)\*([0-9A-F]{4})")
_LINES: dict[str, Line] = {"L": "left", "R": "right"}


class BadLineError(ValueError):
    """The peer erred: a line that is no line of a button box."""


def read_line(line: bytes) -> BoxLine | None:
    """Read one line without its end.

    Returns:
        What it says, or None for a line that is sound and that this version does not know.

    Raises:
        BadLineError: Its checksum is wrong, or it is not made as it should be.
    """
    found = _SEALED.fullmatch(line)
    if found is None or binascii.crc_hqx(found[1], 0xFFFF) != int(found[2], 16):
        raise BadLineError("The checksum is missing or wrong.")
    match found[1].decode("ascii").split(" "):
        case ["hello", version, *rest] if version != str(VERSION):
            return Hello(_number(version, 1 << 16), _name(rest[0] if rest else ""), Contacts(0, 0, {}))
        case ["hello", _, device, sequence, counter, levels]:
            return Hello(VERSION, _name(device), _contacts(sequence, counter, levels))
        case ["beat", sequence, counter, levels]:
            return Beat(_contacts(sequence, counter, levels))
        case ["edge", sequence, counter, ("L" | "R") as side, ("0" | "1") as level]:
            return BoxEdge(_number(sequence, SEQUENCES), _number(counter, COUNTER), _LINES[side], level == "1")
        case ["pong", token, counter]:
            return Pong(_number(token, TOKENS), _number(counter, COUNTER))
        case ["hello" | "beat" | "edge" | "pong", *_]:
            raise BadLineError("A word is missing, or one too many.")
        case _:
            return None


def _contacts(sequence: str, counter: str, levels: str) -> Contacts:
    if _LEVELS.fullmatch(levels) is None:
        raise BadLineError("The levels are two digits, 0 or 1.")
    return Contacts(_number(sequence, SEQUENCES), _number(counter, COUNTER), {"left": levels[0] == "1", "right": levels[1] == "1"})


def _number(text: str, limit: int) -> int:
    if _NUMBER.fullmatch(text) is None or int(text) >= limit:
        raise BadLineError("A number is none, or too large.")
    return int(text)


def _name(text: str) -> str:
    if _NAME.fullmatch(text) is None:
        raise BadLineError("The box's name is 1 to 24 letters, digits, dots, dashes or underscores.")
    return text


@dataclass(slots=True)
class Splitter:
    """Cuts what comes over a cable into lines, however it was chopped on its way; keeps at most one line."""

    overlong: int = 0
    """Lines that were too long and dropped."""
    _kept: bytearray = field(default_factory=bytearray)
    _dropping: bool = False

    def clear(self) -> None:
        """Forget half a line: the cable was out. What comes next may be the end of one, which no checksum vouches for."""
        self._kept.clear()
        self._dropping = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Every line that is whole now, without its end (line feed, a carriage return before it allowed)."""
        *ended, rest = data.split(b"\n")
        for part in ended:
            self._keep(part)
            whole, dropped = bytes(self._kept), self._dropping
            self.clear()
            if not dropped and whole.rstrip(b"\r"):
                yield whole.rstrip(b"\r")
        self._keep(rest)

    def _keep(self, part: bytes) -> None:
        if self._dropping:
            return
        if len(self._kept) + len(part) > LONGEST + 1:
            self.overlong += 1
            self._dropping = True
            self._kept.clear()
        else:
            self._kept += part
