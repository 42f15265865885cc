"""A suspended match: resume it here, save it for another table, leave it for another match; and taking one up that was saved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.domain.asked import score_of
from kiosk.domain.state import OVER, Phase
from kiosk.domain.types import Side, clock_text
from kiosk.say import _
from kiosk.session import commands as c
from kiosk.ui.actions import Do, HandOver, Open, Seek, TakeUp, Turn
from kiosk.ui.screens.official.frame import OfficialScreen, official_sheet, signed_in_words, tiles
from kiosk.ui.screens.start import Start

if TYPE_CHECKING:
    from kiosk.session import Carried
    from kiosk.ui.actions import Action
    from kiosk.ui.draw import Rect
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


LONG_LINE = 56
"""On a panel that stands upright a longer line is broken."""


@dataclass(frozen=True, slots=True)
class Adjourned(OfficialScreen):
    """What becomes of the suspended match at this table?"""

    def stays(self, view: View) -> bool:
        """While it is suspended."""
        return view.official is not None and view.phase is Phase.SUSPENDED

    def draw(self, page: Page, view: View) -> None:
        """Four ways on."""
        body, beside = official_sheet(page, view, _("The match is suspended"))
        resume = c.ResumeMatch()
        entries: list[tuple[str, Action, str | None]] = [
            (_("Resume it here"), Do(resume, _("The match goes on; the clocks stand.")), view.why_not(resume)),
            (_("Save it on a stick for another table"), HandOver(), None),
            (_("Open another match here"), Open(Start()), None),
            (_("Take up another suspended match"), Seek(), None),
        ]
        tiles(page, body, entries, 2)
        words = _("It stays in this table's journal, whatever comes next. Let it go on at one table only.")
        page.text(beside, words, page.place.em(0.34), page.theme.quiet, align="left", lines=3)


@dataclass(frozen=True, slots=True)
class ChooseAdjourned(OfficialScreen):
    """Which suspended match?"""

    matches: tuple[Carried, ...]
    first: int = 0
    """The first one that is shown."""

    def stays(self, view: View) -> bool:
        """While no match goes on here."""
        return view.official is not None and (view.phase in {None, Phase.SUSPENDED} or view.phase in OVER)

    def draw(self, page: Page, view: View) -> None:
        """One line each, as many as there is room for."""
        body, beside = official_sheet(page, view, _("Which suspended match?"))
        place = page.place
        if not self.matches:
            words = _("There is none: neither in this table's journal nor on a stick. Save it at its own table first.")
            page.text(body, words, place.em(0.5), lines=6)
        room = max(1, (body.h + place.gap) // (place.touch * 3 // 2 + place.gap))
        shown = self.matches[self.first : self.first + room]
        for match, row in zip(shown, body.rows(room, place.gap), strict=False):
            page.button(row, _names(match), Open(AskTakeUp(match)), sub=_where(match, view), size=0.46)
        again, more = beside.columns(2, place.gap)
        page.button(again, _("Look again"), Seek())
        if len(self.matches) > room:
            following = self.first + room if self.first + room < len(self.matches) else 0
            page.button(more, _("More"), Turn(replace(self, first=following)))


@dataclass(frozen=True, slots=True)
class AskTakeUp(OfficialScreen):
    """Take it up at this table?"""

    match: Carried

    def stays(self, view: View) -> bool:
        """While no match goes on here."""
        return ChooseAdjourned(()).stays(view)

    def draw(self, page: Page, view: View) -> None:
        """What will stand at this table, side by side."""
        body, beside = official_sheet(page, view, _("Take it up at this table?"))
        standing(page, body, view, self.match, self.match.state.position)
        page.button(beside, _("Take it up"), TakeUp(self.match), kind="go", sub=signed_in_words(view))


def standing(page: Page, body: Rect, view: View, match: Carried, more: str) -> None:
    """How a match from elsewhere stands, side by side, and a line about it.

    Args:
        page: The page.
        body: Where.
        view: What may be known.
        match: The match.
        more: A second line.
    """
    place, state = page.place, match.state
    long = place.portrait and len(more) > LONG_LINE
    line, rest = body.cut_bottom(place.em(2.2 if long else 1.1), place.gap)
    score, setup = score_of(state), state.setup
    for side, cell in zip(Side, rest.rows(2, place.gap) if place.portrait else rest.columns(2, place.gap), strict=True):
        page.box(cell, page.theme.panel, place.touch // 6)
        upper, lower = cell.inset(place.gap).cut_top(cell.h * 4 // 10, 2)
        page.text(upper, "" if setup is None else " & ".join(setup.players[side]), place.em(0.5), face="bold", lines=2)
        clock = state.clock
        words = str(score[side])
        if clock is not None and clock.control.clocked and state.paper is None:
            words += "  ·  " + clock_text(clock.reserve[side])
            words += "\n" + _("to move") if clock.turn is side else ""
        page.text(lower, words, place.em(0.6), lines=2)
    cube = _("Cube {n}", n=state.cube.value) if setup is not None and setup.cube else ""
    first = "  ·  ".join(part for part in (_where(match, view), cube) if part)
    page.text(line, f"{first}\n{more}" if more else first, place.em(0.36), page.theme.quiet, lines=4 if long else 2)


def _names(match: Carried) -> str:
    setup = match.state.setup
    return "" if setup is None else f"{' & '.join(setup.players.left)} – {' & '.join(setup.players.right)}"


def _where(match: Carried, view: View) -> str:
    """From which table, since when, and how it stands."""
    last, setup, score = match.rows[-1], match.state.setup, score_of(match.state)
    parts = [_("table {name}", name=match.table)] if match.table else []
    if last.wall_trusted:
        parts.append(view.date_words(last.wall_ns))
    if setup is not None:
        parts.append(_("Free session") if setup.length is None else _("{n}-point match", n=setup.length))
    return "  ·  ".join([*parts, f"{score.left} – {score.right}"])
