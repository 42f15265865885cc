"""Fingers and mouse: one touch is one touch, however many events tell of it.

KMSDRM tells of fingers only; X11 and Wayland also make mouse events out of them, marked as such; some drivers send both, unmarked. So
a mouse event that is marked is dropped, and of two downs of different kinds close in time and place the second is the same touch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kiosk.domain.types import NS_PER_MS

SAME_NS = 500 * NS_PER_MS
"""Within this time of a finger's last sign a mouse event near it is its echo, and the other way round."""

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


class Pointers:
    """Tells touches from their echoes."""

    def __init__(self, near: int) -> None:
        """Begin with nothing down.

        Args:
            near: How far apart two signs of one touch may be, in pixels.
        """
        self._near = near
        self._last: dict[bool, tuple[int, int, int]] = {}
        self._down: set[int] = set()

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
        is_mouse = number == MOUSE
        if what == "down":
            if self._echo(x, y, at, of_mouse=not is_mouse):
                return None
            self._down.add(number)
        elif number not in self._down:
            return None
        if what == "up":
            self._down.discard(number)
        self._last[is_mouse] = (x, y, at)
        return Sign(what, number, x, y)

    def _echo(self, x: int, y: int, at: int, *, of_mouse: bool) -> bool:
        seen = self._last.get(of_mouse)
        if seen is None:
            return False
        return at - seen[2] < SAME_NS and abs(x - seen[0]) <= self._near and abs(y - seen[1]) <= self._near
