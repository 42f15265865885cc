"""What a screen is, and the frame that all but the clock face share.

A screen is a frozen value: what has been chosen on it so far, and how to draw it. Touching a control gives an action; most put another
value in the screen's place. Where a match has a clock, it stands at the top of every screen: no question and no alert hides it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.types import NS_PER_S, SIDES, Side, clock_text
from kiosk.say import _, n_
from kiosk.ui.actions import Close, Explain, Heard, ReadTold
from kiosk.ui.draw import Rect
from kiosk.ui.screens.link import link_part
from kiosk.ui.screens.status import troubles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.ui.actions import Action
    from kiosk.ui.page import Page
    from kiosk.ui.screens.play.diagram import Plan
    from kiosk.ui.view import Told, View


@dataclass(frozen=True, slots=True)
class Screen(ABC):
    """A screen and what has been chosen on it."""

    @property
    def name(self) -> str:
        """Its word: for logs, goldens and screenshots."""
        return type(self).__name__.lower()

    @property
    def keeps(self) -> bool:
        """Whether it stays open after something was done on it."""
        return False

    @abstractmethod
    def draw(self, page: Page, view: View) -> None:
        """Draw it.

        Args:
            page: An empty page over the whole panel.
            view: What may be known.
        """

    def stays(self, view: View) -> bool:
        """Whether it still has a meaning; where not, it is closed: the table has moved on."""
        return view is not None

    def changes(self, view: View) -> Iterator[int]:
        """Instants at which it will look different by itself, beyond what the table's own figures do (`kiosk.ui.changes`)."""
        del view
        yield from ()

    def typed(self, text: str) -> Screen | None:
        """Its next state after a text from a keyboard; None where it takes none."""
        del text
        return None

    def entered(self) -> Action | None:
        """What the Enter key does while nothing is in focus; None where it does nothing."""
        return None

    def escape(self) -> Close:
        """What the Escape key does: the same as the button that leads back."""
        return Close()

    def stroke(self, points: tuple[tuple[int, int], ...]) -> Screen | None:
        """Its next state after a finger's stroke, in the screen's pixels; None where it takes none."""
        del points
        return None

    def carried(self, plan: Plan, start: tuple[int, int], end: tuple[int, int]) -> Screen:
        """Its next state after a finger came down on its board and was lifted, in the screen's pixels."""
        del plan, start, end
        return self


