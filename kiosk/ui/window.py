"""The panel: a window or a whole screen, its events, and when it is to be painted again. The desk decides, the painter paints.

On a desktop the keys A and L are the two clock buttons, by their place on the keyboard whatever its layout; while a name is typed they
are letters, and the two Ctrl keys still are buttons.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pygame

from kiosk.domain.types import NS_PER_S, Side
from kiosk.say import _
from kiosk.ui.draw import Rect
from kiosk.ui.mount import Display, Mount
from kiosk.ui.opening import NoDisplayError, drivers, open_screen
from kiosk.ui.page import Place
from kiosk.ui.paint import Painter, png
from kiosk.ui.pointer import Pointers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kiosk.ui.desk import Desk
    from kiosk.ui.pointer import Sign

UPRIGHT = Mount()
FRAME_NS = NS_PER_S // 60
FINGER_MM = 12
INCHES = {(800, 480): 7.0, (1024, 600): 7.0, (1280, 720): 7.0, (720, 1280): 7.0, (1280, 800): 10.1, (800, 1280): 10.1, (480, 800): 7.0}
"""The usual panels by their pixels: their diagonals."""

CLOCK_KEYS = {
    pygame.KSCAN_A: Side.LEFT,
    pygame.KSCAN_L: Side.RIGHT,
    pygame.KSCAN_LCTRL: Side.LEFT,
    pygame.KSCAN_RCTRL: Side.RIGHT,
}
LETTERS = {pygame.KSCAN_A, pygame.KSCAN_L}


def place_for(w: int, h: int, inch: float | None = None) -> Place:
    """A panel of this many pixels.

    Args:
        w: Width in pixels.
        h: Height in pixels.
        inch: Its diagonal; None takes the usual one of such a panel, or for a window whatever makes the screens fit.
    """
    rows = 7.4 if w >= h else 12.0
    fits = int(min(h / rows, w / (12.0 if w >= h else 7.0)))
    size = inch or INCHES.get((w, h))
    if size is None:
        return Place(w, h, max(30, fits))
    return Place(w, h, max(30, min(fits, math.ceil(FINGER_MM * math.hypot(w, h) / (size * 25.4)))))


def sdl_version() -> str:
    """Which SDL draws; it needs no display."""
    return ".".join(map(str, pygame.get_sdl_version()))


class Window:
    """A panel that shows a desk."""

    def __init__(
        self,
        *,
        size: tuple[int, int] | None = None,
        fullscreen: bool = False,
        inch: float | None = None,
        display: Display = "auto",
        mount: Mount = UPRIGHT,
    ) -> None:
        """Open it.

        Args:
            size: The panel's pixels; None is 800×480, or the whole screen where there are no windows.
            fullscreen: Take the whole screen.
            inch: The panel's diagonal, for targets of 12 mm.
            display: On what it is opened; `cage` where this process runs inside it already.
            mount: How the panel is mounted.

        Raises:
            NoDisplayError: There is no display.
        """
        self._inch = inch
        self._mount = mount
        self._faults: list[tuple[str, Exception]] = []
        self._panel, self.driver = open_screen(display, size, fullscreen=fullscreen)
        """SDL's driver: what the picture is shown by."""
        self.has_panel = self.driver == "kmsdrm" or display == "cage"
        """The picture has a panel of its own, without a desktop: nobody points there with an arrow."""
        pygame.display.set_caption(_("Tableside"))
        pygame.display.set_allow_screensaver(False)
        pygame.mouse.set_visible(not self.has_panel)
        pygame.event.set_blocked([pygame.JOYAXISMOTION, pygame.JOYBUTTONDOWN, pygame.WINDOWENTER, pygame.WINDOWLEAVE])
        self._held: dict[int, Side] = {}
        self._shown_at = 0
        self._answered_at = 0
        self._changes_at: int | None = 0
        self._pointers = Pointers(0)
        self._fit()

    def _fit(self) -> None:
        w, h = self._mount.size(*self._panel.get_size())
        self._surface = pygame.Surface((w, h), 0, self._panel) if self._mount.rotate else self._panel
        self.place = place_for(w, h, self._inch)
        self._painter = Painter(self._surface, lambda where, fault: self._faults.append((where, fault)))
        self._pointers.near = self.place.touch // 2  # what is down stays down: a finger that holds a button will be lifted

    # ── Painting ─────────────────────────────────────────────────────────────
    def due(self, now: int) -> bool:
        """Whether the picture looks different by now though nothing has happened."""
        return self._changes_at is not None and now >= self._changes_at

    def next_show(self, now: int, *, changed: bool) -> int | None:
        """When to paint next; None while nothing changes.

        What time changes comes a frame after the last picture or later, and so does what hands do after the last that they did; a
        press just after the delay bar has moved waits for nothing.

        Args:
            now: Nanoseconds of the monotonic clock.
            changed: Something has happened since the last painting.
        """
        if changed:
            return max(now, self._answered_at + FRAME_NS)
        return None if self._changes_at is None else max(self._changes_at, self._shown_at + FRAME_NS)

    def show(self, desk: Desk, now: int, *, changed: bool = False) -> None:
        """Paint the desk as it is now.

        Args:
            desk: What is shown.
            now: Nanoseconds of the monotonic clock.
            changed: Something has happened since the last painting.
        """
        scene = desk.scene(self.place, now)
        patches = self._painter.paint(scene)
        if patches:
            pygame.display.update(self._turned(patches) if self._mount.rotate else patches)
        self._shown_at = now
        self._answered_at = now if changed else self._answered_at
        self._changes_at = scene.changes_at
        for where, fault in self._faults:
            if desk.failed(where, fault, now):
                self._changes_at = now + FRAME_NS  # its words are to be seen
        self._faults.clear()

    def _turned(self, patches: list[pygame.Rect]) -> list[pygame.Rect]:
        """Bring what changed of a turned picture to the panel.

        Returns:
            Where that is there.
        """
        places = []
        for patch in patches:
            part = self._surface.subsurface(patch)
            picture = pygame.transform.rotate(part, -self._mount.rotate)
            places.append(self._panel.blit(picture, self._mount.on_panel(Rect(*patch), self._surface.get_size())[:2]))
        return places

    def save(self, path: Path) -> None:
        """Save what is shown as PNG, upright.

        Raises:
            OSError: The file cannot be written.
        """
        path.write_bytes(png(self._surface))

    def close(self) -> None:
        """Let go of the display."""
        pygame.display.quit()

    @staticmethod
    def pending() -> bool:
        """Whether something was touched or typed."""
        return bool(pygame.event.peek())

    # ── Events ───────────────────────────────────────────────────────────────
    def take_events(self, desk: Desk, now: int, contact: Callable[[Side, bool, int], None] | None) -> tuple[bool, bool]:
        """Hand everything that has come to the desk.

        Args:
            desk: What is shown.
            now: Nanoseconds of the monotonic clock.
            contact: Closes or opens a simulated button; None on real ones.

        Returns:
            Whether the window is still wanted, and whether anything happened.
        """
        wanted, changed = True, False
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                wanted = False
            elif event.type in {pygame.VIDEORESIZE, pygame.WINDOWSIZECHANGED, pygame.WINDOWEXPOSED, pygame.VIDEOEXPOSE}:
                self._resized()
            elif event.type == pygame.WINDOWFOCUSLOST:
                self._let_go(desk, now, contact)
            elif event.type in {pygame.KEYDOWN, pygame.KEYUP, pygame.TEXTINPUT}:
                self._key(event, desk, now, contact)
            else:
                sign = self._pointer(event, now)
                if sign is None:
                    continue
                self._touch(sign, desk, now)
            changed = True
        return wanted, changed

    def _resized(self) -> None:
        surface = pygame.display.get_surface()
        wanted = self._mount.size(self.place.w, self.place.h)
        if surface is not None and (surface is not self._panel or surface.get_size() != wanted):
            self._panel = surface
            self._fit()
        self._painter.forget()

    def _pointer(self, event: pygame.event.Event, now: int) -> Sign | None:
        size = self.place.w, self.place.h
        match event.type:
            case pygame.FINGERDOWN | pygame.FINGERMOTION | pygame.FINGERUP:
                self._show_cursor(wanted=False)
                what = {pygame.FINGERDOWN: "down", pygame.FINGERMOTION: "move", pygame.FINGERUP: "up"}[event.type]
                x, y = self._mount.touched(event.x, event.y, size)
                return self._pointers.finger(what, int(event.finger_id), x, y, now)  # type: ignore[arg-type]
            case pygame.MOUSEBUTTONDOWN | pygame.MOUSEBUTTONUP if event.button == 1:
                what = "down" if event.type == pygame.MOUSEBUTTONDOWN else "up"
            case pygame.MOUSEMOTION:
                what = "move"
            case _:
                return None
        from_touch = bool(getattr(event, "touch", False))
        self._show_cursor(wanted=not from_touch)
        x, y = self._mount.pointed(event.pos[0], event.pos[1], size)
        return self._pointers.mouse(what, x, y, now, from_touch=from_touch)  # type: ignore[arg-type]

    def _show_cursor(self, *, wanted: bool) -> None:
        """A finger needs no arrow beside it; a mouse that moves gets it back, where there can be one."""
        wanted = wanted and not self.has_panel
        if wanted != pygame.mouse.get_visible():
            pygame.mouse.set_visible(wanted)

    @staticmethod
    def _touch(sign: Sign, desk: Desk, now: int) -> None:
        if sign.what == "down":
            desk.touch(sign.x, sign.y, now, finger=sign.finger)
        elif sign.what == "move":
            desk.move(sign.x, sign.y, now, finger=sign.finger)
        else:
            desk.release(now, finger=sign.finger)

    # ── Keys ─────────────────────────────────────────────────────────────────
    def _key(self, event: pygame.event.Event, desk: Desk, now: int, contact: Callable[[Side, bool, int], None] | None) -> None:
        if event.type == pygame.TEXTINPUT:
            if desk.takes_text:
                desk.typed(event.text, now)
            return
        scan = event.scancode
        if event.type == pygame.KEYUP:
            side = self._held.pop(scan, None)
            if side is not None and contact is not None:
                contact(side, False, now)  # noqa: FBT003 - a level is a truth value
            return
        side = CLOCK_KEYS.get(scan)
        if side is not None and contact is not None and not (scan in LETTERS and desk.takes_text):
            if scan not in self._held:
                self._held[scan] = side
                contact(side, True, now)  # noqa: FBT003
            return
        _use_key(event, desk, now)

    def _let_go(self, desk: Desk, now: int, contact: Callable[[Side, bool, int], None] | None) -> None:
        """The window lost the keyboard: no key is down any more as far as it can tell, and no finger on a button."""
        desk.let_go(now)
        for side in self._held.values():
            if contact is not None:
                contact(side, False, now)  # noqa: FBT003
        self._held.clear()


def _use_key(event: pygame.event.Event, desk: Desk, now: int) -> None:
    match event.key:
        case pygame.K_TAB:
            desk.step_focus(-1 if event.mod & pygame.KMOD_SHIFT else 1, now)
        case pygame.K_RIGHT | pygame.K_DOWN:
            desk.step_focus(1, now)
        case pygame.K_LEFT | pygame.K_UP:
            desk.step_focus(-1, now)
        case pygame.K_RETURN | pygame.K_KP_ENTER:
            desk.enter(now)
        case pygame.K_SPACE if not desk.takes_text:
            desk.enter(now)
        case pygame.K_ESCAPE:
            desk.back(now)
        case pygame.K_BACKSPACE:
            desk.typed("\b", now)


__all__ = ["CLOCK_KEYS", "INCHES", "NoDisplayError", "Window", "drivers", "place_for", "sdl_version"]
