"""The games of a chouette so far, the newest first: who won how, and what it brought everybody."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.say import _
from kiosk.ui.actions import Turn
from kiosk.ui.screens.base import Screen, sheet
from kiosk.ui.screens.chouette.cells import chouette_of, gains_words, game_words
from kiosk.words import signed

if TYPE_CHECKING:
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class ChouetteGames(Screen):
    """What happened so far?"""

    first: int = 0
    """How many newer ones lie on the pages before."""

    def stays(self, view: View) -> bool:
        """While the chouette is at this table."""
        return view.shot.table.chouette is not None

    def draw(self, page: Page, view: View) -> None:
        """As many as fit, each in two lines; below them the points by now."""
        chouette = chouette_of(view)
        body, beside = sheet(page, view, _("Games so far"))
        total, body = body.cut_bottom(page.place.touch, page.place.gap)
        page.box(total, page.theme.panel, page.place.touch // 8)
        points = ", ".join(f"{name} {signed(points)}" for name, points in chouette.totals)
        page.text(total.inset(page.place.gap, 2), _("Now: {points}", points=points), page.place.em(0.38), face="bold", lines=2)
        if not chouette.games:
            page.text(body, _("No game is over yet."), page.place.em(0.44))
            return
        room = max(1, body.h // (page.place.touch * 12 // 10))
        games = chouette.games[::-1][self.first : self.first + room]
        for game, row in zip(games, body.rows(room, page.place.gap // 2), strict=False):
            upper, lower = row.rows(2, 0)
            page.text(upper, game_words(game), page.place.em(0.38), align="left")
            page.text(lower, gains_words(game), page.place.em(0.36), page.theme.quiet, align="left", lines=2)
        if len(chouette.games) > room:
            following = self.first + room if self.first + room < len(chouette.games) else 0
            page.button(beside, _("Earlier") if following else _("Newest"), Turn(replace(self, first=following)), sign="right")
