"""How a chouette's game ended: who won, how; what it brings everybody and who goes where stands there before it is entered."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.domain.chouette import Chouette, told, worth
from kiosk.domain.facts import ChouetteGameWon, Party
from kiosk.domain.rulebook import Kind
from kiosk.say import _
from kiosk.session import commands as c
from kiosk.ui.actions import Do, Turn
from kiosk.ui.screens.base import Screen, sheet
from kiosk.ui.screens.chouette.cells import chouette_of, gains_words, goes_on, places_words
from kiosk.words import kind_words

if TYPE_CHECKING:
    from kiosk.ui.draw import Rect
    from kiosk.ui.page import Page
    from kiosk.ui.view import View

KINDS = (Kind.SINGLE, Kind.GAMMON, Kind.BACKGAMMON)


@dataclass(frozen=True, slots=True)
class ChouetteResult(Screen):
    """Who won?"""

    winner: Party | None = None
    kind: Kind = Kind.SINGLE

    def stays(self, view: View) -> bool:
        """While a game can be over."""
        return goes_on(view) and chouette_of(view).offered is None

    def draw(self, page: Page, view: View) -> None:
        """Winner, kind, and what it comes to."""
        chouette = chouette_of(view)
        body, beside = sheet(page, view, _("Who won game {n}?", n=len(chouette.games) + 1))
        who, kinds, words = body.rows(3, page.place.gap)
        labels = {Party.BOX: _("{name} won", name=chouette.box), Party.TEAM: _("The team won")}
        subs = {Party.BOX: _("in the box"), Party.TEAM: _("captain: {name}", name=chouette.captain)}
        for party, cell in zip(Party, who.columns(2, page.place.gap), strict=True):
            there = Turn(replace(self, winner=party))
            page.choice(cell, labels[party], there, chosen=self.winner is party, sub=subs[party], size=0.46)
        self._kinds(page, kinds, chouette)
        if self.winner is None:
            page.button(beside, _("Enter"), Do(c.UndoChouette()), _("First touch who won."))
            return
        self._outcome(page, words, beside, view, self.winner)

    def _kinds(self, page: Page, row: Rect, chouette: Chouette) -> None:
        for kind, cell in zip(KINDS, row.columns(3, page.place.gap), strict=True):
            points = worth(chouette, kind)
            sub = _("{n} each", n=points)
            if kind is not Kind.SINGLE and chouette.jacoby and not chouette.stake.turned:
                sub = _("{n} each (Jacoby)", n=points)
            page.choice(cell, kind_words(kind), Turn(replace(self, kind=kind)), chosen=kind is self.kind, sub=sub, size=0.44)

    def _outcome(self, page: Page, words: Rect, beside: Rect, view: View, winner: Party) -> None:
        chouette = chouette_of(view)
        after = told(chouette, ChouetteGameWon(view.shot.at, winner, self.kind))
        places = places_words(chouette.players, after.box, after.captain, after.team[-1])
        page.text(words, f"{gains_words(after.games[-1])}\n{places}", page.place.em(0.4), align="left", lines=4)
        command = c.WinChouette(winner, self.kind)
        name = chouette.box if winner is Party.BOX else _("the team of {name}", name=chouette.captain)
        label = _("Enter: {name} wins, {kind}", name=name, kind=kind_words(self.kind))
        page.button(beside, label, Do(command, _("Entered; Undo takes it back.")), view.why_not(command), kind="go", size=0.4)
