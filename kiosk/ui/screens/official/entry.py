"""The way to the officials' screens: the referee's button, the same on every screen that has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.session import commands as c
from kiosk.ui.actions import Do, Open
from kiosk.ui.say import _
from kiosk.ui.screens.official.desk import Officials, call_words
from kiosk.ui.screens.official.signin import SignPad

if TYPE_CHECKING:
    from kiosk.ui.draw import Rect
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


def referee_button(page: Page, rect: Rect, view: View) -> None:
    """The first touch calls, at once; once one is called it is the number pad, and while one is signed in his menu."""
    call = c.CallReferee(None)
    if view.official is not None:
        page.button(rect, _("Referee"), Open(Officials()), kind="referee", sub=view.official.name, size=0.4)
    elif view.shot.table.referee_called or view.why_not(call) is not None:
        page.button(rect, _("Referee"), Open(SignPad()), kind="referee", sub=call_words(view) or _("sign in"), size=0.4)
    else:
        page.button(rect, _("Referee"), Do(call, _("The referee has been called.")), kind="referee", urgent=True, size=0.4)
