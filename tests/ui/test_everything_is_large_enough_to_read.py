from __future__ import annotations

import pytest

from kiosk.domain.types import SIDES
from kiosk.say import LANGUAGES
from kiosk.ui.draw import Digits, Scene, Text
from kiosk.ui.paint import digits_size
from kiosk.ui.type import CAPITAL
from tests.ui.looks import SMALLEST_PANEL, names, own, scene, words
from tests.ui.moments import MOMENTS, PLACES

pytestmark = pytest.mark.no_cover  # pictures that others measure, looked at once more

LEAST = 16 / 63
"""The smallest em as a share of 12 mm: 16 px on the small panel."""
LEAST_OF_LONG_NAMES = 14 / 63
LEAST_OF_LONGER_WORDS = {"800x480": 13 / 63, "1280x800": 13 / 63, "720x1280": 11 / 63}
"""As long as no language is, words may be smaller; least where the panel is narrow."""

FACES = [name for name in MOMENTS if scene(name).name == "face"]


@pytest.mark.parametrize("name", FACES)
def test_the_reserves_are_a_quarter_of_the_small_panel_high(name: str) -> None:
    reserves = [
        op for op in scene(name).ops if isinstance(op, Digits) and ":" in op.text and op.text.count(":") == 1 and "." not in op.text
    ]
    for op in reserves:
        size = digits_size(op.text, op.size, *own(op.rect, op.turn))
        assert size * CAPITAL >= 480 / 4, op.text


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize("facing", [False, True])
def test_ordinary_names_are_twenty_pixels_or_more(name: str, *, facing: bool) -> None:
    shown = [op for op in scene(name, facing=facing).ops if isinstance(op, Text) and op.text in names(name) and len(op.text) < 20]
    assert len(shown) == (0 if name == "playing-pairs" else len(SIDES))
    assert all(words(op)[0] >= 20 for op in shown)


@pytest.mark.parametrize("name", MOMENTS)
@pytest.mark.parametrize("facing", [False, True])
def test_no_words_are_small_or_cut(name: str, *, facing: bool) -> None:
    for size, place in PLACES.items():
        assert not _too_small(name, scene(name, size, facing=facing), place.touch * LEAST, place.touch * LEAST_OF_LONG_NAMES), size


@pytest.mark.parametrize("name", MOMENTS)
@pytest.mark.parametrize("facing", [False, True])
def test_words_half_as_long_again_have_room(name: str, *, facing: bool) -> None:
    for size, place in PLACES.items():
        least = place.touch * LEAST_OF_LONGER_WORDS[size]
        assert not _too_small(name, scene(name, size, facing=facing, longer=True), least, least), size


@pytest.mark.parametrize("name", MOMENTS)
@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_language_has_room(name: str, language: str) -> None:
    for size, place in PLACES.items():
        for facing in (False, True):
            least = place.touch * LEAST_OF_LONGER_WORDS[size]
            assert not _too_small(name, scene(name, size, facing=facing, language=language), least, least), (size, facing)


def test_the_small_panel_is_measured_in_its_own_pixels() -> None:
    assert PLACES[SMALLEST_PANEL].touch == 63


def _too_small(name: str, picture: Scene, least: float, least_of_names: float) -> list[tuple[int, tuple[str, ...]]]:
    found = []
    for op in picture.ops:
        if isinstance(op, Text):
            em, lines = words(op)
            enough = least_of_names if op.text in names(name) and len(op.text) > 30 else least
            if em < int(enough) or any(line.endswith("…") for line in lines):
                found.append((em, lines))
    return found
