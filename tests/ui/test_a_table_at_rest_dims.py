"""A table at rest dims before it goes dark: by its backlight, or under a veil; a dim picture can be read, so a touch on it acts."""

from __future__ import annotations

import pygame
import pytest

from kiosk.domain.types import NS_PER_S, Side
from kiosk.session import commands as c
from kiosk.ui.draw import Box, Rect, Scene, Veil
from kiosk.ui.light import MINUTE, Light, Rest
from kiosk.ui.paint import Painter
from tests.ui.moments import MOMENTS, PLAIN, Table


def dimming(moment: str = "start", *, veiled: bool = True) -> Table:
    table = MOMENTS[moment](PLAIN)
    table.desk.rest.dim_after = 2
    table.desk.veiled = veiled
    table.picture()
    return table


def veils(scene: Scene) -> list[Veil]:
    return [op for op in scene.ops if isinstance(op, Veil)]


def test_it_dims_goes_dark_and_wakes() -> None:
    table = dimming()
    began = table.now
    assert table.picture().changes_at == began + 2 * MINUTE
    table.now = began + 2 * MINUTE - 1
    assert (table.desk.light(table.now), veils(table.picture())) == (Light.FULL, [])
    table.now = began + 2 * MINUTE
    scene = table.picture()
    assert table.desk.light(table.now) is Light.DIM
    assert scene.ops[-1] == Veil(Rect(0, 0, 800, 480), veils(scene)[0].keeps)
    assert scene.changes_at == began + 5 * MINUTE
    table.now = began + 5 * MINUTE
    assert (table.desk.light(table.now), table.picture().name) == (Light.DARK, "asleep")
    table.desk.touch(400, 240, table.now)
    assert table.desk.light(table.now) is Light.FULL
    assert veils(table.picture()) == []


def test_a_backlight_dims_a_picture_without_a_veil() -> None:
    table = dimming(veiled=False)
    table.now += 3 * MINUTE
    assert table.desk.light(table.now) is Light.DIM
    assert veils(table.picture()) == []


def test_a_touch_on_a_dim_picture_acts_and_lights_it() -> None:
    table = dimming("opening")
    table.now += 3 * MINUTE
    assert veils(table.picture())
    table.touch("Somebody is late")
    scene = table.picture()
    assert scene.name == "asklate"
    assert veils(scene) == []


def test_a_press_lights_it_and_counts() -> None:
    table = dimming("opening")
    table.now += 3 * MINUTE
    assert veils(table.picture())
    table.press(Side.LEFT)
    assert table.desk.light(table.now) is Light.FULL
    assert table.session.table.clock is not None
    assert table.session.table.clock.running == (Side.RIGHT,)


def test_it_never_dims_while_it_must_be_seen() -> None:
    for moment in ("playing", "stopped", "recording", "break", "opening-between-games"):
        table = dimming(moment)
        table.now += 3 * MINUTE
        assert table.desk.light(table.now) is Light.FULL, moment
        assert table.desk.light_changes(table.now) is None
    table = dimming("opening")
    table.do(c.CallReferee(None))
    table.now += 3 * MINUTE
    assert table.desk.light(table.now) is Light.FULL


def test_never_is_never() -> None:
    table = MOMENTS["start"](PLAIN).session.table
    rest = Rest(dim_after=0, touched_at=0)
    assert rest.light(table, 0, 10**6 * NS_PER_S) is Light.FULL
    assert rest.changes(table, 0, 1) is None
    assert Rest(dim_after=9).light(table, 5, 6 * MINUTE) is Light.DARK  # who dims later than it is dark never dims


def test_what_lies_under_a_veil_is_painted_darker_and_only_once() -> None:
    surface = pygame.Surface((40, 20), depth=32)
    painter = Painter(surface)
    whole, part = Rect(0, 0, 40, 20), Rect(0, 0, 10, 10)
    ground, veil = Box(whole, (200, 100, 50)), Veil(whole, 90)
    painter.paint(Scene("a", (40, 20), (ground, Box(part, (255, 255, 255)), veil), ()))
    dim = surface.get_at((30, 15))[:3]
    assert dim == pytest.approx((200 * 90 / 255, 100 * 90 / 255, 50 * 90 / 255), abs=1)
    patches = painter.paint(Scene("a", (40, 20), (ground, Box(part, (255, 0, 0)), veil), ()))
    assert patches == [pygame.Rect(part)]
    assert surface.get_at((5, 5))[:3] == (90, 0, 0)
    assert surface.get_at((30, 15))[:3] == dim
