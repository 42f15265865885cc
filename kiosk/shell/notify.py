"""Telling systemd how this process stands, as sd_notify(3) and sd_watchdog_enabled(3) describe it: a datagram to a socket that it names.

A service of `Type=notify` counts as started with `READY=1`. With a watchdog it must say `WATCHDOG=1` again and again, else it is killed
and started anew: whoever says it must do so from the very loop whose life it vouches for, never from a thread of its own.

Not started by systemd, nothing is told. What cannot be told stops nobody: a table without its supervisor still plays.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket
    from collections.abc import Mapping

NS_PER_US = 1_000

LONGEST_STATUS = 200
"""Characters of a status line; `systemctl status` shows one line."""


class Notifier:
    """The way to systemd, or to nobody."""

    def __init__(self, environment: Mapping[str, str] | None = None, pid: int | None = None) -> None:
        """Read what systemd has left in the environment.

        Args:
            environment: Of this process, where it is not `os.environ`.
            pid: This process's, where it is not the real one: a watchdog that was set for another process is not fed by this one.
        """
        said = os.environ if environment is None else environment
        own = os.getpid() if pid is None else pid
        self._address = _address(said.get("NOTIFY_SOCKET", ""))
        meant = said.get("WATCHDOG_PID", "")
        self.feed_ns = _half(said.get("WATCHDOG_USEC", "")) if self._address and meant in {"", str(own)} else None
        """How often the watchdog wants to be fed, in nanoseconds: twice as often as it must. None: there is none."""
        self._socket: socket.socket | None = None

    @property
    def told(self) -> bool:
        """Whether anybody listens."""
        return bool(self._address)

    def ready(self, status: str = "") -> None:
        """The process does what it is there for, from now on.

        Args:
            status: One line for people.
        """
        self._send("READY=1", *_status(status))

    def status(self, text: str) -> None:
        """Say in one line for people how it stands."""
        self._send(*_status(text))

    def alive(self) -> None:
        """Feed the watchdog, where there is one for this process."""
        if self.feed_ns is not None:
            self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """The process is about to end, in order."""
        self._send("STOPPING=1")

    def close(self) -> None:
        """Let go of the socket."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, *lines: str) -> None:
        if not self._address or not lines:
            return
        import socket  # where nobody listens, it is not needed

        with contextlib.suppress(OSError):  # nobody listens any more, or not fast enough
            if self._socket is None:
                self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK)
            self._socket.sendto("\n".join(lines).encode(), self._address)


def _address(named: str) -> str:
    """A socket's address: a path, or with `@` in front an abstract name; anything else is none."""
    if named.startswith("@"):
        return f"\0{named[1:]}"
    return named if named.startswith("/") else ""


def _half(microseconds: str) -> int | None:
    """Half of what WATCHDOG_USEC says, in nanoseconds; None where it says nothing that can be."""
    if not (microseconds.isascii() and microseconds.isdecimal()) or int(microseconds) == 0:
        return None
    return int(microseconds) * NS_PER_US // 2


def _status(text: str) -> tuple[str, ...]:
    line = " ".join(text.split())[:LONGEST_STATUS]
    return (f"STATUS={line}",) if line else ()
