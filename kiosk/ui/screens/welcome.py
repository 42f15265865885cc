"""The demo's first screen: what there is to see, and which keys do what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.say import _
from kiosk.ui.actions import Close, Watch
from kiosk.ui.screens.base import Screen

if TYPE_CHECKING:
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class Welcome(Screen):
    """Watch or play?"""

    def draw(self, page: Page, view: View) -> None:
        """The keys in words, and two ways on."""
        place, gap = page.place, page.place.gap
        page.box(page.rect, page.theme.ground)
        body = page.rect.inset(gap * 2, gap)
        title, body = body.cut_top(place.touch, gap)
        page.text(title, _("Tableside: a table on this computer"), place.em(0.62), face="bold", align="left")
        bottom, body = body.cut_bottom(place.touch * 3 // 2, gap)
        lines = (
            _("A and L are the two clock buttons; a click on a half does the same."),
            _("After the opening roll the lower roller presses: the other clock starts."),
            _("Everything else is touched, clicked, or reached with Tab and Enter; Esc goes back."),
            _("A touch that cannot be done says why. Nothing here can break."),
        )
        for words, row in zip(lines, body.rows(len(lines), 0), strict=True):
            page.text(row, words, place.em(0.42), align="left", lines=3)
        watch, play = bottom.columns(2, gap)
        if view.demo:
            page.button(watch, _("Watch a match"), Watch(), sub=_("a 7-point match in fast time"), size=0.5)
        page.button(play, _("Play"), Close(), kind="go", sub=_("set up a match"), size=0.5)
