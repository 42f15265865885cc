"""Pictures of all moments, drawn once for all tests, and questions to them."""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache

from kiosk import say
from kiosk.domain.types import SIDES
from kiosk.ui.draw import Box, Colour, Control, Digits, Rect, Scene, Text
from kiosk.ui.type import fitted
from kiosk.ui.view import Preferences
from tests.locale.pseudo import Longer
from tests.ui.moments import MOMENTS, PLACES, Table

SMALLEST_PANEL = "800x480"


@contextmanager
def longer_words() -> Iterator[None]:
    """Every word half as long again."""
    say.install(Longer())
    try:
        yield
    finally:
        say.install(gettext.NullTranslations())


def scene(
    name: str, size: str = SMALLEST_PANEL, theme: str = "dark", *, facing: bool = False, longer: bool = False, language: str = "en"
) -> Scene:
    """A moment's picture."""
    return at_table(name, theme, facing=facing, longer=longer, language=language)[1][size]


def at_table(name: str, theme: str, *, facing: bool, longer: bool, language: str = "en") -> tuple[Table, dict[str, Scene]]:
    """A moment's table and its pictures in all sizes; nothing may be done at it."""
    if longer or language != "en":
        return _once(name, theme, facing=facing, longer=longer, language=language)
    return _kept(name, theme, facing=facing)


@cache
def _kept(name: str, theme: str, *, facing: bool) -> tuple[Table, dict[str, Scene]]:
    """In English: many look at them."""
    return _drawn(name, theme, facing=facing, longer=False, language="en")


@lru_cache(maxsize=8)
def _once(name: str, theme: str, *, facing: bool, longer: bool, language: str) -> tuple[Table, dict[str, Scene]]:
    """In other languages: one test looks at them, in all sizes."""
    return _drawn(name, theme, facing=facing, longer=longer, language=language)


def _drawn(name: str, theme: str, *, facing: bool, longer: bool, language: str) -> tuple[Table, dict[str, Scene]]:
    prefs = Preferences(theme=theme, facing=facing, language=language)
    with longer_words() if longer else say.speaking(None if language == "en" else language):
        table = MOMENTS[name](prefs)
        return table, {size: table.picture(place) for size, place in PLACES.items()}


@lru_cache(maxsize=128)
def names(name: str) -> frozenset[str]:
    """The names of those who sit there, one by one and as they stand in a half."""
    setup = at_table(name, "dark", facing=False, longer=False)[0].session.table.setup
    if setup is None:
        return frozenset()
    return frozenset(
        text for side in SIDES for text in (*setup.players[side], "\n".join(setup.players[side]), " & ".join(setup.players[side]))
    )


def own(rect: Rect, turn: int) -> tuple[int, int]:
    """A rectangle's width and height as its reader sees it."""
    return (rect.h, rect.w) if turn in {90, 270} else (rect.w, rect.h)


def words(op: Text) -> tuple[int, tuple[str, ...]]:
    """The size at which words are drawn, and their lines."""
    wide, high = own(op.rect, op.turn)
    return fitted(op.text, op.face, op.size, wide, high, op.lines)


def ground(scene: Scene, index: int) -> Colour:
    """What lies under the middle of an operation."""
    op = scene.ops[index]
    assert isinstance(op, Text | Digits)
    x, y = op.rect.x + op.rect.w // 2, op.rect.y + op.rect.h // 2
    under = [box for box in scene.ops[:index] if isinstance(box, Box) and box.rect.holds(x, y)]
    assert under, f"{op.text!r} lies on nothing"
    return under[-1].colour


def dimmed(scene: Scene, op: Text) -> bool:
    """Whether words stand on a control that does nothing now."""
    control = control_at(scene, op.rect)
    return control is not None and control.why is not None


def control_at(scene: Scene, rect: Rect) -> Control | None:
    """The control on which a rectangle's middle lies."""
    return scene.at(rect.x + rect.w // 2, rect.y + rect.h // 2)
