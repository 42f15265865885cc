"""The short list before the first press: both seated, checkers, clock and dice looked over, seats and colours chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.facts import CheckItem
from kiosk.domain.types import Pair, Side
from kiosk.say import _
from kiosk.session import commands as c
from kiosk.ui.actions import Close, Do
from kiosk.ui.screens.base import Screen, sheet
from kiosk.words import item_words

if TYPE_CHECKING:
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class CheckIn(Screen):
    """Is everything ready?"""

    @property
    def keeps(self) -> bool:
        """It is ticked item by item."""
        return True

    def stays(self, view: View) -> bool:
        """Before the first press."""
        return view.before_game_one

    def draw(self, page: Page, view: View) -> None:
        """Six tiles to tick; a second touch takes the tick off."""
        body, beside = sheet(page, view, _("Before the first game"))
        done = view.shot.table.checked
        columns = 2
        names = Pair(view.name(Side.LEFT), view.name(Side.RIGHT))
        cells = [cell for row in body.rows(len(CheckItem) // columns, page.place.gap) for cell in row.columns(columns, page.place.gap)]
        for item, cell in zip(CheckItem, cells, strict=True):
            words, sub = item_words(view.setup, item, names)
            command = c.Check(item, item not in done)
            page.choice(cell, words, Do(command), view.why_not(command), chosen=item in done, sub=sub, size=0.44)
        swap, ready = beside.columns(2, page.place.gap)
        page.button(swap, _("Swap the seats"), Do(c.SwapSeats(), _("The seats were swapped.")), view.why_not(c.SwapSeats()), sign="swap")
        left = len(CheckItem) - len(done)
        page.button(ready, _("Ready") if not left else _("To the clock ({n} open)", n=left), Close(), kind="go" if not left else "plain")
