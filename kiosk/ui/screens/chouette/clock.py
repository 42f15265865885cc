"""A chouette's clock: none, a ready-made one, or an own one by steps; before it begins, and later between two turns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.domain.types import NS_PER_S, Span, seconds, span_text
from kiosk.say import _
from kiosk.session import commands as c
from kiosk.ui.actions import Action, Close, Do, Turn
from kiosk.ui.screens.base import Screen, sheet
from kiosk.ui.screens.chouette.cells import chouette_of, goes_on
from kiosk.ui.screens.steps import DELAY_STEPS, RESERVE_STEPS, stepper
from kiosk.words import chouette_clock_words

if TYPE_CHECKING:
    from kiosk.ui.draw import Rect
    from kiosk.ui.page import Page
    from kiosk.ui.screens.chouette.start import ChouetteStart
    from kiosk.ui.view import View

WITHOUT = c.SetChouetteClock(Span(0), Span(0))
READY_MADE = (c.SetChouetteClock(seconds(10), seconds(300)), c.SetChouetteClock(seconds(12), seconds(600)))


@dataclass(frozen=True, slots=True)
class ChouetteClock(Screen):
    """How much time?"""

    clock: c.SetChouetteClock
    form: ChouetteStart | None = None
    """What it goes back to; None: a chouette goes on here."""

    def stays(self, view: View) -> bool:
        """As long as its form, or the chouette."""
        return goes_on(view) if self.form is None else self.form.stays(view)

    def draw(self, page: Page, view: View) -> None:
        """What the box and the team have each, and one button that agrees."""
        body, beside = sheet(page, view, _("Time for the box, and for the team, in each game"))
        steps, body = body.cut_bottom(page.place.touch * 2 + page.place.gap, page.place.gap)
        for clock, cell in zip((WITHOUT, *READY_MADE), body.columns(3, page.place.gap), strict=True):
            words = chouette_clock_words(clock.delay, clock.reserve)
            page.choice(cell, words, Turn(replace(self, clock=clock)), chosen=clock == self.clock, size=0.42)
        self._steps(page, steps)
        action, why = self._taken(view)
        page.button(beside, _("Take it"), action, why, kind="go", sub=chouette_clock_words(self.clock.delay, self.clock.reserve))

    def _steps(self, page: Page, rect: Rect) -> None:
        upper, lower = rect.rows(2, page.place.gap)
        now = self.clock
        label = _("reserve {time}", time=span_text(now.reserve))
        stepper(page, upper, label, now.reserve, RESERVE_STEPS, lambda span: Turn(replace(self, clock=replace(now, reserve=span))))
        label = _("delay {n} s", n=now.delay // NS_PER_S)
        stepper(page, lower, label, now.delay, DELAY_STEPS, lambda span: Turn(replace(self, clock=replace(now, delay=span))))

    def _taken(self, view: View) -> tuple[Action, str | None]:
        if self.form is not None:
            return Close(replace(self.form, clock=self.clock)), None
        said = _("The clock begins anew with the first press; Undo takes it back.")
        return Do(self.clock, "" if self.clock == WITHOUT else said), view.why_not(self.clock)


def clock_now(view: View) -> c.SetChouetteClock:
    """The clock that a chouette which goes on has."""
    agreed = chouette_of(view).agreed
    return WITHOUT if agreed is None else c.SetChouetteClock(agreed.delay, agreed.reserve)
