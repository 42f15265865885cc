"""What is needed seldom in a chouette: who comes and goes, the games so far, how it is played, its end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.domain.errors import mark
from kiosk.say import _
from kiosk.session import commands as c
from kiosk.ui.actions import Do, Open, SaveSheet
from kiosk.ui.screens.base import Screen, sheet
from kiosk.ui.screens.chouette.cells import chouette_of, goes_on, grid
from kiosk.ui.screens.chouette.clock import ChouetteClock, clock_now
from kiosk.ui.screens.chouette.games import ChouetteGames
from kiosk.ui.screens.keyboard import Form, Keyboard
from kiosk.words import chouette_clock_words, signed

if TYPE_CHECKING:
    from kiosk.ui.page import Page
    from kiosk.ui.view import View

RULES = (
    mark("The captain alone moves the team's checkers. The team may talk before every play; where it disagrees, the captain decides."),
    mark("The team doubles only if all of its members want to. Where the box doubles, each member takes or passes for himself."),
    mark("Who passes pays the box the stake as it was, and is out of this game. The others play on for the doubled stake."),
    mark("The team lost: its captain goes to its end. It won: its captain goes into the box, and the box to the end of the team."),
)
"""How a chouette is played (002)."""


@dataclass(frozen=True, slots=True)
class ChouetteMore(Screen):
    """What else?"""

    def stays(self, view: View) -> bool:
        """While it goes on."""
        return goes_on(view)

    def draw(self, page: Page, view: View) -> None:
        """Large buttons."""
        body, beside = sheet(page, view, _("Chouette"))
        upper, lower = body.rows(2, page.place.gap)
        joins, leaves, clock = upper.columns(3, page.place.gap)
        games, rules = lower.columns(2, page.place.gap)
        form, first = ChouetteJoins(), chouette_of(view).team[-1]
        join = c.JoinChouette("…")  # nobody is called so: whether anybody could join
        page.button(joins, _("Somebody joins"), Open(Keyboard(form, "name")), view.why_not(join), sub=_("at the end of the team"))
        leave = view.why_not(c.LeaveChouette(first))
        page.button(leaves, _("Somebody leaves"), Open(ChouetteLeaves()), leave, sub=_("his points stay"))
        now = clock_now(view)
        page.button(clock, _("Clock"), Open(ChouetteClock(now)), sub=chouette_clock_words(now.delay, now.reserve))
        page.button(games, _("Games so far"), Open(ChouetteGames()))
        page.button(rules, _("How it is played"), Open(ChouetteRules()))
        save, over = beside.columns(2, page.place.gap)
        page.button(save, _("Save on a stick"), SaveSheet())
        end = c.EndChouette()
        page.button(over, _("End the chouette"), Do(end, _("The chouette is over; Undo takes that back.")), view.why_not(end))


@dataclass(frozen=True, slots=True)
class ChouetteJoins(Form):
    """Who joins? It lies behind the keyboard until a name is typed."""

    name_typed: str = ""

    def stays(self, view: View) -> bool:
        """While it goes on."""
        return goes_on(view)

    def written(self, field: str, text: str) -> ChouetteJoins:
        """The form with the name."""
        del field
        return replace(self, name_typed=text)

    def asks(self, field: str) -> str:
        """Whose name."""
        del field
        return _("Who joins?")

    def draw(self, page: Page, view: View) -> None:
        """The name once more, and one button."""
        body, beside = sheet(page, view, _("Who joins?"))
        command = c.JoinChouette(self.name_typed)
        page.button(body.cut_top(page.place.touch * 2)[0], self.name_typed or "–", Open(Keyboard(self, "name", self.name_typed)), size=0.6)
        label = _("{name} joins", name=self.name_typed) if self.name_typed else _("Somebody joins")
        page.button(beside, label, Do(command, _("Entered; Undo takes it back.")), view.why_not(command), kind="go")


@dataclass(frozen=True, slots=True)
class ChouetteLeaves(Screen):
    """Who leaves?"""

    def stays(self, view: View) -> bool:
        """While it goes on."""
        return goes_on(view)

    def draw(self, page: Page, view: View) -> None:
        """Everybody, with his points."""
        chouette = chouette_of(view)
        body, beside = sheet(page, view, _("Who leaves?"))
        for name, cell in zip(chouette.players, grid(page, body, len(chouette.players)), strict=False):
            command = c.LeaveChouette(name)
            said = _("{name} has left; Undo takes it back.", name=name)
            page.button(cell, name, Do(command, said), view.why_not(command), sub=signed(chouette.total(name)), size=0.44)
        page.text(beside, _("The points stay on the sheet."), page.place.em(0.38), page.theme.quiet, align="right", lines=2)


@dataclass(frozen=True, slots=True)
class ChouetteRules(Screen):
    """How is it played?"""

    def draw(self, page: Page, view: View) -> None:
        """Four short paragraphs."""
        body, beside = sheet(page, view, _("How it is played"))
        for words, row in zip(RULES, body.rows(len(RULES), page.place.gap), strict=True):
            page.text(row, _(words), page.place.em(0.4), align="left", lines=4)
        page.text(beside, "002", page.place.em(0.36), page.theme.quiet, align="right")
