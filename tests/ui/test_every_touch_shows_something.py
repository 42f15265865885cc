from __future__ import annotations

import pytest

from kiosk.ui.draw import Disc, Op, Scene
from kiosk.ui.view import Preferences
from tests.ui.looks import scene
from tests.ui.moments import MOMENTS, PLACES, SMALL, Table

PLAIN = Preferences()


@pytest.mark.parametrize("name", MOMENTS)
def test_what_cannot_be_done_says_why_in_a_sentence(name: str) -> None:
    for size in PLACES:
        assert not [control for control in scene(name, size).controls if control.why is not None and not control.why.endswith(".")]


@pytest.mark.parametrize("name", MOMENTS)
def test_each_control_does_something_or_says_something(name: str) -> None:
    silent = []
    for number, control in enumerate(scene(name).controls):
        table = MOMENTS[name](PLAIN)
        table.picture()
        table.wait(1)
        before = table.picture()
        there = before.controls[number] if number < len(before.controls) else control
        x, y = _free_point(before, number)
        count = table.chronicle.count
        table.desk.touch(x, y, table.now)
        if _seen(table.picture(), x, y) == _seen(before, x, y) and table.chronicle.count == count and not table.pressed:
            silent.append((there.name, there.action))
    assert not silent


def test_a_touch_on_the_dark_panel_wakes_it() -> None:
    table = MOMENTS["asleep"](PLAIN)
    assert table.picture().name == "asleep"
    table.desk.touch(400, 240, table.now)
    assert table.picture().name == "finished"


def test_choosing_what_is_chosen_already_is_answered() -> None:
    table = MOMENTS["settings"](PLAIN)
    table.touch("Dark")
    assert _words(table) == {"That is so already."}


def _free_point(picture: Scene, number: int) -> tuple[int, int]:
    """A point of a control on which no other lies, near its middle where there is one."""
    control = picture.controls[number]
    r = control.rect
    points = [(r.x + r.w // 2, r.y + r.h // 2)]
    points += [(x, y) for y in range(r.y + 1, r.bottom, 9) for x in range(r.x + 1, r.right, 9)]
    return next(point for point in points if picture.at(*point) is control)


def _seen(picture: Scene, x: int, y: int) -> list[Op]:
    mark = SMALL.touch // 4
    return [op for op in picture.ops if not (isinstance(op, Disc) and (op.x, op.y, op.r) == (x, y, mark))]


def _words(table: Table) -> set[str]:
    told = table.desk._said
    return set() if told is None else {told[0].text}
