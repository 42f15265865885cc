"""Paper: words measured and broken into lines, marks collected page by page, and at the end written as a PDF.

Lengths are millimetres from the upper left corner, sizes of letters are points. A letter that the Latin and Cyrillic face does not
have is taken from the Georgian one; one that neither has is seen as `?`, as on the screen. The same marks give the same bytes: the file
carries the date that it is given, and nothing random.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, lru_cache
from importlib import resources
from itertools import groupby
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fpdf import FPDF

PT = 25.4 / 72
"""A point in millimetres."""
CAPITAL = 0.714
"""The height of capitals and figures in these faces, as a share of the size."""
LEADING = 1.3
"""From one line to the next, as a share of the size."""

Grey = int
"""0 is black, 255 is white."""
INK, QUIET, RULE, SHADE = 0, 95, 170, 238
"""Words; words that explain; lines; the ground of headings."""

FACES = {
    ("sans", False): "NotoSans-Regular.ttf",
    ("sans", True): "NotoSans-Bold.ttf",
    ("georgian", False): "NotoSansGeorgian-Regular.ttf",
    ("georgian", True): "NotoSansGeorgian-Bold.ttf",
}

ELLIPSIS = "…"
"""Where something is left out."""

Align = Literal["left", "right", "centre"]
_PARTS = re.compile(r"[^ ]*?[^\W\d]{4}-(?=[^\W\d]{4})|[^ ]+ *| +")


@dataclass(frozen=True, slots=True)
class Words:
    """One line of words, from its left end on a baseline."""

    x: float
    y: float
    text: str
    size: float
    bold: bool
    grey: Grey


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points."""

    points: tuple[tuple[float, float], ...]
    width: float
    grey: Grey


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle."""

    x: float
    y: float
    wide: float
    high: float
    grey: Grey


Mark: TypeAlias = Words | Stroke | Box


NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)
"""What a file without a date of its own carries."""


@cache
def _face(family: str, *, bold: bool) -> dict[int, float]:
    """The widths of a face's letters in thousandths of the size."""
    from fontTools.ttLib import TTFont

    with resources.as_file(resources.files("kiosk.sheets") / "fonts" / FACES[family, bold]) as path:
        font = TTFont(path, lazy=True)
        scale, metrics = 1000 / font["head"].unitsPerEm, font["hmtx"].metrics
        return {code: round(scale * metrics[name][0] + 0.001) for code, name in font.getBestCmap().items()}


@cache
def _family(letter: str) -> str | None:
    """The face that has a letter."""
    for family in ("sans", "georgian"):
        if ord(letter) in _face(family, bold=False):
            return family
    return None


def family_of(letter: str) -> str:
    """The face that a letter of a spelled text is taken from."""
    return _family(letter) or "sans"


def spelled(text: str) -> str:
    """A text with the letters that the faces have; one that they lack is seen as `?`, not left out."""
    plain = unicodedata.normalize("NFC", text).replace("−", "–").replace("\t", " ").replace("\n", " ")
    return plain if plain.isascii() and plain.isprintable() else "".join(letter if _family(letter) else "?" for letter in plain)


