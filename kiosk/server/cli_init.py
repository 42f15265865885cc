"""`kiosk-server init`: make a server."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kiosk.domain.officials import Official, Role
from kiosk.domain.setup import LONGEST_NAME
from kiosk.domain.text import seen
from kiosk.say import _
from kiosk.server import audit, keys, people, settings
from kiosk.server.asking import secret
from kiosk.server.house import get, house_of, put
from kiosk.server.problems import ServerError, WrongUse
from kiosk.server.store import NoDatabase, Store
from kiosk.shell.lines import say

if TYPE_CHECKING:
    from collections.abc import Iterator

ORGANIZER = "Organizer"


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--event", default="", metavar="NAME", help="The event's name, as people read it; it can be changed later.")
@click.option("--organizer", default=ORGANIZER, metavar="NAME", help="The first organizer's name, to log in with.")
@click.option("--password", help="The organizer's password; without this it is asked for twice. Others on this computer may see it.")
@click.option("--password-stdin", is_flag=True, help="Read the password from the first line of standard input.")
@click.option("--database", metavar="URL", help="postgresql://USER:PASSWORD@HOST/NAME; without it SQLite in the folder.")
@click.option("--renew-certificate", is_flag=True, help="Only make the server a new certificate; tables must then be enrolled again.")
@click.pass_obj
def init(  # noqa: PLR0917 - click hands options over by name
    data: Path,
    folder: Path | None,
    event: str,
    organizer: str,
    password: str | None,
    password_stdin: bool,  # noqa: FBT001
    database: str | None,
    renew_certificate: bool,  # noqa: FBT001
) -> None:
    """Make a server in FOLDER, or in the usual place.

    It gets an id, a key that signs receipts, a certificate of its own, a database and a first organizer. Nothing that is there is
    overwritten.
    """
    folder = folder.expanduser().absolute() if folder is not None else data
    if renew_certificate:
        _renew(folder)
        return
    if not seen(event) or len(event) > LONGEST_NAME:
        raise WrongUse(_("--event: a name is one line of at most {longest} characters.", longest=LONGEST_NAME))
    official = Official(organizer, Role.ORGANIZER)
    _refuse_a_server(folder)
    word = secret(_("New password for {name}", name=organizer), password, stdin=password_stdin, options="--password, --password-stdin")
    people.check_password(organizer, word)
    make(folder, event.strip() or _("Tournament"), official, word, database or "")
    _say_what_next(folder, organizer)


def make(folder: Path, event: str, organizer: Official, password: str, database: str) -> None:
    """Make a server; where anything fails, what was made of it goes.

    Args:
        folder: Its data folder.
        event: The event's name.
        organizer: The first one.
        password: The organizer's.
        database: Where the data goes; empty: into the folder.

    Raises:
        ServerError: The folder cannot be made.
        StoreUnavailable: The database cannot be opened.
        WrongUse: The folder is not empty, the database has an event already, or the password cannot be used.
    """
    new = _make_folder(folder)
    try:
        made = settings.Settings(folder, database=database)
        try:
            store = Store.open(made.url)
        except NoDatabase as error:
            raise WrongUse(f"--database: {error}") from error
        try:
            with store.read() as connection:
                if get(connection, "server"):
                    raise WrongUse(_("--database: there is an event in this database already; give an empty one."))
            known = keys.make(folder, keys.own_names())
            settings.set_key(folder, "database", database or None)
            house = house_of(made, store)
            with store.write() as connection:
                for name, value in (("server", known.server_id), ("name", event), ("pause", "")):
                    put(connection, name, value)
                people.make_salt(connection)
                audit.note(connection, audit.COMMAND_LINE, "server_made", event=event, server=known.server_id)
            people.add(house, audit.COMMAND_LINE, organizer, password)
        finally:
            store.close()
    except BaseException:
        for path in ours(folder):
            path.unlink(missing_ok=True)
        if new:
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise


def _renew(folder: Path) -> None:
    known = keys.Keys.load(folder)
    keys.make_certificate(folder, keys.own_names())
    store = Store.open(settings.load(folder).url)
    try:
        with store.write() as connection:
            audit.note(connection, audit.COMMAND_LINE, "certificate_renewed", server=known.server_id, old=known.fingerprint)
    finally:
        store.close()
    say(_("The server has a new certificate, from its next start on; enrol every table again then, with `kiosk-server code`."))


def ours(folder: Path) -> Iterator[Path]:
    """The files of a server in its data folder, whether they are there or not."""
    for name in (*keys.FILES, settings.FILE, settings.DATABASE, f"{settings.DATABASE}-wal", f"{settings.DATABASE}-shm"):
        yield folder / name


def _refuse_a_server(folder: Path) -> None:
    there = next((path for path in ours(folder) if path.exists()), None)
    if there is not None:
        raise WrongUse(_("FOLDER: there is a server already ({path}); nothing is overwritten. Name another folder.", path=there))


def _make_folder(folder: Path) -> bool:
    """Make the data folder, its owner's only; one that somebody else's things lie in is not touched.

    Returns:
        Whether it is new.
    """
    try:
        there = folder.is_dir()
        if there and next(folder.iterdir(), None) is not None:
            raise WrongUse(_("FOLDER: {path} is not empty, and it would become the server's own; name an empty or a new one.", path=folder))
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(13, os.strerror(13), str(folder))
    except OSError as error:
        raise ServerError(_("{path} cannot be made: {why}.", path=folder, why=error.strerror or error)) from error
    return not there


def _say_what_next(folder: Path, organizer: str) -> None:
    named = "" if folder == settings.default_folder().absolute() else f" --data {folder}"
    say(_("The server is made in {folder}. Now:", folder=folder))
    say(_("  kiosk-server{named} run                 serve the event", named=named))
    say(_("  kiosk-server{named} code --table 1      a code for table 1, typed in there at `kiosk server join`", named=named))
    say(_("  kiosk-server{named} people add NAME     enter referees", named=named))
    say(_("{name} logs in on the server's pages with the password.", name=organizer))