# ── The frame ────────────────────────────────────────────────────────────────
def sheet(
    page: Page, view: View, title: str, back: Action | None = None, back_label: str | None = None, *, framed: bool = False
) -> tuple[Rect, Rect]:
    """Draw what all screens but the face share: the clock or a header, the title or what is being said, and the way back.

    Args:
        page: An empty page.
        view: What may be known.
        title: The screen's question.
        back: What the button at the bottom left does; it closes unless said otherwise.
        back_label: What stands on it.
        framed: Whether a frame lies around it: nothing then lies at its edges.

    Returns:
        The rectangle for the screen's own things, and the one beside the button at the bottom.
    """
    place, gap = page.place, page.place.gap
    page.box(page.rect, page.theme.ground)
    body = page.rect.inset(gap, gap if framed else gap // 2)
    if view.has_clock:
        top, body = body.cut_top(place.touch * 9 // 10, gap // 2)
        small_clock(page.part(top), view)
    line, body = body.cut_top(place.touch * 7 // 10, gap // 2)
    title_line(page, line, view, title)
    bottom, body = body.cut_bottom(place.touch, gap)
    corner, beside = bottom.cut_left(max(place.touch * 2, bottom.w // 5), gap)
    page.button(corner, _("Back") if back_label is None else back_label, back or Close(), sign="back")
    return body, beside


def title_line(page: Page, line: Rect, view: View, title: str) -> None:
    """The title, or what is being said in its place; beside it what is not right with the box."""
    line = link_part(page, trouble_chip(page, line, view), view)
    waits = view.told is not None and view.told.tone in {"alert", "message"}
    if view.told is not None and not (waits and view.pause is not None):  # what may wait for long must not hide that the hall is paused
        told(page, line, view)
    elif view.pause is not None:
        pause_strip(page, line, view)
    else:
        page.text(line, title, page.place.em(0.48), face="bold", align="left")


def pause_strip(page: Page, rect: Rect, view: View) -> None:
    """Who has paused the hall, and why, in the place of a title; since when the clock face says."""
    page.box(rect, page.theme.alert, page.place.touch // 8)
    page.text(
        rect.inset(page.place.gap, 2), pause_words(view), page.place.em(0.4), page.theme.alert_ink, face="bold", align="left", lines=3
    )


def pause_words(view: View) -> str:
    """Who has paused the hall, and why; or why this table stands by itself; nothing while it is not paused."""
    pause = view.pause
    if pause is None:
        return ""
    why = " ".join(pause.why.split())
    return _("{by} has paused the hall: {why}", by=pause.by, why=why) if pause.by else why


def trouble_chip(page: Page, rect: Rect, view: View) -> Rect:
    """What is not right with the box, at the right end of a line: it is on every screen as long as it lasts.

    Returns:
        What is left of the line.
    """
    if not troubles(view):
        return rect
    end, rest = rect.cut_right(rect.w * 30 // 100, page.place.gap)
    chip(page, end, view)
    return rest


def chip(page: Page, rect: Rect, view: View) -> None:
    """The worst trouble in a few words; touched, it says them all."""
    wrong = troubles(view)
    page.box(rect, page.theme.alert, page.place.touch // 8)
    page.text(rect.inset(page.place.touch // 8, 2), wrong[0][0], page.place.em(0.36), page.theme.alert_ink, face="bold", lines=3)
    page.control(rect, Explain("\n".join(long for _short, long in wrong)), name="status")


def told(page: Page, rect: Rect, view: View) -> None:
    """What is being said: a refusal, a word of what was done, or an alert that waits to be seen."""
    note, t = view.told, page.theme
    if note is None:
        return
    tones = {"alert": (t.alert, t.alert_ink), "refused": (t.ink, t.ground), "message": (t.paper, t.paper_ink)}
    ground, ink = tones.get(note.tone, (t.button, t.ink))
    page.box(rect, ground, page.place.touch // 8, t.ink if note.tone == "plain" else None, 2 if note.tone == "plain" else 0)
    inner = rect.inset(page.place.touch // 5, 2)
    if note.tone in {"alert", "message"}:
        button, inner = inner.cut_right(page.place.touch * 3 // 2, page.place.gap)
        label = _done_with(note)
        page.text(button, label, page.place.em(0.38), ink, face="bold", align="right", lines=2)
        sign, inner = inner.cut_left(page.place.em(0.6), page.place.gap)
        page.sign("warn", sign, ink)
    lines = 4 if view.link.joined and page.place.portrait else 3  # the connection's words take room from it
    page.text(inner, note.text, page.place.em(0.4), ink, align="left", lines=lines)
    page.control(rect, Heard() if note.message is None else ReadTold(note.message), name="told")


def _done_with(note: Told) -> str:
    """What stands where it is touched once it was read."""
    if note.message is not None:
        return _("Read") if not note.count else n_("Read · {n} more", "Read · {n} more", note.count)
    return _("Seen") if not note.count else n_("Seen · {n} more", "Seen · {n} more", note.count)


def small_clock(page: Page, view: View) -> None:
    """Both names and times in one strip: for every screen that is not the clock face."""
    for side, rect in zip(SIDES, page.rect.columns(2, page.place.gap), strict=True):
        small_half(page, rect, view, side)


def small_half(page: Page, rect: Rect, view: View, side: Side) -> None:
    """A side's name and time in a strip: who runs, and a flag, are told by its colour."""
    t, clock = page.theme, view.clock
    runs = side in clock.running
    down = clock.flagged(side)
    ground, ink = (t.flag, t.flag_ink) if down else (t.run, t.run_ink) if runs else (t.panel, t.ink)
    frame = t.run_frame if runs else t.halt if clock.turn is side else None
    page.box(rect, ground, page.place.touch // 8, frame, max(3, page.place.touch // 16))
    inner = rect.inset(page.place.touch // 5, page.place.touch // 14)
    if runs and clock.control.clocked and clock.delay_left(side):
        delay, inner = inner.cut_right(page.place.em(0.62), page.place.gap)
        page.digits(delay, str(-(-clock.delay_left(side) // NS_PER_S)), page.place.em(0.5), ink, align="right")
    time, rest = inner.cut_right(inner.w * 45 // 100, page.place.gap)
    page.digits(
        time, clock_text(clock.reserve[side]) if view.clocked else str(view.shot.score[side]), page.place.em(0.95), ink, align="right"
    )
    page.text(rest, view.name(side), page.place.em(0.42), ink, align="left", lines=2)
