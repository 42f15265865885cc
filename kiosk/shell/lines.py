"""Lines on standard output and standard error: what people typed is printed so that it drives no terminal and fakes no line."""

from __future__ import annotations

import click

from kiosk.domain.text import escaped


def say(line: str, *, err: bool = False) -> None:
    """Print one line; what in it cannot be seen is written out.

    Args:
        line: The line, without its end.
        err: On standard error.
    """
    click.echo(escaped(line), err=err)
