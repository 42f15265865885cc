"""Joining a tournament server, from the command line and from the screen. Each call may take seconds: a screen makes it beside the loop.

The HTTP client is imported with the first call: a table is ready before it knows how to join.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from kiosk import __version__
from kiosk.app import membership
from kiosk.domain.errors import KioskError
from kiosk.ports import FoundServer, Joined
from kiosk.say import _

if TYPE_CHECKING:
    from pathlib import Path

    from kiosk.app.membership import Membership
    from kiosk.ports import Row
    from kiosk.sync.wire import Running


class CodeError(KioskError, ValueError):
    """You erred: this is no code."""


class NothingToTakeOver(KioskError, ValueError):
    """You erred: no running match waits for this table."""


def join(folder: Path, address: str, code: str, *, table: str = "", replaces: bool = False) -> Membership:
    """Join a server, and keep that.

    Args:
        folder: The data folder.
        address: As people type it.
        code: As people type it.
        table: What this table is called; empty: as the code says.
        replaces: It takes another device's place, and its running match.

    Raises:
        KioskError: It has not joined; the sentence says why, and what was kept before stands.
    """
    from kiosk.sync import proof
    from kiosk.sync.enrol import Applicant, enrol
    from kiosk.sync.transport import read_address

    where = read_address(address)
    read = proof.read_code(code)
    if read is None:
        raise CodeError(_("CODE: a code has 8 or 16 letters and digits, as in 7KQ2-M4XD; the organizer's page shows one."))
    device = membership.device_id(folder)
    enrolled = enrol(where, read, Applicant(device, table, __version__, replaces), secrets.token_hex(16))
    answer = enrolled.answer
    joined = membership.Membership(
        url=where.url,
        fingerprint=enrolled.fingerprint,
        device=device,
        secret=answer.secret,
        server=answer.server,
        key=answer.key,
        table=answer.table,
        event=answer.name,
        takes_over=answer.takes_over,
    )
    membership.save(folder, joined)
    return joined


def running(joined: Membership) -> Running:
    """The running match that waits to be taken over.

    Raises:
        NothingToTakeOver: None does.
        KioskError: It cannot be had.
    """
    from kiosk.sync import wire
    from kiosk.sync.transport import Connection, ServerRefused, read_address

    connection = Connection(read_address(joined.url, plain=True), joined.fingerprint, joined.token)
    try:
        return wire.running_from_json(connection.ask("GET", wire.RUNNING, seconds=30, largest=wire.LARGEST_MATCH))
    except ServerRefused as refused:
        if refused.status == 404:
            raise NothingToTakeOver(str(refused)) from refused
        raise
    finally:
        connection.close()


class Join:
    """Joining from the screen, as `kiosk.ports.Joining` wants it."""

    def __init__(self, folder: Path, table: str) -> None:
        """Nothing is done yet.

        Args:
            folder: The data folder.
            table: What this table's configuration calls it.
        """
        self._folder = folder
        self._table = table

    def find(self) -> tuple[FoundServer, ...]:
        """The servers that are there."""
        from kiosk.sync.discovery import find

        return tuple(FoundServer(one.name, one.address.url) for one in find())

    def join(self, address: str, code: str, *, replaces: bool) -> Joined:
        """Join by the code that the organizer shows."""
        joined = join(self._folder, address, code, table="" if replaces else self._table, replaces=replaces)
        return Joined(joined.event, joined.table, joined.takes_over)

    def running(self) -> tuple[str, tuple[Row, ...]]:
        """The running match that this device is to take over."""
        joined = membership.load(self._folder)
        if joined is None:
            raise NothingToTakeOver(_("This table belongs to no server."))
        found = running(joined)
        return found.table, found.rows

    def leave(self) -> None:
        """Belong to no server any more."""
        membership.forget(self._folder)
