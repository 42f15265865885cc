"""The other end of a serial cable, simulated: a pseudo-terminal behind a symbolic link. Chosen explicitly, never silently.

A link opens the symbolic link as it would open `/dev/ttyUSB0`. `unplug` closes the terminal and takes the symbolic link away, as a pulled
cable does; `plug` makes another terminal under the same name, as a device that was put back. What the kiosk writes is handed to whoever
plays the device, on a thread of its own.
"""

from __future__ import annotations

import contextlib
import os
import select
import threading
import tty
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

READ_BYTES = 4096


class SimulatedPort:
    """A device at the far end of a cable."""

    def __init__(self, path: Path, on_written: Callable[[bytes], None] = lambda _data: None) -> None:
        """Prepare a cable; nothing is plugged in yet.

        Args:
            path: The symbolic link that plays the device's name.
            on_written: Takes what the kiosk writes; on a thread of its own, and may `send`.
        """
        self.path = path
        self._on_written = on_written
        self._outgoing = bytearray()
        self._lock = threading.Lock()
        self._stirred: int | None = None
        self._thread: threading.Thread | None = None

    def plug(self) -> None:
        """Put the cable in; where it is in, nothing happens."""
        if self._thread is not None:
            return
        master, slave = os.openpty()
        os.set_blocking(master, False)
        tty.setraw(slave)
        fresh = self.path.with_name(self.path.name + ".new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(os.ttyname(slave))
        fresh.replace(self.path)
        stir, self._stirred = os.pipe2(os.O_CLOEXEC)
        self._outgoing.clear()
        self._thread = threading.Thread(target=self._play, args=(master, slave, stir), name="simulated device", daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        """Pull the cable out; what the device still had to say is lost."""
        with self._lock:
            stirred, self._stirred = self._stirred, None
        thread, self._thread = self._thread, None
        if stirred is not None and thread is not None:
            self.path.unlink(missing_ok=True)
            os.close(stirred)
            thread.join()

    def send(self, data: bytes) -> None:
        """Let the device say something; returns at once. Without a cable nothing is heard."""
        with self._lock:
            if self._stirred is not None:
                self._outgoing += data
                os.write(self._stirred, b"x")

    def unheard(self) -> int:
        """How many bytes wait for the kiosk to read."""
        return len(self._outgoing)

    def _play(self, master: int, slave: int, stir: int) -> None:
        """Speak and listen until the cable is pulled; the kiosk's end is held open too, so that nothing is lost between two links."""
        try:
            while True:
                ready, writable, _ = select.select([master, stir], [master] if self._outgoing else [], [])
                if stir in ready and not os.read(stir, READ_BYTES):
                    return
                if master in ready:
                    self._on_written(os.read(master, READ_BYTES))
                if writable:
                    self._speak(master)
        finally:
            for end in (slave, master, stir):
                os.close(end)

    def _speak(self, master: int) -> None:
        with self._lock, contextlib.suppress(BlockingIOError):
            del self._outgoing[: os.write(master, self._outgoing[:READ_BYTES])]
