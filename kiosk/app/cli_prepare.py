"""`kiosk prepare`: take what the organizer has prepared for this table on the boot partition."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kiosk.app import prepared, preparing
from kiosk.app.lines import say
from kiosk.domain.errors import KioskError
from kiosk.say import _

if TYPE_CHECKING:
    from kiosk.app.config import Config


@click.command()
@click.option(
    "--from",
    "file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The file (TOML or CSV); without it tableside.toml or tableside.csv on the boot partition, where there is one.",
)
@click.option("--join", "joins", is_flag=True, help="Join the server that it names, instead of taking the names.")
@click.pass_obj
def prepare(config: Config, file: Path | None, joins: bool) -> None:  # noqa: FBT001 - click hands flags over so
    """Take what the organizer has prepared for this table: its names, and with --join its server.

    An installed table does this by itself at every start. Nothing is done twice; a changed file is taken anew. What is wrong with the file
    stands on the table's screen too.
    """
    path = file or prepared.find()
    if path is None:
        preparing.keep(config.data, replace(preparing.came(config.data), fault=""))
        return
    try:
        entry = prepared.read(path, prepared.identities())
        if joins:
            event = preparing.join_server(config, entry)
            if event:
                say(_("{path}: this table belongs to {event} now.", path=path, event=event))
        elif preparing.take_names(config, entry):
            say(_("{path}: taken for this table.", path=path))
    except KioskError as error:
        preparing.keep(config.data, replace(preparing.came(config.data), fault=_("What was prepared for this table: {fault}", fault=error)))
        raise
    if not joins:
        preparing.keep(config.data, replace(preparing.came(config.data), fault=""))
