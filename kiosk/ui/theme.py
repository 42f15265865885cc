"""Colours by what they mean, dark and light, and how contrast between two of them is told.

Names and digits stand out from their ground at 7:1 or more, everything else that is read at 4.5:1 or more; the tests measure it in
every scene. Who runs is told by fill, frame, marker and moving bar, so that it also reads in grey.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kiosk.ui.draw import Colour


@dataclass(frozen=True, slots=True)
class Theme:
    """A set of colours."""

    name: str
    ground: Colour
    """Behind everything."""
    panel: Colour
    """A resting half, a list's row."""
    ink: Colour
    """Names, digits and whatever matters, on ground, panel and button."""
    quiet: Colour
    """The rest that is read, on ground, panel and button."""
    button: Colour
    """Something to touch."""
    button_edge: Colour
    """Its frame."""
    dim: Colour
    """What cannot be touched now."""
    dim_ink: Colour
    """Its words."""
    run: Colour
    """The running half."""
    run_ink: Colour
    """On it."""
    run_track: Colour
    """The used part of the delay bar on it."""
    run_frame: Colour
    """Its frame."""
    halt: Colour
    """The half whose turn it is while the clocks stand."""
    flag: Colour
    """A half whose flag is down."""
    flag_ink: Colour
    """On it."""
    alert: Colour
    """An alert's ground."""
    alert_ink: Colour
    """On it."""
    go: Colour
    """The button that goes on."""
    go_ink: Colour
    """On it."""
    referee: Colour
    """The referee's word."""
    penalty: Colour
    """A penalty's mark."""
    good: Colour
    """All is right."""
    cube: Colour
    """The cube's face."""
    cube_ink: Colour
    """Its number."""
    paper: Colour
    """Where a signature is drawn."""
    paper_ink: Colour
    """The signature."""


DARK = Theme(
    name="dark",
    ground=(11, 14, 19),
    panel=(25, 29, 38),
    ink=(240, 243, 247),
    quiet=(160, 169, 182),
    button=(39, 45, 57),
    button_edge=(74, 83, 100),
    dim=(22, 26, 33),
    dim_ink=(128, 136, 148),
    run=(245, 200, 66),
    run_ink=(20, 17, 8),
    run_track=(199, 155, 32),
    run_frame=(255, 255, 255),
    halt=(150, 122, 40),
    flag=(158, 20, 24),
    flag_ink=(255, 255, 255),
    alert=(247, 147, 50),
    alert_ink=(24, 14, 2),
    go=(46, 125, 80),
    go_ink=(255, 255, 255),
    referee=(255, 132, 118),
    penalty=(247, 147, 50),
    good=(92, 200, 120),
    cube=(240, 243, 247),
    cube_ink=(20, 24, 32),
    paper=(240, 243, 247),
    paper_ink=(20, 24, 56),
)

LIGHT = Theme(
    name="light",
    ground=(222, 226, 232),
    panel=(250, 251, 253),
    ink=(16, 19, 26),
    quiet=(74, 82, 95),
    button=(250, 251, 253),
    button_edge=(126, 135, 150),
    dim=(209, 214, 221),
    dim_ink=(88, 95, 107),
    run=(248, 196, 44),
    run_ink=(16, 13, 4),
    run_track=(206, 156, 20),
    run_frame=(10, 12, 16),
    halt=(120, 96, 30),
    flag=(158, 20, 24),
    flag_ink=(255, 255, 255),
    alert=(176, 72, 0),
    alert_ink=(255, 255, 255),
    go=(24, 100, 60),
    go_ink=(255, 255, 255),
    referee=(160, 24, 16),
    penalty=(170, 76, 0),
    good=(24, 128, 64),
    cube=(16, 19, 26),
    cube_ink=(250, 251, 253),
    paper=(255, 255, 255),
    paper_ink=(20, 24, 56),
)

THEMES = {theme.name: theme for theme in (DARK, LIGHT)}


def contrast(one: Colour, other: Colour) -> float:
    """The contrast of two colours, 1 to 21 (relative luminance as the web's accessibility guidelines define it)."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Colour) -> float:
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (c / 255 for c in colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
