"""The receipt as dots for a printer: the same marks as on its PDF, black or white, eight dots to the millimetre."""

from __future__ import annotations

from datetime import UTC, tzinfo
from functools import cache
from importlib import resources
from itertools import groupby
from typing import TYPE_CHECKING

from kiosk.sheets.paper import FACES, PT, Box, Stroke, Words, family_of, width
from kiosk.sheets.pdf import EDGE, LONGEST, RECEIPT, on_receipt
from kiosk.sheets.printed import printed

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

    from kiosk.sheets.paper import Mark, Paper
    from kiosk.sheets.walk import ScoreSheet

DOTS = 8
"""Dots to the millimetre."""

WIDE = int((RECEIPT - 2 * EDGE) * DOTS)
"""Dots of a row: what a printer prints of 80 mm paper."""

LIGHT = 200
"""Greys above this are grounds and stay white; a printer has no grey."""


def to_dots(sheet: ScoreSheet, *, event: str = "", round_name: str = "", table: str = "", rulebook: str = "", zone: tzinfo = UTC) -> bytes:
    """The sheet as dots, in the language spoken; the arguments are those of `printed`.

    Returns:
        Row after row of `WIDE` / 8 bytes; the leftmost dot is the highest bit, black is 1.
    """
    return dots(on_receipt(printed(sheet, event=event, round_name=round_name, table=table, rulebook=rulebook, zone=zone)))


def dots(paper: Paper) -> bytes:
    """A receipt's pages below each other."""
    return b"".join(_page(marks, min(paper.high, _end(marks) + EDGE)) for marks in paper.pages)


def _page(marks: list[Mark], high: float) -> bytes:
    from PIL import Image
    from PIL import ImageDraw as Draw

    picture = Image.new("L", (WIDE, max(1, _dot(min(high, LONGEST)))), 255)
    pen = Draw.Draw(picture)
    for mark in marks:
        if mark.grey <= LIGHT:
            _put(pen, mark)
    return picture.point([255] * 128 + [0] * 128, "1").tobytes()


def _end(marks: list[Mark]) -> float:
    """How far down the marks of a page reach, in millimetres."""
    ends = [
        max(y for _x, y in mark.points) if isinstance(mark, Stroke) else mark.y + (mark.high if isinstance(mark, Box) else 0)
        for mark in marks
    ]
    return max(ends, default=0.0)


def _dot(millimetres: float) -> int:
    return round(millimetres * DOTS)


def _across(millimetres: float) -> int:
    return min(WIDE - 1, _dot(millimetres - EDGE))


def _put(pen: ImageDraw, mark: Mark) -> None:
    if isinstance(mark, Box):
        left, top = _across(mark.x), _dot(mark.y)
        right, bottom = _across(mark.x + mark.wide - 1 / DOTS), _dot(mark.y + mark.high) - 1
        pen.rectangle((left, top, max(left, right), max(top, bottom)), fill=0)
    elif isinstance(mark, Stroke):
        pen.line([(_across(x), _dot(y)) for x, y in mark.points], fill=0, width=max(1, _dot(mark.width)))
    else:
        _put_words(pen, mark)


def _put_words(pen: ImageDraw, mark: Words) -> None:
    x = mark.x
    for family, letters in groupby(mark.text, family_of):
        part = "".join(letters)
        pen.text((_across(x), _dot(mark.y)), part, fill=0, font=_font(family, int(mark.size * PT * DOTS), bold=mark.bold), anchor="ls")
        x += width(part, mark.size, bold=mark.bold)


@cache
def _font(family: str, dots_high: int, *, bold: bool) -> FreeTypeFont:
    from PIL import ImageFont

    with resources.as_file(resources.files("kiosk.sheets") / "fonts" / FACES[family, bold]) as path:
        return ImageFont.truetype(str(path), dots_high)
