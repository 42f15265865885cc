"""Telling the local network where the server is, by DNS-SD: a table then needs no typed address, only a code."""

from __future__ import annotations

import ipaddress
import logging
import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kiosk.say import _
from kiosk.server import keys

if TYPE_CHECKING:
    from collections.abc import Iterator

KIND = "_tableside._tcp.local."
LONGEST_LABEL = 63
"""A label of DNS has at most so many bytes."""

log = logging.getLogger("tableside.server")


@contextmanager
def announced(server: str, event: str, port: int) -> Iterator[None]:
    """Announce the server meanwhile; where that fails, the log says why, and all else goes on.

    Args:
        server: Its id.
        event: The event's name.
        port: Where it listens.
    """
    try:
        from zeroconf import ServiceInfo, Zeroconf
    except ImportError:
        log.warning("%s", _("The server is not announced on the local network: zeroconf is missing. Tables take its address typed in."))
        yield
        return
    label = event.replace(".", " ").encode()[: LONGEST_LABEL - 9].decode(errors="ignore") + f" {server[:8]}"
    host = socket.gethostname().partition(".")[0] or "tableside"
    packed = [ipaddress.ip_address(text).packed for text in keys.addresses()]
    info = ServiceInfo(
        KIND,
        f"{label}.{KIND}",
        port=port,
        addresses=packed,
        properties={"v": "1", "server": server, "name": event[:80]},
        server=f"{host}.local.",
    )
    zeroconf = None
    try:
        zeroconf = Zeroconf()
        zeroconf.register_service(info, allow_name_change=True)
    except Exception as error:  # noqa: BLE001 - whatever the network has against it: tables take a typed address
        log.warning("%s", _("The server is not announced on the local network: {why}.", why=error or type(error).__name__))
    try:
        yield
    finally:
        if zeroconf is not None:
            zeroconf.close()
