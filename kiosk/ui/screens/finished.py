"""The finished sheet: result, games, reserves, signatures, and what comes next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.facts import STROKES_HIGH, STROKES_WIDE
from kiosk.domain.state import OVER, Game, Phase
from kiosk.domain.types import SIDES, Pair, Side, clock_text
from kiosk.say import _, n_
from kiosk.session import commands as c
from kiosk.ui.actions import Open, PrintSheet, SaveSheet
from kiosk.ui.draw import Rect
from kiosk.ui.screens.base import Screen, sheet, title_line
from kiosk.ui.screens.menu import Menu
from kiosk.ui.screens.offered import Offered
from kiosk.ui.screens.official.entry import referee_button, referee_changes
from kiosk.ui.screens.public import PublicPage, code
from kiosk.ui.screens.sign import SignSheet
from kiosk.ui.screens.start import Start
from kiosk.words import how_words, result_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.domain.state import Signature
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class Finished(Screen):
    """The match is over."""

    def stays(self, view: View) -> bool:
        """After the end, until the next match."""
        return view.phase in OVER

    def changes(self, view: View) -> Iterator[int]:
        """The referee's button."""
        yield from referee_changes(view)

    def draw(self, page: Page, view: View) -> None:
        """The result above, the games, one signature field for each side."""
        place, gap, t = page.place, page.place.gap, page.theme
        page.box(page.rect, t.ground)
        body = page.rect.inset(gap, gap // 2)
        line, body = body.cut_top(place.touch * 7 // 10, gap // 2)
        title_line(page, line, view, end_words(view))
        bottom, body = body.cut_bottom(place.touch, gap)
        if view.can_print and place.portrait:  # there is no room for five beside each other
            above, body = body.cut_bottom(place.touch, gap)
            _papers(page, above, view)
            _buttons(page, bottom, view, papers=False)
        else:
            _buttons(page, bottom, view, papers=True)
        signs, body = body.cut_bottom(place.touch * 3 // 2, gap)
        for side, cell in zip(SIDES, signs.columns(2, gap), strict=True):
            _signature(page, cell, view, side)
        result, games = body.cut_top(place.touch * 13 // 10, gap)
        _result(page, result, view)
        paper = view.shot.table.paper
        if paper is not None:
            line, games = games.cut_top(place.em(0.5), gap // 2)
            words = _("entered from paper by {name}", name=paper.by.name)
            page.text(line, f"{words}  ·  {paper.played}" if paper.played else words, place.em(0.36), lines=2)
        if view.public_page and games.h > place.touch:
            if place.portrait:
                square, games = games.cut_bottom(games.h // 2, gap)
            else:
                square, games = games.cut_right(min(games.h, games.w * 30 // 100), gap)
            code(page, square, view.squares(view.public_page))
            page.control(square, Open(PublicPage()), name="code", area=True)
        _games(page, games, view)


def end_words(view: View) -> str:
    """How the match ended."""
    end = view.shot.table.ended
    if end is None:
        return _("The match is over")
    return how_words(end.how, "" if end.winner is None else view.name(end.winner))


def _result(page: Page, rect: Rect, view: View) -> None:
    place, t = page.place, page.theme
    page.box(rect, t.panel, place.touch // 6)
    standing = view.shot.standing or Pair("", "")
    middle_w = rect.w * 30 // 100
    side_w = (rect.w - middle_w) // 2
    middle = Rect(rect.x + side_w, rect.y, middle_w, rect.h)
    page.text(middle, view.score, place.em(0.95), face="bold")
    for side, x in ((Side.LEFT, rect.x), (Side.RIGHT, middle.right)):
        cell = Rect(x, rect.y, side_w, rect.h).inset(place.gap, 2)
        won = view.shot.table.ended is not None and view.shot.table.ended.winner is side
        upper, lower = cell.cut_top(cell.h * 6 // 10, 0)
        page.text(upper, view.name(side), place.em(0.5), face="bold" if won else "text", lines=2)
        time = clock_text(view.clock.reserve[side]) if view.clocked else ""
        small = _("{standing} · {time} left", standing=standing[side], time=time) if time else standing[side]
        page.text(lower, small, place.em(0.4), t.quiet)


def _games(page: Page, rect: Rect, view: View) -> None:
    """One line a game, as many of the last ones as have room; more columns on a wide panel."""
    place, t = page.place, page.theme
    high = place.em(0.56)
    entries = view.shot.table.ledger
    rows = max(1, rect.h // high)
    columns = 1 if place.portrait or rect.w < 700 or len(entries) <= rows else 2
    room = rows * columns
    cells = [cell for column in rect.columns(columns, place.gap * 2) for cell in column.rows(rows, 0)]
    shown = entries[-room:]
    for entry, cell in zip(shown, cells, strict=False):
        if isinstance(entry, Game):
            words = _(
                "{n}. {name}: {result}", n=entry.n, name=view.name(entry.winner), result=result_words(view.setup, entry.kind, entry.cube)
            )
            words += " " + _("(Crawford)") if entry.crawford else ""
            words += " " + _("(corrected)") if entry.corrected else ""
            figure = f"+{entry.points}"
        else:
            words = _("Penalty against {name}", name=view.name(entry.side))
            figure = f"+{entry.points}"
        number, rest = cell.cut_right(place.em(0.9), place.gap)
        page.text(rest, words, place.em(0.36), t.quiet, align="left")
        page.text(number, figure, place.em(0.4), t.ink, face="bold", align="right")
    if not entries:
        page.text(rect, _("No game was finished."), place.em(0.38), t.quiet, lines=2)


def _signature(page: Page, rect: Rect, view: View, side: Side) -> None:
    place, t = page.place, page.theme
    found = next((s for s in view.shot.table.signatures if s.side is side), None)
    if found is None:
        why = view.why_not(c.Sign(side, protest=False))
        page.button(rect, _("{name} signs", name=view.name(side)), Open(SignSheet(side)), why, kind="go", size=0.46)
        return
    page.box(rect, t.paper, place.touch // 8, t.button_edge, 2)
    label, pad = rect.inset(place.gap, 4).cut_bottom(place.em(0.42), 0)
    words = _("{name}, under protest", name=view.name(side)) if found.protest else view.name(side)
    page.text(label, words, place.em(0.34), t.paper_ink)
    _drawn(page, pad, found)


def _drawn(page: Page, pad: Rect, signature: Signature) -> None:
    if not signature.strokes:
        page.tick(pad.x + pad.w // 2, pad.y + pad.h // 2, pad.h // 4, page.theme.paper_ink)
        return
    share = min(pad.w / STROKES_WIDE, pad.h / STROKES_HIGH)
    dx, dy = pad.x + int(pad.w - STROKES_WIDE * share) // 2, pad.y + int(pad.h - STROKES_HIGH * share) // 2
    for stroke in signature.strokes:
        points = [(dx + int(x * share), dy + int(y * share)) for x, y in stroke]
        if len(points) > 1:
            page.path(points, page.theme.paper_ink, 2)
        else:
            page.disc(*points[0], 2, page.theme.paper_ink)


def _papers(page: Page, rect: Rect, view: View) -> None:
    """The sheet on a stick, and as a receipt."""
    cells = rect.columns(2 if view.can_print else 1, page.place.gap)
    page.button(cells[0], _("Save"), SaveSheet(), sub=_("on a stick"))
    if view.can_print:
        page.button(cells[1], _("Print"), PrintSheet(), sub=_("a receipt"))


def _buttons(page: Page, rect: Rect, view: View, *, papers: bool) -> None:
    menu, rest = rect.cut_left(page.place.touch, page.place.gap)
    page.button(menu, "", Open(Menu()), sign="menu")
    call, rest = rest.cut_left(rest.w * (25 if page.place.portrait else 32) // 100, page.place.gap)
    referee_button(page, call, view)
    new = rest
    if papers:
        share = 54 if view.can_print else 29 if page.place.portrait else 34
        sheets, new = rest.cut_left(rest.w * share // 100, page.place.gap)
        _papers(page, sheets, view)
    signed = len(view.shot.table.signatures)
    sub = "" if signed == 2 else n_("{n} signature is missing", "{n} signatures are missing", 2 - signed)
    next_one = Offered() if view.offers else Start()
    following = next_one if signed == 2 or view.phase is Phase.RECEIVED else AskUnsigned()
    page.button(new, _("New match"), Open(following), kind="go" if signed == 2 else "plain", sub=sub)


@dataclass(frozen=True, slots=True)
class AskUnsigned(Screen):
    """Go on without all signatures?"""

    def stays(self, view: View) -> bool:
        """While one is missing."""
        return view.phase is Phase.ENDED

    def draw(self, page: Page, view: View) -> None:
        """What is left behind, before it is."""
        body, beside = sheet(page, view, _("Go on without all signatures?"))
        words = _(
            "This sheet is not signed by both. It stays in the journal, but once a new match is open it can no longer be signed here."
        )
        page.text(body, words, page.place.em(0.5), lines=5)
        page.button(beside, _("Set up a new match"), Open(Offered() if view.offers else Start()))
