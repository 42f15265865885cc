"""The socket that a server listens on."""

from __future__ import annotations

import errno
import socket

from kiosk.say import _
from kiosk.server.problems import ServerError

UNCONFIRMED_MS = 6000
"""A connection on which nothing is confirmed for so long is dead: its table shows as offline."""
BACKLOG = 2048


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; each connection that it takes gives up when nothing is confirmed any more.

    Args:
        host: An address of this machine; `0.0.0.0` or `::` for all of them.
        port: 0: any that is free.

    Raises:
        ServerError: It cannot be had.
    """
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux hands it on to every connection
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNCONFIRMED_MS)
        made.bind((host, port))
        made.listen(BACKLOG)
    except OSError as error:
        made.close()
        raise ServerError(_sentence(host, port, error)) from error
    made.set_inheritable(True)
    return made


def _sentence(host: str, port: int, error: OSError) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return _("Port {port} is in use by another program; name another one with --port.", port=port)
        case errno.EACCES:
            return _("Port {port} is not for this user; take one above 1023.", port=port)
        case errno.EADDRNOTAVAIL:
            return _("This machine has no address {host}; name another one with --host.", host=host)
        case _:
            return _("{host} port {port} cannot be listened on: {why}.", host=host, port=port, why=error.strerror or error)
