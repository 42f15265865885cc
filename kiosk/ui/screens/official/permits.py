"""Acts and permissions on record: a change of dice, a device, leaving the hall and coming back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.facts import Permit
from kiosk.domain.types import SIDES
from kiosk.say import _
from kiosk.session import commands as c
from kiosk.ui.actions import Do
from kiosk.ui.changes import next_second
from kiosk.ui.screens.official.frame import OfficialScreen, official_sheet
from kiosk.ui.view import ago

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.domain.types import Side
    from kiosk.ui.draw import Rect
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class Permits(OfficialScreen):
    """Who may what?"""

    @property
    def keeps(self) -> bool:
        """Several may be entered."""
        return True

    def changes(self, view: View) -> Iterator[int]:
        """Each second of what is permitted."""
        yield from (next_second(held.at, view.shot.at) for held in view.shot.table.permissions)

    def draw(self, page: Page, view: View) -> None:
        """One column for each side."""
        body, beside = official_sheet(page, view, _("Dice, permissions"))
        for side, column in zip(SIDES, body.columns(2, page.place.gap), strict=True):
            _column(page, column, view, side)
        page.text(beside, _("All of it is on the sheet; Undo takes the last one back."), page.place.em(0.34), page.theme.quiet, lines=2)


def _column(page: Page, rect: Rect, view: View, side: Side) -> None:
    name, rest = rect.cut_top(page.place.em(0.7), 2)
    page.text(name, view.name(side), page.place.em(0.46), face="bold", lines=2)
    dice, device, leave = rest.rows(3, page.place.gap)
    change = c.ChangeDice(side)
    used = side in view.shot.table.dice_changed
    page.button(
        dice,
        _("Dice changed") if used else _("Change the dice"),
        Do(change, _("On record.")),
        view.why_not(change),
        sub=_("once a match, between games"),
    )
    _permit(page, device, view, side, Permit.DEVICE)
    _permit(page, leave, view, side, Permit.LEAVE)


def _permit(page: Page, rect: Rect, view: View, side: Side, what: Permit) -> None:
    held = next((p for p in view.shot.table.permissions if (p.side, p.what) == (side, what)), None)
    if held is None:
        give = c.Allow(side, what)
        words = _("May use a device") if what is Permit.DEVICE else _("May leave the hall")
        page.button(rect, words, Do(give, _("On record.")), view.why_not(give))
        return
    end = c.Back(side, what)
    words = _("Device put away") if what is Permit.DEVICE else _("Is back")
    since = _("given {time} ago", time=ago(held.at, view.shot.at))
    page.button(rect, words, Do(end, _("On record.")), view.why_not(end), kind="go", sub=since)
