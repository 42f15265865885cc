"""A break: what is left of it, to be read from afar, and whose it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.state import Phase
from kiosk.domain.types import present
from kiosk.say import _
from kiosk.ui.actions import Open
from kiosk.ui.screens.base import Screen, small_clock, title_line
from kiosk.ui.screens.menu import Menu
from kiosk.ui.screens.official.entry import referee_button, referee_changes
from kiosk.ui.screens.questions import AskEndBreak
from kiosk.ui.view import minutes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.ui.page import Page
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class Pause(Screen):
    """A break between games."""

    def stays(self, view: View) -> bool:
        """While it lasts."""
        return view.phase is Phase.BREAK

    def changes(self, view: View) -> Iterator[int]:
        """The referee's button."""
        yield from referee_changes(view)

    def draw(self, page: Page, view: View) -> None:
        """The time left counts down; past its end the overrun counts up."""
        place, gap, t = page.place, page.place.gap, page.theme
        recess = present(view.shot.table.recess)
        page.box(page.rect, t.ground)
        body = page.rect.inset(gap, gap // 2)
        top, body = body.cut_top(place.touch * 9 // 10, gap // 2)
        small_clock(page.part(top), view)
        line, body = body.cut_top(place.touch * 7 // 10, gap // 2)
        title_line(page, line, view, _("Break, taken by {name}", name=view.name(recess.by)))
        bottom, body = body.cut_bottom(place.touch, gap)
        menu, rest = bottom.cut_left(place.touch, gap)
        page.button(menu, "", Open(Menu()), sign="menu")
        call, end = rest.cut_left(rest.w // 3, gap)
        referee_button(page, call, view)
        page.button(end, _("End the break"), Open(AskEndBreak()), None, kind="go")
        counted = view.shot.at if view.pause is None else max(recess.since, view.pause.since)  # a break stands still in a pause of the hall
        left = view.setup.break_longest - (counted - recess.since)
        over = left < 0
        page.box(body, t.flag if over else t.panel, place.touch // 5)
        words, digits = body.inset(gap).cut_top(place.em(0.8), 0)
        ink = t.flag_ink if over else t.ink
        page.text(words, _("over its time by") if over else _("time left"), place.em(0.44), ink)
        page.digits(digits.inset(place.touch // 2, 4), minutes(abs(left)), place.h, ink)
