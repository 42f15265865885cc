"""A position goes with a ruling."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.say import _
from kiosk.session import commands as c
from kiosk.ui.actions import Do, Turn
from kiosk.ui.screens.official.frame import OfficialScreen, official_sheet
from kiosk.ui.screens.official.rulings import ruling_words

if TYPE_CHECKING:
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class AttachTo(OfficialScreen):
    """Which ruling does it belong to?"""

    command: c.AttachPlay
    """Its ruling is filled in."""
    number: int = 0

    def draw(self, page: Page, view: View) -> None:
        """The newest first."""
        body, beside = official_sheet(page, view, _("Which ruling does it belong to?"))
        high = page.place.touch * 3 // 2
        count = max(1, (body.h + page.place.gap) // (high + page.place.gap))
        rulings = view.shot.table.rulings[::-1]
        pages = max(1, -(-len(rulings) // count))
        number = self.number % pages
        for ruling, cell in zip(rulings[number * count :][:count], body.rows(count, page.place.gap), strict=False):
            command = replace(self.command, ruling=ruling.id)
            said = _("The position goes with ruling {n}; it stands on the sheet.", n=ruling.id)
            page.button(cell, ruling_words(ruling, view), Do(command, said), view.why_not(command), size=0.38)
        single = _("There are no more.") if pages == 1 else None
        page.button(beside, f"{number + 1} / {pages}", Turn(replace(self, number=number + 1)), single, sign="right", size=0.36)
