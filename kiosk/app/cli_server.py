"""`kiosk server find|join|status|leave`: this table and its tournament server. A table that runs takes a change up by itself."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kiosk.app import membership
from kiosk.app.barred import barred_words
from kiosk.app.lines import say
from kiosk.domain.errors import KioskError
from kiosk.domain.setup import LONGEST_NAME
from kiosk.domain.text import seen
from kiosk.say import _, n_

if TYPE_CHECKING:
    from kiosk.app.config import Config

KEYS = {"address": str, "code": str, "table": str, "replace": bool}
"""What a file for `--from` may say."""

PAPER = "tableside:"
"""How the text of a code's QR begins: `tableside:10.0.0.5:8443/7KQ2M4XD`."""

LARGEST = 10_000
"""Such a file has no more bytes."""


class PreparedError(KioskError, ValueError):
    """You erred: the file for `--from` says something that cannot be; the text names file and key."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be joined, and how."""

    address: str = ""
    code: str = ""
    table: str = ""
    replace: bool = False


@click.group()
def server() -> None:
    """This table's tournament server: find it, join it, see how it stands, leave it.

    A table needs no server to play. What it has recorded waits for the server, however long that takes.
    """


@server.command("find")
@click.option("--seconds", type=click.FloatRange(0.1, 60), default=3.0, show_default=True, help="How long to look.")
def find_(seconds: float) -> None:
    """List the servers that say on the local network that they are there: address and event."""
    from kiosk.sync.discovery import find

    if not isfinite(seconds):
        raise click.BadParameter(_("a number of seconds from 0.1 to 60 is wanted."), param_hint="--seconds")
    found = find(seconds)
    for one in found:
        say(f"{one.address.url}  {one.name}")
    if not found:
        say(
            _("No server answered within {seconds} s. Ask the organizer for its address; it can be typed.", seconds=f"{seconds:g}"),
            err=True,
        )


@server.command("join")
@click.argument("address", required=False)
@click.option("--code", help="The code that the organizer's page shows.")
@click.option("--table", "name", help="What this table is called; default: as the code says, else as in kiosk.toml.")
@click.option("--replace", "replaces", is_flag=True, help="This device takes the place of the code's table, with its running match.")
@click.option(
    "--from",
    "file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A prepared file (TOML) with the keys address, code, table, replace; what is given here beside it counts more.",
)
@click.pass_obj
def join_(config: Config, address: str | None, code: str | None, name: str | None, replaces: bool, file: Path | None) -> None:  # noqa: FBT001, PLR0917 - click hands flags over so
    """Join the server at ADDRESS, as in 10.0.0.5, hall.local:8443, or the text of the code's QR; without one the only server that is found.

    The code proves the server to this table and this table to the server; from then on they know each other by keys.
    """
    from kiosk.app.joining import join

    if address is not None and address.startswith(PAPER):  # the text of the QR code that the organizer's page shows
        address, _slash, shown = address.removeprefix(PAPER).partition("/")
        code = code or shown
    wanted = _wanted(Wanted() if file is None else _prepared(file), address, code, name, replaces=replaces)
    if not wanted.code:
        raise click.UsageError(_("Give the code that the organizer's page shows: --code CODE."))
    wanted = wanted if wanted.address else replace(wanted, address=_only_one())
    table = wanted.table or ("" if wanted.replace else config.table)
    joined = join(config.data, wanted.address, wanted.code, table=table, replaces=wanted.replace)
    say(_("This is table {table} of {event} now, at {url}.", table=joined.table, event=joined.event, url=joined.url))
    if joined.takes_over:
        say(_("A running match waits to be taken over here: start the table, sign in, and take it over."))


def _wanted(wanted: Wanted, address: str | None, code: str | None, name: str | None, *, replaces: bool) -> Wanted:
    if name is not None and (len(name) > LONGEST_NAME or not seen(name)):
        raise click.BadParameter(
            _("a table's name is one line of at most {longest} characters.", longest=LONGEST_NAME), param_hint="--table"
        )
    return Wanted(
        address or wanted.address,
        code or wanted.code,
        wanted.table if name is None else name,
        replaces or wanted.replace,
    )


def _only_one() -> str:
    from kiosk.sync.discovery import find

    found = find()
    if len(found) == 1:
        return found[0].address.url
    if not found:
        raise click.UsageError(_("No server was found on the local network; give its ADDRESS."))
    there = ", ".join(f"{one.address.url} ({one.name})" for one in found)
    raise click.UsageError(_("Several servers were found: {there}. Give the ADDRESS of one.", there=there))


