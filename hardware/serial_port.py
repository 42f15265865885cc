"""A serial device that may be pulled out and put back at any moment: found by USB id or by path, on a thread of its own.

The thread looks for the device, opens it, hands on what comes in, writes what waits, and begins again when the device is gone:

    looking ── found ──► open ── read or write fails, or nothing comes although something should ──► looking

What is known about these devices, and what is done about it:

* A pulled cable shows as OSError, as SerialException (which is one) or as termios.error (which is none), or as a read that is ready and
  brings nothing. All of them are the same here: the device is looked for again, after a pause that grows while nothing helps.
* Whoever opens a device that is not there must not be asked again at once; a device that stays open for `HEALTHY_NS` earns the short
  pause again.
* Closing a port whose cable is stuck can hold a thread for half a minute, for the kernel wants to send the rest first. The rest is thrown
  away before.
* What was to be written to a device that has gone is dropped: half a command must not meet whatever is plugged in next.
* A device that never stops talking gets `FLOOD_BYTES` each quarter of a second and no more of this machine.

Callbacks run on the link's thread: they only enqueue. One that fails is told in `health` and stops nothing.
"""

from __future__ import annotations

import contextlib
import os
import select
import stat
import termios
import threading
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hardware.edges import HardwareFault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FIRST_PAUSE_NS = 200_000_000
"""The pause before a device is looked for again."""

LONGEST_PAUSE_NS = 3_200_000_000
"""The pause grows to this."""

HEALTHY_NS = 5_000_000_000
"""A device that was open for this long has earned the first pause again."""

FLOOD_BYTES = 65_536
"""So much is read in each `FLOOD_NS`: more than twice what comes at 921,600 baud."""

FLOOD_NS = 250_000_000

MOST_UNSENT = 262_144
"""More than this is not kept for writing: bytes."""

USB_MAJOR = 180
"""The kernel's number of USB character devices that are no terminals: `/dev/usb/lp0`, as many receipt printers are, has no baud rate."""

READ_BYTES = 4096
WRITE_BYTES = 512


@dataclass(frozen=True, slots=True)
class LinkHealth:
    """How a serial device stands."""

    connected: bool = False
    """It is open."""
    path: str | None = None
    """Where, while it is open."""
    fault: str | None = None
    """A sentence while it is not open although it was looked for, or a callback failed."""
    opened: int = 0
    """How often it has been opened."""
    received: int = 0
    """Bytes that came in since the start."""


def _nothing(_up: bool) -> None:  # noqa: FBT001 - a callback's shape
    pass


