"""The organizer's next match: both players confirm it, each in his own half, and it is open.

Once its round has begun the screen asks who is missing: whoever is there opens the match, and the absent side's time runs (domain 2.9).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.state import OVER, Phase
from kiosk.domain.types import NS_PER_S, SIDES, Pair, Side, clock_text
from kiosk.say import LANGUAGES, _
from kiosk.session import commands as c
from kiosk.ui.actions import Close, Do, Open, OpenOffer, Prefer, Turn
from kiosk.ui.screens.base import Screen, sheet, title_line
from kiosk.ui.screens.questions import explained, two_tiles
from kiosk.ui.view import minutes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.domain.setup import MatchSetup
    from kiosk.ports import Offer
    from kiosk.ui.draw import Rect
    from kiosk.ui.page import Page
    from kiosk.ui.view import View

NOBODY = Pair(left=False, right=False)


@dataclass(frozen=True, slots=True)
class Offered(Screen):
    """Is this your match?"""

    match: str = ""
    """Which one is shown; another than those that there are shows the first."""

    @property
    def keeps(self) -> bool:
        """It is confirmed half by half."""
        return True

    def stays(self, view: View) -> bool:
        """While one is offered and none is open."""
        return bool(view.offers) and (view.phase is None or view.phase in OVER)

    def changes(self, view: View) -> Iterator[int]:
        """Each second until the round's start."""
        start = self.offer(view).setup.round_start
        if start is not None and start > view.shot.at:
            yield view.shot.at + ((start - view.shot.at) % NS_PER_S or NS_PER_S)

    def offer(self, view: View) -> Offer:
        """What is shown."""
        return next((one for one in view.offers if one.match == self.match), view.offers[0])

    def draw(self, page: Page, view: View) -> None:
        """What is played, and a half for each player with his name and his button."""
        place, gap = page.place, page.place.gap
        offer = self.offer(view)
        here = confirmed(view, offer)
        page.box(page.rect, page.theme.ground)
        body = page.rect.inset(gap, gap // 2)
        line, body = body.cut_top(place.touch * 7 // 10, gap // 2)
        title_line(page, line, view, _title(view, offer))
        bottom, body = body.cut_bottom(place.touch, gap)
        self._bottom(page, bottom, view, offer)
        high = place.touch * (13 if place.portrait else 8) // 10
        what, body = body.cut_top(max(high, place.touch + gap) if may_be_late(view, offer) else high, gap)
        self._what(page, what, view, offer)
        for side, cell in zip(SIDES, body.rows(2, gap) if place.portrait else body.columns(2, gap), strict=True):
            with view.speaking(side):
                self._half(page.part(cell, view.turned(side)), view, offer, here, side)

    def _what(self, page: Page, rect: Rect, view: View, offer: Offer) -> None:
        """What is played; once the round has begun, the question who is missing."""
        place, t = page.place, page.theme
        if not may_be_late(view, offer):
            page.box(rect, t.panel, place.touch // 8)
            page.text(rect.inset(place.gap, 2), offered_words(view, offer), place.em(0.44), lines=2)
            return
        page.box(rect, t.alert, place.touch // 8)
        inner = rect.inset(place.gap, place.gap // 2)
        late, inner = inner.cut_right(max(inner.w * 30 // 100, place.touch * 3), place.gap)
        page.button(late, _("Somebody is late"), Open(OfferedLate(offer.match, offer.version)), size=0.4)
        words = _("The round has begun. Is somebody missing?") + "\n" + _played(view, offer)
        page.text(inner, words, place.em(0.4), t.alert_ink, face="bold", align="left", lines=3)

    def _half(self, page: Page, view: View, offer: Offer, here: Pair[bool], side: Side) -> None:
        place, t = page.place, page.theme
        mine = here[side]
        page.box(page.rect, t.run if mine else t.panel, place.touch // 6, t.run_frame if mine else None, max(3, place.touch // 16))
        inner = page.rect.inset(place.gap)
        ask, inner = inner.cut_bottom(place.touch * 13 // 10, place.gap)
        ink = t.run_ink if mine else t.ink
        page.text(inner, "\n".join(offer.setup.players[side]), place.em(0.7), ink, face="bold", lines=4)
        seat = c.ConfirmSeat(offer.match, offer.version, side, here=not mine)
        if mine:
            page.button(ask, _("Not yet"), Do(seat), view.why_not(seat), sub=_("waits for the opponent"), size=0.44)
        elif here[side.other]:
            page.button(ask, _("That is me: begin"), OpenOffer(offer.match, offer.version), kind="go", size=0.5)
        else:
            page.button(ask, _("That is me, and right"), Do(seat), view.why_not(seat), kind="go", size=0.44)

    def _bottom(self, page: Page, rect: Rect, view: View, offer: Offer) -> None:
        from kiosk.ui.screens.menu import Menu
        from kiosk.ui.screens.start import Start

        place = page.place
        corner, rest = rect.cut_left(place.touch if view.phase is None else place.touch * 2, place.gap)
        if view.phase is None:
            page.button(corner, "", Open(Menu()), sign="menu")
        elif has_begun(view, offer):
            from kiosk.ui.screens.finished import Finished

            page.button(corner, _("The match that ended here"), Open(Finished()), size=0.32)
        else:
            page.button(corner, _("Back"), Close(), sign="back")
        if view.phase is None:
            speak, rest = rest.cut_left(rest.w * 28 // 100, place.gap)
            codes = list(LANGUAGES)
            following = codes[(codes.index(view.prefs.language) + 1) % len(codes)]
            page.button(speak, LANGUAGES[following], Prefer({"language": following}), size=0.4)
        another, by_hand = rest.columns(2, place.gap)
        ids = [one.match for one in view.offers]
        at = ids.index(offer.match)
        why = _("No other match waits for this table.") if len(ids) == 1 else None
        page.button(another, _("Another match"), Turn(Offered(ids[(at + 1) % len(ids)])), why, sub=f"{at + 1} / {len(ids)}", size=0.4)
        page.button(by_hand, _("Open one by hand"), Open(Start()), size=0.4)


def _title(view: View, offer: Offer) -> str:
    parts = [_("Table {name}", name=view.table_name)] if view.table_name else []
    if offer.place.round:
        parts.append(_("round {round}", round=offer.place.round))
    if offer.place.practice:
        parts.append(_("practice"))
    return " · ".join(parts) or _("The next match")


def confirmed(view: View, offer: Offer) -> Pair[bool]:
    """Who has confirmed an offered match; one that was changed since is confirmed anew."""
    known = view.shot.table.hall.confirmed
    return known.here if known is not None and (known.match, known.version) == (offer.match, offer.version) else NOBODY


def has_begun(view: View, offer: Offer) -> bool:
    """Whether the round of an offered match has begun."""
    start = offer.setup.round_start
    return start is not None and view.shot.at >= start


def may_be_late(view: View, offer: Offer) -> bool:
    """Whether an absent side's time can be started: the round has begun, and the match has clocks."""
    return has_begun(view, offer) and offer.setup.control.clocked


def is_due(view: View) -> bool:
    """Whether the next match's round has begun while the last one still stands here: signed, or handed in."""
    return view.phase in {Phase.SIGNED, Phase.RECEIVED} and bool(view.offers) and has_begun(view, view.offers[0])


def offered_words(view: View, offer: Offer) -> str:
    """Length, time and the round's start."""
    return f"{_played(view, offer)}\n{_when(offer.setup, view)}"


def _played(view: View, offer: Offer) -> str:
    setup = offer.setup
    length = _("Free session") if setup.length is None else _("{n}-point match", n=setup.length)
    book = view.books.get(setup.rulebook)
    return f"{length} · {setup.rulebook if book is None else book.title(view.prefs.language)}"


def _when(setup: MatchSetup, view: View) -> str:
    time = _("no clock")
    if setup.control.clocked:
        time = _("{time} + {n} s delay", time=clock_text(setup.reserve.left), n=-(-setup.control.delay // NS_PER_S))
    start = setup.round_start
    if start is None:
        return time
    if start > view.shot.at:
        return time + " · " + _("begins in {time}", time=minutes(start - view.shot.at))
    return time + " · " + _("the round has begun")


@dataclass(frozen=True, slots=True)
class OfferedLate(Screen):
    """Who is missing at the organizer's match?"""

    match: str
    version: int
    """As it was shown."""

    def stays(self, view: View) -> bool:
        """While it is offered as it was, and none is open."""
        return Offered().stays(view) and self._offer(view) is not None

    def _offer(self, view: View) -> Offer | None:
        return next((one for one in view.offers if (one.match, one.version) == (self.match, self.version)), None)

    def draw(self, page: Page, view: View) -> None:
        """Left, right or both; the match is open then, and the absent side's time runs from now on."""
        offer = self._offer(view)
        body, beside = sheet(page, view, _("Who is missing? The time runs from now."))
        if offer is None:
            return
        body = explained(page, body, _("The delay first, then the reserve. Nothing is charged for the time before."))
        why = _("The hall is paused: no time runs now.") if view.pause is not None else None
        tiles = []
        for side in SIDES:
            name = " & ".join(offer.setup.players[side])
            tiles.append((_("{name} is missing", name=name), "", OpenOffer(self.match, self.version, (side,)), why))
        two_tiles(page, body, tiles)
        page.button(beside, _("Both are missing"), OpenOffer(self.match, self.version, SIDES), why)
