"""Every pair of colours that the pages put on each other stands out at 4.5:1 or more, dark and light; names and digits at 7:1."""

from __future__ import annotations

import re

import pytest

from kiosk.server.assets import FOLDER
from kiosk.ui.theme import contrast

CSS = (FOLDER / "look.css").read_text(encoding="utf-8")


def colours(scheme: str) -> dict[str, tuple[int, int, int]]:
    """The variables of a scheme; the light one changes those of the dark one."""
    blocks = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
    text = blocks[0] + (blocks[1] if scheme == "light" else "")
    found = {}
    for name, value in re.findall(r"--([\w-]+): #([0-9a-f]{3,6})\b", text):
        digits = value if len(value) == 6 else "".join(each * 2 for each in value)
        found[name] = (int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16))
    return found


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize(("ink", "ground"), [("ink", "panel"), ("ink", "ground"), ("run-ink", "run")])
def test_names_and_digits_stand_out(scheme: str, ink: str, ground: str) -> None:
    assert contrast(colours(scheme)[ink], colours(scheme)[ground]) >= 7


PAIRS = [
    ("quiet", "ground"),
    ("quiet", "panel"),
    ("ink", "button"),
    ("ink", "field"),
    ("referee", "panel"),
    ("referee", "ground"),
    ("good", "panel"),
    ("good", "ground"),
    ("link", "ground"),
    ("link", "panel"),
    ("alert-ink", "alert"),
    ("flag-ink", "flag"),
    ("go-ink", "go"),
    ("run-quiet", "run"),
    ("ground", "ink"),
]


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_the_rest_can_be_read(scheme: str, ink: str, ground: str) -> None:
    assert contrast(colours(scheme)[ink], colours(scheme)[ground]) >= 4.5


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_frame_of_the_running_side_and_of_what_is_focused_can_be_seen(scheme: str) -> None:
    said = colours(scheme)
    assert contrast(said["focus"], said["ground"]) >= 4.5
    assert (
        max(contrast(said["run-frame"], said["run"]), contrast(said["run"], said["panel"])) >= 3
        or contrast(said["run-frame"], said["panel"]) >= 3
    )


def test_nothing_moves_by_itself() -> None:
    assert "@keyframes" not in CSS
    assert "prefers-reduced-motion" in CSS
