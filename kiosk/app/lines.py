"""Lines on standard output and standard error: what people typed is printed so that it drives no terminal and fakes no line."""

from __future__ import annotations

from kiosk.say import _, mark
from kiosk.shell.lines import say

__all__ = ["ENDS", "ended_by", "say"]


ENDS = {
    "score": mark("score"),
    "flag": mark("flag"),
    "resignation": mark("resignation"),
    "ruling": mark("ruling"),
    "forfeit": mark("forfeit"),
    "double_forfeit": mark("double forfeit"),
    "session": mark("session's end"),
}


def ended_by(how: str) -> str:
    """How a match ended, in a word."""
    return _(ENDS[how])