class SerialLink:
    """One serial device, whether it is there or not."""

    def __init__(
        self,
        find: Callable[[], str | None],
        baud: int,
        on_bytes: Callable[[bytes, int], None],
        wake: Callable[[], None] = lambda: None,
        *,
        name: str = "serial device",
        on_change: Callable[[bool], None] = _nothing,
        now_ns: Callable[[], int] = time.monotonic_ns,
        pauses: tuple[int, int] = (FIRST_PAUSE_NS, LONGEST_PAUSE_NS),
    ) -> None:
        """Prepare a link; `start` begins to look for the device.

        Args:
            find: Where the device is now, or None; may raise HardwareFault with a sentence.
            baud: Bits a second, 8 data bits, no parity, one stop bit.
            on_bytes: Takes what came, and the instant (monotonic nanoseconds) at which it was there to be read; on the link's thread.
            wake: Called after `on_bytes` and after every change of health, to wake a sleeping loop.
            name: What people call the device.
            on_change: Called on the link's thread with True when the device was opened, with False when it has gone.
            now_ns: The monotonic clock.
            pauses: The first and the longest pause between two looks, in nanoseconds.
        """
        self.name = name
        self._find = find
        self._baud = baud
        self._on_bytes = on_bytes
        self._on_change = on_change
        self._wake = wake
        self._now_ns = now_ns
        self._pauses = pauses
        self._health = LinkHealth()
        self._unsent = bytearray()
        self._lock = threading.Lock()
        self._closing = False
        self._thread: threading.Thread | None = None
        self._pipe: tuple[int, int] | None = None
        self._window = (0, 0)

    def start(self) -> None:
        """Begin to look for the device; returns at once, whether it is there or not."""
        if self._thread is None:
            self._pipe = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
            self._thread = threading.Thread(target=self._run, args=(self._pipe[0],), name=self.name, daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Let go of the device; may be called twice, and never raises. What was not yet written is dropped."""
        self._closing = True
        self._nudge()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join(2)
        if thread is not None and not thread.is_alive():
            with self._lock:
                pipe, self._pipe = self._pipe, None
            for end in pipe or ():
                os.close(end)

    def health(self) -> LinkHealth:
        """How it stands; cheap enough for every turn, never raises."""
        return self._health

    def unsent(self) -> int:
        """How many bytes wait to be written."""
        return len(self._unsent)

    def write(self, data: bytes) -> bool:
        """Hand over bytes to be written, whole or not at all; returns at once.

        Returns:
            False where the device is not there, or too much waits already; nothing of `data` is kept then.
        """
        with self._lock:
            if not self._health.connected or len(self._unsent) + len(data) > MOST_UNSENT:
                return False
            self._unsent += data
        self._nudge()
        return True

    def discard(self) -> None:
        """Drop what was handed over and is not written yet."""
        with self._lock:
            self._unsent.clear()

    def _nudge(self) -> None:
        with self._lock, contextlib.suppress(BlockingIOError):  # a full pipe wakes as well
            if self._pipe is not None:
                os.write(self._pipe[1], b"x")

    def _run(self, woken: int) -> None:
        pause, longest = self._pauses
        while not self._closing:
            opened_at = self._now_ns()
            try:
                self._once(woken)
            except Exception as fault:  # noqa: BLE001 - whatever a driver raises, the device is looked for again
                self._gone(self._sentence(fault))
            if self._now_ns() - opened_at >= HEALTHY_NS:
                pause = self._pauses[0]
            if not self._closing:
                self._rest(woken, pause)
            pause = min(2 * pause, longest)

    def _sentence(self, fault: Exception) -> str:
        if isinstance(fault, HardwareFault):
            return str(fault)
        why = fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault) or type(fault).__name__
        was = "was pulled out or failed" if self._health.connected else "cannot be opened"
        return f"The {self.name} {was} ({why}); it is tried again."

    def _once(self, woken: int) -> None:
        """Look for the device once, and stay with it as long as it is there."""
        path = self._find()
        if path is None:
            raise HardwareFault(f"The {self.name} is not there; plug it in, it is found by itself.")
        with _opened(path, self._baud) as descriptor:
            self._change(replace(self._health, connected=True, path=path, fault=None, opened=self._health.opened + 1))
            self._told(up=True)
            self._serve(descriptor, woken)

    def _serve(self, descriptor: int, woken: int) -> None:
        while not self._closing:
            ready, writable, _ = select.select([descriptor, woken], [descriptor] if self._unsent else [], [])
            at = self._now_ns()
            if woken in ready:
                _empty(woken)
            if descriptor in ready:
                self._read(descriptor, at, woken)
            if writable:
                self._write(descriptor)

    def _read(self, descriptor: int, at: int, woken: int) -> None:
        try:
            data = os.read(descriptor, READ_BYTES)
        except BlockingIOError:
            return
        if not data:
            raise OSError(0, "it was ready and brought nothing")
        self._health = replace(self._health, received=self._health.received + len(data))
        self._call(lambda: self._on_bytes(data, at))
        self._wake()
        self._brake(len(data), at, woken)

    def _brake(self, count: int, at: int, woken: int) -> None:
        """Let a flood wait for the end of its quarter of a second."""
        began, taken = self._window
        if at - began >= FLOOD_NS:
            began, taken = at, 0
        self._window = (began, taken + count)
        if taken + count > FLOOD_BYTES:
            self._rest(woken, began + FLOOD_NS - at)

    def _write(self, descriptor: int) -> None:
        with self._lock:
            with contextlib.suppress(BlockingIOError):
                del self._unsent[: os.write(descriptor, self._unsent[:WRITE_BYTES])]
            done = not self._unsent
        if done:
            self._wake()

    def _gone(self, sentence: str) -> None:
        with self._lock:
            was, self._health = self._health, replace(self._health, connected=False, path=None, fault=sentence)
            self._unsent.clear()
        if was.connected:
            self._told(up=False)
        if was.fault != sentence:
            self._wake()

    def _change(self, health: LinkHealth) -> None:
        self._health = health
        self._wake()

    def _told(self, *, up: bool) -> None:
        self._call(lambda: self._on_change(up))

    def _call(self, callback: Callable[[], None]) -> None:
        try:
            callback()
        except Exception as fault:  # noqa: BLE001 - a fault of whoever listens must not end the thread
            what = f"What the {self.name} sent could not be taken ({type(fault).__name__}: {fault})."
            self._health = replace(self._health, fault=what)

    def _rest(self, woken: int, pause: int) -> None:
        until = self._now_ns() + pause
        while not self._closing and (left := until - self._now_ns()) > 0:
            if select.select([woken], [], [], left / 1e9)[0]:
                _empty(woken)


def _empty(woken: int) -> None:
    with contextlib.suppress(BlockingIOError):
        os.read(woken, READ_BYTES)


@contextlib.contextmanager
def _opened(path: str, baud: int) -> Iterator[int]:
    """A port's descriptor, raw and without blocking."""
    status = os.stat(path)  # noqa: PTH116 - as the finder
    if not stat.S_ISCHR(status.st_mode) or os.major(status.st_rdev) == USB_MAJOR:
        descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            yield descriptor
        finally:
            os.close(descriptor)
        return
    import serial

    with serial.Serial(path, baud, timeout=0, write_timeout=0, exclusive=True) as port:
        try:
            yield port.fileno()
        finally:
            with contextlib.suppress(OSError, termios.error):
                port.reset_output_buffer()
