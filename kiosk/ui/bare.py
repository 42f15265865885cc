"""The plainest clock there is: drawn when a screen has failed. It shares nothing with the screens but the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.domain.state import Phase
from kiosk.domain.types import SIDES, clock_text
from kiosk.say import _
from kiosk.session import commands as c
from kiosk.ui.actions import Do
from kiosk.ui.draw import Rect
from kiosk.ui.page import Page

if TYPE_CHECKING:
    from kiosk.ui.view import View


def bare(view: View) -> Page:
    """Both times, who runs, the fault in words, and the two buttons that every table needs.

    Args:
        view: What may be known; nothing of it is taken for granted but the snapshot.
    """
    place, t = view.place, view.theme
    page = Page(place, t, Rect(0, 0, place.w, place.h))
    page.box(page.rect, t.ground)
    body = page.rect.inset(place.gap)
    line, body = body.cut_top(place.touch, place.gap)
    page.box(line, t.alert)
    page.text(line.inset(8, 2), view.health.screen, place.em(0.36), t.alert_ink, align="left", lines=2)
    bottom, body = body.cut_bottom(place.touch, place.gap)
    clock = view.shot.clock
    if clock is not None:
        for side, rect in zip(SIDES, body.columns(2, place.gap), strict=True):
            runs = side in clock.running
            page.box(rect, t.run if runs else t.panel)
            time = clock_text(clock.reserve[side]) if view.clocked else str(view.shot.score[side])
            page.digits(rect.inset(place.gap), time, place.h, t.run_ink if runs else t.ink)
    stop, call = bottom.columns(2, place.gap)
    if view.shot.table.chouette is None:
        halted = view.phase is Phase.STOPPED
        command: c.Command = c.Resume() if halted else c.StopClock(None, None)
    else:
        halted = not view.clock_runs
        command = c.ResumeChouetteClock() if halted else c.StopChouetteClock()
    page.button(stop, _("Resume") if halted else _("Stop"), Do(command), view.why_not(command), urgent=not halted)
    page.button(call, _("Referee"), Do(c.CallReferee(None)), view.why_not(c.CallReferee(None)), kind="referee", urgent=True)
    return page
