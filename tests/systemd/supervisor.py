"""systemd's end of the notify socket, for tests: a real datagram socket, by path or by an abstract name."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path


class Supervisor:
    """Hears what a service says of itself."""

    def __init__(self, folder: Path, watchdog_s: float = 0.0, *, abstract: bool = False) -> None:
        self.address = f"@tableside-test-{os.getpid()}-{folder.name}" if abstract else str(folder / "notify")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(f"\0{self.address[1:]}" if abstract else self.address)
        self.environment = {"NOTIFY_SOCKET": self.address}
        if watchdog_s:
            self.environment["WATCHDOG_USEC"] = str(round(watchdog_s * 1e6))

    def hear(self, seconds: float) -> list[str]:
        """The lines of the next message; none where nothing comes for so long."""
        self._socket.settimeout(seconds)
        try:
            return self._socket.recv(4096).decode().splitlines()
        except TimeoutError:
            return []

    def wait_for(self, line: str, seconds: float = 60.0) -> list[str]:
        """The message that says this line."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if line in (heard := self.hear(left)):
                return heard
        raise AssertionError(f"{line} was never said")

    def fall_silent(self, seconds: float) -> None:
        """Hear out what is on its way, until nothing has come for so long."""
        until = time.monotonic() + 30
        while self.hear(seconds):
            assert time.monotonic() < until, "it goes on and on"

    def close(self) -> None:
        self._socket.close()
