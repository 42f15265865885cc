"""The clock face: both reserves, who runs, the delay, cube and score, and five actions that never change places.

The layout is the same in every phase, so that no digit jumps when a game begins: a header, the two halves, in each half a line for
what its player may be asked, and the actions. What concerns both (why the clocks stand, what comes before the first press) takes
both lines together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from kiosk.domain.state import CUBE_LIMIT, Phase
from kiosk.domain.types import SIDES, Side
from kiosk.say import _, n_
from kiosk.session import commands as c
from kiosk.ui.actions import Do, Open
from kiosk.ui.changes import next_second
from kiosk.ui.draw import Rect
from kiosk.ui.screens.base import Screen, chip, told, trouble_chip
from kiosk.ui.screens.desk_words import pause_changes
from kiosk.ui.screens.half import cube_tile, half, out_of
from kiosk.ui.screens.history import History
from kiosk.ui.screens.joint import is_joint, joint_line
from kiosk.ui.screens.link import link_part, link_text
from kiosk.ui.screens.menu import Menu
from kiosk.ui.screens.official.entry import referee_button, referee_changes
from kiosk.ui.screens.questions import AskBreak, AskDouble
from kiosk.ui.screens.record import Record
from kiosk.ui.screens.status import troubles, what_is_played, where_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.ui.page import Page
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class Face(Screen):
    """The clock face."""

    def draw(self, page: Page, view: View) -> None:
        """Draw the face."""
        place, gap = page.place, page.place.gap
        page.box(page.rect, page.theme.ground)
        body = page.rect.inset(gap, gap // 2)
        top, body = body.cut_top(place.touch, gap)
        _header(page, top, view)
        bottom, body = body.cut_bottom(place.touch, gap)
        _actions(page, bottom, view)
        joint = is_joint(view)
        apart = place.portrait or view.prefs.facing
        if apart:
            strip, body = body.cut_bottom(place.touch * (16 if place.portrait else 10) // 10, gap)
            if joint:
                joint_line(page, strip, view)
        halves = body.rows(2, gap) if place.portrait else body.columns(2, gap)
        for side, rect in zip(SIDES, halves, strict=True):
            with view.speaking(side):
                half(page.part(rect, view.turned(side)), view, side, ask=not joint or apart)
        if joint and not apart:
            joint_line(page, body.cut_bottom(place.touch)[0], view)

    def changes(self, view: View) -> Iterator[int]:
        """The referee's button, how long somebody has been out, and how long the hall has been paused."""
        yield from referee_changes(view)
        yield from pause_changes(view)
        yield from (next_second(out.at, view.shot.at) for out in map(partial(out_of, view), SIDES) if out is not None)


# ── Header ───────────────────────────────────────────────────────────────────
def _header(page: Page, rect: Rect, view: View) -> None:
    if view.told is not None:
        told(page, link_part(page, trouble_chip(page, rect, view), view), view)
        return
    place, t = page.place, page.theme
    left, rest = rect.cut_left(place.touch, place.gap)
    page.button(left, "", Open(Menu()), sign="menu", kind="plain")
    middle_w = rest.w * (38 if place.portrait else 28) // 100
    x = rect.x + (rect.w - middle_w) // 2 if not place.portrait else rest.x + rest.w * 26 // 100
    middle = Rect(x, rect.y, middle_w, rect.h)
    page.box(middle, t.panel, place.touch // 8)
    _score(page, middle, view)
    page.control(middle, Open(History()), name="score", area=True)
    where = Rect(rest.x, rect.y, middle.x - rest.x - place.gap, rect.h)
    if view.link.joined:
        name, where = where.cut_top(where.h * 36 // 100)
        link_text(page, where, view, align_right=False)
        page.text(name, where_words(view), place.em(0.34), t.quiet, align="left")
    else:
        page.text(where, where_words(view), place.em(0.36), t.quiet, align="left", lines=2)
    status = Rect(middle.right + place.gap, rect.y, rect.right - middle.right - place.gap, rect.h)
    _status(page, status, view)


def _score(page: Page, rect: Rect, view: View) -> None:
    cube = view.shot.cube
    if view.shot.is_crawford_game or (view.shot.cube_in_play and cube.owner is None):
        tile, rect = rect.cut_right(page.place.touch, 0)
        side = page.place.touch * 6 // 10
        box = Rect(tile.x + (tile.w - side) // 2, tile.y + (tile.h - side) // 2, side, side)
        cube_tile(page, box, view, crossed=view.shot.is_crawford_game)
    page.text(rect.inset(4), view.score, page.place.em(0.72), page.theme.ink, face="bold")


def _status(page: Page, rect: Rect, view: View) -> None:
    """What is not right, else what is played: words, never a coloured dot alone."""
    if troubles(view):
        chip(page, rect, view)
        return
    words = what_is_played(view)
    if page.place.portrait:
        words = words.replace(" · ", "\n")  # a line does not begin with the dot
    page.text(rect, words, page.place.em(0.36), page.theme.quiet, align="right", lines=3)


# ── The five actions ─────────────────────────────────────────────────────────
def _actions(page: Page, rect: Rect, view: View) -> None:
    stop, over, double, rest, referee = rect.columns(5, page.place.gap)
    if view.phase is Phase.STOPPED:
        page.button(stop, _("Resume"), Do(c.Resume()), view.why_not(c.Resume()), kind="go")
    else:
        page.button(stop, _("Stop"), Do(c.StopClock(None, None)), view.why_not(c.StopClock(None, None)), urgent=True)
    page.button(over, _("Game over"), Open(Record()), _record_why(view), size=0.4)
    page.button(double, _double_label(view), Open(AskDouble(view.clock.switched_at)), _double_why(view), size=0.4)
    page.button(rest, _break_label(view), Open(AskBreak()), _break_why(view), size=0.4)
    referee_button(page, referee, view)


def _record_why(view: View) -> str | None:
    kind = view.setup.kinds[0][0]
    return view.why_not(c.RecordGame(Side.LEFT, kind, None))


def _double_label(view: View) -> str:
    value = view.shot.cube.value
    return _("Double") if value == 1 or value >= CUBE_LIMIT or not view.shot.cube_in_play else _("Redouble")


def _double_why(view: View) -> str | None:
    turn = view.clock.turn or Side.LEFT
    return view.why_none(c.Double(turn), c.Double(turn.other))


def _break_label(view: View) -> str:
    if not view.setup.breaks:
        return _("Break")
    left = [view.setup.breaks - view.shot.table.breaks_taken[side] for side in SIDES]
    if left[0] == left[1]:
        return n_("Break · {n} left", "Break · {n} left", left[0])
    return _("Break · {left} – {right} left", left=left[0], right=left[1])


def _break_why(view: View) -> str | None:
    return view.why_none(*(c.TakeBreak(side) for side in SIDES))
