"""Does the whole team want to double? Each member says so for himself; one No ends it, the last Yes offers the cube (002)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.say import _
from kiosk.session import commands as c
from kiosk.ui.actions import Do
from kiosk.ui.screens.base import Screen, sheet
from kiosk.ui.screens.chouette.cells import Ask, asked_cell, chouette_of, goes_on, grid, player_cell

if TYPE_CHECKING:
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class TeamDouble(Screen):
    """Does everybody want to double?"""

    @property
    def keeps(self) -> bool:
        """One after the other answers."""
        return True

    def stays(self, view: View) -> bool:
        """Until the cube is offered."""
        return goes_on(view) and chouette_of(view).offered is None

    def draw(self, page: Page, view: View) -> None:
        """Two buttons for each who has not said Yes."""
        chouette = chouette_of(view)
        double = chouette.stake.value * 2
        body, beside = sheet(page, view, _("Double to {n}? All of the team must want to.", n=double))
        for name, cell in zip(chouette.active, grid(page, body, len(chouette.active)), strict=False):
            if name in chouette.wanted:
                player_cell(page, cell, name, _("Yes"), chouette.total(name), leads=True)
                continue
            yes, no = c.WantDouble(name, wants=True), c.WantDouble(name, wants=False)
            clears = _("{name} does not want to double; nobody's Yes stands any more.", name=name)
            asked_cell(page, cell, name, Ask(_("Yes"), Do(yes), view.why_not(yes), go=True), Ask(_("No"), Do(no, clears), view.why_not(no)))
        words = _("{n} of {of} want to double.", n=len(chouette.wanted), of=len(chouette.active))
        page.text(beside, words, page.place.em(0.42), align="right", lines=2)
