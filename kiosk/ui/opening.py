"""On what the picture is shown: which of SDL's video drivers are tried, in which order, and what is said when none works.

`kms` is the panel itself, without a desktop; `window` a window on a desktop; `cage` the compositor of that name, inside which this is a
window that fills the panel (whoever starts the table has put it there). `auto` takes a desktop where there is one, else the panel itself.
The driver is always named to SDL, which would guess otherwise: inside `cage` it takes X11.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pygame

from kiosk.domain.errors import KioskError

if TYPE_CHECKING:
    from kiosk.ui.mount import Display

DESKTOPS = {"WAYLAND_DISPLAY": "wayland", "DISPLAY": "x11"}
"""The variable that tells of a desktop, and SDL's driver for it."""

CARDS = Path("/dev/dri")


class NoDisplayError(KioskError, OSError):
    """The world failed: there is no display to open a window on."""


def drivers(display: Display = "auto") -> list[str]:
    """The video drivers to try, the likeliest first; what SDL_VIDEODRIVER names, where it is set."""
    named = os.environ.get("SDL_VIDEODRIVER")
    if named:
        return [named]
    if display == "kms":
        return ["kmsdrm"]
    found = [driver for variable, driver in DESKTOPS.items() if os.environ.get(variable)]
    if display == "auto" and not found and any(CARDS.glob("card*")):
        found.append("kmsdrm")
    return found


def open_screen(display: Display, size: tuple[int, int] | None, *, fullscreen: bool) -> tuple[pygame.Surface, str]:
    """Start the display and take it.

    Args:
        display: On what.
        size: Pixels; None is 800×480 in a window, and the whole screen otherwise.
        fullscreen: Take the whole screen of a desktop too.

    Returns:
        Its surface, and the driver that works.

    Raises:
        NoDisplayError: None does; the sentence says what to do.
    """
    before = {name: os.environ.get(name) for name in ("SDL_VIDEODRIVER", "SDL_FRAMEBUFFER_ACCELERATION")}
    reasons = []
    for driver in drivers(display):
        os.environ["SDL_VIDEODRIVER"] = driver
        if driver == "x11":
            os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")  # 2.8 ms a frame instead of 0.4 with it
        try:
            pygame.display.init()
            return _taken(size, whole=fullscreen or driver == "kmsdrm" or display == "cage"), driver
        except pygame.error as error:
            reasons.append(f"{driver}: {error}")
            pygame.display.quit()
            _put_back(before)  # it breaks Wayland, and whoever looks next begins anew
    why = f" ({'; '.join(reasons)})" if reasons else ""
    raise NoDisplayError(
        f"there is no display{why}. Connect one; on a desktop run `kiosk run --simulate` in a graphical session; "
        "`--no-screen` runs the table from the console."
    )


def _put_back(before: dict[str, str | None]) -> None:
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _taken(size: tuple[int, int] | None, *, whole: bool) -> pygame.Surface:
    flags = pygame.FULLSCREEN if whole else pygame.RESIZABLE
    return pygame.display.set_mode((0, 0) if whole and size is None else size or (800, 480), flags)
