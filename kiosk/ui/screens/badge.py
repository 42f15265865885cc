"""What is asked when a badge is presented that is nobody's: whose it is to be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kiosk.domain.officials import Official
from kiosk.domain.types import SIDES
from kiosk.say import _
from kiosk.ui.actions import CheckInBy, TakeBadge
from kiosk.ui.screens.base import Screen, sheet
from kiosk.ui.screens.official.frame import OfficialScreen, official_sheet

if TYPE_CHECKING:
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class GiveBadge(OfficialScreen):
    """Is it to be the badge of whoever is signed in?"""

    official: Official
    number: str = field(repr=False)

    def stays(self, view: View) -> bool:
        """As long as the same official is signed in."""
        return view.official == self.official

    def draw(self, page: Page, view: View) -> None:
        """What it means, before it is done."""
        body, beside = official_sheet(page, view, _("A new badge"))
        name = self.official.name
        words = _(
            "This badge is nobody's. It can be {name}'s: from then on it signs in as {name} at this table, and one that was given before"
            " does not any more.",
            name=name,
        )
        page.text(body, words, page.place.em(0.5), lines=6)
        page.button(beside, _("It is {name}'s badge", name=name), TakeBadge(self.official, self.number), kind="go")


@dataclass(frozen=True, slots=True)
class WhoseBadge(Screen):
    """Which player's is it?"""

    number: str = field(repr=False)

    def stays(self, view: View) -> bool:
        """Before the first press."""
        return view.before_game_one

    def draw(self, page: Page, view: View) -> None:
        """One large button for each player, on his side."""
        body, _beside = sheet(page, view, _("Whose badge is this?"))
        for side, half in zip(SIDES, body.columns(2, page.place.gap), strict=True):
            players = view.players[side]
            for name, cell in zip(players, half.rows(len(players), page.place.gap), strict=True):
                page.button(cell, name, CheckInBy(self.number, name), size=0.6)
