"""`kiosk-server devices list|revoke`: the tables' devices."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from kiosk.domain.errors import RosterError
from kiosk.say import _
from kiosk.server import clock
from kiosk.server import devices as kept
from kiosk.server.audit import COMMAND_LINE
from kiosk.server.beside import house_beside
from kiosk.shell.lines import say


@click.group()
def devices() -> None:
    """The devices at the tables: each has a key of its own, which can be revoked."""


@devices.command("list")
@click.option("--all", "revoked", is_flag=True, help="Also those that were revoked.")
@click.pass_obj
def list_(data: Path, revoked: bool) -> None:  # noqa: FBT001 - click hands flags over so
    """List the devices: table, id, when it was last heard of, version."""
    with house_beside(data) as house:
        with house.store.read() as connection:
            found = kept.listed(connection, revoked=revoked)
        zone = house.settings.zone
    for each in found:
        seen = datetime.fromtimestamp(each.seen_ns // clock.SECOND, zone).strftime("%Y-%m-%d %H:%M:%S")
        gone = "" if each.revoked_ns is None else "  " + (_("replaced") if each.replaced_by else _("revoked"))
        say(f"{each.table:12} {each.id}  {seen}  {each.version}{gone}")
    if not found:
        say(_("No table is enrolled yet; `kiosk-server code` makes a code for one."), err=True)


@devices.command()
@click.argument("table")
@click.pass_obj
def revoke(data: Path, table: str) -> None:
    """Revoke the key of TABLE, or of the device with that id: nothing it sends is taken any more, at once."""
    with house_beside(data) as house:
        with house.store.read() as connection:
            every = kept.listed(connection)
            found = next((each for each in every if table in {each.id, each.table}), None)
            if found is None:
                known = ", ".join(each.table for each in every) or _("none yet")
                raise RosterError(_("TABLE: no table is called {table}; enrolled are: {known}.", table=repr(table), known=known))
        kept.revoke(house, COMMAND_LINE, found.id)
    say(_("The key of table {table} is revoked.", table=found.table))
