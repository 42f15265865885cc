"""Every moment as it is to be: `python -m tests.ui.goldens` writes them anew; look at the difference before it is committed.

A moment's text has a digest for each size and theme, and below them the picture on the small dark panel, one operation or control a
line. A few moments are kept as pixels too.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import pygame

from kiosk.ui.draw import Box, Colour, Control, Digits, Disc, Op, Rect, Scene, Text, Veil
from kiosk.ui.draw import Path as Line
from kiosk.ui.paint import Painter
from kiosk.ui.theme import THEMES
from tests.ui.looks import scene
from tests.ui.moments import MOMENTS, PLACES

FOLDER = Path(__file__).with_name("goldens")
SHOWN = ("800x480", "dark")
PIXELS = {
    "face-dark": ("playing", "800x480", "dark"),
    "face-light": ("playing", "800x480", "light"),
    "face-upright": ("playing", "720x1280", "dark"),
    "flag": ("flag", "800x480", "dark"),
    "names": ("playing-pairs", "800x480", "dark"),
}
"""Golden picture → the moment, its size and its theme."""


def text(name: str) -> str:
    """A moment's golden text."""
    digests = [f"{size} {theme} {digest(scene(name, size, theme))}" for size in PLACES for theme in THEMES]
    return "\n".join([*digests, "", *lines(scene(name, *SHOWN))]) + "\n"


def digest(picture: Scene) -> str:
    """A picture as a short number."""
    return hashlib.sha256("\n".join(lines(picture)).encode()).hexdigest()[:20]


def lines(picture: Scene) -> list[str]:
    """A picture as lines to be read."""
    changes = "never" if picture.changes_at is None else f"{picture.changes_at / 1e9:.9f}"
    head = f"{picture.name}, changes {changes}"
    return [head, *(_op(op) for op in picture.ops), *(_control(control) for control in picture.controls)]


def _op(op: Op) -> str:
    match op:
        case Box():
            round_ = f" round {op.radius}" if op.radius else ""
            edge = f" edge {_colour(op.edge)} {op.edge_width}" if op.edge is not None else ""
            return f"box {_rect(op.rect)} {_colour(op.colour)}{round_}{edge}"
        case Text():
            more = (f" lines {op.lines}" if op.lines > 1 else "") + (f" {op.lean}" if op.lean != "middle" else "")
            return f"{op.face} {_rect(op.rect)} {_colour(op.colour)} {op.size} {op.align}{_turn(op.turn)}{more} {op.text!r}"
        case Digits():
            return f"digits {_rect(op.rect)} {_colour(op.colour)} {op.size} {op.align}{_turn(op.turn)} {op.text}"
        case Line():
            return f"path {_colour(op.colour)} {op.width} {' '.join(f'{x},{y}' for x, y in op.points)}"
        case Disc():
            return f"disc {op.x},{op.y} {op.r} {_colour(op.colour)} {op.width}"
        case Veil():
            return f"veil {_rect(op.rect)} {op.keeps}"


def _control(control: Control) -> str:
    kind = "area" if control.area else "touch"
    urgent = " urgent" if control.urgent else ""
    why = f" not: {control.why}" if control.why is not None else ""
    return f"{kind} {_rect(control.rect)} {type(control.action).__name__.lower()}{urgent} {control.name!r}{why}"


def _rect(rect: Rect) -> str:
    return f"{rect.x},{rect.y} {rect.w}x{rect.h}"


def _colour(colour: Colour) -> str:
    return "#" + bytes(colour).hex()


def _turn(turn: int) -> str:
    return f" turn {turn}" if turn else ""


def pixels(golden: str) -> pygame.Surface:
    """A golden picture as it is drawn now."""
    picture = scene(*PIXELS[golden])
    surface = pygame.Surface(picture.size, depth=24)
    Painter(surface).paint(picture)
    return surface


def main() -> None:
    """Write all of them, and drop those whose moment is gone."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    for name in MOMENTS:
        (FOLDER / f"{name}.txt").write_text(text(name), encoding="utf-8")
    for golden in PIXELS:
        pygame.image.save(pixels(golden), str(FOLDER / f"{golden}.png"))
    total = sum(path.stat().st_size for path in FOLDER.iterdir())
    print(f"{FOLDER}: {len(MOMENTS)} moments, {len(PIXELS)} pictures, {total // 1000} kB")


if __name__ == "__main__":
    main()
