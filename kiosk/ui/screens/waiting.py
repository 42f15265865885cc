"""A running match waits to be taken over by this device: that comes before any new match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.asked import score_of
from kiosk.domain.state import OVER
from kiosk.say import LANGUAGES, _
from kiosk.ui.actions import FetchRunning, Open, Prefer
from kiosk.ui.screens.base import Screen, title_line
from kiosk.ui.screens.finished import Finished
from kiosk.ui.screens.offered import Offered
from kiosk.ui.screens.start import Start

if TYPE_CHECKING:
    from kiosk.ui.draw import Rect
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


def taking_words(view: View) -> str:
    """What the button says that takes a match over: whose, and how it stands, where that is known."""
    match = view.waits
    if match is None or match.state.setup is None:
        return _("Take the running match over")
    players, score = match.state.setup.players, score_of(match.state)
    left, right = " & ".join(players.left), " & ".join(players.right)
    told = f"{left} – {right}, {score.left}:{score.right}"
    return _("Take over table {table}: {match}", table=match.table, match=told) if match.table else _("Take over: {match}", match=told)


@dataclass(frozen=True, slots=True)
class Waiting(Screen):
    """Take the running match over?"""

    def stays(self, view: View) -> bool:
        """While one waits and none is open here."""
        return self.due(view)

    @staticmethod
    def due(view: View) -> bool:
        """Whether one waits, and there is room for it."""
        return bool(view.link.takes_over) and (view.phase is None or view.phase in OVER)

    def draw(self, page: Page, view: View) -> None:
        """What waits, the button that fetches it, and the way past it."""
        place, gap = page.place, page.place.gap
        page.box(page.rect, page.theme.ground)
        body = page.rect.inset(gap, gap // 2)
        line, body = body.cut_top(place.touch * 7 // 10, gap // 2)
        title_line(page, line, view, _("Table {name}", name=view.link.table or view.table_name))
        bottom, body = body.cut_bottom(place.touch, gap)
        self._bottom(page, bottom, view)
        take, body = body.cut_bottom(place.touch * 2, gap)
        page.box(body, page.theme.panel, place.touch // 8)
        words = _(
            "This device takes another one's place. The match that was running there waits: it goes on here, with its score and times."
        )
        page.text(body.inset(gap), words, place.em(0.5), lines=6)
        page.button(take, taking_words(view), FetchRunning(), kind="go", sub=_("a referee confirms it"), size=0.5)

    def _bottom(self, page: Page, rect: Rect, view: View) -> None:
        from kiosk.ui.screens.menu import Menu

        place = page.place
        menu, rest = rect.cut_left(place.touch, place.gap)
        page.button(menu, "", Open(Menu()), sign="menu")
        speak, rest = rest.cut_left(rest.w * 28 // 100, place.gap)
        codes = list(LANGUAGES)
        following = codes[(codes.index(view.prefs.language) + 1) % len(codes)]
        page.button(speak, LANGUAGES[following], Prefer({"language": following}), size=0.4)
        if view.phase is not None:
            page.button(rest, _("The match that ended here"), Open(Finished()), size=0.4)
        else:
            page.button(rest, _("Open another match"), Open(Offered() if view.offers else Start()), size=0.4)
