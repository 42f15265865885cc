"""`kiosk officials add|list|remove|recover|badge`: who may sign in at this table."""

from __future__ import annotations

import getpass
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kiosk.app.badge_wait import presented
from kiosk.app.lines import say
from kiosk.app.recoveries import FILE, Recovery, add_mark
from kiosk.app.roster import FileRoster
from kiosk.app.system import date_trusted
from kiosk.domain.errors import RosterError, RosterUnavailable
from kiosk.domain.officials import RANKS, Official, Role, check_name_free, check_pin
from kiosk.domain.text import escaped
from kiosk.say import _

if TYPE_CHECKING:
    from kiosk.app.config import Config

REMOTE = ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY")
"""A variable that a remote shell leaves in the environment."""


@click.group()
def officials() -> None:
    """Who may sign in at this table with a PIN.

    Roles rise from referee and deputy to chief and organizer. There is no PIN that works out of the box.
    """


@officials.command()
@click.argument("name")
@click.option("--role", type=click.Choice([str(role) for role in RANKS]), required=True, help="What the official may do.")
@click.option("--pin-stdin", is_flag=True, help="Read the PIN from the first line of standard input instead of asking for it.")
@click.option("--badge", "with_badge", is_flag=True, help="Wait for a badge at this table's reader, too; it then signs in like the PIN.")
@click.pass_obj
def add(config: Config, name: str, role: str, pin_stdin: bool, with_badge: bool) -> None:  # noqa: FBT001 - click hands flags over so
    """Enter the official NAME with a new PIN of 4 to 8 digits; it is asked for twice and never shown.

    A table that runs knows the official at once.
    """
    roster = FileRoster(config.officials)
    official = Official(name, Role(role))
    fault = roster.fault()  # a file that was lost to damage is begun anew by this
    if fault is None:
        check_name_free(official, roster.officials())
    roster.add(official, _first_line() if pin_stdin else _asked(official.name))
    if fault is not None:
        say(_("kiosk: {fault}", fault=fault), err=True)
    say(_("{name} can sign in as {role}.", name=official.name, role=official.role))
    if with_badge:
        _give(roster, official.name, presented(config))


@officials.command("list")
@click.pass_obj
def list_(config: Config) -> None:
    """List everybody who may sign in, with role and name; PINs can be shown to nobody."""
    known = FileRoster(config.officials).officials()
    for official in known:
        say(f"{official.role:10} {official.name}")
    if not known:
        say(_("Nobody is entered yet; `kiosk officials add` does it."), err=True)


@officials.command()
@click.argument("name")
@click.option("--force", is_flag=True, help="Remove also the last chief or organizer; where nobody is left, the next start asks anew.")
@click.pass_obj
def remove(config: Config, name: str, force: bool) -> None:  # noqa: FBT001 - click hands flags over so
    """Remove the official NAME; the PIN does not work any more, from the next sign-in on."""
    gone = FileRoster(config.officials).remove(name, force=force)
    say(_("{name} ({role}) cannot sign in any more.", name=gone.name, role=gone.role))


@officials.command()
@click.argument("name")
@click.pass_obj
def recover(config: Config, name: str) -> None:
    """Set a new PIN for the official NAME, who has lost the old one.

    Only at the table itself, as the system's user who owns the table's data, at a keyboard of the box. The old PIN stops working, and
    the journal says at the next start of the table who did this and when.
    """
    _must_be_local()
    roster = FileRoster(config.officials)
    name = roster.named(name).name
    roster.renew(name, _asked(name), before=lambda official: _mark(config, official))
    say(_("{name} can sign in with the new PIN; the journal will say at the table's next start that it was recovered.", name=name))


@officials.command()
@click.argument("name")
@click.option("--number-stdin", is_flag=True, help="Read the badge's number from the first line of standard input, not at the reader.")
@click.option("--remove", "gone", is_flag=True, help="NAME has no badge any more: it was lost.")
@click.pass_obj
def badge(config: Config, name: str, number_stdin: bool, gone: bool) -> None:  # noqa: FBT001 - click hands flags over so
    """Give the official NAME a badge to sign in with, in the place of the one before; the PIN works as before.

    Waits for a badge at the reader that `badges` in kiosk.toml names. A table that runs holds its reader: there, sign in with the PIN and
    hold the badge to the reader. Only at the table itself; --remove works from anywhere.
    """
    roster = FileRoster(config.officials)
    name = roster.named(name).name
    if gone:
        roster.give_badge(name, None)
        say(_("{name} has no badge any more; the PIN works as before.", name=name))
        return
    _must_be_local()  # whoever gives a badge can sign in under that name
    _give(roster, name, _first_line().strip().upper() if number_stdin else presented(config))


def _give(roster: FileRoster, name: str, number: str) -> None:
    roster.give_badge(name, number)
    say(_("{name} can sign in with this badge.", name=name))


def _asked(name: str) -> str:
    if not sys.stdin.isatty():
        raise RosterError(_("There is no terminal to ask for the PIN on; scripts use `kiosk officials add --pin-stdin`."))
    pin = str(click.prompt(_("New PIN for {text}", text=escaped(name)), hide_input=True, default="", show_default=False, err=True))
    check_pin(pin)
    if click.prompt(_("The same again"), hide_input=True, default="", show_default=False, err=True) != pin:
        raise RosterError(_("The two PINs differ; nothing has changed."))
    return pin


def _first_line() -> str:
    return sys.stdin.buffer.readline(1000).rstrip(b"\r\n").decode("ascii", errors="replace")


def _must_be_local() -> None:
    if any(os.environ.get(variable) for variable in REMOTE) or _descends_from("sshd"):
        raise RosterError(_("recover: this is a remote session; a lost PIN is set anew at the table itself only."))


def _descends_from(prefix: str) -> bool:
    """Whether a process above this one is called so: `sudo` drops what the environment tells."""
    process = os.getppid()
    try:
        while process > 1:
            head, _, tail = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")
            if head.partition("(")[2].startswith(prefix):
                return True
            process = int(tail.split()[1])
    except (OSError, ValueError, IndexError):
        return False
    return False


def _mark(config: Config, official: Official) -> None:
    try:
        add_mark(config.data, Recovery(official.name, _who(), time.time_ns(), date_trusted()))
    except OSError as error:
        raise RosterUnavailable(
            _("{path} cannot be written: {why}. No PIN was changed.", path=config.data / FILE, why=error.strerror or error)
        ) from error


def _who() -> str:
    """The system's user, and with `sudo` whoever called it."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = str(os.geteuid())
    caller = os.environ.get("SUDO_USER", "")
    return f"{user} ({caller})" if caller and caller != user else user
