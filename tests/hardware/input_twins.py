"""The kernel's input devices, played: a list as in sysfs, calls that are answered, events through a real pipe."""

from __future__ import annotations

import os
import queue
from dataclasses import dataclass, field
from pathlib import Path

from hardware import Edge, EvdevSource
from hardware.evdev import EV_KEY, EV_SYN, EVENT, EVIOCGBIT_KEY, EVIOCGKEY, Kernel
from hardware.keys import KEYS

NOW = 10_000_000 * 1_000_000_000 + 123_456_000
LEFT, RIGHT = KEYS["BTN_TRIGGER"], KEYS["BTN_THUMB"]


def list_device(sys: Path, number: int, name: str, usb: str, keys: set[int], serial: str = "") -> None:
    """A device as sysfs has it."""
    device = sys / f"event{number}" / "device"
    (device / "id").mkdir(parents=True)
    (device / "capabilities").mkdir()
    bits = sum(1 << key for key in keys)
    words = [f"{bits >> 64 * place & (1 << 64) - 1:x}" for place in range(12)]
    while len(words) > 1 and words[-1] == "0":
        words.pop()
    (device / "capabilities/key").write_text(" ".join(reversed(words)) + "\n")
    vendor, product = usb.split(":")
    (device / "id/vendor").write_text(vendor + "\n")
    (device / "id/product").write_text(product + "\n")
    (device / "name").write_text(name + "\n")
    (device / "uniq").write_text(serial + "\n")


@dataclass
class TwinKernel(Kernel):
    """One device."""

    keys: set[int] = field(default_factory=lambda: {LEFT, RIGHT})
    down: set[int] = field(default_factory=set)
    refuses: dict[int | str, int] = field(default_factory=dict)
    """Calls that fail, and of what."""
    told: dict[int, int] = field(default_factory=dict)
    asked: list[int] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    writer: int = -1
    reader: int = -1

    def open(self, path: str) -> int:
        self._may("open")
        self.opened.append(path)
        self.reader, self.writer = os.pipe2(os.O_NONBLOCK)
        return self.reader

    def _may(self, call: int | str) -> None:
        if call in self.refuses:
            raise OSError(self.refuses[call], os.strerror(self.refuses[call]))

    def tell(self, descriptor: int, call: int, value: int) -> None:
        assert descriptor == self.reader
        self._may(call)
        self.told[call] = value

    def ask(self, descriptor: int, call: int) -> set[int]:
        assert descriptor == self.reader
        self._may(call)
        self.asked.append(call)
        return set({EVIOCGBIT_KEY: self.keys, EVIOCGKEY: self.down}[call])

    def send(self, *events: tuple[int, int, int], at: int = NOW) -> None:
        """Type, code and value of events that come in one piece."""
        stamp = divmod(at // 1_000, 1_000_000)
        os.write(self.writer, b"".join(EVENT.pack(*stamp, *event) for event in events))

    def key(self, code: int, value: int, at: int = NOW) -> None:
        self.send((4, 4, 0x90001), (EV_KEY, code, value), (EV_SYN, 0, 0), at=at)

    def pull(self) -> None:
        os.close(self.writer)
        self.writer = -1


class InputBench:
    """A source at a twin."""

    def __init__(self, **made: object) -> None:
        self.kernel = TwinKernel(**made)  # type: ignore[arg-type]
        self.source = EvdevSource("/dev/input/event7", {"left": LEFT, "right": RIGHT}, lambda: NOW, self.kernel)
        self.arrived: queue.SimpleQueue[Edge] = queue.SimpleQueue()

    def start(self) -> None:
        self.source.start(self.arrived.put)

    def edge(self) -> Edge:
        return self.arrived.get(timeout=60)

    def ended(self) -> str:
        """Wait for the reader to end, and say what the source says."""
        assert self.source._thread is not None
        self.source._thread.join(60)
        health = self.source.health()
        assert not health.alive
        return str(health.fault)

    def close(self) -> None:
        self.source.close()
        if self.kernel.writer >= 0:
            self.kernel.pull()
