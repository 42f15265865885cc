"""The way to a match's page for everybody: a code to be read with a phone."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from kiosk.say import _
from kiosk.ui.draw import Rect
from kiosk.ui.screens.base import Screen, sheet

if TYPE_CHECKING:
    from kiosk.ui.page import Page
    from kiosk.ui.view import View

QUIET = 4
"""Light squares around a code, as its readers want them."""


@dataclass(frozen=True, slots=True)
class PublicPage(Screen):
    """Follow this match on a phone."""

    def stays(self, view: View) -> bool:
        """While there is such a page."""
        return bool(view.public_page)

    def draw(self, page: Page, view: View) -> None:
        """The code as large as there is room for, and the address."""
        body, beside = sheet(page, view, _("Follow this match on a phone"))
        code(page, body, view.squares(view.public_page))
        page.text(beside, view.public_page, page.place.em(0.34), page.theme.quiet, align="left", lines=3)


def code(page: Page, rect: Rect, rows: tuple[tuple[bool, ...], ...]) -> None:
    """A QR code in the middle of a rectangle: dark on light in every theme, each square of whole pixels."""
    count = len(rows) + 2 * QUIET
    size = min(rect.w, rect.h) // count
    if not rows or size < 1:
        return
    whole = size * count
    x, y = rect.x + (rect.w - whole) // 2, rect.y + (rect.h - whole) // 2
    page.box(Rect(x, y, whole, whole), (255, 255, 255))
    for down, row in enumerate(rows):
        across = 0
        for dark, run in groupby(row):
            wide = len(list(run))
            if dark:
                page.box(Rect(x + (across + QUIET) * size, y + (down + QUIET) * size, wide * size, size), (0, 0, 0))
            across += wide
