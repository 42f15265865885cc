"""`kiosk-server backup`, `backups list|check` and `restore`."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click
from sqlalchemy import update

from kiosk.say import _, n_
from kiosk.server import audit, clock, settings
from kiosk.server import backup as kept
from kiosk.server.beside import LOCK, alone, house_beside
from kiosk.server.cli_init import ours
from kiosk.server.house import POKE, get
from kiosk.server.problems import ServerError, WrongUse
from kiosk.server.restoring import restore_files, restore_rows
from kiosk.server.schema import face
from kiosk.server.store import Store
from kiosk.shell.lines import say


@click.command()
@click.option("--to", "target", type=click.Path(path_type=Path), help="The file to write; without it in the folder of backups.")
@click.option("--due", is_flag=True, help="Only if none was made within the hour, as the running server does; old ones are let go of.")
@click.pass_obj
def backup(data: Path, target: Path | None, due: bool) -> None:  # noqa: FBT001 - click hands flags over so
    """Make a backup now; the server may run meanwhile.

    The file holds everything: the tables' facts, results, officials, the audit, and the server's keys. Keep it as secret as those.
    """
    if due and target is not None:
        raise WrongUse(_("--due: the hour's backup has its own place; leave --to out."))
    with house_beside(data) as house:
        if due:
            with kept.turn(house.settings) as mine:  # else the running server is making it at this moment
                if mine:
                    kept.hourly(house)
            return
        made = kept.make(house, audit.COMMAND_LINE, None if target is None else target.expanduser().absolute())
    say(n_("{path}: {n} row, checked.", "{path}: {n} rows, checked.", made.rows, path=made.path))


@click.group()
def backups() -> None:
    """The backups that were made."""


@backups.command("list")
@click.pass_obj
def list_(data: Path) -> None:
    """List the backups, newest first: when, rows, size, event, file."""
    made = settings.load(data)
    zone = made.zone
    found = kept.listed(made)
    for each in found:
        if isinstance(each, Path):
            say(_("{path}: this is no whole backup.", path=each), err=True)
            continue
        when = datetime.fromtimestamp(each.at_ns // clock.SECOND, zone).strftime("%Y-%m-%d %H:%M")
        say(f"{when}  {each.rows:9}  {each.size // 1000:7} kB  {each.event}  {each.path}")
    if not found:
        say(_("There is no backup in {folder} yet.", folder=made.backups), err=True)


@backups.command()
@click.argument("file", type=click.Path(path_type=Path))
def check(file: Path) -> None:
    """Read the backup FILE through and say whether it is whole."""
    found = kept.check(file)
    say(n_("{path}: whole, {n} row, of {event}.", "{path}: whole, {n} rows, of {event}.", found.rows, path=file, event=found.event))


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--database", metavar="URL", help="Into this database, which must be empty; without it SQLite in the data folder.")
@click.pass_obj
def restore(data: Path, file: Path, database: str | None) -> None:
    """Put the backup FILE in the place of the server's data; what was there is kept beside it.

    The server must not run. A backup goes into SQLite and into PostgreSQL, whichever it came from. Tables bring what they recorded since
    by themselves.
    """
    file = file.expanduser().absolute()
    found = kept.check(file)
    _refuse_foreign(data)
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    with alone(data):
        aside = _moved_aside(data)
        try:
            restore_files(data, file)
            _into(data, file, database)
        except BaseException:
            _put_back(data, aside)
            raise
    say(n_("{n} row of {event} is restored.", "{n} rows of {event} are restored.", found.rows, event=found.event))
    if aside is not None:
        say(_("What was there before is in {folder}.", folder=aside))


def _into(data: Path, file: Path, database: str | None) -> None:
    """Fill the database, which is the data folder's own unless another one is named: the backup's may belong to another server."""
    settings.set_key(data, "database", database)
    store = Store.open(settings.load(data).url)
    try:
        with store.write() as connection:
            if get(connection, "server"):
                raise WrongUse(_("--database: there is an event in this database already; give an empty one."))
            restore_rows(connection, file)
            connection.execute(update(face).values(worker=None))  # nobody is connected to a server that does not run
            audit.note(connection, audit.COMMAND_LINE, "backup_restored", file=file.name)
    finally:
        store.close()


def _moved_aside(data: Path) -> Path | None:
    """Move the server that is there into a folder beside it; what else lies there stays.

    Returns:
        That folder; None: nothing was there.
    """
    there = [path for path in ours(data) if path.exists()]
    if not there:
        return None
    number = 1
    while (aside := data / f"before-restore-{number}").exists():
        number += 1
    try:
        aside.mkdir(mode=0o700)
        for path in there:
            path.rename(aside / path.name)
    except OSError as error:
        raise ServerError(_("{path} cannot be moved aside: {why}.", path=data, why=error.strerror or error)) from error
    return aside


def _refuse_foreign(data: Path) -> None:
    """A folder in which other things lie, and no server, is somebody else's."""
    if not data.exists() or any(path.exists() for path in ours(data)):
        return
    left_by_us = {LOCK, POKE, "backups", "rulebooks"}
    other = next((path for path in data.iterdir() if path.name not in left_by_us and not path.name.startswith("before-restore-")), None)
    if other is not None:
        raise WrongUse(
            _("--data: in {folder} lie other things ({name}) and no server; name an empty folder.", folder=data, name=other.name)
        )


def _put_back(data: Path, aside: Path | None) -> None:
    for path in ours(data):
        path.unlink(missing_ok=True)
    if aside is not None:
        for path in aside.iterdir():
            path.rename(data / path.name)
        aside.rmdir()
