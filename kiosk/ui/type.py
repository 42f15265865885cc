"""Faces: the bundled fonts, how wide words are in them, and words as small pictures. With the painter and the window, all of pygame.

Words are centred by the height of their capitals, so that digits stand in the middle of what surrounds them. A letter that the main face
does not have is taken from the Georgian one. The minus sign, which neither has, is drawn as the dash of the same width.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import pygame

if TYPE_CHECKING:
    from kiosk.ui.draw import Align, Colour, Face, Turn

FOLDER = Path(__file__).with_name("fonts")
FILES: dict[Face, tuple[str, str]] = {
    "text": ("NotoSans-CondensedSemiBold.ttf", "NotoSansGeorgian-CondensedSemiBold.ttf"),
    "bold": ("NotoSans-ExtraCondensedBold.ttf", "NotoSansGeorgian-ExtraCondensedBold.ttf"),
}
CAPITAL = 0.714
"""The height of capitals and figures in these faces, as a share of the em."""

PARTS = re.compile(r"[^ ]*?[^\W\d]{4}-(?=[^\W\d]{4})|[^ ]+ *| +")
"""What a line is broken into: words with the spaces that follow them; at its hyphen a word is broken between long parts only."""

SMALLEST = 12
"""No word is made smaller than this many pixels."""

KEPT = 384
"""How many pictures of words are kept."""

TENTHS = 0.6
"""How large what stands behind a time's point is drawn."""


def ready() -> None:
    """Start the fonts; they need no display."""
    if not pygame.font.get_init():
        pygame.font.init()


@lru_cache(maxsize=96)
def font(face: Face, size: int, script: int) -> pygame.font.Font:
    """A face at an em size in pixels; script 1 is the Georgian one."""
    ready()
    return pygame.font.Font(str(FOLDER / FILES[face][script]), size)


def spelled(text: str) -> str:
    """A text with the letters that the faces have; one that they lack is seen as `?`, not left out."""
    plain = text.replace("−", "–").replace("\t", " ")
    return plain if plain.isascii() else "".join(letter if _drawn_by_us(letter) else "?" for letter in plain)


LETTERS = (
    (0x0A, 0x0A),
    (0x20, 0x24F),
    (0x259, 0x259),
    (0x2BB, 0x2BC),
    (0x300, 0x304),
    (0x306, 0x30C),
    (0x326, 0x328),
    (0x400, 0x52F),
    (0x10A0, 0x10FF),
    (0x1C90, 0x1CBF),
    (0x1E00, 0x1EFF),
    (0x2010, 0x2015),
    (0x2018, 0x2022),
    (0x2026, 0x2026),
    (0x2030, 0x203A),
    (0x20AC, 0x20AC),
    (0x2116, 0x2122),
)
"""What the bundled faces were cut down to, as ranges of code points: Latin, Cyrillic, Georgian, punctuation."""


def _drawn_by_us(letter: str) -> bool:
    return any(first <= ord(letter) <= last for first, last in LETTERS)


def runs(text: str) -> list[tuple[str, int]]:
    """A line split by the face that has its letters."""
    found: list[tuple[str, int]] = []
    for letter in text:
        script = 1 if "\u10a0" <= letter <= "\u10ff" or "\u1c90" <= letter <= "\u1cbf" or "\u2d00" <= letter <= "\u2d2f" else 0
        if found and found[-1][1] == script:
            found[-1] = (found[-1][0] + letter, script)
        else:
            found.append((letter, script))
    return found


def width(text: str, face: Face, size: int) -> int:
    """How wide a line is, in pixels."""
    return sum(font(face, size, script).size(part)[0] for part, script in runs(text))


def broken(text: str, face: Face, size: int, wide: int) -> list[str]:
    """A text in lines not wider than `wide`, broken at spaces and after hyphens; a single word may be wider."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for part in PARTS.findall(paragraph):
            longer = line + part
            if line.strip(" ") and width(longer.rstrip(" "), face, size) > wide:
                lines.append(line.rstrip(" "))
                line = part
            else:
                line = longer
        lines.append(line.rstrip(" "))
    return lines


@lru_cache(maxsize=1024)
def fitted(text: str, face: Face, size: int, wide: int, high: int, most: int) -> tuple[int, tuple[str, ...]]:
    """The largest size, up to `size`, at which a text fits, and its lines.

    Args:
        text: What is to be read.
        face: In which face.
        size: The largest em size in pixels.
        wide: The room's width.
        high: The room's height.
        most: How many lines it may take.

    Returns:
        The em size and the lines; at the smallest size what is too long ends in an ellipsis.
    """
    text = spelled(text)
    for em in sizes(size):
        lines = broken(text, face, em, wide)
        room = max(1, min(most, int(high / (em * 1.12)) if high >= em * 1.6 else 1))
        if len(lines) <= room and all(width(line, face, em) <= wide for line in lines) and em * CAPITAL <= high:
            return em, tuple(lines)
    lines = broken(text, face, SMALLEST, wide)[:most]
    return SMALLEST, tuple(_cut(line, face, wide) for line in lines)


def sizes(size: int) -> list[int]:
    """Sizes to try, the largest first."""
    found = []
    em = max(SMALLEST, size)
    while em > SMALLEST:
        found.append(em)
        em = min(em - 1, em * 15 // 16)
    return [*found, SMALLEST]


def _cut(line: str, face: Face, wide: int) -> str:
    if width(line, face, SMALLEST) <= wide:
        return line
    while line and width(line + "…", face, SMALLEST) > wide:
        line = line[:-1]
    return line + "…"


class Words:
    """Pictures of words, the most recent ones kept."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[object, ...], pygame.Surface] = OrderedDict()

    def line(self, text: str, face: Face, size: int, colour: Colour, turn: Turn) -> pygame.Surface:
        """One line as a picture, turned."""
        key = (text, face, size, colour, turn)
        found = self._kept.get(key)
        if found is None:
            found = turned(_drawn(text, face, size, colour), turn)
            self._kept[key] = found
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return found


def _drawn(text: str, face: Face, size: int, colour: Colour) -> pygame.Surface:
    parts = [(font(face, size, script), part) for part, script in runs(text)]
    if len(parts) == 1:
        return parts[0][0].render(parts[0][1], True, colour)  # noqa: FBT003 - pygame's own order
    pictures = [face_.render(part, True, colour) for face_, part in parts]  # noqa: FBT003
    ascent = max((face_.get_ascent() for face_, _part in parts), default=0)
    below = max((picture.get_height() - face_.get_ascent() for (face_, _part), picture in zip(parts, pictures, strict=True)), default=1)
    whole = pygame.Surface((max(1, sum(p.get_width() for p in pictures)), ascent + below), pygame.SRCALPHA)
    x = 0
    for (face_, _part), picture in zip(parts, pictures, strict=True):
        whole.blit(picture, (x, ascent - face_.get_ascent()))
        x += picture.get_width()
    return whole


def turned(picture: pygame.Surface, turn: Turn) -> pygame.Surface:
    """A picture turned clockwise."""
    return picture if turn == 0 else pygame.transform.rotate(picture, -turn)


def offset(align: Align, room: int, wide: int) -> int:
    """Where a line begins in its room."""
    return {"left": 0, "centre": (room - wide) // 2, "right": room - wide}[align]


def baseline_top(face: Face, size: int, script: int, middle: int) -> int:
    """The top of a line's picture whose capitals are centred at `middle`."""
    return middle + round(size * CAPITAL / 2) - font(face, size, script).get_ascent()
