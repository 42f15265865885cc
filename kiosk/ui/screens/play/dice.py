"""The twenty-one rolls, one touch each."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.ui.actions import Action
    from kiosk.ui.draw import Rect
    from kiosk.ui.page import Page

ROLLS = tuple((high, low) for high in range(6, 0, -1) for low in range(high, 0, -1))
"""The larger number first."""


def rolls(page: Page, body: Rect, chosen: tuple[int, int] | None, take: Callable[[tuple[int, int]], Action]) -> None:
    """A button for each roll.

    Args:
        page: Where.
        body: The rectangle they fill.
        chosen: The roll that is chosen.
        take: What a touch on one does.
    """
    columns, lines = (3, 7) if page.place.portrait else (7, 3)
    cells = [cell for row in body.rows(lines, page.place.gap) for cell in row.columns(columns, page.place.gap)]
    for roll, cell in zip(ROLLS, cells, strict=True):
        page.choice(cell, "{}-{}".format(*roll), take(roll), chosen=chosen == roll, size=0.52)
