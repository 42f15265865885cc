"""A picture that differs on purpose: look at the lines, run `python -m tests.ui.goldens`, and commit what it wrote."""

from __future__ import annotations

import difflib

import pygame
import pytest

from tests.ui.goldens import FOLDER, PIXELS, pixels, text
from tests.ui.moments import MOMENTS

TOLERANCE = 1.0
"""How much pixels may differ on average, of 255: other versions of SDL_ttf draw the edges of letters a little differently."""


@pytest.mark.parametrize("name", MOMENTS)
def test_a_moment_is_drawn_as_it_was(name: str) -> None:
    kept = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    drawn = text(name).splitlines()
    if kept != drawn:
        difference = "\n".join(difflib.unified_diff(kept, drawn, "as it was", "as it is", n=1, lineterm=""))
        pytest.fail(f"{name} looks different; if it should, run: python -m tests.ui.goldens\n{difference}", pytrace=False)


@pytest.mark.parametrize("golden", PIXELS)
def test_pixels_are_as_they_were(golden: str) -> None:
    kept, drawn = pygame.image.load(str(FOLDER / f"{golden}.png")), pixels(golden)
    assert kept.get_size() == drawn.get_size()
    assert _difference(kept, drawn) < TOLERANCE


def test_a_picture_of_another_theme_or_moment_is_noticed() -> None:
    face = pixels("face-dark")
    assert all(_difference(face, pixels(other)) > 5 * TOLERANCE for other in ("face-light", "flag"))
    assert _difference(face, pixels("names")) > TOLERANCE


def test_there_is_no_golden_without_a_moment_and_all_are_small() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.txt" for name in MOMENTS} | {f"{golden}.png" for golden in PIXELS}
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 1_500_000


def _difference(one: pygame.Surface, other: pygame.Surface) -> float:
    """How much two pictures differ on average, in a channel."""
    total = 0
    for a, b in ((one, other), (other, one)):
        left = pygame.Surface(a.get_size(), depth=24)
        left.blit(a, (0, 0))
        left.blit(b, (0, 0), special_flags=pygame.BLEND_RGB_SUB)
        total += sum(pygame.image.tobytes(left, "RGB"))
    return total / (3 * one.get_width() * one.get_height())
