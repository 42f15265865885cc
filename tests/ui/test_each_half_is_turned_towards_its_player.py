from __future__ import annotations

import pytest

from kiosk.ui.draw import Box, Digits, Op, Rect, Scene, Text
from tests.ui.looks import scene
from tests.ui.moments import MOMENTS, PLACES

LANDSCAPE = {"800x480", "1280x800"}
HALVES = [name for name in MOMENTS if scene(name).name in {"face", "confirm"}]


@pytest.mark.parametrize("name", HALVES)
@pytest.mark.parametrize("size", PLACES)
def test_what_stands_in_a_half_is_read_by_its_player(name: str, size: str) -> None:
    picture = scene(name, size, facing=True)
    left, right = _halves(picture, size)
    wanted = (90, 270) if size in LANDSCAPE else (180, 0)
    for half, turn in zip((left, right), wanted, strict=True):
        turns = {op.turn for op in _within(picture, half)}
        assert turns == {turn}


@pytest.mark.parametrize("name", HALVES)
@pytest.mark.parametrize("size", PLACES)
def test_without_the_setting_nothing_is_turned(name: str, size: str) -> None:
    assert {op.turn for op in scene(name, size).ops if isinstance(op, Text | Digits)} == {0}


@pytest.mark.parametrize("size", PLACES)
def test_the_halves_keep_their_places_and_their_controls(size: str) -> None:
    plain, turned = scene("double-offered", size), scene("double-offered", size, facing=True)
    assert {control.name for control in plain.controls} == {control.name for control in turned.controls}
    left, right = _halves(turned, size)
    assert left.x < right.x if size in LANDSCAPE else left.y < right.y
    take = next(control for control in turned.controls if control.name == "Take · 2")
    assert right.holds(take.rect.x, take.rect.y)


def _halves(picture: Scene, size: str) -> tuple[Rect, Rect]:
    left, right = (op.rect for op in picture.ops if isinstance(op, Box) and op.radius == PLACES[size].touch // 5)
    return left, right


def _within(picture: Scene, half: Rect) -> list[Text | Digits]:
    return [op for op in picture.ops if _is_read(op) and half.holds(op.rect.x + op.rect.w // 2, op.rect.y + op.rect.h // 2)]


def _is_read(op: Op) -> bool:
    return isinstance(op, Text | Digits)