def width(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a line is.

    Args:
        text: As `spelled` gave it.
        size: In points.
        bold: In which face.
    """
    return _thousandths(text, bold=bold) / 1000 * size * PT


@lru_cache(maxsize=4096)
def _thousandths(text: str, *, bold: bool) -> float:
    sans, georgian = _face("sans", bold=bold), _face("georgian", bold=bold)
    return sum(sans.get(ord(letter)) or georgian.get(ord(letter), 0) for letter in text)


def broken(text: str, size: float, wide: float, *, bold: bool = False) -> list[str]:
    """A text in lines not wider than `wide`: broken at spaces and after hyphens, within a word only where it is wider than a line.

    Args:
        text: Any text; it is spelled here.
        size: In points.
        wide: In millimetres.
        bold: In which face.
    """
    lines: list[str] = []
    line = ""
    for part in _PARTS.findall(spelled(text)):
        if line and width((line + part).rstrip(" "), size, bold=bold) > wide:
            lines.append(line.rstrip(" "))
            line = ""
        rest = part
        while width(rest.rstrip(" "), size, bold=bold) > wide and len(rest.rstrip(" ")) > 1:
            fits = _fitting(rest, size, wide, bold=bold)
            lines.append(rest[:fits])
            rest = rest[fits:]
        line += rest
    return [*lines, line.rstrip(" ")]


def shortened(text: str, size: float, wide: float, *, bold: bool = False, lines: int = 1) -> list[str]:
    """A text in at most so many lines, as `broken` breaks it; what is longer ends with an ellipsis.

    Args:
        text: Any text; it is spelled here.
        size: In points.
        wide: In millimetres.
        bold: In which face.
        lines: How many there may be.
    """
    whole = broken(text.strip(" "), size, wide, bold=bold)
    if len(whole) <= lines:
        return whole
    rest = spelled(text.strip(" "))
    for line in whole[: lines - 1]:
        rest = rest[len(line) :].lstrip(" ")
    room = wide - width(ELLIPSIS, size, bold=bold)
    return [*whole[: lines - 1], rest[: _fitting(rest, size, room, bold=bold)].rstrip(" ") + ELLIPSIS]


def longest_word(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a line must be, in millimetres, so that no word is broken within; as `broken` takes a text, in points."""
    return max((width(part.rstrip(" "), size, bold=bold) for part in _PARTS.findall(spelled(text))), default=0.0)


def levelled(wants: Sequence[float], room: float) -> list[float]:
    """Widths that have room together: whoever wants little gets it all, those who want most are cut to the same width."""
    given = [0.0] * len(wants)
    for done, i in enumerate(sorted(range(len(wants)), key=wants.__getitem__)):
        given[i] = min(wants[i], max(0.0, room) / (len(wants) - done))
        room -= given[i]
    return given


def _fitting(word: str, size: float, wide: float, *, bold: bool) -> int:
    count = 1
    while count < len(word) and width(word[: count + 1], size, bold=bold) <= wide:
        count += 1
    return count


@dataclass
class Paper:
    """Pages of one size."""

    wide: float
    high: float
    pages: list[list[Mark]] = field(default_factory=lambda: [[]])

    def text(
        self, x: float, y: float, text: str, size: float, *, bold: bool = False, grey: Grey = INK, align: Align = "left", wide: float = 0
    ) -> None:
        """One line of words.

        Args:
            x: The left end of its room.
            y: The baseline.
            text: Any text.
            size: In points.
            bold: In which face.
            grey: How dark.
            align: Where in its room.
            wide: The room's width, where it is not at the left.
        """
        words = spelled(text)
        room = 0.0 if align == "left" else wide - width(words, size, bold=bold)
        self.pages[-1].append(Words(x + (room / 2 if align == "centre" else room), y, words, size, bold, grey))

    def line(self, *points: tuple[float, float], thick: float = 0.15, grey: Grey = RULE) -> None:
        """A line through points."""
        self.pages[-1].append(Stroke(points, thick, grey))

    def box(self, x: float, y: float, wide: float, high: float, grey: Grey = SHADE) -> None:
        """A filled rectangle."""
        self.pages[-1].append(Box(x, y, wide, high, grey))

    def frame(self, x: float, y: float, wide: float, high: float, thick: float = 0.2, grey: Grey = RULE) -> None:
        """A rectangle's edge."""
        self.line((x, y), (x + wide, y), (x + wide, y + high), (x, y + high), (x, y), thick=thick, grey=grey)

    def turn_page(self) -> None:
        """Go on with an empty page."""
        self.pages.append([])

    def written(self, title: str, date: datetime | None, language: str) -> bytes:
        """All pages as a PDF.

        Args:
            title: The document's title, for whoever lists files.
            date: The date that it carries; the same marks with the same date are the same bytes.
            language: In which language it is.
        """
        pdf = _document(self.wide, self.high, self._faces())
        pdf.set_title(title)
        pdf.set_lang(language)
        pdf.set_producer("Tableside")
        pdf.set_creation_date(date or NO_DATE)
        for marks in self.pages:
            pdf.add_page()
            for mark in sorted(marks, key=_layer):
                _put(pdf, mark)
        return bytes(pdf.output())

    def _faces(self) -> set[tuple[str, bool]]:
        words = [mark for marks in self.pages for mark in marks if isinstance(mark, Words)]
        return {(family_of(letter), each.bold) for each in words for letter in set(each.text)}


def _document(wide: float, high: float, faces: set[tuple[str, bool]]) -> FPDF:
    from fpdf import FPDF

    pdf = FPDF(unit="mm", format=(wide, high))
    pdf.set_auto_page_break(auto=False)
    pdf.set_margin(0)
    pdf.c_margin = 0
    for family, bold in sorted(faces):
        name = FACES[family, bold]
        with resources.as_file(resources.files("kiosk.sheets") / "fonts" / name) as path:
            pdf.add_font(family, "B" if bold else "", path)
    return pdf


def _layer(mark: Mark) -> tuple[int, int]:
    """Grounds below lines below words."""
    if isinstance(mark, Box):
        return 0, -mark.grey
    return (1, mark.grey) if isinstance(mark, Stroke) else (2, 0)


def _put(pdf: FPDF, mark: Mark) -> None:
    if isinstance(mark, Box):
        pdf.set_fill_color(mark.grey)
        pdf.rect(mark.x, mark.y, mark.wide, mark.high, style="F")
    elif isinstance(mark, Stroke):
        pdf.set_draw_color(mark.grey)
        pdf.set_line_width(mark.width)
        pdf.polyline(list(mark.points))
    else:
        _put_words(pdf, mark)


def _put_words(pdf: FPDF, mark: Words) -> None:
    pdf.set_text_color(mark.grey)
    x = mark.x
    for family, letters in groupby(mark.text, family_of):
        part = "".join(letters)
        pdf.set_font(family, "B" if mark.bold else "", mark.size)
        pdf.text(x, mark.y, part)
        x += width(part, mark.size, bold=mark.bold)
