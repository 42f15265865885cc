"""What the hall's desk says on the screen: the pause over everything, and its messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.say import _
from kiosk.session import commands as c
from kiosk.ui.actions import Explain, Open, ReadTold
from kiosk.ui.changes import next_second
from kiosk.ui.screens.base import Screen, pause_words, sheet
from kiosk.ui.screens.official.frame import AskAct
from kiosk.ui.view import Told, ago

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.domain.state import Message, Pause
    from kiosk.ui.draw import Rect
    from kiosk.ui.page import Page
    from kiosk.ui.view import View

SHORT = 60
"""A message of no more letters is read in the header's place; a longer one has a page."""


def pause_changes(view: View) -> Iterator[int]:
    """Each second of the pause."""
    if view.pause is not None:
        yield next_second(view.pause.since, view.shot.at)


def pause_band(page: Page, rect: Rect, view: View) -> None:
    """The band over the clock: who, why, since when; an official can lift it where the desk cannot be reached."""
    t, place, pause = page.theme, page.place, view.pause
    if pause is None:
        return
    page.box(rect, t.alert, place.touch // 8)
    words = pause_words(view)
    page.control(rect, Explain(_explained(pause, words)), name="paused", area=True)
    inner = rect.inset(place.gap, 0)
    if view.official is not None:
        lift, inner = inner.cut_right(max(inner.w // 4, place.touch * 2), place.gap)
        label, ask = _lifting(pause, words)
        page.button(lift, label, Open(ask), view.why_not(ask.command), size=0.36)
    time, inner = inner.cut_right(place.em(1.6), place.gap)
    page.text(time, ago(pause.since, view.shot.at), place.em(0.5), t.alert_ink, face="bold")
    page.text(inner, words, place.em(0.46), t.alert_ink, face="bold", align="left", lines=3)


def _explained(pause: Pause, words: str) -> str:
    if pause.by:
        return _("{words}. Nothing runs until that is lifted; then somebody resumes.", words=words.rstrip("."))
    return _("{words} An official who is signed in may let the match run here again.", words=words)


def _lifting(pause: Pause, words: str) -> tuple[str, AskAct]:
    """The button of an official that lets clocks run again, and what it asks first."""
    after, command = _("The clocks stand until somebody resumes"), c.LiftPause(None)
    if pause.by:
        asked = AskAct(_("Lift the pause of the hall?"), words, after, command, said=_("The pause is lifted at this table."))
        return _("Lift the pause"), asked
    asked = AskAct(_("Play on at this device?"), words, after, command, said=_("The match may be resumed at this device."))
    return _("Play on here"), asked


def message_told(message: Message, waiting: int) -> Told:
    """A message in the header's place.

    Args:
        message: The one that is to be read first.
        waiting: How many wait behind it.
    """
    text = " ".join(message.text.split())
    if len(text) > SHORT:
        text = _("{text} (read on)", text=text[:CUT].rsplit(" ", 1)[0])
    return Told(_("{by}: {text}", by=message.by, text=text), "message", waiting, message.n)


CUT = 40
"""So many letters of a longer one lead to its page."""


@dataclass(frozen=True, slots=True)
class WholeMessage(Screen):
    """A message from the desk, all of it."""

    n: int

    @staticmethod
    def needed(message: Message) -> bool:
        """Whether a message is too long for the header's place."""
        return len(" ".join(message.text.split())) > SHORT

    def stays(self, view: View) -> bool:
        """Until it was read."""
        return any(message.n == self.n for message in view.shot.table.hall.messages)

    def draw(self, page: Page, view: View) -> None:
        """Its words, and one button."""
        message = next(message for message in view.shot.table.hall.messages if message.n == self.n)
        body, beside = sheet(page, view, _("Message from {by}", by=message.by))
        page.box(body, page.theme.panel, page.place.touch // 6)
        page.text(body.inset(page.place.gap), message.text, page.place.em(0.5), align="left", lines=16)
        page.button(beside, _("Read"), ReadTold(self.n), kind="go")
