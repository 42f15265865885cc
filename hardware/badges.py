"""Badge readers: what comes over the wire becomes numbers of badges, one for each time that a badge is presented.

Two kinds of readers are understood, and told apart by what they send:

    frame   02  T T T T T T T T T T  C C  [CR LF]  03      125 kHz modules such as the RDM6300, 9600 8N1
    line    any of 0–9 A–Z a–z : - , 4 to 32 of them,  CR or LF or both      readers that type the number like a keyboard

T are ten hexadecimal digits, the number; C two more, the exclusive or of the five bytes that they spell. A frame is repeated every 50 ms
or so as long as the badge is near. What is not a whole frame or line is counted and dropped:

* a frame whose checksum is wrong, or that holds anything but its digits;
* a half frame or line: after a pause of `GAP_NS` what came before belongs to nothing, and after a new 02 likewise;
* what is longer than any frame or line.

Once a reader has sent a good frame its lines are no longer believed: a frame that has lost its first byte looks like one.

Decision: a badge counts as presented again when it has been away for `AWAY_NS`; while many badges come and go in a flood, `MOST_NEAR` are
remembered and the others are dropped, so that a broken reader asks nobody for more than a few numbers a second.
"""

from __future__ import annotations

import re
import time
from collections import deque
from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import TYPE_CHECKING

from hardware.serial_port import SerialLink

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

GAP_NS = 300_000_000
"""Bytes of one frame follow each other within a few milliseconds."""

AWAY_NS = 1_000_000_000
"""A badge that was not seen for this long has gone."""

MOST_NEAR = 4
"""So many badges can be near at the same time."""

MOST_WAITING = 8
"""So many presented badges wait to be taken; more are dropped."""

LONGEST = 32
"""Characters of the longest number."""

BAD_IN_A_ROW = 5
"""So much that is unreadable, and nothing readable between, is told."""

STX, ETX, CR, LF = 0x02, 0x03, 0x0D, 0x0A

_DIGITS = re.compile(rb"[0-9A-Fa-f]{12}")
_LINE = re.compile(rb"[0-9A-Za-z:-]{4,%d}" % LONGEST)


@dataclass(frozen=True, slots=True)
class Badge:
    """A badge that was presented."""

    number: str
    """As its reader tells it, in capitals."""
    at_ns: int
    """When it was first seen: nanoseconds of the monotonic clock."""


class BadgeParser:
    """Bytes in, numbers out; pure."""

    def __init__(self) -> None:
        """Nothing has come yet."""
        self._open = bytearray()
        self._in_frame = False
        self._too_long = False
        self._last = 0
        self.framed = False
        """It has sent a good frame."""
        self.corrupt = 0
        """Frames, lines and leftovers that could not be read."""

    def feed(self, data: bytes, at_ns: int) -> list[str]:
        """Take what came.

        Args:
            data: Any bytes.
            at_ns: When they came.

        Returns:
            The numbers that are whole now, each as often as it was sent.
        """
        if at_ns - self._last > GAP_NS:
            self.cut()
        self._last = at_ns
        found = (self._take(byte) for byte in data)
        return [number for number in found if number is not None]

    def cut(self) -> None:
        """Nothing that comes now belongs to what came before: the reader was pulled out, or it was silent for long."""
        if self._open or self._in_frame:
            self.corrupt += 1
        self._open.clear()
        self._in_frame = self._too_long = False

    def _take(self, byte: int) -> str | None:
        if byte == STX:
            self.cut()
            self._in_frame = True
        elif byte == ETX:
            return self._frame()
        elif byte not in {CR, LF}:
            if len(self._open) >= LONGEST:
                self._too_long = True
            else:
                self._open.append(byte)
        elif self._open and not self._in_frame:
            return self._line()
        return None

    def _frame(self) -> str | None:
        text, whole = bytes(self._open), self._in_frame and not self._too_long
        if whole and _DIGITS.fullmatch(text) and _adds_up(text):
            self._forget()
            self.framed = True
            return text[:10].decode("ascii").upper()
        if self._open or self._in_frame:
            self.corrupt += 1
        self._forget()
        return None

    def _line(self) -> str | None:
        text = bytes(self._open).strip()
        good = not self._too_long and not self.framed and _LINE.fullmatch(text)
        self.corrupt += not good
        self._forget()
        return text.decode("ascii").upper() if good else None

    def _forget(self) -> None:
        self._open.clear()
        self._in_frame = self._too_long = False


