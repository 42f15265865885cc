"""A panel that is mounted on its side or upside down shows the same picture, and a finger is felt where it is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import pygame
import pytest

from kiosk.ui.draw import Rect
from kiosk.ui.mount import TURNS, Mount, fitting
from kiosk.ui.paint import Painter
from kiosk.ui.window import Window
from tests.ui.hands import Hands, middle
from tests.ui.moments import MOMENTS, PLAIN, Table

PICTURE = (800, 480)
TOUCHES = ["", "90", "180", "270", "swap", "flip-x", "flip-y", "swap,flip-x", "swap,flip-y", "flip-x,flip-y", "swap,flip-x,flip-y"]


@contextmanager
def turned(mount: Mount) -> Iterator[Window]:
    with mock.patch.dict(os.environ, {"SDL_VIDEODRIVER": "dummy"}):
        panel = Window(size=mount.size(*PICTURE), mount=mount)
    pygame.event.clear()
    try:
        yield panel
    finally:
        panel.close()


def raw(mount: Mount, x: int, y: int) -> tuple[float, float]:
    """What the touch controller tells when a finger is at a pixel of the picture: found by walking backwards over the panel's glass."""
    panel_w, panel_h = mount.size(*PICTURE)
    spot = mount.on_panel(Rect(x, y, 1, 1), PICTURE)
    across, down = (spot.x + 0.5) / panel_w, (spot.y + 0.5) / panel_h
    across, down = 1 - across if mount.flip_x else across, 1 - down if mount.flip_y else down
    return (down, across) if mount.swap else (across, down)


@pytest.mark.parametrize(
    ("rotate", "corner"),
    [("0", (0, 0)), ("90", (479, 0)), ("180", (799, 479)), ("270", (0, 799))],
)
def test_the_pictures_first_corner_lies_clockwise_by_so_much(rotate: str, corner: tuple[int, int]) -> None:
    mount = Mount.of(rotate)
    assert mount.on_panel(Rect(0, 0, 1, 1), PICTURE)[:2] == corner
    assert mount.pointed(*corner, PICTURE) == (0, 0)


@pytest.mark.parametrize("rotate", ["0", "90", "180", "270"])
@pytest.mark.parametrize("touch", TOUCHES)
def test_every_pixel_is_felt_where_it_is_drawn(rotate: str, touch: str) -> None:
    mount = Mount.of(rotate, touch)
    for x, y in ((0, 0), (799, 0), (0, 479), (799, 479), (123, 45), (640, 400)):
        assert mount.touched(*raw(mount, x, y), PICTURE) == (x, y)
        assert mount.pointed(*mount.on_panel(Rect(x, y, 1, 1), PICTURE)[:2], PICTURE) == (x, y)


@pytest.mark.parametrize("rotate", ["0", "90", "180", "270"])
def test_a_finger_on_the_very_edge_is_on_the_panel(rotate: str) -> None:
    mount = Mount.of(rotate)
    found = {mount.touched(x, y, PICTURE) for x in (-0.01, 0.0, 1.0, 1.01) for y in (-0.01, 0.0, 1.0, 1.01)}
    assert found == {(0, 0), (799, 0), (0, 479), (799, 479)}


def test_a_foil_that_is_turned_is_the_same_in_degrees_and_in_words() -> None:
    assert Mount.of("0", "90") == Mount.of("0", "swap,flip-x")
    assert Mount.of("0", "180") == Mount.of("0", " flip-y , flip-x ")
    assert Mount.of("0", "270") == Mount.of("0", "swap,flip-y")
    assert Mount.of("0", "0") == Mount.of("0", "")


@pytest.mark.parametrize(("rotate", "touch"), [("45", ""), ("", ""), ("0", "flip"), ("0", "45"), ("0", "swap;flip-x")])
def test_what_describes_no_mount_is_refused(rotate: str, touch: str) -> None:
    with pytest.raises(ValueError, match="no mount"):
        Mount.of(rotate, touch)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("touch", ["", "swap", "flip-x", "swap,flip-y", "swap,flip-x,flip-y"])
def test_four_touches_tell_how_the_foil_is_mounted(turn: int, touch: str) -> None:
    mount = Mount.of(str(turn), touch)
    asked = [(80, 48), (720, 48), (720, 432), (80, 432)]
    pairs = [((x / 800, y / 480), raw(mount, x, y)) for x, y in asked]
    assert fitting(pairs, mount.rotate) == touch


