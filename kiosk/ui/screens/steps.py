"""A time that is set by steps: two buttons that take from it, what it is now, and two that add."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.domain.types import NS_PER_S, Span
from kiosk.say import _
from kiosk.ui.draw import Rect

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.ui.actions import Action
    from kiosk.ui.page import Page

LONGEST = Span(36_000 * NS_PER_S)
RESERVE_STEPS = (60 * NS_PER_S, 10 * NS_PER_S)
DELAY_STEPS = (5 * NS_PER_S, NS_PER_S)


def stepper(page: Page, rect: Rect, label: str, now: Span, steps: tuple[int, int], make: Callable[[Span], Action]) -> None:
    """Draw it.

    Args:
        page: Where to draw.
        rect: One row.
        label: What it is now.
        now: The same in nanoseconds.
        steps: The larger step and the smaller one, in nanoseconds.
        make: What a touch does that leads to a value; it is never below zero.
    """
    cells = rect.columns(6, page.place.gap)
    middle = Rect(cells[2].x, rect.y, cells[3].right - cells[2].x, rect.h)
    page.text(middle, label, page.place.em(0.46), face="bold", lines=2)
    for cell, step in ((cells[0], -steps[0]), (cells[1], -steps[1]), (cells[4], steps[1]), (cells[5], steps[0])):
        value = now + step
        sign = "+" if step > 0 else "−"
        whole = abs(step) // NS_PER_S
        words = f"{sign}{whole // 60}:00" if whole >= 60 else _("{n} s", n=f"{sign}{whole}").replace(" ", "\u00a0")
        page.button(cell, words, make(Span(max(0, value))), _why(value), size=0.42)


def _why(value: int) -> str | None:
    if value < 0:
        return _("There is no time below zero.")
    return _("Longer than 10 hours is not offered.") if value > LONGEST else None