def _prepared(path: Path) -> Wanted:
    """What a prepared file says."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise PreparedError(_("{path}: such a file has at most {largest} bytes.", path=path, largest=LARGEST))
        plain: dict[str, Any] = tomllib.loads(data.decode("utf-8-sig"))
    except OSError as error:
        raise PreparedError(_("{path} cannot be read: {why}.", path=path, why=error.strerror or error)) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise PreparedError(_("{path}: this is not TOML: {error}.", path=path, error=error)) from error
    for key, value in plain.items():
        if key not in KEYS:
            raise PreparedError(_("{path}: {key} is no key here; known are {names}.", path=path, key=key, names=", ".join(KEYS)))
        if type(value) is not KEYS[key]:
            kind = _("true or false") if KEYS[key] is bool else _("a text")
            raise PreparedError(_("{path}: {key} must be {kind}.", path=path, key=key, kind=kind))
    table = plain.get("table", "")
    if len(table) > LONGEST_NAME or not seen(table):
        kind = _("one line of at most {longest} characters", longest=LONGEST_NAME)
        raise PreparedError(_("{path}: {key} must be {kind}.", path=path, key="table", kind=kind))
    return Wanted(**plain)


@server.command()
@click.pass_context
def status(ctx: click.Context) -> None:
    """Say which server this table has joined, whether it answers, and how much it has confirmed.

    Exit code 1: the server is out of reach, something that it had confirmed is gone from here, or a file about it is damaged.
    """
    config: Config = ctx.obj
    missing = _say_missing(config)
    joined = membership.load(config.data)
    if joined is None:
        say(_("This table has joined no server; `kiosk server join` does it."))
    else:
        say(_("Table {table} of {event}, at {url}.", table=joined.table, event=joined.event, url=joined.url))
        _say_confirmed(config, joined)
        _say_reached(joined)
    if missing:
        ctx.exit(1)


def _say_missing(config: Config) -> bool:
    """Say what the server had confirmed and is not here any more, and what is damaged; whether there is anything."""
    from kiosk.app.receipts import missing_here

    sentences = missing_here(config.data, config.journal)
    for sentence in sentences:
        say(f"kiosk: {sentence}", err=True)
    return bool(sentences)


def _say_confirmed(config: Config, joined: membership.Membership) -> None:
    from kiosk.app.receipts import check

    if not config.journal.exists():
        say(_("Nothing is recorded here yet."))
        return
    try:
        found = check(config.data, config.journal, joined)
    except membership.JoinUnavailable:  # that is said already
        return
    if found.receipt is None:
        say(n_("{n} entry is recorded; none is confirmed yet.", "{n} entries are recorded; none is confirmed yet.", found.rows))
    else:
        waiting = max(0, found.rows - found.receipt.seq)
        say(n_("{n} entry waits for confirmation.", "{n} entries wait for confirmation.", waiting))
    if found.fault:
        say(f"kiosk: {found.fault}", err=True)


def _say_reached(joined: membership.Membership) -> None:
    from kiosk.sync import wire
    from kiosk.sync.transport import Connection, ServerRefused, read_address

    connection = Connection(read_address(joined.url, plain=True), joined.fingerprint, joined.token)
    try:
        said = wire.from_json(wire.Hello, connection.ask("GET", wire.HELLO, largest=LARGEST))
        if said.server != joined.server:
            raise KioskError(_("Another server answers at {url} than was joined.", url=joined.url))
        connection.ask("GET", wire.ROSTER, largest=membership.LARGEST_ROSTER)  # answered to whom it knows
    except ServerRefused as refused:
        told = barred_words(refused.barred)
        if told:
            raise KioskError(told) from refused
        if refused.status == 401:
            raise
        raise KioskError(_("What answers at {url} does not answer as a tournament server: {why}", url=joined.url, why=refused)) from refused
    finally:
        connection.close()
    say(_("The server answers, and knows this table."))


@server.command()
@click.pass_obj
def leave(config: Config) -> None:
    """Leave the server: nothing goes there any more, and the event's officials can't sign in here. What is recorded stays.

    The organizer's page takes the table out there.
    """
    try:
        joined = membership.load(config.data)
    except membership.JoinUnavailable:  # what cannot be read can be left all the same
        joined = None
    if membership.forget(config.data):
        say(_("This table has left {event}.", event=_("its server") if joined is None else joined.event))
    else:
        say(_("This table has joined no server."))
