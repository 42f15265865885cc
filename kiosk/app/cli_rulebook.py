"""`kiosk rulebook list|check`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kiosk.app.lines import say
from kiosk.books import Library, check_file
from kiosk.domain.errors import RulebookError
from kiosk.say import _, language

if TYPE_CHECKING:
    from kiosk.app.config import Config


@click.group()
def rulebook() -> None:
    """Rulebooks: what is bundled, and an organizer's own files."""


@rulebook.command("list")
@click.pass_obj
def list_(config: Config) -> None:
    """List the rulebooks that this table knows."""
    library = Library([config.rulebooks])
    for name in library.names():
        try:
            say(f"{name:14} {library.load(name).title(language())}")
        except RulebookError as error:
            say(_("{name} cannot be used: {error}", name=format(name, "14"), error=error))


@rulebook.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_context
def check(ctx: click.Context, file: Path) -> None:
    """Check an organizer's rulebook FILE: names line and key of whatever is wrong."""
    config: Config = ctx.obj
    problems = check_file(file, Library([config.rulebooks]))
    for problem in problems:
        say(f"{'warning: ' if problem.warning else ''}{problem}", err=True)
    if any(not problem.warning for problem in problems):
        ctx.exit(2)
    say(_("{file}: this rulebook can be used.", file=file))
