"""From a picture as data to pixels, redrawing only where two pictures differ.

Two scenes are compared operation by operation. The rectangles of those that differ are joined to a few, and within them everything
that lies there is drawn again in order. An operation that fails is drawn in the plainest way, a time in seven strokes a figure without any
font, and reported; at the next painting everything is tried again.
"""

from __future__ import annotations

import io
from contextlib import suppress
from typing import TYPE_CHECKING

import pygame

from kiosk.ui import type as ty
from kiosk.ui.draw import Box, Digits, Disc, Path, Rect, Text, Veil

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.ui.draw import Op, Scene, Turn

MOST_PATCHES = 6
"""More rectangles than these are joined to one."""


class Painter:
    """Paints scenes onto a surface."""

    def __init__(self, surface: pygame.Surface, on_fault: Callable[[str, Exception], None] = lambda _where, _fault: None) -> None:
        """Begin with a surface that shows nothing yet.

        Args:
            surface: A display or a picture in memory.
            on_fault: Told of each kind of operation that fails, once a painting.
        """
        ty.ready()
        self._surface = surface
        self._on_fault = on_fault
        self._words = ty.Words()
        self._last: tuple[Op, ...] | None = None
        self._faults: dict[str, Exception] = {}

    def forget(self) -> None:
        """Draw everything at the next painting: the window's contents were lost."""
        self._last = None

    def paint(self, scene: Scene) -> list[pygame.Rect]:
        """Bring the surface from the scene before to this one.

        Returns:
            The rectangles that changed; none where the scenes look the same.
        """
        whole = self._surface.get_rect()
        patches = [whole] if self._last is None else _patches(self._last, scene.ops, whole)
        self._faults.clear()
        for patch in patches:
            self._surface.set_clip(patch)
            for op in scene.ops:
                if reach(op).colliderect(patch):
                    self._op(op)
        self._surface.set_clip(None)
        self._last = None if self._faults else scene.ops
        for where, fault in self._faults.items():
            self._on_fault(where, fault)
        return patches

    def _op(self, op: Op) -> None:
        try:
            match op:
                case Box():
                    _box(self._surface, op)
                case Text():
                    self._text(op)
                case Digits():
                    self._digits(op)
                case Path():
                    _path(self._surface, op)
                case Disc():
                    pygame.draw.circle(self._surface, op.colour, (op.x, op.y), op.r, op.width)
                case Veil():
                    self._surface.fill((op.keeps,) * 3, op.rect, pygame.BLEND_RGB_MULT)
        except Exception as fault:  # noqa: BLE001 - one thing that cannot be drawn hides no other
            self._faults.setdefault(type(op).__name__.lower(), fault)
            with suppress(Exception):
                _plainly(self._surface, op)

    def _text(self, op: Text) -> None:
        room = _own(op.rect, op.turn)
        size, lines = ty.fitted(op.text, op.face, op.size, room.w, room.h, op.lines)
        step = round(size * 1.12)
        below = step * (len(lines) - 1)
        middle = {"top": step // 2, "middle": room.h // 2 - below // 2, "bottom": room.h - step // 2 - below}[op.lean]
        for i, line in enumerate(lines):
            picture = self._words.line(line, op.face, size, op.colour, op.turn)
            wide, high = picture.get_size() if op.turn in {0, 180} else picture.get_size()[::-1]
            script = ty.runs(line)[0][1] if line else 0
            top = ty.baseline_top(op.face, size, script, middle + i * step)
            self._blit(picture, op.rect, op.turn, Rect(ty.offset(op.align, room.w, wide), top, wide, high))

    def _digits(self, op: Digits) -> None:
        room = _own(op.rect, op.turn)
        size = digits_size(op.text, op.size, room.w, room.h)
        x = ty.offset(op.align, room.w, digits_width(op.text, size))
        base = room.h // 2 + round(size * ty.CAPITAL / 2)
        for letter, em in _letters(op.text, size):
            picture = self._words.line(letter, "bold", em, op.colour, op.turn)
            wide, high = picture.get_size() if op.turn in {0, 180} else picture.get_size()[::-1]
            self._blit(picture, op.rect, op.turn, Rect(x, base - ty.font("bold", em, 0).get_ascent(), wide, high))
            x += wide

    def _blit(self, picture: pygame.Surface, area: Rect, turn: Turn, at: Rect) -> None:
        """Put a picture where it belongs in an area whose own figures are turned."""
        self._surface.blit(picture, _within(area, turn, at)[:2])


def _within(area: Rect, turn: Turn, at: Rect) -> Rect:
    """A rectangle in an area's own figures, on the screen."""
    if turn == 0:
        return Rect(area.x + at.x, area.y + at.y, at.w, at.h)
    if turn == 180:
        return Rect(area.right - at.right, area.bottom - at.bottom, at.w, at.h)
    if turn == 90:
        return Rect(area.right - at.bottom, area.y + at.x, at.h, at.w)
    return Rect(area.x + at.y, area.bottom - at.right, at.h, at.w)


def _own(rect: Rect, turn: Turn) -> Rect:
    return Rect(0, 0, rect.h, rect.w) if turn in {90, 270} else Rect(0, 0, rect.w, rect.h)


def _letters(text: str, size: int) -> list[tuple[str, int]]:
    whole, point, rest = text.partition(".")
    small = max(ty.SMALLEST, round(size * ty.TENTHS))
    return [(letter, size) for letter in whole] + [(letter, small) for letter in point + rest]


def digits_width(text: str, size: int) -> int:
    """How wide a time is at an em size, in pixels."""
    return sum(ty.font("bold", em, 0).size(letter)[0] for letter, em in _letters(text, size))


def digits_size(text: str, size: int, wide: int, high: int) -> int:
    """The largest em size, up to `size`, at which a time fits its room."""
    em = min(size, int(high / ty.CAPITAL))
    while em > ty.SMALLEST and digits_width(text, em) > wide:
        em = min(em - 1, em * wide // max(1, digits_width(text, em)) + 1)
    return max(ty.SMALLEST, em)


def _box(surface: pygame.Surface, op: Box) -> None:
    if op.edge is None or not op.edge_width:
        pygame.draw.rect(surface, op.colour, op.rect, border_radius=op.radius)
        return
    pygame.draw.rect(surface, op.edge, op.rect, border_radius=op.radius)
    pygame.draw.rect(surface, op.colour, op.rect.inset(op.edge_width), border_radius=max(0, op.radius - op.edge_width))


def _path(surface: pygame.Surface, op: Path) -> None:
    if not op.width:
        pygame.draw.polygon(surface, op.colour, op.points)
        return
    pygame.draw.lines(surface, op.colour, closed=False, points=op.points, width=op.width)
    if op.width > 2:
        for point in op.points:
            pygame.draw.circle(surface, op.colour, point, op.width // 2)


def png(surface: pygame.Surface) -> bytes:
    """A surface as a PNG file's contents."""
    held = io.BytesIO()
    pygame.image.save(surface, held, ".png")
    return held.getvalue()


def picture(scene: Scene, on_fault: Callable[[str, Exception], None]) -> bytes:
    """A scene as a PNG file's contents; it needs no display.

    Args:
        scene: What is to be seen.
        on_fault: Told of an operation that failed.
    """
    surface = pygame.Surface(scene.size)
    Painter(surface, on_fault).paint(scene)
    return png(surface)


# ── The plainest way ─────────────────────────────────────────────────────────
STROKES = {
    **dict(zip("0123456789", ("abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "gfabcd"), strict=True)),
    ":": "pq",
    ".": "r",
}
"""The strokes of figures, as seven-segment displays name them, and the points."""


def _plainly(surface: pygame.Surface, op: Op) -> None:
    """Draw what matters of an operation with as little as possible; a line or a disc is left out."""
    match op:
        case Box():
            surface.fill(op.colour, op.rect)
        case Digits():
            for stroke in _strokes(op):
                surface.fill(op.colour, stroke)
        case Text():
            room = _own(op.rect, op.turn)
            picture = pygame.font.Font(None, min(op.size, room.h)).render(op.text.replace("\n", " "), True, op.colour)  # noqa: FBT003
            if picture.get_width() > room.w:
                picture = pygame.transform.smoothscale(picture, (room.w, picture.get_height()))
            w, h = picture.get_size()
            place = _within(op.rect, op.turn, Rect((room.w - w) // 2, (room.h - h) // 2, w, h))
            surface.blit(pygame.transform.rotate(picture, -op.turn), place[:2])
        case _:
            return


def _strokes(op: Digits) -> list[Rect]:
    """A time in strokes that need no font."""
    room = _own(op.rect, op.turn)
    wide = min(room.w // max(1, len(op.text)), room.h * 6 // 10)
    high = min(room.h, wide * 2)
    pen = max(2, wide // 6)
    top, half, w = (room.h - high) // 2, high // 2, wide - pen
    left = {"left": 0, "centre": (room.w - wide * len(op.text)) // 2, "right": room.w - wide * len(op.text)}[op.align]
    shapes = {
        "a": Rect(0, 0, w, pen),
        "b": Rect(w - pen, 0, pen, half),
        "c": Rect(w - pen, half, pen, high - half),
        "d": Rect(0, high - pen, w, pen),
        "e": Rect(0, half, pen, high - half),
        "f": Rect(0, 0, pen, half),
        "g": Rect(0, half - pen // 2, w, pen),
        "p": Rect((w - pen) // 2, half // 2, pen, pen),
        "q": Rect((w - pen) // 2, half + half // 2, pen, pen),
        "r": Rect((w - pen) // 2, high - pen, pen, pen),
    }
    strokes = [(left + i * wide, shapes[word]) for i, letter in enumerate(op.text) for word in STROKES.get(letter, "")]
    return [_within(op.rect, op.turn, Rect(x + shape.x, top + shape.y, shape.w, shape.h)) for x, shape in strokes]


# ── What differs ─────────────────────────────────────────────────────────────
def reach(op: Op) -> pygame.Rect:
    """The rectangle within which an operation changes pixels."""
    if isinstance(op, Disc):
        return pygame.Rect(op.x - op.r - 1, op.y - op.r - 1, 2 * op.r + 2, 2 * op.r + 2)
    if isinstance(op, Path):
        xs, ys = [x for x, _y in op.points], [y for _x, y in op.points]
        edge = op.width + 1
        return pygame.Rect(min(xs) - edge, min(ys) - edge, max(xs) - min(xs) + 2 * edge, max(ys) - min(ys) + 2 * edge)
    if isinstance(op, Box | Veil):
        return pygame.Rect(op.rect)
    if isinstance(op, Digits):
        return pygame.Rect(op.rect).inflate(8, 8)  # figures are as high as capitals, and round ones a little higher
    more = 8 + op.size // 2  # accents and descenders leave the rectangle a little
    return pygame.Rect(op.rect).inflate(*((more, 4) if op.turn in {90, 270} else (4, more)))


def _patches(old: tuple[Op, ...], new: tuple[Op, ...], whole: pygame.Rect) -> list[pygame.Rect]:
    """Where two pictures differ: their common beginning and end aside."""
    if old == new:
        return []
    start = 0
    shorter = min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    before, after = old[start : len(old) - end], new[start : len(new) - end]
    if len(before) == len(after):
        pairs = [op for pair in zip(before, after, strict=True) if pair[0] != pair[1] for op in pair]
    else:
        pairs = [*before, *after]
    return _joined([reach(op).clip(whole) for op in pairs])


def _joined(rects: list[pygame.Rect]) -> list[pygame.Rect]:
    """Few rectangles that cover all of these and do not overlap."""
    found: list[pygame.Rect] = []
    for rect in rects:
        merged = rect
        while (i := merged.collidelist(found)) >= 0:
            merged = merged.union(found.pop(i))
        if merged.w and merged.h:
            found.append(merged)
    if len(found) > MOST_PATCHES:
        return [found[0].unionall(found[1:])]
    return found
