"""How a panel is mounted: how the picture lies on it, and what a finger on it means. No pygame, no clock.

Three pairs of figures are at work. The *picture* is what people see upright; the *panel* is the display's own pixels, whose first row may
lie at any edge; the *touch* figures are what the touch controller tells, from 0 to 1 each way. A finger goes from touch to panel
(`Mount.finger`, the setting `touch`) and from there to the picture (the setting `rotate`); a mouse tells the panel's figures already.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from kiosk.ui.draw import Rect, Turn

if TYPE_CHECKING:
    from collections.abc import Iterable

Display = Literal["auto", "kms", "cage", "window"]
"""On what the picture is shown; `kiosk.ui.opening` says what each means."""

TURNS: tuple[Turn, ...] = get_args(Turn)
WORDS = ("swap", "flip-x", "flip-y")
"""What may be wrong with a touch controller's figures; several in any order."""

_AS_WORDS: dict[str, frozenset[str]] = {
    "0": frozenset(),
    "90": frozenset({"swap", "flip-x"}),
    "180": frozenset({"flip-x", "flip-y"}),
    "270": frozenset({"swap", "flip-y"}),
}
"""A touch foil that is turned clockwise against its display by so many degrees, in those words."""


@dataclass(frozen=True, slots=True)
class Mount:
    """How a panel is mounted."""

    rotate: Turn = 0
    """By how many degrees clockwise the picture is turned on the panel."""
    swap: bool = False
    """The touch controller tells its second figure first."""
    flip_x: bool = False
    """What it tells for across, after `swap`, runs from right to left."""
    flip_y: bool = False
    """What it tells for down, after `swap`, runs from the bottom to the top."""

    @classmethod
    def of(cls, rotate: str = "0", touch: str = "") -> Mount:
        """The mount that two settings describe.

        Args:
            rotate: `0`, `90`, `180` or `270`.
            touch: Words of `WORDS` with commas between them, or degrees by which the touch foil is turned clockwise against its display.

        Raises:
            ValueError: They describe none.
        """
        turn = next((turn for turn in TURNS if str(turn) == rotate), None)
        words = _AS_WORDS.get(touch.strip())
        if words is None:
            words = frozenset(word for word in (part.strip() for part in touch.split(",")) if word)
        if turn is None or not words <= set(WORDS):
            raise ValueError(f"no mount: rotate {rotate!r}, touch {touch!r}")
        return cls(turn, swap="swap" in words, flip_x="flip-x" in words, flip_y="flip-y" in words)

    def size(self, w: int, h: int) -> tuple[int, int]:
        """The picture's pixels on a panel of so many, or a panel's for such a picture."""
        return (h, w) if self.rotate in {90, 270} else (w, h)

    def finger(self, x: float, y: float) -> tuple[float, float]:
        """Where in the picture a finger is, from 0 to 1 each way.

        Args:
            x: What the touch controller tells for across, from 0 to 1.
            y: What it tells for down, from 0 to 1.
        """
        if self.swap:
            x, y = y, x
        return self._upright(1 - x if self.flip_x else x, 1 - y if self.flip_y else y)

    def _upright(self, x: float, y: float) -> tuple[float, float]:
        if self.rotate == 90:
            return y, 1 - x
        if self.rotate == 180:
            return 1 - x, 1 - y
        if self.rotate == 270:
            return 1 - y, x
        return x, y

    def touched(self, x: float, y: float, size: tuple[int, int]) -> tuple[int, int]:
        """The picture's pixel under a finger.

        Args:
            x: What the touch controller tells for across, from 0 to 1.
            y: What it tells for down, from 0 to 1.
            size: The picture's pixels.
        """
        across, down = self.finger(x, y)
        return min(size[0] - 1, max(0, int(across * size[0]))), min(size[1] - 1, max(0, int(down * size[1])))

    def pointed(self, x: int, y: int, size: tuple[int, int]) -> tuple[int, int]:
        """The picture's pixel at a pixel of the panel: where the mouse is.

        Args:
            x: The panel's column.
            y: The panel's row.
            size: The picture's pixels.
        """
        w, h = size
        if self.rotate == 90:
            return y, h - 1 - x
        if self.rotate == 180:
            return w - 1 - x, h - 1 - y
        if self.rotate == 270:
            return w - 1 - y, x
        return x, y

    def on_panel(self, rect: Rect, size: tuple[int, int]) -> Rect:
        """Where a rectangle of the picture lies on the panel.

        Args:
            rect: In the picture.
            size: The picture's pixels.
        """
        w, h = size
        if self.rotate == 90:
            return Rect(h - rect.bottom, rect.x, rect.h, rect.w)
        if self.rotate == 180:
            return Rect(w - rect.right, h - rect.bottom, rect.w, rect.h)
        if self.rotate == 270:
            return Rect(rect.y, w - rect.right, rect.h, rect.w)
        return rect


def fitting(pairs: Iterable[tuple[tuple[float, float], tuple[float, float]]], rotate: Turn = 0) -> str | None:
    """The setting `touch` under which fingers are felt where they were: what a test of the panel proposes.

    Args:
        pairs: For each touch where it was asked for in the picture and what the controller told, from 0 to 1 each way.
        rotate: How the picture is turned.

    Returns:
        The value of `touch`, an empty text for a panel that needs none; None where no value brings all of them within a tenth.
    """
    seen = list(pairs)
    best: tuple[float, str] | None = None
    for bits in range(8):
        words = ",".join(word for i, word in enumerate(WORDS) if bits >> i & 1)
        mount = Mount.of(str(rotate), words)
        off = max((max(abs(a - b) for a, b in zip(mount.finger(*told), asked, strict=True)) for asked, told in seen), default=1.0)
        if best is None or off < best[0]:
            best = off, words
    return best[1] if best is not None and best[0] <= 0.1 else None


__all__ = ["TURNS", "WORDS", "Display", "Mount", "fitting"]
