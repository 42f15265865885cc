"""Fingers and mouse: one touch is one touch, however many events tell of it.

KMSDRM tells of fingers only; X11 and Wayland also make mouse events out of them, marked as such; some drivers send both, unmarked, in
either order, the second up to some tenths of a second later or only when the finger is lifted. So a mouse event that is marked is
dropped, and a down near one of the other kind that has had no echo yet is that touch's echo. A touch has one echo at most: a second
tap in the same place is a second touch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kiosk.domain.types import NS_PER_MS

SAME_NS = 500 * NS_PER_MS
"""How long after a touch's last sign its echo may still come; while it is down it may come at any time."""

What = Literal["down", "move", "up"]
MOUSE = -1
"""The mouse's number among the fingers."""


@dataclass(frozen=True, slots=True)
class Sign:
    """Something that a pointer did and that counts."""

    what: What
    finger: int
    """Which finger; -1 is the mouse."""
    x: int
    y: int


@dataclass(slots=True)
class _Touch:
    """A touch that counted and has had no echo yet."""

    number: int
    places: tuple[tuple[int, int], tuple[int, int]]
    """Where it began, and where it is."""
    at: int
    """When it gave its last sign."""


class Pointers:
    """Tells touches from their echoes."""

    def __init__(self, near: int) -> None:
        """Begin with nothing down.

        Args:
            near: How far apart two signs of one touch may be, in pixels.
        """
        self.near = near
        """How far apart two signs of one touch may be, in pixels."""
        self._down: set[int] = set()
        self._alone: list[_Touch] = []

    def finger(self, what: What, number: int, x: int, y: int, at: int) -> Sign | None:
        """A finger's event; None where it is an echo.

        Args:
            what: What it did.
            number: Which finger, 0 or more.
            x: Pixels.
            y: Pixels.
            at: Nanoseconds of the monotonic clock.
        """
        return self._sign(what, number, x, y, at)

    def mouse(self, what: What, x: int, y: int, at: int, *, from_touch: bool) -> Sign | None:
        """The mouse's left button; None where it is an echo of a finger, marked as one or not."""
        return None if from_touch else self._sign(what, MOUSE, x, y, at)

    def _sign(self, what: What, number: int, x: int, y: int, at: int) -> Sign | None:
        if what == "down":
            self._alone = [touch for touch in self._alone if touch.number in self._down or at - touch.at < SAME_NS]
            source = next((touch for touch in self._alone if self._is_echo(touch, number, x, y)), None)
            if source is not None:
                self._alone.remove(source)
                self._down.discard(number)
                return None
            self._down.add(number)
            self._alone.append(_Touch(number, ((x, y), (x, y)), at))
        elif number not in self._down:
            return None
        else:
            self._follow(number, x, y, at)
        if what == "up":
            self._down.discard(number)
        return Sign(what, number, x, y)

    def _is_echo(self, touch: _Touch, number: int, x: int, y: int) -> bool:
        other_kind = (touch.number == MOUSE) != (number == MOUSE)
        return other_kind and any(abs(x - px) <= self.near and abs(y - py) <= self.near for px, py in touch.places)

    def _follow(self, number: int, x: int, y: int, at: int) -> None:
        for touch in reversed(self._alone):
            if touch.number == number:
                touch.places, touch.at = (touch.places[0], (x, y)), at
                return
