"""Every control of every screen: finger, mouse, both at once and the keyboard lead to the same facts, screen and words, once."""

from __future__ import annotations

import pygame
import pytest

from tests.ui.hands import SIZES, Hands, Outcome, middle, window
from tests.ui.moments import MOMENTS

pytestmark = pytest.mark.no_cover  # the same ways through the screens many thousand times; one touch of each control is measured elsewhere

WAYS = {"mouse": ("mouse",), "marked": ("finger", "marked"), "finger-first": ("finger", "mouse")}
MORE = {"mouse-first": ("mouse", "finger")}
CASES = [(moment, list(SIZES)[i % 3]) for i, moment in enumerate(MOMENTS)]

_BY_FINGER: dict[tuple[str, str, tuple[int, int]], Outcome] = {}
"""By moment, panel and point."""


@pytest.mark.parametrize(("moment", "size"), CASES, ids=[f"{moment}-{size}" for moment, size in CASES])
def test_finger_mouse_and_both(moment: str, size: str) -> None:
    with window(size) as panel:
        first = Hands(panel, moment)
        ways = WAYS if size == "800x480" else {**WAYS, **MORE}
        for number, control in enumerate(first.scene.controls):
            point = middle(control, first.scene)
            assert point is not None, f"{control.name!r} lies under others"
            plain = by_finger(panel, moment, size, point)
            for name, way in ways.items():
                assert touched(panel, moment, point, way) == plain, f"{control.name!r} ({number}) by {name}"


@pytest.mark.parametrize(("moment", "size"), CASES, ids=[f"{moment}-{size}" for moment, size in CASES])
def test_the_keyboard_reaches_every_button(moment: str, size: str) -> None:
    with window(size) as panel:
        stops = [control for control in Hands(panel, moment).scene.controls if not control.area]
        for number, control in enumerate(stops):
            hands = Hands(panel, moment)
            point = middle(control, hands.scene)
            assert point is not None
            back = number > len(stops) // 2
            for _ in range(len(stops) - number if back else number + 1):
                hands.key(pygame.K_TAB, mod=pygame.KMOD_LSHIFT if back else 0)
            hands.key(pygame.K_RETURN)
            assert hands.outcome() == by_finger(panel, moment, size, point), control.name


def by_finger(panel: object, moment: str, size: str, point: tuple[int, int]) -> Outcome:
    """What a finger does there: found once, and what every other way is held against."""
    key = (moment, size, point)
    if key not in _BY_FINGER:
        _BY_FINGER[key] = touched(panel, moment, point, ("finger",))
    return _BY_FINGER[key]


def touched(panel: object, moment: str, point: tuple[int, int], way: tuple[str, ...]) -> Outcome:
    hands = Hands(panel, moment)  # type: ignore[arg-type]
    hands.tap(*point, way)
    return hands.outcome()


@pytest.mark.parametrize("moment", ["playing", "start", "recording", "ask-claim", "opening-simulated"])
@pytest.mark.parametrize("button", [2, 3, 4, 5, 6])
def test_other_buttons_of_the_mouse_and_its_wheel_do_nothing(moment: str, button: int) -> None:
    from tests.ui.hands import pointer

    with window() as panel:
        hands = Hands(panel, moment)
        before = hands.outcome()
        for control in hands.scene.controls:
            point = middle(control, hands.scene)
            assert point is not None
            for what in ("down", "up"):
                hands.take(pointer("mouse", what, *point, panel, button=button))
        hands.take(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1, flipped=False))
        assert hands.outcome() == before
