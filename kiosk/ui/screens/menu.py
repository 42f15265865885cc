"""The menu: what is needed seldom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.types import SIDES
from kiosk.say import _
from kiosk.session import commands as c
from kiosk.ui.actions import Do, Leave, Open
from kiosk.ui.screens.base import Screen, sheet
from kiosk.ui.screens.checkin import CheckIn
from kiosk.ui.screens.chouette.cells import goes_on
from kiosk.ui.screens.chouette.start import ChouetteStart
from kiosk.ui.screens.history import History
from kiosk.ui.screens.languages import WORD, Languages
from kiosk.ui.screens.official.card import RuleCard
from kiosk.ui.screens.official.desk import Officials
from kiosk.ui.screens.official.rulings import Rulings
from kiosk.ui.screens.official.signin import SignPad
from kiosk.ui.screens.public import PublicPage
from kiosk.ui.screens.questions import AskLate, AskResign
from kiosk.ui.screens.record import Correct, correctable
from kiosk.ui.screens.settings import Settings

if TYPE_CHECKING:
    from kiosk.ui.actions import Action
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class Menu(Screen):
    """Everything that is not on the clock face."""

    def draw(self, page: Page, view: View) -> None:
        """Two columns of large buttons."""
        body, beside = sheet(page, view, _("Menu"))
        if view.public_page:
            page.button(beside, _("Follow this match on a phone"), Open(PublicPage()))
        entries = _entries(view)
        columns = 3 if len(entries) > 8 and not page.place.portrait else 2
        count = -(-len(entries) // columns)
        cells = [cell for row in body.rows(count, page.place.gap) for cell in row.columns(columns, page.place.gap)]
        for (label, action, why), cell in zip(entries, cells, strict=False):
            page.button(cell, label, action, why)


def _entries(view: View) -> list[tuple[str, Action, str | None]]:
    game, why = correctable(view) if view.phase is not None else (None, _("No match is open."))
    correct: Action = Open(game) if isinstance(game, Correct) else Do(c.Undo())
    early = None if view.before_game_one else _("Only before the first press of the match.")
    late = view.why_none(*(c.StartLate((side,)) for side in SIDES))
    entries: list[tuple[str, Action, str | None]] = [
        (_("What happened so far"), Open(History()), None if view.phase is not None else _("No match has been opened yet.")),
        (_("Correct the last game"), correct, why or None),
        (_("Check-in list"), Open(CheckIn()), early),
        (_("Somebody is late"), Open(AskLate()), early or late),
        (_("Swap the seats"), Do(c.SwapSeats(), _("The seats were swapped.")), view.why_not(c.SwapSeats())),
    ]
    if view.phase is not None and view.shot.table.setup is not None and view.setup.length is None:
        end = c.EndSession()
        entries.append((_("End the session"), Do(end, _("The session is over; Undo in the menu takes that back.")), view.why_not(end)))
    elif view.in_match or goes_on(view):
        resign = None if view.in_match else _("No match is going on.")
        entries.append((_("Resign the match"), Open(AskResign()), resign))
    else:
        entries.append((_("Begin a chouette"), Open(ChouetteStart()), None))
    undo = c.Undo("play")  # an official's acts are undone on his own page, which says what they were
    entries.append((_("Undo"), Do(undo, _("Undone.")), view.why_not(undo)))
    entries.append((_("Officials"), Open(Officials() if view.official is not None else SignPad()), None))
    entries.append((_("Rule card"), Open(RuleCard()), None))
    entries.append((_("Rulings, appeals"), Open(Rulings()), None if view.phase is not None else _("No match has been opened yet.")))
    entries.append((_("This table"), Open(Settings()), None))
    entries.append((WORD, Open(Languages()), None))
    if view.demo or view.simulated or view.watching:
        entries.append((_("Close the window"), Leave(), None))
    return entries
