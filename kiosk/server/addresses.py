"""Where a server is reached: for people, for the tables, and as the local network is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.server import keys

if TYPE_CHECKING:
    from kiosk.server.settings import Settings

EVERYWHERE = frozenset({"0.0.0.0", "::", ""})  # noqa: S104 - that is what is looked for
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


def reached(settings: Settings) -> str:
    """Host and port, as a table is told them.

    Args:
        settings: The server's.
    """
    if settings.address:
        host = settings.address.split("://", 1)[-1].split("/", 1)[0]
        return host if ":" in host.rpartition("]")[2] else f"{host}:443"
    host = settings.host
    if host in EVERYWHERE:
        host = next(iter(keys.addresses()), "127.0.0.1")
    return f"[{host}]:{settings.port}" if ":" in host else f"{host}:{settings.port}"


def board(settings: Settings) -> str:
    """The hall board's address, for people.

    Args:
        settings: The server's.
    """
    if settings.address:
        return settings.address.rstrip("/") + "/"
    return f"{'http' if settings.plain else 'https'}://{reached(settings)}/"
