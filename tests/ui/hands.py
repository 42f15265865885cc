"""Hands on a panel: real pygame events, posted and taken as the loop takes them, and what came of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any
from unittest import mock

import pygame

from kiosk.domain.types import NS_PER_MS, Side
from kiosk.ui.draw import Control, Scene
from kiosk.ui.pointer import Pointers
from kiosk.ui.window import Window
from tests.ui.moments import MOMENTS, PLACES, PLAIN, Table

SIZES = {name: (place.w, place.h) for name, place in PLACES.items()}


@contextmanager
def window(size: str = "800x480") -> Iterator[Window]:
    """A panel of a size that shows nothing."""
    with mock.patch.dict(os.environ, {"SDL_VIDEODRIVER": "dummy"}):  # and for nobody else: the demo would open its window there too
        panel = Window(size=SIZES[size])
    pygame.event.clear()
    try:
        yield panel
    finally:
        panel.close()


@dataclass(frozen=True)
class Outcome:
    """What came of a touch."""

    facts: tuple[object, ...]
    screen: str
    opened: tuple[object, ...]
    said: tuple[str, str] | None
    pressed: tuple[tuple[Side, bool], ...]
    prefs: object
    asked_for: tuple[str, ...]


class Hands:
    """Somebody at a table."""

    def __init__(self, panel: Window, moment: str, *, simulated: bool | None = None) -> None:
        self.panel = panel
        panel._pointers = Pointers(panel.place.touch // 2)  # virtual time begins anew
        self.table: Table = MOMENTS[moment](PLAIN)
        self.asked_for: list[str] = []
        desk = self.table.desk
        desk.on_leave = lambda: self.asked_for.append("leave")
        desk.on_watch = lambda: self.asked_for.append("watch")
        if simulated:
            desk.press = lambda side, closed, _at: self.table.pressed.append((side, closed))
        self.scene = self.look()
        self.table.wait(1)
        self.scene = self.look()
        self.before = self.table.chronicle.count

    def look(self) -> Scene:
        """The picture now."""
        self.scene = self.table.desk.scene(self.panel.place, self.table.now)
        return self.scene

    def after(self, ms: int) -> None:
        """Let time pass without anything happening."""
        self.table.now += ms * NS_PER_MS

    def take(self, *events: pygame.event.Event) -> bool:
        """Post events and let the window take them; whether it is still wanted."""
        for event in events:
            pygame.event.post(event)
        contact = self.table.desk.press
        return self.panel.take_events(self.table.desk, self.table.now, contact)[0]

    def outcome(self) -> Outcome:
        """What came of it: with every instant left out, for it takes longer to reach a control by keys."""
        desk, scene = self.table.desk, self.look()
        entries = self.table.chronicle.entries
        count = self.table.chronicle.count - self.before
        facts = tuple(_timeless(entry.fact) for entry in entries[len(entries) - count :]) if count else ()
        said = desk._said
        return Outcome(
            facts,
            scene.name,
            tuple(replace(screen, since=0) if getattr(screen, "since", None) is not None else screen for screen in desk._open),
            None if said is None else (said[0].text, said[0].tone),
            tuple(self.table.pressed),
            desk.prefs,
            tuple(self.asked_for),
        )

    # ── Ways to touch ────────────────────────────────────────────────────────
    def tap(self, x: int, y: int, ways: tuple[str, ...]) -> None:
        """Touch a point: a frame between down and up, each kind of event in the order of `ways`."""
        for what in ("down", "up"):
            for way in ways:
                self.take(pointer(way, what, x, y, self.panel))
                self.after(7)
            if what == "down":
                self.look()
            self.after(60)

    def key(self, key: int, *, mod: int = 0, scan: int | None = None, text: str = "") -> None:
        """Press and lift a key."""
        code = scan if scan is not None else SCANS.get(key, 0)
        self.take(pygame.event.Event(pygame.KEYDOWN, key=key, scancode=code, mod=mod, unicode=text))
        if text:
            self.take(pygame.event.Event(pygame.TEXTINPUT, text=text))
        self.after(40)
        self.take(pygame.event.Event(pygame.KEYUP, key=key, scancode=code, mod=mod))


SCANS = {
    pygame.K_TAB: pygame.KSCAN_TAB,
    pygame.K_RETURN: pygame.KSCAN_RETURN,
    pygame.K_ESCAPE: pygame.KSCAN_ESCAPE,
    pygame.K_BACKSPACE: pygame.KSCAN_BACKSPACE,
    pygame.K_SPACE: pygame.KSCAN_SPACE,
    pygame.K_a: pygame.KSCAN_A,
    pygame.K_l: pygame.KSCAN_L,
    pygame.K_LCTRL: pygame.KSCAN_LCTRL,
    pygame.K_RCTRL: pygame.KSCAN_RCTRL,
}


def pointer(way: str, what: str, x: int, y: int, panel: Window, *, finger: int = 0, button: int = 1) -> pygame.event.Event:
    """One event of a finger or the mouse, as SDL tells it."""
    w, h = panel.place.w, panel.place.h
    if way == "finger":
        kinds = {"down": pygame.FINGERDOWN, "move": pygame.FINGERMOTION, "up": pygame.FINGERUP}
        at: dict[str, Any] = {"x": (x + 0.5) / w, "y": (y + 0.5) / h, "dx": 0.0, "dy": 0.0}
        return pygame.event.Event(kinds[what], touch_id=1, finger_id=finger, pressure=1.0, **at)
    marked = way == "marked"
    if what == "move":
        return pygame.event.Event(pygame.MOUSEMOTION, pos=(x, y), rel=(0, 0), buttons=(1, 0, 0), touch=marked)
    kind = pygame.MOUSEBUTTONDOWN if what == "down" else pygame.MOUSEBUTTONUP
    return pygame.event.Event(kind, pos=(x, y), button=button, touch=marked)


def middle(control: Control, scene: Scene) -> tuple[int, int] | None:
    """A point where a control lies on top; None where others cover it wholly."""
    rect = control.rect
    points = [(rect.x + rect.w * i // 8, rect.y + rect.h * j // 8) for j in (4, 2, 6, 1, 7) for i in (4, 2, 6, 1, 7)]
    return next((point for point in points if scene.at(*point) == control), None)


def _timeless(fact: Any) -> object:
    return type(fact).__name__, replace(fact, at=0)
