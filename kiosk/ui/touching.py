"""How well a panel's touch fits its picture: points that were to be touched, and where the touches came. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from statistics import median
from typing import TYPE_CHECKING

from kiosk.ports import Finding
from kiosk.say import _, mark

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kiosk.ui.page import Place

Point = tuple[int, int]

FINGER_MM = 12.0
"""What one target measures: a touch that misses by half of it hits the one beside."""

GOOD_MM, BAD_MM = 4.0, FINGER_MM / 2
"""Decision: a fingertip alone lands within some 3 mm of what it means."""

TURNS: dict[str, Callable[[float, float], tuple[float, float]]] = {
    mark("left and right are exchanged"): lambda x, y: (1 - x, y),
    mark("above and below are exchanged"): lambda x, y: (x, 1 - y),
    mark("it is turned by 180 degrees"): lambda x, y: (1 - x, 1 - y),
    mark("it is turned by 90 degrees"): lambda x, y: (1 - y, x),
    mark("it is turned by 270 degrees"): lambda x, y: (y, 1 - x),
    mark("both directions are exchanged"): lambda x, y: (y, x),
}
"""What a wrong mapping does to a point, as shares of the panel's sides."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How the touches lay."""

    median_px: float
    worst_px: float
    turned: str = ""
    """Which wrong mapping explains them, marked for the catalogue; empty where none does."""


def fit(wanted: Sequence[Point], touched: Sequence[Point], size: Point) -> Fit:
    """Compare touches with what they were meant for.

    Args:
        wanted: What was to be touched, in pixels; at least one.
        touched: Where each touch came.
        size: The panel's pixels.
    """
    plain = _misses(wanted, touched)
    found = Fit(median(plain), max(plain))
    w, h = size
    for words, turn in TURNS.items():
        turned = [(x * w, y * h) for x, y in (turn(px / w, py / h) for px, py in wanted)]
        if max(_misses(turned, touched)) < min(found.worst_px / 2, min(w, h) / 6):
            return Fit(found.median_px, found.worst_px, words)
    return found


def _misses(wanted: Sequence[tuple[float, float]], touched: Sequence[Point]) -> list[float]:
    return [hypot(x - px, y - py) for (px, py), (x, y) in zip(wanted, touched, strict=True)]


def judge_touch(found: Fit, place: Place) -> Finding:
    """Make a line of it.

    Args:
        found: How the touches lay.
        place: The panel; its target is 12 mm.
    """
    per_px = FINGER_MM / place.touch
    middle, worst = found.median_px * per_px, found.worst_px * per_px
    figure = _(
        "off by {px} px ({mm} mm) in the middle, {most_px} px ({most_mm} mm) at most",
        px=round(found.median_px),
        mm=f"{middle:.1f}",
        most_px=round(found.worst_px),
        most_mm=f"{worst:.1f}",
    )
    if found.turned:
        advice = _(
            "The touch does not fit the picture: {how}. Set the display's rotation, or the panel's touch mapping.", how=_(found.turned)
        )
        return Finding("touch", _("Touch"), figure, "wrong", advice)
    if worst > BAD_MM:
        return Finding(
            "touch", _("Touch"), figure, "wrong", _("Clean the panel and try again; if it stays so, replace the panel or its cable.")
        )
    if worst > GOOD_MM:
        return Finding("touch", _("Touch"), figure, "doubt", _("Not very exact: try again with one finger, without a glove."))
    return Finding("touch", _("Touch"), figure, "good")
