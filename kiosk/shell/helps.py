"""What `--help` says, in the language spoken: each command's own words stand in its docstring and its options."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

import click

from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Iterator


def spoken(command: click.Command) -> click.Command:
    """A command as it is shown in the language spoken now; the command itself stays as it is."""
    told = copy(command)
    told.help = _(plain(command.help)) if command.help else command.help
    told.short_help = _(plain(command.short_help)) if command.short_help else command.short_help
    told.params = [_told(param) for param in command.params]
    if isinstance(told, click.Group) and isinstance(command, click.Group):
        told.commands = {name: spoken(each) for name, each in command.commands.items()}
    return told


def _told(param: click.Parameter) -> click.Parameter:
    if not isinstance(param, click.Option) or not param.help:
        return param
    told = copy(param)
    told.help = _(plain(param.help))
    return told


def plain(words: str) -> str:
    """A docstring without its line breaks, paragraph by paragraph: as the catalogue has it."""
    return "\n\n".join(" ".join(part.split()) for part in words.strip().split("\n\n"))


def texts(command: click.Command) -> Iterator[str]:
    """Everything that `--help` says of a command and those below it."""
    for words in (command.help, command.short_help, *(param.help for param in command.params if isinstance(param, click.Option))):
        if words:
            yield plain(words)
    if isinstance(command, click.Group):
        for each in command.commands.values():
            yield from texts(each)
