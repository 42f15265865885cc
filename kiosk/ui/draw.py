"""A picture as data: what is drawn, and what can be touched.

Screens are functions from what is known to a `Scene`: a list of drawing operations in the order in which they lie on each other,
and a list of controls. Nothing here knows pygame. The painter (`kiosk.ui.paint`) turns operations into pixels and compares two scenes
to redraw only what differs; the tests keep scenes as goldens.

All figures are whole pixels of the screen, y downwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from kiosk.ui.actions import Action

Colour = tuple[int, int, int]
Turn = Literal[0, 90, 180, 270]
"""Degrees clockwise: 90 is read from the screen's left edge, 270 from its right one, 180 from its top."""

Face = Literal["text", "bold"]
Align = Literal["left", "centre", "right"]
Lean = Literal["top", "middle", "bottom"]


class Rect(NamedTuple):
    """A rectangle."""

    x: int
    y: int
    w: int
    h: int

    def edges(self, thick: int) -> list[Rect]:
        """Its frame, drawn inside it."""
        across, down = Rect(self.x, self.y, self.w, thick), Rect(self.x, self.y, thick, self.h)
        return [across, across._replace(y=self.bottom - thick), down, down._replace(x=self.right - thick)]

    @property
    def right(self) -> int:
        """One past its last column."""
        return self.x + self.w

    @property
    def bottom(self) -> int:
        """One past its last row."""
        return self.y + self.h

    def inset(self, dx: int, dy: int | None = None) -> Rect:
        """The rectangle made smaller on every side."""
        down = dx if dy is None else dy
        return Rect(self.x + dx, self.y + down, max(0, self.w - 2 * dx), max(0, self.h - 2 * down))

    def cut_top(self, height: int, gap: int = 0) -> tuple[Rect, Rect]:
        """A strip from the top, and what is left below a gap."""
        return Rect(self.x, self.y, self.w, height), Rect(self.x, self.y + height + gap, self.w, max(0, self.h - height - gap))

    def cut_bottom(self, height: int, gap: int = 0) -> tuple[Rect, Rect]:
        """A strip from the bottom, and what is left above a gap."""
        return Rect(self.x, self.bottom - height, self.w, height), Rect(self.x, self.y, self.w, max(0, self.h - height - gap))

    def cut_left(self, width: int, gap: int = 0) -> tuple[Rect, Rect]:
        """A strip from the left, and what is left beside a gap."""
        return Rect(self.x, self.y, width, self.h), Rect(self.x + width + gap, self.y, max(0, self.w - width - gap), self.h)

    def cut_right(self, width: int, gap: int = 0) -> tuple[Rect, Rect]:
        """A strip from the right, and what is left beside a gap."""
        return Rect(self.right - width, self.y, width, self.h), Rect(self.x, self.y, max(0, self.w - width - gap), self.h)

    def columns(self, n: int, gap: int) -> list[Rect]:
        """N equal columns; rounding never leaves a hole at the edge."""
        edges = [self.x + (self.w + gap) * i // n for i in range(n + 1)]
        return [Rect(a, self.y, b - a - gap, self.h) for a, b in pairwise(edges)]

    def rows(self, n: int, gap: int) -> list[Rect]:
        """N equal rows."""
        edges = [self.y + (self.h + gap) * i // n for i in range(n + 1)]
        return [Rect(self.x, a, self.w, b - a - gap) for a, b in pairwise(edges)]

    def holds(self, x: int, y: int) -> bool:
        """Whether a point lies in it."""
        return self.x <= x < self.right and self.y <= y < self.bottom


class Box(NamedTuple):
    """A filled rectangle."""

    rect: Rect
    colour: Colour
    radius: int = 0
    edge: Colour | None = None
    """The colour of its frame, which lies inside the rectangle."""
    edge_width: int = 0


class Text(NamedTuple):
    """Words in a rectangle. The painter makes them smaller, or breaks them into lines, until they fit; it never cuts a word unseen."""

    rect: Rect
    text: str
    size: int
    """The largest em size in pixels."""
    colour: Colour
    face: Face = "text"
    align: Align = "centre"
    lines: int = 1
    """How many lines they may take."""
    turn: Turn = 0
    lean: Lean = "middle"
    """Where they stand in a rectangle that is higher than they are."""


class Digits(NamedTuple):
    """A time in tabular figures; what stands behind a point is drawn smaller."""

    rect: Rect
    text: str
    size: int
    colour: Colour
    align: Align = "centre"
    turn: Turn = 0


class Path(NamedTuple):
    """A line through points, or a filled shape where the width is 0."""

    points: tuple[tuple[int, int], ...]
    colour: Colour
    width: int = 0


class Disc(NamedTuple):
    """A disc, or a ring where the width is above 0."""

    x: int
    y: int
    r: int
    colour: Colour
    width: int = 0


class Veil(NamedTuple):
    """Everything below it in a rectangle, made darker."""

    rect: Rect
    keeps: int
    """How much light is left, of 255."""


Op = Box | Text | Digits | Path | Disc | Veil


@dataclass(frozen=True, slots=True)
class Control:
    """Something that can be touched."""

    rect: Rect
    """Where, on the screen."""
    action: Action
    """What it does."""
    why: str | None = None
    """Why it does nothing now: a sentence that is said when it is touched."""
    urgent: bool = False
    """It acts at once, even where the screen has only just changed: it stands in the same place on every screen."""
    name: str = ""
    """What stands on it, for the tests and the keyboard's focus."""
    area: bool = False
    """It is a surface rather than a button: the keyboard does not stop at it."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture."""

    name: str
    """Which screen it is."""
    size: tuple[int, int]
    ops: tuple[Op, ...]
    controls: tuple[Control, ...]
    changes_at: int | None = None
    """When it will look different though nothing happens: an instant in nanoseconds, or None."""

    def at(self, x: int, y: int) -> Control | None:
        """The control that lies on top at a point."""
        return next((control for control in reversed(self.controls) if control.rect.holds(x, y)), None)
