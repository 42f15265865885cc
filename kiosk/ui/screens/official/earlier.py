"""What was ruled on these players earlier in this event, at any table: the ladder asks for it (000 §11)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.say import _, n_
from kiosk.ui.actions import Turn
from kiosk.ui.screens.official.frame import OfficialScreen, official_sheet
from kiosk.words import infraction_words, sanction_words

if TYPE_CHECKING:
    from kiosk.domain.types import Side
    from kiosk.ports import Earlier
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


def earlier_words(view: View, sides: tuple[Side, ...] = (), code: str = "") -> str:
    """How many there are, or that it is not known; nothing at a table that belongs to no server.

    Args:
        view: What may be known.
        sides: Whose; nobody's means everybody's.
        code: Of this infraction alone; empty for all of them.
    """
    if not view.link.joined or view.phase is None:
        return ""
    found = view.earlier()
    if found is None:
        return (
            _("Earlier in this event: not known (offline).") if not view.link.connected else _("Earlier in this event: is being asked for.")
        )
    names = {name for side in sides for name in view.players[side]}
    mine = [one for one in found if (not names or one.player in names) and (not code or one.infraction == code)]
    if not mine:
        return _("Earlier in this event: nothing.")
    if code and sides:
        last = mine[-1]
        return _("Earlier, at table {table}: {what}", table=last.table, what=_sanction(last)) + (
            f" (+{len(mine) - 1})" if len(mine) > 1 else ""
        )
    return n_("Earlier in this event: {n} ruling", "Earlier in this event: {n} rulings", len(mine))


def how_many(view: View) -> str:
    """How many there are, as shortly as it can be said."""
    found = view.earlier()
    if found is None:
        return _("not known")
    return n_("{n} in this event", "{n} in this event", len(found)) if found else _("none in this event")


def _sanction(one: Earlier) -> str:
    return _("on record") if one.sanction is None else sanction_words(one.sanction)


@dataclass(frozen=True, slots=True)
class EarlierRulings(OfficialScreen):
    """What was ruled on them before?"""

    number: int = 0

    def stays(self, view: View) -> bool:
        """While an official is signed in at a match."""
        return view.official is not None and view.phase is not None

    def draw(self, page: Page, view: View) -> None:
        """One line each, the newest first, as many as there is room for."""
        body, beside = official_sheet(page, view, _("Earlier in this event"))
        place = page.place
        found = view.earlier()
        if not found:
            page.text(body, earlier_words(view), place.em(0.5), lines=4)
            return
        room = max(1, (body.h + place.gap) // (place.touch + place.gap))
        newest = tuple(reversed(found))
        pages = -(-len(newest) // room)
        number = self.number % pages
        for one, row in zip(newest[number * room : (number + 1) * room], body.rows(room, place.gap), strict=False):
            page.box(row, page.theme.panel, place.touch // 8)
            upper, lower = row.inset(place.gap, 4).cut_top(row.h * 55 // 100, 0)
            what = infraction_words(view.setup, one.infraction, view.prefs.language)
            page.text(upper, f"{one.player}: {what}, {_sanction(one)}", place.em(0.4), face="bold", align="left", lines=2)
            page.text(lower, _where(one, view), place.em(0.34), page.theme.quiet, align="left")
        single = _("There are no more.") if pages == 1 else None
        page.button(beside, f"{number + 1} / {pages}", Turn(replace(self, number=number + 1)), single, sign="right", size=0.36)


def _where(one: Earlier, view: View) -> str:
    parts = [_("table {name}", name=one.table) if one.table else "", view.date_words(one.at_ns), one.by, one.note]
    return "  ·  ".join(part for part in parts if part)
