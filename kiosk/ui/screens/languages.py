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
        """Four large tiles, each in its own words; below, the same for each half."""
        body, _beside = sheet(page, view, WORD)
        row, body = body.cut_top(body.h * 4 // 10, page.place.gap)
        cells = [cell for line in row.rows(2, page.place.gap) for cell in line.columns(2, page.place.gap)]
        for (code, name), cell in zip(LANGUAGES.items(), cells, strict=True):
            page.choice(cell, name, Prefer({"language": code}), chosen=view.prefs.language == code, size=0.56)
        for side, part in zip(SIDES, body.rows(2, page.place.gap), strict=True):
            self._half(page, part, view, side)

    def _half(self, page: Page, rect: Rect, view: View, side: Side) -> None:
        own = view.prefs.left if side is Side.LEFT else view.prefs.right
        label = _("Left half") if side is Side.LEFT else _("Right half")
        line, rest = rect.cut_top(page.place.em(0.5), 2)
        page.text(
            line, f"{label}: {view.name(side)}" if view.phase is not None else label, page.place.em(0.38), page.theme.quiet, align="left"
        )
        first, others = rest.cut_left(rest.w * 30 // 100, page.place.gap)
        page.choice(first, _("as the table"), Prefer({str(side): ""}), chosen=not own, size=0.36)
        for (code, name), cell in zip(LANGUAGES.items(), others.columns(len(LANGUAGES), page.place.gap), strict=True):
            page.choice(cell, name, Prefer({str(side): code}), chosen=own == code, size=0.36)
