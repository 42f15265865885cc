"""The option `--size` of several commands."""

from __future__ import annotations

import click

from kiosk.say import _


def read_size(_context: click.Context, _option: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """The option `--size`.

    Raises:
        click.BadParameter: It is no size, or one that no screen has room on.
    """
    if value is None:
        return None
    wide, times, high = value.lower().replace("×", "x").partition("x")
    if not times or not (wide.isascii() and wide.isdigit() and high.isascii() and high.isdigit()):
        raise click.BadParameter(_("{value} is no size; write width and height in pixels, as in 1280x800.", value=repr(value)))
    size = int(wide), int(high)
    if not (480 <= size[0] <= 7680 and 320 <= size[1] <= 7680):
        raise click.BadParameter(_("{value} has no room for a table; give 480x320 to 7680x7680.", value=value))
    return size
