"""Twins of the kernel's side: a GPIO chip for gpiod, one for lgpio, and one way to drive every kind of source.

The gpiod twin takes enums, settings and events from the real package and stands in only for what needs a device: `Chip` and
`request_lines`. Its request has a real file descriptor, so the reader waits as it does on a real one. The lgpio twin replaces the calls
that reach the driver; gpiozero's factory, its pins and the callback list are the real ones.
"""

from __future__ import annotations

import os
import queue
import threading
from collections import deque
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import gpiod
import gpiod.line

from hardware import BUTTON_PINS, Edge, GpiodEdgeSource, GpiozeroEdgeSource, SimulatedBox

if TYPE_CHECKING:
    from collections.abc import Callable

NOW = 10_000_000 * 1_000_000_000 + 123_456_789
"""A box that has been on for 116 days, where seconds in a float are coarser than a nanosecond."""


class TwinRequest:
    """gpiod's LineRequest: numbered events behind a real file descriptor."""

    def __init__(self, offsets: list[int], settings: gpiod.LineSettings) -> None:
        self.settings = settings
        self.active = dict.fromkeys(offsets, False)
        self.released = False
        self.broken: OSError | None = None
        self._events: deque[gpiod.EdgeEvent] = deque()
        self._seqno = 0
        self._line_seqno = dict.fromkeys(offsets, 0)
        self.fd, self._write = os.pipe()

    def emit(self, offset: int, active: bool, stamp_ns: int, *, lost: bool = False) -> None:  # noqa: FBT001
        self.active[offset] = active
        self._seqno += 1
        self._line_seqno[offset] += 1
        if lost:
            return
        kinds = gpiod.EdgeEvent.Type
        kind = kinds.RISING_EDGE if active else kinds.FALLING_EDGE
        self._events.append(gpiod.EdgeEvent(kind.value, stamp_ns, offset, self._seqno, self._line_seqno[offset]))
        os.write(self._write, b"e")

    def read_edge_events(self, max_events: int | None = None) -> list[gpiod.EdgeEvent]:
        if self.broken:
            raise self.broken
        count = len(os.read(self.fd, max_events or 64))
        return [self._events.popleft() for _ in range(count)]

    def get_values(self, lines: list[int]) -> list[gpiod.line.Value]:
        if self.broken:
            raise self.broken
        return [gpiod.line.Value.ACTIVE if self.active[line] else gpiod.line.Value.INACTIVE for line in lines]

    def hang_up(self) -> None:
        os.close(self._write)
        self._write = -1

    def break_down(self) -> None:
        self.broken = OSError(19, "No such device")
        os.write(self._write, b"e")

    def release(self) -> None:
        if not self.released:
            self.released = True
            os.close(self.fd)
            if self._write >= 0:
                os.close(self._write)
        if self.broken:
            raise self.broken


@dataclass
class TwinGpiod:
    """The gpiod module with chips of our own: labels by path, an OSError where a chip does not open."""

    labels: dict[str, str | OSError] = field(default_factory=lambda: {"/dev/gpiochip0": "pinctrl-rp1"})
    busy: Exception | None = None
    holders: dict[int, str] = field(default_factory=dict)
    requests: list[TwinRequest] = field(default_factory=list)
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    line: ClassVar[Any] = gpiod.line
    LineSettings: ClassVar[Any] = gpiod.LineSettings
    EdgeEvent: ClassVar[Any] = gpiod.EdgeEvent

    def Chip(self, path: str) -> TwinChip:  # noqa: N802 - gpiod's name
        label = self.labels[path]
        if isinstance(label, OSError):
            raise label
        return TwinChip(label, self.holders)

    def request_lines(self, path: str, config: dict[Any, gpiod.LineSettings], **options: Any) -> TwinRequest:
        if self.busy:
            raise self.busy
        ((offsets, settings),) = config.items()
        self.asked.append((path, options))
        self.requests.append(TwinRequest(list(offsets), settings))
        return self.requests[-1]


@dataclass
class TwinChip:
    label: str
    holders: dict[int, str] = field(default_factory=dict)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def get_info(self) -> gpiod.ChipInfo:
        return gpiod.ChipInfo(name="gpiochip0", label=self.label, num_lines=54)

    def get_line_info(self, offset: int) -> SimpleNamespace:
        holder = self.holders.get(offset)
        return SimpleNamespace(used=holder is not None, consumer=holder)


class TwinLgpio:
    """Replaces the calls of lgpio that reach the driver."""

    def __init__(self, monkeypatch: Any, lgpio: Any) -> None:
        self.level = dict.fromkeys(BUTTON_PINS.values(), 1)
        self._library = lgpio
        for name in ("gpio_claim_input", "gpio_claim_alert", "gpio_free", "gpiochip_close", "gpio_set_debounce_micros"):
            monkeypatch.setattr(lgpio, name, lambda *_: 0)
        monkeypatch.setattr(lgpio, "gpiochip_open", lambda _chip: 5)
        monkeypatch.setattr(lgpio, "gpio_get_mode", lambda *_: 0)
        monkeypatch.setattr(lgpio, "gpio_read", lambda _handle, gpio: self.level[gpio])
        monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xA02082)

    def alert(self, gpio: int, level: int, tick: int) -> None:
        self.level[gpio] = level if level in (0, 1) else self.level[gpio]
        for callback in list(self._library._notify_thread.callbacks):
            if callback.gpio == gpio:
                callback.func(0, gpio, level, tick)


@dataclass
class Bench:
    """One source, whatever its kind, with a hand on its contacts."""

    source: Any
    drive: Callable[[str, bool, int], None]
    kill: Callable[[], None]
    now: int = NOW
    arrived: queue.SimpleQueue[Edge] = field(default_factory=queue.SimpleQueue)

    def start(self) -> None:
        self.source.start(self.arrived.put)

    def next_edge(self) -> Edge:
        return self.arrived.get(timeout=60)


def simulated_bench() -> Bench:
    box = SimulatedBox(now_ns=lambda: NOW)
    return Bench(box.source(), box.drive, box.fail)


def lgpio_bench(monkeypatch: Any, lgpio: Any, folder: Any) -> Bench:
    from hardware import lgpio_factory

    chip, dead = TwinLgpio(monkeypatch, lgpio), threading.Event()
    source = GpiozeroEdgeSource(lgpio_factory(folder), now_ns=lambda: NOW, driver_alive=lambda: not dead.is_set())

    def drive(line: str, closed: bool, at: int) -> None:  # noqa: FBT001
        chip.alert(BUTTON_PINS[line], int(not closed), at)

    return Bench(source, drive, dead.set)


def gpiod_bench() -> Bench:
    twin = TwinGpiod()
    source = GpiodEdgeSource(now_ns=lambda: NOW, module=twin, chip="/dev/gpiochip0")

    def drive(line: str, closed: bool, at: int) -> None:  # noqa: FBT001
        twin.requests[-1].emit(BUTTON_PINS[line], closed, at)

    def kill() -> None:
        twin.requests[-1].break_down()
        source._thread.join(60)

    return Bench(source, drive, kill)
