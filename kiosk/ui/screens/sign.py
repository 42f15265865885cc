"""A signature, drawn by finger, by mouse, or left out; under protest where one objects."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.domain.facts import MOST_POINTS, STROKES_HIGH, STROKES_WIDE, Strokes
from kiosk.domain.state import Phase
from kiosk.domain.types import Side
from kiosk.say import _
from kiosk.session import commands as c
from kiosk.ui.actions import Do, Draw, Turn
from kiosk.ui.draw import Rect
from kiosk.ui.screens.base import Screen, sheet

if TYPE_CHECKING:
    from kiosk.ui.draw import Colour
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class SignSheet(Screen):
    """A side signs."""

    side: Side
    strokes: Strokes = ()
    """In the panel's pixels."""
    protest: bool = False

    def stays(self, view: View) -> bool:
        """While the sheet waits for this signature."""
        signed = any(signature.side is self.side for signature in view.shot.table.signatures)
        return view.phase in {Phase.ENDED, Phase.SIGNED} and not signed

    def stroke(self, points: tuple[tuple[int, int], ...]) -> SignSheet | None:
        """One more stroke."""
        if sum(map(len, self.strokes)) + len(points) > MOST_POINTS:
            return None
        return replace(self, strokes=(*self.strokes, points))

    def draw(self, page: Page, view: View) -> None:
        """The result in words, the pad, and the button that signs."""
        body, beside = sheet(page, view, _("{name} signs", name=view.name(self.side)))
        line, body = body.cut_top(page.place.em(0.7), page.place.gap)
        page.text(line, _result_words(view), page.place.em(0.4), page.theme.quiet, align="left", lines=2)
        pad = pad_in(body)
        area = Rect(*page.on_screen(pad))
        page.box(pad, page.theme.paper, page.place.touch // 8, page.theme.button_edge, 2)
        base = pad.y + pad.h * 3 // 4
        page.path([(pad.x + pad.w // 12, base), (pad.right - pad.w // 12, base)], (150, 156, 168), 2)
        if not self.strokes:
            page.text(
                Rect(pad.x, pad.y, pad.w, pad.h * 2 // 3),
                _("Sign here with your finger"),
                page.place.em(0.46),
                page.theme.paper_ink,
                lines=2,
            )
        page.control(pad, Draw(), name="pad", area=True)
        for stroke in self.strokes:
            ink(page, stroke, page.theme.paper_ink)
        clear, protest, done = beside.columns(3, page.place.gap)
        page.button(clear, _("Clear"), Turn(replace(self, strokes=())), None if self.strokes else _("Nothing has been drawn yet."))
        page.choice(protest, _("Under protest"), Turn(replace(self, protest=not self.protest)), chosen=self.protest, size=0.38)
        command = c.Sign(self.side, self.protest, to_box(self.strokes, area))
        label = _("Sign") if self.strokes else _("Sign without drawing")
        page.button(done, label, Do(command, _("Signed.")), view.why_not(command), kind="go", size=0.4)


def _result_words(view: View) -> str:
    end = view.shot.table.ended
    if end is None or end.winner is None:
        return _("I agree to the result {score}.", score=view.score)
    return _("I agree to the result {score}; {name} wins.", score=view.score, name=view.name(end.winner))


def pad_in(body: Rect) -> Rect:
    """The largest pad of a signature's shape."""
    w = min(body.w, body.h * STROKES_WIDE // STROKES_HIGH)
    h = w * STROKES_HIGH // STROKES_WIDE
    return Rect(body.x + (body.w - w) // 2, body.y + (body.h - h) // 2, w, h)


def to_box(strokes: Strokes, pad: Rect) -> Strokes:
    """Strokes in a signature's own figures; what left the pad stays at its edge."""

    def figure(value: int, start: int, length: int, most: int) -> int:
        return max(0, min(most, (value - start) * most // max(1, length)))

    return tuple(
        tuple((figure(x, pad.x, pad.w, STROKES_WIDE), figure(y, pad.y, pad.h, STROKES_HIGH)) for x, y in stroke) for stroke in strokes
    )


def ink(page: Page, points: tuple[tuple[int, int], ...], colour: Colour) -> None:
    """A stroke in the panel's pixels."""
    width = max(3, page.place.touch // 20)
    if len(points) == 1:
        page.disc(points[0][0], points[0][1], width, colour)
    else:
        page.path(list(points), colour, width)
