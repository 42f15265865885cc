from __future__ import annotations

import pytest

from kiosk.ui.draw import Digits, Text
from kiosk.ui.theme import THEMES, Theme, contrast
from tests.ui.looks import dimmed, ground, names, scene
from tests.ui.moments import MOMENTS, PLACES

pytestmark = pytest.mark.no_cover  # pictures that others measure, looked at once more

MATTERS, READ, DIMMED = 7.0, 4.5, 3.0


@pytest.mark.parametrize("name", MOMENTS)
@pytest.mark.parametrize("theme", THEMES)
def test_words_and_digits_stand_out(name: str, theme: str) -> None:
    weak = set()
    for size in PLACES:
        picture = scene(name, size, theme)
        for i, op in enumerate(picture.ops):
            if isinstance(op, Text | Digits):
                if isinstance(op, Text) and dimmed(picture, op):
                    need = DIMMED
                else:
                    need = MATTERS if isinstance(op, Digits) or op.text in names(name) else READ
                found = contrast(op.colour, ground(picture, i))
                if found < need:
                    weak.add((op.text, op.colour, ground(picture, i), round(found, 2)))
    assert not weak


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_who_runs_is_told_in_grey(theme: Theme) -> None:
    assert contrast(theme.run_frame, theme.panel) >= 7
    if theme.name == "dark":
        assert contrast(theme.run, theme.panel) >= 3


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_frames_are_seen(theme: Theme) -> None:
    assert contrast(theme.halt, theme.panel) >= 3
    assert contrast(theme.run_frame, theme.flag) >= 2
    assert contrast(theme.run_ink, theme.run_track) >= 4.5
