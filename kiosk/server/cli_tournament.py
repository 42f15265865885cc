"""`kiosk-server tournament export|import FILE`: a whole tournament as one file, and such a file opened on this server."""

from __future__ import annotations

from pathlib import Path

import click

from kiosk.say import _
from kiosk.server import tournament_file
from kiosk.server.acts import acting
from kiosk.server.audit import COMMAND_LINE
from kiosk.server.beside import house_beside
from kiosk.server.problems import ServerError, WrongUse
from kiosk.shell.lines import say
from kiosk.tournament.results import TournamentError

_FILE = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))


@click.group()
def tournament() -> None:
    """The tournament as a file: everything that happened, with its dates, as JSON."""


@tournament.command("export")
@_FILE
@click.pass_obj
def export(data: Path, file: Path) -> None:
    """Write the whole tournament into FILE, which must not be there yet."""
    with house_beside(data) as house, house.store.read() as connection:
        made = tournament_file.to_bytes(connection, house.event or "")
    try:
        with file.open("xb") as out:
            out.write(made)
    except FileExistsError as error:
        raise WrongUse(_("{file} is there already; give another name.", file=file)) from error
    except OSError as error:
        raise ServerError(_("{file} cannot be written: {why}.", file=file, why=error.strerror or error)) from error
    say(_("The tournament is in {file}.", file=file))


@tournament.command("import")
@_FILE
@click.pass_obj
def import_(data: Path, file: Path) -> None:
    """Open the tournament in FILE on this server, where nothing of a tournament has happened yet."""
    try:
        with file.open("rb") as given:
            raw = given.read(tournament_file.LARGEST + 1)
    except OSError as error:
        raise WrongUse(_("{file} cannot be read: {why}.", file=file, why=error.strerror or error)) from error
    try:
        told = tournament_file.read(raw)
        with house_beside(data) as house, acting(house, COMMAND_LINE) as act:
            tournament_file.open_here(act, told)
    except TournamentError as error:
        raise WrongUse(f"{file}: {error}") from error
    say(_("The tournament of {file} is open here.", file=file))
