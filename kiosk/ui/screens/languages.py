"""The table's language, and that of each half where a player wants another one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.types import SIDES, Side
from kiosk.say import LANGUAGES, _
from kiosk.ui.actions import Prefer
from kiosk.ui.screens.base import Screen, sheet

if TYPE_CHECKING:
    from kiosk.ui.draw import Rect
    from kiosk.ui.page import Page
    from kiosk.ui.view import View

WORD = "Language · Язык · Мова · Јазик"
"""Whoever cannot read the table's language finds his own here."""


@dataclass(frozen=True, slots=True)
class Languages(Screen):
    """Which language does the table speak?"""

    def draw(self, page: Page, view: View) -> None:
        """Four tiles, each in its own words; below, the same for each half."""
        body, beside = sheet(page, view, WORD)
        high, gap = page.place.touch, page.place.gap
        first = body.cut_top(high, gap)[0] if not page.place.portrait else body.cut_top(2 * high + gap, gap)[0]
        body = body.cut_top(first.h, gap)[1]
        lines = first.rows(2, gap) if page.place.portrait else [first]
        cells = [cell for line in lines for cell in line.columns(len(LANGUAGES) // len(lines), gap)]
        for (code, name), cell in zip(LANGUAGES.items(), cells, strict=True):
            page.choice(cell, name, Prefer({"language": code}), chosen=view.prefs.language == code, size=0.5)
        for side in SIDES:
            row, body = body.cut_top(high, gap)
            _half(page, row, view, side)
        page.text(beside, _("What is set here changes no match."), page.place.em(0.34), page.theme.quiet, lines=2)


def _half(page: Page, rect: Rect, view: View, side: Side) -> None:
    own = view.prefs.left if side is Side.LEFT else view.prefs.right
    head, cells = rect.cut_left(rect.w * 16 // 100, page.place.gap)
    page.text(
        head,
        _("Left half") if side is Side.LEFT else _("Right half"),
        page.place.em(0.4),
        page.theme.quiet,
        align="left",
        lines=2,
    )
    first, others = cells.cut_left(cells.w * (20 if page.place.portrait else 34) // 100, page.place.gap)
    page.choice(first, _("as the table"), Prefer({str(side): ""}), chosen=not own, size=0.38)
    for code, cell in zip(LANGUAGES, others.columns(len(LANGUAGES), page.place.gap), strict=True):
        page.choice(cell, code.upper(), Prefer({str(side): code}), chosen=own == code, size=0.44)
