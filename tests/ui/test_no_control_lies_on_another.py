from __future__ import annotations

from itertools import combinations

import pytest

from kiosk.ui.draw import Rect
from tests.ui.looks import scene
from tests.ui.moments import MOMENTS, PLACES

pytestmark = pytest.mark.no_cover  # pictures that others measure, looked at once more


@pytest.mark.parametrize("name", MOMENTS)
@pytest.mark.parametrize("facing", [False, True])
def test_buttons_do_not_overlap(name: str, *, facing: bool) -> None:
    for size in PLACES:
        buttons = [control for control in scene(name, size, facing=facing).controls if not control.area and control.name != "told"]
        assert not [(size, a.name, b.name) for a, b in combinations(buttons, 2) if _overlap(a.rect, b.rect)]


@pytest.mark.parametrize("name", MOMENTS)
@pytest.mark.parametrize("facing", [False, True])
def test_all_lie_within_the_panel(name: str, *, facing: bool) -> None:
    for size, place in PLACES.items():
        outside = [
            control.name
            for control in scene(name, size, facing=facing).controls
            if control.rect.x < 0 or control.rect.y < 0 or control.rect.right > place.w or control.rect.bottom > place.h
        ]
        assert not outside, size


def _overlap(a: Rect, b: Rect) -> bool:
    return a.x < b.right and b.x < a.right and a.y < b.bottom and b.y < a.bottom
