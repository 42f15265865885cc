"""Passwords and PINs on the command line: asked for twice and never shown, or read from standard input by a script."""

from __future__ import annotations

import sys

import click

from kiosk.domain.text import escaped
from kiosk.say import _
from kiosk.server.problems import WrongUse

LONGEST_LINE = 1000


def secret(asks: str, given: str | None, *, stdin: bool, options: str) -> str:
    """A secret.

    Args:
        asks: What is asked for, e.g. *Password for Ana*.
        given: What an option said; None: nothing.
        stdin: It is the first line of standard input.
        options: What scripts say it by, e.g. *--pin*.

    Raises:
        WrongUse: There is nobody to ask, or two different ones were typed.
    """
    if given is not None:
        return given
    if stdin:
        return sys.stdin.buffer.readline(LONGEST_LINE).rstrip(b"\r\n").decode("utf-8", errors="replace")
    if not sys.stdin.isatty():
        raise WrongUse(_("There is no terminal to ask on; scripts say it by {options}.", options=options))
    first = str(click.prompt(escaped(asks), hide_input=True, default="", show_default=False, err=True))
    if click.prompt(_("The same again"), hide_input=True, default="", show_default=False, err=True) != first:
        raise WrongUse(_("The two differ; nothing has changed."))
    return first
