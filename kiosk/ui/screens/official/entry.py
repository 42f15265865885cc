"""The way to the officials' screens: the referee's button, the same on every screen that has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.say import _
from kiosk.session import commands as c
from kiosk.ui.actions import Do, Open
from kiosk.ui.changes import next_second
from kiosk.ui.screens.official.desk import Officials
from kiosk.ui.screens.official.signin import SignPad
from kiosk.ui.view import ago

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.ui.draw import Rect
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


def referee_button(page: Page, rect: Rect, view: View) -> None:
    """The first touch calls, at once; once one is called it is the number pad, and while one is signed in his menu."""
    call = c.CallReferee(None)
    if view.official is not None:
        narrow = rect.w < page.place.touch * 3 // 2
        page.button(rect, _("Referee"), Open(Officials()), kind="referee", sub=_("signed in") if narrow else view.official.name, size=0.4)
    elif _waits(view) or view.why_not(call) is not None:
        since = view.shot.table.call
        words = _("sign in") if since is None or not _waits(view) else _("called {time} ago", time=ago(since.at, view.shot.at))
        page.button(rect, _("Referee"), Open(SignPad()), kind="referee", sub=words, size=0.4)
    else:
        page.button(rect, _("Referee"), Do(call, _("The referee has been called.")), kind="referee", urgent=True, size=0.4)


def _waits(view: View) -> bool:
    return view.shot.table.referee_called


def referee_changes(view: View) -> Iterator[int]:
    """When the button looks different by itself: each second since the call, while one waits for him."""
    since = view.shot.table.call
    if view.official is None and _waits(view) and since is not None:
        yield next_second(since.at, view.shot.at)
