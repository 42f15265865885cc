"""A sheet to draw a screen on: operations and controls in local figures, turned towards a player where that is wanted.

A `Page` covers a rectangle of the screen. Its own figures begin at 0, 0 in its upper left corner as its reader sees it; `part` gives a
page for a rectangle of it, turned by a multiple of 90 degrees. The widgets here are the whole set: words, buttons, tiles, a few signs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from kiosk.ui.draw import Box, Control, Digits, Disc, Path, Rect, Text

if TYPE_CHECKING:
    from kiosk.ui.actions import Action
    from kiosk.ui.draw import Align, Colour, Face, Lean, Op, Turn
    from kiosk.ui.theme import Theme

Kind = Literal["plain", "go", "referee", "chosen", "stop", "bare"]
Sign = Literal["menu", "back", "tick", "cross", "left", "right", "delete", "shift", "flag", "swap", "warn"]

_Stroke = tuple[tuple[tuple[int, int], ...], bool]
SIGNS: dict[Sign, tuple[_Stroke, ...]] = {
    "menu": ((((-6, -4), (6, -4)), False), (((-6, 0), (6, 0)), False), (((-6, 4), (6, 4)), False)),
    "back": ((((3, -6), (-3, 0), (3, 6)), False),),
    "left": ((((3, -6), (-3, 0), (3, 6)), False),),
    "right": ((((-3, -6), (3, 0), (-3, 6)), False),),
    "tick": ((((-6, 0), (-2, 4), (6, -4)), False),),
    "cross": ((((-4, -4), (4, 4)), False), (((-4, 4), (4, -4)), False)),
    "delete": (
        (((-6, 0), (-2, -4), (6, -4), (6, 4), (-2, 4), (-6, 0)), False),
        (((0, -2), (4, 2)), False),
        (((0, 2), (4, -2)), False),
    ),
    "shift": ((((0, -6), (6, 0), (3, 0), (3, 6), (-3, 6), (-3, 0), (-6, 0), (0, -6)), False),),
    "flag": ((((-4, -6), (-4, 6)), False), (((-4, -6), (6, -3), (-4, 0)), True)),
    "swap": ((((-6, -2), (6, -2), (3, -6)), False), (((6, 2), (-6, 2), (-3, 6)), False)),
    "warn": ((((0, -6), (6, 5), (-6, 5), (0, -6)), False), (((0, -2), (0, 2)), False)),
}
"""Signs as strokes in sixths of half their height around their middle: (points, filled)."""


@dataclass(frozen=True, slots=True)
class Place:
    """The panel: its size, and how many pixels a finger needs."""

    w: int
    """Width in pixels."""
    h: int
    """Height in pixels."""
    touch: int
    """The smallest target: 12 mm in pixels."""

    @property
    def portrait(self) -> bool:
        """Whether it stands upright: the left half then lies above the right one."""
        return self.h > self.w

    @property
    def gap(self) -> int:
        """The space between things."""
        return max(4, self.touch // 9)

    def em(self, share: float) -> int:
        """A type size as a share of a target's height, in whole pixels."""
        return round(self.touch * share)


