"""`kiosk-server people add|list|remove|password|pin|badge`: the officials of the event."""

from __future__ import annotations

from pathlib import Path

import click

from kiosk.domain.officials import RANKS, Official, Role
from kiosk.say import _
from kiosk.server import people as kept
from kiosk.server.asking import secret
from kiosk.server.audit import COMMAND_LINE
from kiosk.server.beside import house_beside
from kiosk.shell.lines import say


@click.group()
def people() -> None:
    """Officials: who logs in on pages with a password, and who signs in at tables with a PIN.

    Roles rise from referee and deputy to chief and organizer. The tables get every change; they keep hashes only, and know everybody
    without a network too.
    """


_STDIN = click.option("--stdin", is_flag=True, help="Read it from the first line of standard input instead of asking for it.")


@people.command()
@click.argument("name")
@click.option("--role", type=click.Choice([str(role) for role in RANKS]), default="referee", help="What the official may do.")
@click.option("--no-password", is_flag=True, help="Signs in at tables only.")
@click.option("--no-pin", is_flag=True, help="Logs in on pages only.")
@click.option("--password", help="The password; without this it is asked for twice. Others on this computer may see it.")
@click.option("--pin", help="The PIN of 4 to 8 digits; likewise.")
@click.pass_obj
def add(data: Path, name: str, role: str, no_password: bool, no_pin: bool, password: str | None, pin: str | None) -> None:  # noqa: FBT001, PLR0917
    """Enter the official NAME, with a password for pages and a PIN for tables; both are asked for twice and never shown."""
    official = Official(name, Role(role))
    with house_beside(data) as house:
        word = (
            None
            if no_password
            else secret(_("New password for {name}", name=name), password, stdin=False, options="--password, --no-password")
        )
        digits = None if no_pin else secret(_("New PIN for {name}", name=name), pin, stdin=False, options="--pin, --no-pin")
        kept.add(house, COMMAND_LINE, official, word, digits)
    say(_("{name} is entered as {role}.", name=name, role=_(role)))


@people.command("list")
@click.pass_obj
def list_(data: Path) -> None:
    """List everybody: role, what there is (password, PIN), name."""
    with house_beside(data) as house, house.store.read() as connection:
        for each in kept.listed(connection):
            has = "+".join(word for word, there in (("password", each.logs_in), ("pin", each.signs_in), ("badge", each.badge)) if there)
            say(f"{each.role:10} {has:18} {each.name}")


@people.command()
@click.argument("name")
@click.pass_obj
def remove(data: Path, name: str) -> None:
    """Remove the official NAME: logins end at once, the PIN opens no table any more."""
    with house_beside(data) as house:
        with house.store.read() as connection:
            one = kept.named(connection, name)
        kept.remove(house, COMMAND_LINE, one.id)
    say(_("{name} ({role}) is removed.", name=one.name, role=_(one.role)))


@people.command()
@click.argument("name")
@click.option("--password", help="The password; without this it is asked for twice. Others on this computer may see it.")
@_STDIN
@click.pass_obj
def password(data: Path, name: str, password: str | None, stdin: bool) -> None:  # noqa: FBT001
    """Give the official NAME a new password; every login of that name ends."""
    with house_beside(data) as house:
        with house.store.read() as connection:
            one = kept.named(connection, name)
        kept.set_password(
            house,
            COMMAND_LINE,
            one.id,
            secret(_("New password for {name}", name=one.name), password, stdin=stdin, options="--password, --stdin"),
        )
    say(_("{name} has a new password.", name=one.name))


@people.command()
@click.argument("name")
@click.option("--pin", help="The PIN of 4 to 8 digits; without this it is asked for twice. Others on this computer may see it.")
@click.option("--none", "no_pin", is_flag=True, help="Take the PIN away.")
@_STDIN
@click.pass_obj
def pin(data: Path, name: str, pin: str | None, no_pin: bool, stdin: bool) -> None:  # noqa: FBT001
    """Give the official NAME a new PIN; the tables get it."""
    with house_beside(data) as house:
        with house.store.read() as connection:
            one = kept.named(connection, name)
        digits = None if no_pin else secret(_("New PIN for {name}", name=one.name), pin, stdin=stdin, options="--pin, --none, --stdin")
        kept.set_pin(house, COMMAND_LINE, one.id, digits)
    say(_("{name} has no PIN any more.", name=one.name) if no_pin else _("{name} has a new PIN.", name=one.name))


@people.command()
@click.argument("name")
@click.option("--number", help="The badge's number, as the tables' readers tell it; without this it is asked for twice.")
@click.option("--none", "no_badge", is_flag=True, help="Take the badge away: it was lost.")
@_STDIN
@click.pass_obj
def badge(data: Path, name: str, number: str | None, no_badge: bool, stdin: bool) -> None:  # noqa: FBT001
    """Give the official NAME a badge for the tables, in the place of the one before; the PIN works as before.

    A reader on this computer that types like a keyboard may type the number where it is asked for, if it is of the tables' make.
    """
    with house_beside(data) as house:
        with house.store.read() as connection:
            one = kept.named(connection, name)
        told = (
            None
            if no_badge
            else secret(_("Number of the badge of {name}", name=one.name), number, stdin=stdin, options="--number, --none, --stdin")
        )
        kept.set_badge(house, COMMAND_LINE, one.id, None if told is None else told.strip().upper())
    say(_("{name} has no badge any more.", name=one.name) if no_badge else _("{name} has a badge.", name=one.name))
