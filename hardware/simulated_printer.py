"""A receipt printer, simulated: what is sent to it becomes pictures in a folder. Chosen explicitly, never silently.

It understands the commands of `hardware.escpos` and answers as a printer does: what is asked with `10 04 n` at once, also where those
bytes are dots of a picture, and with `1D 72 01` when all before is on paper. Its paper can end, its cover can be opened, and it can be
deaf; while it does not print, what comes is kept and printed later, as in a real printer's memory.
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

from hardware.escpos import BYTES_WIDE
from hardware.simulated_serial import SimulatedPort

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ENDLESS = 10**9
"""Rows of a roll that never ends."""


class SimulatedPrinter:
    """A printer at the far end of a cable."""

    def __init__(self, path: Path, folder: Path | None = None, on_printed: Callable[[], None] = lambda: None) -> None:
        """Prepare a printer; `port.plug()` connects it.

        Args:
            path: The symbolic link that plays the device's name.
            folder: Where each sheet becomes `receipt-1.png` (2, 3 …); None: they are kept in `sheets` only.
            on_printed: Called when a sheet was cut, on a thread of its own.
        """
        self.port = SimulatedPort(path, self._take)
        self.sheets: list[bytes] = []
        """Every sheet that was cut: rows of dots."""
        self.paper = ENDLESS
        """Rows that are left on the roll."""
        self.low = False
        """The roll is nearly at its end."""
        self.cover_open = False
        self.deaf = False
        """It answers nothing, as when it is switched off."""
        self.asked = 0
        """How often it was asked how it is."""
        self._folder = folder
        self._on_printed = on_printed
        self._memory = bytearray()
        self._heard = b""
        self._rows = bytearray()

    def new_roll(self, rows: int = ENDLESS) -> None:
        """Put a roll in; what waits is printed when the next byte comes."""
        self.paper = rows

    def _take(self, data: bytes) -> None:
        if self.deaf:
            return
        self._memory += data
        self._answer(self._heard + data)
        self._heard = (self._heard + data)[-2:]
        while self._step():
            pass

    def _answer(self, data: bytes) -> None:
        for at in range(len(data) - 2):
            if data[at : at + 2] == b"\x10\x04" and data[at + 2] in {1, 2, 3, 4}:
                self.asked += 1
                self.port.send(bytes((self._status(data[at + 2]),)))

    def _status(self, n: int) -> int:
        out = self.paper <= 0
        match n:
            case 1:
                return 0x12 | (0x08 if out or self.cover_open else 0)
            case 2:
                return 0x12 | (0x04 if self.cover_open else 0) | (0x20 if out else 0)
            case 4:
                return 0x12 | (0x60 if out else 0) | (0x0C if self.low else 0)
            case _:
                return 0x12

    def _step(self) -> bool:
        """Do what lies first in the memory; False where that cannot be done yet."""
        memory = self._memory
        if not memory or ((self.paper <= 0 or self.cover_open) and memory[0] == 0x1D):
            return False
        length = self._length()
        if length is None or len(memory) < length:
            return False
        command = bytes(memory[:length])
        if command.startswith(b"\x1dv0"):
            return self._dots(command)
        del memory[:length]
        if command.startswith(b"\x1dV"):
            self._cut()
        elif command.startswith(b"\x1dr"):
            self.port.send(b"\x00")
        return True

    def _length(self) -> int | None:
        """How many bytes the first command has; None while that cannot be told."""
        memory = self._memory
        if memory[0] == 0x1D and memory[1:3] == b"v0":
            return None if len(memory) < 8 else 8 + (memory[4] + 256 * memory[5]) * (memory[6] + 256 * memory[7])
        if memory[0] in {0x10, 0x1B, 0x1D} and len(memory) < 2:
            return None
        known = {b"\x1b@": 2, b"\x1bd": 3, b"\x1dV": 4, b"\x1dr": 3, b"\x10\x04": 3}
        return 8 if memory[:2] == b"\x1dv" else known.get(bytes(memory[:2]), 1)

    def _dots(self, command: bytes) -> bool:
        """Print a band as far as the paper goes; the rest stays in the memory."""
        wide, count = command[4] + 256 * command[5], command[6] + 256 * command[7]
        done = min(count, self.paper)
        for row in range(done):
            self._rows += command[8 + row * wide : 8 + (row + 1) * wide].ljust(BYTES_WIDE, b"\0")[:BYTES_WIDE]
        self.paper -= done
        rest = command[:6] + (count - done).to_bytes(2, "little") + command[8 + done * wide :]
        self._memory[: len(command)] = b"" if done == count else rest
        return done == count

    def _cut(self) -> None:
        self.sheets.append(bytes(self._rows))
        self._rows.clear()
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / f"receipt-{len(self.sheets)}.png").write_bytes(png(self.sheets[-1]))
        self._on_printed()


def png(rows: bytes) -> bytes:
    """A sheet as a picture.

    Args:
        rows: Row after row of `BYTES_WIDE` bytes, black is 1.
    """
    high = len(rows) // BYTES_WIDE
    white = bytes(byte ^ 0xFF for byte in rows)
    lines = b"".join(b"\0" + white[at : at + BYTES_WIDE] for at in range(0, high * BYTES_WIDE, BYTES_WIDE))
    head = struct.pack(">IIBBBBB", BYTES_WIDE * 8, high, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(lines)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
