"""Finds out about what is around the table: the tournament server, the screen's letters, what runs here."""

from __future__ import annotations

import platform
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from kiosk import __version__
from kiosk.app import membership
from kiosk.app.doctor.figures import FontFigures, ServerFigures, VersionFigures
from kiosk.app.doctor.look_box import model, system_name
from kiosk.domain.errors import KioskError
from kiosk.journal import SQLITE
from kiosk.say import _

if TYPE_CHECKING:
    from pathlib import Path

    from kiosk.app.membership import Membership
    from kiosk.sync.transport import Connection

LARGEST = 10_000
"""What a server says to anybody has no more bytes."""


def look_at_server(folder: Path) -> ServerFigures:
    """Ask the server that this table has joined, over the certificate that it knows."""
    try:
        joined = membership.load(folder)
    except KioskError as error:
        return ServerFigures(url="server.json", fault=str(error))
    if joined is None:
        return ServerFigures()
    from kiosk.sync.transport import Connection, read_address

    try:
        connection = Connection(read_address(joined.url, plain=True), joined.fingerprint, joined.token)
    except KioskError as error:
        return ServerFigures(joined.url, joined.event, fault=str(error))
    try:
        return _asked(joined, connection)
    except KioskError as error:
        return ServerFigures(joined.url, joined.event, days=_days(connection.certificate), fault=str(error))
    finally:
        connection.close()


def _asked(joined: Membership, connection: Connection) -> ServerFigures:
    from kiosk.sync import wire

    said = wire.from_json(wire.Hello, connection.ask("GET", wire.HELLO, largest=LARGEST))
    if said.server != joined.server:
        raise KioskError(_("Another server answers at {url} than was joined.", url=joined.url))
    connection.ask("GET", wire.ROSTER, largest=membership.LARGEST_ROSTER)  # answered to whom it knows
    began = time.perf_counter_ns()
    connection.ask("GET", wire.HELLO, largest=LARGEST)
    return ServerFigures(joined.url, said.name, time.perf_counter_ns() - began, _days(connection.certificate))


def _days(certificate: bytes) -> int | None:
    from kiosk.sync.certificate import ends

    last = ends(certificate)
    return None if last is None else (last - datetime.now(UTC)).days


def look_at_fonts() -> FontFigures:
    """Whether the screen's faces have every letter."""
    from kiosk.ui.letters import ALPHABETS, FACES, lacking

    return FontFigures(lacking(), len(FACES), tuple(ALPHABETS))


def look_at_versions() -> VersionFigures:
    """What runs here."""
    from kiosk.ui.window import sdl_version

    return VersionFigures(__version__, platform.python_version(), sdl_version(), SQLITE, platform.release(), system_name(), model())
