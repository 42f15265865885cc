"""A drawn signature as a picture, for forms that cannot draw lines themselves."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from kiosk.domain.facts import STROKES_HIGH, STROKES_WIDE

if TYPE_CHECKING:
    from kiosk.domain.facts import Strokes

FINE = 2
"""Points of a signature's box to a pixel."""


def png(strokes: Strokes) -> bytes:
    """The signature in black on white, with a thin frame; the same strokes are the same bytes.

    Args:
        strokes: At least one stroke.
    """
    from PIL import Image, ImageDraw

    picture = Image.new("L", (STROKES_WIDE // FINE, STROKES_HIGH // FINE), 255)
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 0, picture.width - 1, picture.height - 1), outline=200)
    for stroke in strokes:
        points = [(across // FINE, down // FINE) for across, down in stroke]
        pen.line([*points, points[0]] if len(points) == 1 else points, fill=0, width=3)
        for across, down in points[:1]:
            pen.ellipse((across - 1, down - 1, across + 1, down + 1), fill=0)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()
