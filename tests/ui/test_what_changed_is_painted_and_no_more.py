from __future__ import annotations

from itertools import pairwise

import pygame
import pytest

from kiosk.domain.types import NS_PER_MS, Side
from kiosk.ui.draw import Scene
from kiosk.ui.paint import Painter
from kiosk.ui.theme import THEMES
from kiosk.ui.view import Preferences
from tests.ui.looks import scene
from tests.ui.moments import MOMENTS, PLACES, Table

FOLLOWING = 7
"""Each moment is painted over the one that lies this many places before it, and over its neighbour."""


@pytest.mark.parametrize("facing", [False, True])
@pytest.mark.parametrize("step", [1, FOLLOWING])
def test_one_picture_over_another_is_the_picture(step: int, *, facing: bool) -> None:
    names = list(MOMENTS)
    order = [names[i * step % len(names)] for i in range(len(names) + 1)]
    _painted_as_whole([scene(name, facing=facing) for name in order])


@pytest.mark.parametrize("size", list(PLACES)[1:])
def test_on_other_panels_too(size: str) -> None:
    _painted_as_whole([scene(name, size, facing=facing) for name in list(MOMENTS)[::5] for facing in (False, True)])


def test_one_theme_over_the_other() -> None:
    _painted_as_whole([scene("playing", theme=theme) for _twice in range(2) for theme in THEMES])


@pytest.mark.parametrize("name", ["playing", "playing-tenths", "flag", "both-late", "break", "stopped-dice", "menu", "recording"])
@pytest.mark.parametrize("facing", [False, True])
def test_a_running_clock_is_painted_whole_at_every_instant(name: str, *, facing: bool) -> None:
    table = MOMENTS[name](Preferences(facing=facing))
    _painted_as_whole([_after(table, ms) for ms in (0, 16, 16, 100, 484, 1000, 1000, 7000, 16)])


def test_presses_touches_and_focus_are_painted_whole() -> None:
    table = MOMENTS["playing"](Preferences())
    pictures = [table.picture()]
    for side in (Side.LEFT, Side.RIGHT):
        pictures.append(table.press(side, 1).picture())
        table.desk.touch(30, 440, table.now)
        pictures += [table.picture(), _after(table, 200), _after(table, 300)]
        table.desk.step_focus(1, table.now)
        pictures.append(_after(table, 16))
    _painted_as_whole(pictures)


@pytest.mark.parametrize("name", MOMENTS)
def test_the_same_picture_is_not_painted_again(name: str) -> None:
    painter = Painter(pygame.Surface((800, 480)))
    painter.paint(scene(name))
    assert not painter.paint(scene(name))


@pytest.mark.parametrize("name", ["playing", "playing-tenths", "both-late"])
def test_a_second_on_the_face_touches_a_small_part_of_the_panel(name: str) -> None:
    most = 0.4 if name == "both-late" else 0.25  # there both clocks run
    table = MOMENTS[name](Preferences())
    painter = Painter(pygame.Surface((800, 480)))
    painter.paint(table.picture())
    for _second in range(5):
        patches = painter.paint(_after(table, 1000))
        assert 0 < sum(patch.w * patch.h for patch in patches) < most * 800 * 480


def test_patches_do_not_overlap() -> None:
    painter = Painter(pygame.Surface((800, 480)))
    for name in MOMENTS:
        patches = painter.paint(scene(name))
        assert not [(a, b) for i, a in enumerate(patches) for b in patches[i + 1 :] if a.colliderect(b)]


def _after(table: Table, ms: int) -> Scene:
    table.now += ms * NS_PER_MS
    return table.picture()


def _painted_as_whole(pictures: list[Scene]) -> None:
    surface = pygame.Surface(pictures[0].size)
    painter = Painter(surface)
    painter.paint(pictures[0])
    for before, picture in pairwise(pictures):
        painter.paint(picture)
        fresh = pygame.Surface(picture.size)
        Painter(fresh).paint(picture)
        assert pygame.image.tobytes(surface, "RGB") == pygame.image.tobytes(fresh, "RGB"), (before.name, picture.name)
