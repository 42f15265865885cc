"""Lines on standard output and standard error: what people typed is printed so that it drives no terminal and fakes no line."""

from __future__ import annotations

import click

from kiosk.domain.text import escaped
from kiosk.say import _, mark


def say(line: str, *, err: bool = False) -> None:
    """Print one line; what in it cannot be seen is written out.

    Args:
        line: The line, without its end.
        err: On standard error.
    """
    click.echo(escaped(line), err=err)


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
