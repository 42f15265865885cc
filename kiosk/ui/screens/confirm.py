"""A recorded game waits for its loser: he confirms or disputes it in his own half; the winner may take the entry back in his."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.asked import game_points
from kiosk.domain.rulebook import Kind
from kiosk.domain.state import Phase
from kiosk.domain.types import SIDES, Side, present
from kiosk.say import _, n_
from kiosk.session import commands as c
from kiosk.ui.actions import Do, Open
from kiosk.ui.screens.base import Screen, small_clock, title_line
from kiosk.ui.screens.menu import Menu
from kiosk.ui.screens.official.entry import referee_button, referee_changes
from kiosk.ui.screens.questions import AskDispute
from kiosk.ui.screens.record import Record
from kiosk.words import result_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.domain.state import Awaiting
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class Confirm(Screen):
    """Does the loser agree?"""

    def stays(self, view: View) -> bool:
        """While a record waits."""
        return view.phase is Phase.RECORDING

    def changes(self, view: View) -> Iterator[int]:
        """The referee's button."""
        yield from referee_changes(view)

    def draw(self, page: Page, view: View) -> None:
        """Each half to its player."""
        place, gap = page.place, page.place.gap
        held = present(view.shot.table.awaiting)
        page.box(page.rect, page.theme.ground)
        body = page.rect.inset(gap, gap // 2)
        top, body = body.cut_top(place.touch * 9 // 10, gap // 2)
        small_clock(page.part(top), view)
        line, body = body.cut_top(place.touch * 7 // 10, gap // 2)
        loser = view.name(held.winner.other)
        title = (
            _("Disputed: the referee decides") if held.disputed else _("Game {n}: does {name} agree?", n=view.shot.table.game, name=loser)
        )
        title_line(page, line, view, title)
        bottom, body = body.cut_bottom(place.touch, gap)
        menu, rest = bottom.cut_left(place.touch, gap)
        page.button(menu, "", Open(Menu()), sign="menu")
        referee_button(page, rest.cut_right(max(place.touch * 2, rest.w // 3))[0], view)
        halves = body.rows(2, gap) if place.portrait else body.columns(2, gap)
        for side, rect in zip(SIDES, halves, strict=True):
            with view.speaking(side):
                _half(page.part(rect, view.turned(side)), view, side, held)


def _half(page: Page, view: View, side: Side, held: Awaiting) -> None:
    place, t = page.place, page.theme
    page.box(page.rect, t.panel, place.touch // 5)
    body = page.rect.inset(place.gap, place.gap)
    buttons, body = body.cut_bottom(place.touch * 2 + place.gap if side is not held.winner else place.touch, place.gap)
    name, body = body.cut_top(place.em(0.8), 0)
    page.text(name, view.name(side), place.em(0.5), face="bold")
    page.text(body, _words(view, side, held), place.em(0.46), t.ink if side is held.winner else t.quiet, lines=4)
    if side is held.winner:
        undo = Do(c.Undo("play"), _("The entry was taken back."))
        page.button(buttons, _("Take the entry back"), undo, view.why_not(c.Undo("play")))
        return
    agree, dispute = buttons.rows(2, place.gap)
    if held.disputed and view.official is not None:  # it is his to decide: these are no words of a player's
        uphold = Do(c.ConfirmGame(side), _("Decided: the entry stands."))
        page.button(agree, _("Referee: the entry stands"), uphold, view.why_not(c.ConfirmGame(side)), kind="go")
        page.button(dispute, _("Referee: decide otherwise"), Open(Record(held.winner, held.kind, held.cube)), None, kind="referee")
        return
    page.button(agree, _("I confirm"), Do(c.ConfirmGame(side), _("Confirmed.")), view.why_not(c.ConfirmGame(side)), kind="go")
    page.button(dispute, _("I dispute it"), Open(AskDispute(side)), view.why_not(c.DisputeGame(side)), kind="referee")


def _words(view: View, side: Side, held: Awaiting) -> str:
    if side is not held.winner:
        if held.disputed:
            return _("disputed")
        points = view.shot.score.put(held.winner, view.shot.score[held.winner] + _points(view, held))
        return _("The score is then {left} – {right}.", left=points.left, right=points.right)
    words = n_("wins {n} point", "wins {n} points", _points(view, held))
    lines = [words, result_words(view.setup, held.kind, held.cube)]
    shown = view.shot.cube.value
    if view.shot.cube_in_play and held.kind is not Kind.PASS and held.cube != shown:
        lines.append(_("On this screen the cube stands at {n}.", n=shown))
    return "\n".join(lines)


def _points(view: View, held: Awaiting) -> int:
    return game_points(view.setup, held.kind, held.cube, automatic=view.shot.cube.automatic)
