"""A running match whose table has failed goes on at this one; a referee confirms it by his PIN."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.state import OVER
from kiosk.domain.types import Span
from kiosk.say import _
from kiosk.ui.actions import Open, TakeOver
from kiosk.ui.screens.base import Screen
from kiosk.ui.screens.official.adjourned import standing
from kiosk.ui.screens.official.frame import official_sheet, signed_in_words
from kiosk.ui.screens.official.signin import SignPad
from kiosk.ui.view import minutes

if TYPE_CHECKING:
    from kiosk.session import Carried
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class AskTakeOver(Screen):
    """Take the running match over?"""

    match: Carried
    uncertain: Span | None
    """How much time may have passed since its last entry; None where no clock can tell."""

    def stays(self, view: View) -> bool:
        """While no match goes on here."""
        return view.phase is None or view.phase in OVER

    def draw(self, page: Page, view: View) -> None:
        """What will stand at this table, what is in doubt, and the referee's way to it."""
        body, beside = official_sheet(page, view, _("Take the running match over?"))
        standing(page, body, view, self.match, self._doubt())
        if view.official is None:
            page.button(beside, _("Referee: sign in"), Open(SignPad()), kind="referee")
        else:
            page.button(beside, _("Take it over"), TakeOver(self.match, self.uncertain), kind="go", sub=signed_in_words(view))

    def _doubt(self) -> str:
        clock = self.match.state.clock
        if clock is None or not clock.running:
            return _("No clock ran at its last entry.")
        if self.uncertain is None:
            return _("How long its clock ran on after the last entry is not known; that is not charged.")
        return _("Its last entry is {time} old; what ran since then is not charged.", time=minutes(self.uncertain))