@dataclass(slots=True)
class Page:
    """A rectangle of the screen to draw on."""

    place: Place
    theme: Theme
    area: Rect
    """Where it lies on the screen."""
    turn: Turn = 0
    ops: list[Op] = field(default_factory=list)
    controls: list[Control] = field(default_factory=list)
    ground: Colour = (0, 0, 0)
    """What lies behind it, for whoever asks what stands out."""

    @property
    def rect(self) -> Rect:
        """All of it, in its own figures."""
        if self.turn in {90, 270}:
            return Rect(0, 0, self.area.h, self.area.w)
        return Rect(0, 0, self.area.w, self.area.h)

    def part(self, rect: Rect, turn: Turn = 0) -> Page:
        """A page for a part of this one; it draws into the same picture."""
        turned: Turn = (self.turn + turn) % 360  # type: ignore[assignment]
        return Page(self.place, self.theme, self.on_screen(rect), turned, self.ops, self.controls, self.ground)

    def on_screen(self, rect: Rect) -> Rect:
        """A rectangle of this page in the screen's figures."""
        a = self.area
        if self.turn == 0:
            if not a.x and not a.y:
                return rect  # most of a picture is drawn on the whole screen
            return Rect(a.x + rect.x, a.y + rect.y, rect.w, rect.h)
        if self.turn == 180:
            return Rect(a.right - rect.right, a.bottom - rect.bottom, rect.w, rect.h)
        if self.turn == 90:
            return Rect(a.right - rect.bottom, a.y + rect.x, rect.h, rect.w)
        return Rect(a.x + rect.y, a.bottom - rect.right, rect.h, rect.w)

    def point(self, x: int, y: int) -> tuple[int, int]:
        """A point of this page in the screen's figures."""
        return self.on_screen(Rect(x, y, 0, 0))[:2]

    # ── Plain things ─────────────────────────────────────────────────────────
    def box(self, rect: Rect, colour: Colour, radius: int = 0, edge: Colour | None = None, width: int = 0) -> None:
        """A filled rectangle."""
        self.ops.append(Box(self.on_screen(rect), colour, radius, edge, width))

    def text(
        self,
        rect: Rect,
        text: str,
        size: int,
        colour: Colour | None = None,
        face: Face = "text",
        align: Align = "centre",
        lines: int = 1,
        lean: Lean = "middle",
    ) -> None:
        """Words; nothing where there are none."""
        if text:
            ink = self.theme.ink if colour is None else colour
            self.ops.append(Text(self.on_screen(rect), text, size, ink, face, align, lines, self.turn, lean))

    def digits(self, rect: Rect, text: str, size: int, colour: Colour, align: Align = "centre") -> None:
        """A time."""
        self.ops.append(Digits(self.on_screen(rect), text, size, colour, align, self.turn))

    def disc(self, x: int, y: int, r: int, colour: Colour, width: int = 0) -> None:
        """A disc or ring."""
        at = self.point(x, y)
        self.ops.append(Disc(at[0], at[1], r, colour, width))

    def path(self, points: list[tuple[int, int]], colour: Colour, width: int = 0) -> None:
        """A line or a shape."""
        self.ops.append(Path(tuple(self.point(x, y) for x, y in points), colour, width))

    def control(
        self, rect: Rect, action: Action, why: str | None = None, *, name: str = "", urgent: bool = False, area: bool = False
    ) -> None:
        """Something that can be touched."""
        self.controls.append(Control(self.on_screen(rect), action, why, urgent, name, area))

    # ── Widgets ──────────────────────────────────────────────────────────────
    def button(
        self,
        rect: Rect,
        label: str,
        action: Action,
        why: str | None = None,
        *,
        kind: Kind = "plain",
        sub: str = "",
        urgent: bool = False,
        size: float = 0.42,
        sign: Sign | None = None,
    ) -> None:
        """A button with words; dimmed where `why` says why it does nothing now.

        Args:
            rect: Where.
            label: What stands on it.
            action: What it does.
            why: Why it cannot be touched now, or None.
            kind: What it is for.
            sub: A smaller line beneath.
            urgent: It acts even where the screen has only just changed.
            size: The words' size as a share of a target's height.
            sign: A sign before the words.
        """
        ground, ink, edge, width = self._dress(kind, dimmed=why is not None)
        radius = self.place.touch // 7
        if ground is not None:
            self.box(rect, ground, radius, edge, width)
        inner = rect.inset(self.place.touch // 8, 2)
        em = self.place.em(size)
        if sign is not None and not label:
            self.sign(sign, rect, ink)
        elif sign is not None:
            mark, inner = inner.inset(self.place.touch // 16, 0).cut_left(min(em + 6, inner.w // 4), 4)
            self.sign(sign, mark, ink)
        if sub and rect.w < self.place.touch * 3 // 2:  # narrow, on a panel that stands upright: all of it one below the other
            self.text(inner, f"{label}\n{sub}", em, ink, lines=3)
        elif sub:
            large = inner.h > self.place.touch * 3 // 2  # there is room to spare: both lines stay together
            upper = Rect(inner.x, inner.y + inner.h // 12, inner.w, inner.h * (46 if large else 55) // 100)
            below = upper.bottom + (em // 6 if large else 0)
            lower = Rect(inner.x, below, inner.w, inner.bottom - inner.h // 14 - below)
            self.text(upper, label, em, ink, lines=2, lean="bottom" if large else "middle")
            quiet = self.theme.quiet if ground == self.theme.button and why is None else ink
            self.text(lower, sub, round(em * 0.72), quiet, lines=2 if lower.h > em * 1.6 else 1, lean="top" if large else "middle")
        else:
            self.text(inner, label, em, ink, lines=3)
        self.control(rect, action, why, name=label or sign or "", urgent=urgent)

    def _dress(self, kind: Kind, *, dimmed: bool) -> tuple[Colour | None, Colour, Colour | None, int]:
        t, thin = self.theme, max(2, self.place.touch // 32)
        if dimmed:
            return (t.run, t.run_ink, t.run_frame, thin) if kind == "chosen" else (t.dim, t.dim_ink, t.button, thin)
        if kind == "go":
            return t.go, t.go_ink, t.go_ink, thin
        if kind == "chosen":
            return t.run, t.run_ink, t.run_frame, thin
        if kind == "referee":
            return t.button, t.referee, t.button_edge, thin
        if kind == "bare":
            return None, t.ink, None, 0
        return t.button, t.ink, t.button_edge, thin

    def choice(
        self, rect: Rect, label: str, action: Action, why: str | None = None, *, chosen: bool, sub: str = "", size: float = 0.42
    ) -> None:
        """One of several: the chosen one is filled and ticked."""
        self.button(rect, label, action, why, kind="chosen" if chosen else "plain", sub=sub, size=size)
        if chosen:
            r = min(self.place.touch // 8, rect.w // 16)  # in the corner: narrow tiles need their room for words
            self.tick(rect.right - 3 * r // 2 - 2, rect.y + 3 * r // 2 + 2, r, self.theme.run_ink)

    def tick(self, x: int, y: int, r: int, colour: Colour) -> None:
        """A tick around a point."""
        self.path([(x - r, y), (x - r // 4, y + r * 2 // 3), (x + r, y - r * 2 // 3)], colour, max(2, r // 3))

    def sign(self, sign: Sign, rect: Rect, colour: Colour) -> None:
        """A sign in the middle of a rectangle."""
        r = min(rect.w, rect.h, self.place.em(0.62)) // 2
        x, y, width = rect.x + rect.w // 2, rect.y + rect.h // 2, max(2, r // 5)
        for points, filled in SIGNS[sign]:
            self.path([(x + r * px // 6, y + r * py // 6) for px, py in points], colour, 0 if filled else width)
