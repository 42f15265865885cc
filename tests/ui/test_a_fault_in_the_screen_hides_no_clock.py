from __future__ import annotations

from collections.abc import Callable, Iterator

import pygame
import pytest

from kiosk.domain.state import OVER
from kiosk.domain.types import NS_PER_S, SIDES, Instant, Side, clock_text
from kiosk.ui import paint
from kiosk.ui import type as ty
from kiosk.ui.desk import Desk
from kiosk.ui.draw import Digits, Scene, Text
from kiosk.ui.paint import Painter
from kiosk.ui.screens.base import Screen
from kiosk.ui.view import Preferences
from tests.ui.moments import BOOKS, MOMENTS, SMALL, Table

PLAIN = Preferences()
FRAME = NS_PER_S // 60
AWAKE = [name for name in MOMENTS if name != "asleep"]


def broken(*_args: object, **_more: object) -> None:
    raise RuntimeError("the tests broke it")


# ── A screen that fails ──────────────────────────────────────────────────────
@pytest.mark.no_cover  # a second of pictures of every moment; a fault's ways are measured below
@pytest.mark.parametrize("name", AWAKE)
def test_a_screen_that_fails_leaves_the_plain_clock(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table, told = _listened(name)
    screen = table.desk._open[-1] if table.desk._open else _base(table)
    table.desk._open.clear()  # what fails at the bottom fails again at every frame
    monkeypatch.setattr(type(_base(table)), "draw", broken)
    if type(screen) is not type(_base(table)):
        table.desk._open.append(screen)
        monkeypatch.setattr(type(screen), "draw", broken)
    for _frame in range(60):
        picture = table.picture()
        _shows_the_times(table, picture)
        assert _says(picture, "Fault in the screen")
        table.now += FRAME
    assert len(told) == len(set(told)) > 0
    _presses_count(table)
    monkeypatch.undo()
    table.wait(1)
    whole = _fresh(table)
    assert table.picture().name == whole.name
    assert {control.name for control in whole.controls} - {"menu", "score", "status"} <= {
        control.name for control in table.picture().controls
    }


@pytest.mark.parametrize("name", [name for name in AWAKE if MOMENTS[name](PLAIN).desk._open])
def test_an_open_screen_that_fails_is_closed_and_what_lies_below_is_shown(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table, told = _listened(name)
    screen = type(table.desk._open[-1])
    below = _base(table)
    monkeypatch.setattr(screen, "stays", broken)
    table.picture()
    table.now += FRAME
    assert told == [screen.__name__.lower()]
    assert table.picture().name == below.name


@pytest.mark.no_cover  # as above
@pytest.mark.parametrize("name", AWAKE)
def test_words_that_cannot_be_found_cost_no_screen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table, told = _listened(name)
    before = table.picture()
    monkeypatch.setattr(table.desk, "_told", broken)
    for _frame in range(60):
        picture = table.picture()
        table.now += FRAME
    assert picture.name == before.name
    assert told == ["told"]
    assert name == "welcome" or _says(picture, "Fault in the screen")


# ── A picture that fails ─────────────────────────────────────────────────────
def _no_fonts(broke: pytest.MonkeyPatch) -> None:
    ty.font.cache_clear()
    ty.fitted.cache_clear()
    broke.setattr(pygame.font, "Font", broken)


def _no_files(broke: pytest.MonkeyPatch) -> None:
    ty.font.cache_clear()
    ty.fitted.cache_clear()
    broke.setattr(ty, "FILES", {"text": ("gone.ttf", "gone.ttf"), "bold": ("gone.ttf", "gone.ttf")})


BREAKS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "box": lambda broke: broke.setattr(paint, "_box", broken),
    "path": lambda broke: broke.setattr(paint, "_path", broken),
    "text": lambda broke: broke.setattr(Painter, "_text", broken),
    "digits": lambda broke: broke.setattr(Painter, "_digits", broken),
    "size": lambda broke: broke.setattr(paint, "digits_size", broken),
    "words": lambda broke: broke.setattr(ty.Words, "line", broken),
    "fitted": lambda broke: broke.setattr(ty, "fitted", broken),
    "files": _no_files,
    "fonts": _no_fonts,
}


@pytest.fixture(autouse=True)
def _fonts_as_they_were() -> Iterator[None]:
    yield
    ty.font.cache_clear()
    ty.fitted.cache_clear()


@pytest.mark.parametrize("what", BREAKS)
@pytest.mark.parametrize("name", ["playing", "double-early", "menu", "flag", "playing-hours"])
def test_a_time_is_seen_whatever_cannot_be_painted(name: str, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = MOMENTS[name](PLAIN)
    picture = table.picture()
    surface = pygame.Surface((SMALL.w, SMALL.h))
    faults: list[str] = []
    painter = Painter(surface, lambda where, _fault: faults.append(where))
    with monkeypatch.context() as broke:
        BREAKS[what](broke)
        painter.paint(picture)
        assert len(faults) == len(set(faults)) > 0
        for op in picture.ops:
            if isinstance(op, Digits):
                assert _has_ink(surface, op), op.text
    painter.paint(picture)
    assert pygame.image.tobytes(surface, "RGB") == _whole(picture)


def test_strokes_tell_every_figure_apart() -> None:
    seen = set()
    for letter in "0123456789:.":
        op = Digits(pygame.Rect(0, 0, 40, 80), letter, 80, (255, 255, 255))  # type: ignore[arg-type]
        seen.add(tuple(paint._strokes(op)))
    assert len(seen) == 12


@pytest.mark.parametrize("what", BREAKS)
def test_a_picture_that_fails_is_said_and_told_once(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table, told = _listened("playing")
    surface = pygame.Surface((SMALL.w, SMALL.h))
    painter = Painter(surface, lambda where, fault: print(table.desk.failed(where, fault, table.now)))
    with monkeypatch.context() as broke:
        BREAKS[what](broke)
        for _frame in range(12):
            painter.paint(table.picture())
            table.now += FRAME
        assert len(told) == len(set(told)) > 0
        assert _says(table.picture(), "Fault in the screen")
        _presses_count(table)
    table.wait(1)
    picture = table.picture()
    painter.paint(picture)
    assert pygame.image.tobytes(surface, "RGB") == _whole(picture)
    table.wait(62)
    table.picture()
    assert not table.desk.health.screen


def _whole(picture: Scene) -> bytes:
    surface = pygame.Surface(picture.size)
    Painter(surface).paint(picture)
    return pygame.image.tobytes(surface, "RGB")


def _has_ink(surface: pygame.Surface, op: Digits) -> bool:
    return any(
        surface.get_at((x, y))[:3] == op.colour
        for x in range(op.rect.x, op.rect.right, 2)
        for y in range(op.rect.y, op.rect.bottom, 2)
        if 0 <= x < SMALL.w and 0 <= y < SMALL.h
    )


def _listened(name: str) -> tuple[Table, list[str]]:
    table = MOMENTS[name](PLAIN)
    told: list[str] = []
    table.desk.on_fault = lambda where, _fault: told.append(where)
    return table, told


def _base(table: Table) -> Screen:
    return table.desk._base(table.desk._view(table.session.snapshot(Instant(table.now)), SMALL, table.now))


def _fresh(table: Table) -> Scene:
    desk = Desk(table.session, BOOKS, table.chronicle, new_match=lambda: "")
    desk.offers, desk.uplink, desk.squares = table.desk.offers, table.desk.uplink, table.desk.squares
    desk._offered, desk.waits = table.desk._offered, table.desk.waits
    return desk.scene(SMALL, table.now)


def _says(picture: Scene, words: str) -> bool:
    return any(words in op.text for op in picture.ops if isinstance(op, Text))


def _shows_the_times(table: Table, picture: Scene) -> None:
    clock = table.session.snapshot(Instant(table.now)).clock
    if clock is None:
        return
    shown = [op.text for op in picture.ops if isinstance(op, Digits)]
    if clock.control.clocked and table.session.table.paper is None:
        assert shown == [clock_text(clock.reserve[side]) for side in SIDES]
    else:
        assert len(shown) == 2


def _presses_count(table: Table) -> None:
    if table.session.table.phase is None or table.session.table.phase in OVER:
        return
    before = table.chronicle.count
    table.press(Side.LEFT, 0.5).press(Side.RIGHT, 0.5)
    assert table.chronicle.count > before
