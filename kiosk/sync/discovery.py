"""Finding tournament servers on the local network by DNS-SD; the only home of `zeroconf`."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.errors import KioskError
from kiosk.domain.text import escaped
from kiosk.say import _
from kiosk.sync.transport import Address

if TYPE_CHECKING:
    from zeroconf import ServiceInfo

SERVICE = "_tableside._tcp.local."
"""What a server calls itself."""
MOST = 50
"""Servers that are listed."""


class DiscoveryUnavailable(KioskError, OSError):
    """The world failed: the network cannot be searched from here."""


@dataclass(frozen=True, slots=True)
class Found:
    """A server that says that it is there. Nobody has proved anything."""

    name: str
    """What it calls the event."""
    address: Address


def find(seconds: float = 3.0) -> list[Found]:
    """Look for servers.

    Args:
        seconds: How long.

    Raises:
        DiscoveryUnavailable: The library is not there, or the network cannot be used.
    """
    try:
        from zeroconf import IPVersion, ServiceBrowser, Zeroconf
    except ImportError as error:
        raise DiscoveryUnavailable(
            _("Finding a server needs the extra `discovery` (pip install 'tableside[discovery]'); its address can be typed instead.")
        ) from error
    listener = _Listener()
    try:
        with Zeroconf(ip_version=IPVersion.V4Only) as network:
            browser = ServiceBrowser(network, SERVICE, listener)  # type: ignore[arg-type] # it asks for a listener by its methods
            threading.Event().wait(seconds)
            browser.cancel()
            names = sorted(listener.names)[:MOST]
            infos = [network.get_service_info(SERVICE, name, 1000) for name in names]
    except OSError as error:
        raise DiscoveryUnavailable(_("The network cannot be searched: {why}.", why=error.strerror or error)) from error
    return [found for info in infos if info is not None for found in _found(info)]


def _found(info: ServiceInfo) -> list[Found]:
    label = escaped(info.name.removesuffix(f".{SERVICE}"))
    told = info.properties.get(b"name")
    name = label if not told else escaped(told.decode("utf-8", errors="replace"))
    return [Found(name[:200], Address(host, info.port or 0)) for host in info.parsed_scoped_addresses()[:1]]


class _Listener:
    """Keeps the names of what is there."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def add_service(self, _network: object, _kind: str, name: str) -> None:
        self.names.add(name)

    def update_service(self, _network: object, _kind: str, name: str) -> None:
        self.names.add(name)

    def remove_service(self, _network: object, _kind: str, name: str) -> None:
        self.names.discard(name)