def _adds_up(text: bytes) -> bool:
    *number, check = bytes.fromhex(text.decode("ascii"))
    return _sum(number) == check


def _sum(number: Iterable[int]) -> int:
    return reduce(xor, number)


class Presented:
    """Which badges are near: a number is new when it has been away; pure."""

    def __init__(self) -> None:
        """None is near."""
        self._near: dict[str, int] = {}
        self.crowded = 0
        """Badges dropped because too many came at once."""

    def is_new(self, number: str, at_ns: int) -> bool:
        """Whether a number that was read now is a badge that has just been presented."""
        self._near = {other: seen for other, seen in self._near.items() if at_ns - seen < AWAY_NS}
        if number not in self._near and len(self._near) >= MOST_NEAR:
            self.crowded += 1
            return False
        new = number not in self._near
        self._near[number] = at_ns
        return new


def frame_of(number: str) -> bytes:
    """What a module sends while a badge is near.

    Args:
        number: Ten hexadecimal digits.

    Raises:
        ValueError: They are none.
    """
    if re.fullmatch(r"[0-9A-F]{10}", number) is None:
        raise ValueError(f"{number!r} is no number of a 125 kHz badge: ten digits of 0–9 and A–F.")
    return b"\x02%s%02X\x03" % (number.encode("ascii"), _sum(bytes.fromhex(number)))


class BadgeReader:
    """A reader on a serial port."""

    def __init__(
        self,
        find: Callable[[], str | None],
        wake: Callable[[], None] = lambda: None,
        *,
        baud: int = 9600,
        now_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Prepare a reader.

        Args:
            find: Where it is now, or None (`hardware.finder`).
            wake: Called on the reader's thread when something has changed, to wake a sleeping loop.
            baud: Bits a second.
            now_ns: The monotonic clock.
        """
        self.parser = BadgeParser()
        self._presented = Presented()
        self._waiting: deque[Badge] = deque()
        self._dropped = 0
        self._bad = 0
        self.link = SerialLink(find, baud, self._take, wake, name="badge reader", on_change=self._changed, now_ns=now_ns)

    def start(self) -> None:
        """Begin to look for the reader; returns at once."""
        self.link.start()

    def close(self) -> None:
        """Let go of it; may be called twice."""
        self.link.close()

    def drain(self) -> list[Badge]:
        """Every badge that was presented since the last call."""
        found: list[Badge] = []
        while self._waiting:
            found.append(self._waiting.popleft())
        return found

    @property
    def dropped(self) -> int:
        """Badges that were read and not told, because nobody took those before or too many came at once."""
        return self._dropped + self._presented.crowded

    def fault(self) -> str | None:
        """A sentence while badges cannot be read, else None."""
        if self._bad >= BAD_IN_A_ROW:
            return "The badge reader sends what cannot be read; look at its baud rate in the configuration, and at its cable."
        return self.link.health().fault

    def _changed(self, _up: bool) -> None:  # noqa: FBT001 - as the link calls it
        self.parser.cut()
        self._bad = 0

    def _take(self, data: bytes, at_ns: int) -> None:
        corrupt = self.parser.corrupt
        numbers = self.parser.feed(data, at_ns)
        self._bad = 0 if numbers else self._bad + self.parser.corrupt - corrupt
        for number in numbers:
            if not self._presented.is_new(number, at_ns):
                continue
            if len(self._waiting) < MOST_WAITING:
                self._waiting.append(Badge(number, at_ns))
            else:
                self._dropped += 1
