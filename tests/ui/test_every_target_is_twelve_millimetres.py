from __future__ import annotations

import math

import pytest

from kiosk.ui.window import INCHES, place_for
from tests.ui.looks import scene
from tests.ui.moments import MOMENTS, PLACES

pytestmark = pytest.mark.no_cover  # pictures that others measure, looked at once more

IN_THE_TITLE = {
    # What is said lies in the title's line, which is less high than a finger; it is wide, and touching it only takes the words away.
    "told": 0.69,
    # What is not right stands beside it; touching it only says more.
    "status": 0.69,
}
"""Controls that may be less high than a finger, as a share of a target's height, where they are two targets wide."""


@pytest.mark.parametrize("name", MOMENTS)
@pytest.mark.parametrize("facing", [False, True])
def test_every_control_is_wide_and_high_enough(name: str, *, facing: bool) -> None:
    small = []
    for size, place in PLACES.items():
        for control in scene(name, size, facing=facing).controls:
            share = IN_THE_TITLE.get(control.name, 1) if control.rect.w > 2 * place.touch else 1
            if not control.area and (control.rect.w < place.touch or control.rect.h < place.touch * share):
                small.append((size, control.name, control.rect.w, control.rect.h, place.touch))
    assert not small


@pytest.mark.parametrize("size", INCHES)
def test_a_target_is_twelve_millimetres_on_every_usual_panel(size: tuple[int, int]) -> None:
    per_mm = math.hypot(*size) / (INCHES[size] * 25.4)
    least = 11.7 if size == (1280, 720) else 12  # seven lines of 12 mm and a bit are higher than this panel is
    assert place_for(*size).touch >= least * per_mm