def test_touches_that_fit_nothing_propose_nothing() -> None:
    assert fitting([((0.1, 0.1), (0.5, 0.5)), ((0.9, 0.9), (0.5, 0.5))]) is None
    assert fitting([]) is None


def same(panel: Window, table: Table, mount: Mount) -> bool:
    """Whether the panel shows what a painter of its own paints upright."""
    wanted = pygame.Surface(PICTURE, depth=32)
    Painter(wanted).paint(table.desk.scene(panel.place, table.now))
    shown = pygame.transform.rotate(pygame.display.get_surface(), mount.rotate)
    return shown.get_size() == PICTURE and all(
        shown.get_at((x, y))[:3] == wanted.get_at((x, y))[:3] for x in range(0, 800, 7) for y in range(0, 480, 7)
    )


@pytest.mark.parametrize("rotate", ["90", "180", "270"])
def test_what_is_drawn_and_what_changes_reaches_a_turned_panel(rotate: str) -> None:
    mount = Mount.of(rotate)
    with turned(mount) as panel:
        assert (panel.place.w, panel.place.h) == PICTURE
        table = MOMENTS["playing"](PLAIN)
        panel.show(table.desk, table.now)
        assert same(panel, table, mount)
        for _ in range(5):
            table.wait(1)
            panel.show(table.desk, table.now, changed=True)
            assert same(panel, table, mount)


@pytest.mark.parametrize(("rotate", "touch"), [("90", ""), ("180", "flip-x"), ("270", "swap,flip-y")])
@pytest.mark.parametrize("way", ["finger", "mouse"])
def test_every_control_is_where_it_is_seen(rotate: str, touch: str, way: str) -> None:
    mount = Mount.of(rotate, touch)
    with turned(mount) as panel:
        for number, control in enumerate(Hands(panel, "opening").scene.controls):
            straight, aslant = Hands(panel, "opening"), Hands(panel, "opening")
            point = middle(control, straight.scene)
            assert point is not None
            straight.table.desk.touch(*point, straight.table.now)
            if way == "finger":
                x, y = raw(mount, *point)
                aslant.take(pygame.event.Event(pygame.FINGERDOWN, touch_id=1, finger_id=0, x=x, y=y, dx=0, dy=0, pressure=1))
            else:
                spot = mount.on_panel(Rect(*point, 1, 1), PICTURE)
                aslant.take(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=spot[:2], button=1, touch=False))
            assert aslant.look() == straight.look(), (number, control.name)


def test_a_picture_that_is_saved_is_upright() -> None:
    mount = Mount.of("90")
    with turned(mount) as panel:
        table = MOMENTS["playing"](PLAIN)
        panel.show(table.desk, table.now)
        path = mock.Mock()
        panel.save(path)
        assert int.from_bytes(path.write_bytes.call_args[0][0][16:20], "big") == 800


def test_a_turned_window_that_is_resized_is_drawn_anew() -> None:
    mount = Mount.of("90")
    with turned(mount) as panel:
        table = MOMENTS["playing"](PLAIN)
        panel.show(table.desk, table.now)
        pygame.display.set_mode((800, 1280))
        panel.take_events(table.desk, table.now, None)
        panel._resized()
        assert (panel.place.w, panel.place.h) == (1280, 800)
        panel.show(table.desk, table.now)
        assert pygame.display.get_surface().get_size() == (800, 1280)


def test_a_finger_hides_the_arrow_and_a_mouse_brings_it_back() -> None:
    with turned(Mount()) as panel:
        hands = Hands(panel, "opening")
        assert pygame.mouse.get_visible()
        hands.take(pygame.event.Event(pygame.FINGERDOWN, touch_id=1, finger_id=0, x=0.5, y=0.5, dx=0, dy=0, pressure=1))
        assert not pygame.mouse.get_visible()
        hands.take(pygame.event.Event(pygame.MOUSEMOTION, pos=(3, 3), rel=(1, 1), buttons=(0, 0, 0), touch=True))
        assert not pygame.mouse.get_visible()
        hands.take(pygame.event.Event(pygame.MOUSEMOTION, pos=(3, 3), rel=(1, 1), buttons=(0, 0, 0), touch=False))
        assert pygame.mouse.get_visible()


def test_no_screensaver_is_allowed() -> None:
    with turned(Mount()):
        assert not pygame.display.get_allow_screensaver()
