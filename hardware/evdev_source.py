"""Buttons of a USB arcade encoder, a keypad or a keyboard: keys of one of the kernel's input devices.

The kernel stamps each report when it has come, on the clock that is asked for. The device is held alone, so that its keys type nothing.

Two traps. Whoever asks the kernel which keys are down (EVIOCGKEY) throws away the key events that wait to be read, stamps and all: it is
asked when the device was opened, and after events were dropped, on the reader's thread, and never to compare. And when its queue was full
the kernel says so (SYN_DROPPED): what follows up to the end of that report is half a truth, and is passed over.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import threading
import time
from typing import TYPE_CHECKING

from hardware.edges import Edge, HardwareFault, SourceHealth, plausible
from hardware.evdev import (
    CLOCK_MONOTONIC,
    DEV,
    EV_KEY,
    EV_SYN,
    EVENT,
    EVIOCGBIT_KEY,
    EVIOCGKEY,
    EVIOCGRAB,
    EVIOCSCLOCKID,
    SYN_DROPPED,
    SYN_REPORT,
    SYS,
    Kernel,
    find_input,
    why_not,
)
from hardware.keys import key_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from hardware.edges import Deliver, Line

EVENTS_A_READ = 64
REPEATED = 2
"""The value of a key that is held down and repeats itself."""


class EvdevSource:
    """Two keys of one input device, read by a thread of its own. Used once: start, close."""

    def __init__(
        self,
        address: str,
        keys: Mapping[Line, int],
        now_ns: Callable[[], int] = time.monotonic_ns,
        kernel: Kernel | None = None,
        folders: tuple[Path, Path] = (SYS, DEV),
    ) -> None:
        """Prepare a source.

        Args:
            address: Which device, as `evdev.is_input_address` takes it.
            keys: The code of each button's key.
            now_ns: The monotonic clock that stamps are held against.
            kernel: The kernel's calls or their twin.
            folders: The kernel's list of input devices, and where their files are.
        """
        self._address = address
        self._keys = {code: line for line, code in keys.items()}
        self._now_ns = now_ns
        self._kernel = kernel or Kernel()
        self._folders = folders
        self._path = address
        self._device = -1
        self._stop = (-1, -1)
        self._thread: threading.Thread | None = None
        self._levels: dict[Line, bool] = {}
        self._dropping = self._doubtful = False
        self._lost = self._strange = 0
        self._fault: str | None = None

    def start(self, deliver: Deliver) -> None:
        """Hold the device and begin to deliver.

        Args:
            deliver: Takes each edge, on the reader's thread.

        Raises:
            HardwareFault: The device is not there, is held by another program, or lacks a key; nothing stays held.
        """
        self._path = find_input(self._address, self._keys, *self._folders)
        try:
            self._device = self._kernel.open(self._path)
            self._hold()
        except OSError as error:
            self.close()
            raise HardwareFault(why_not(self._path, error)) from error
        except HardwareFault:
            self.close()
            raise
        self._stop = os.pipe2(os.O_CLOEXEC)
        self._thread = threading.Thread(target=self._read, args=(deliver,), name="buttons", daemon=True)
        self._thread.start()

    def _hold(self) -> None:
        lacking = sorted(self._keys.keys() - self._kernel.ask(self._device, EVIOCGBIT_KEY))
        if lacking:
            names = " and ".join(key_name(code) for code in lacking)
            raise HardwareFault(f"The buttons' device {self._path} has no key {names}; name keys that it has.")
        self._kernel.tell(self._device, EVIOCSCLOCKID, CLOCK_MONOTONIC)
        self._kernel.tell(self._device, EVIOCGRAB, 1)
        self._take_levels()

    def _take_levels(self) -> None:
        down = self._kernel.ask(self._device, EVIOCGKEY)
        self._levels = {line: code in down for code, line in self._keys.items()}

    def _read(self, deliver: Deliver) -> None:
        try:
            poll = select.poll()
            poll.register(self._device, select.POLLIN)
            poll.register(self._stop[0], select.POLLIN)
            while True:
                ready = dict(poll.poll())
                if self._stop[0] in ready:
                    return
                self._events(deliver)
        except OSError as error:
            gone = error.errno in {errno.ENODEV, errno.EIO}
            self._fault = f"The buttons' device {self._path} was pulled out." if gone else why_not(self._path, error)
        except Exception as error:  # noqa: BLE001 - told by health(), so that the source is restarted loudly
            self._fault = f"The button source stopped reading ({type(error).__name__}: {error})."

    def _events(self, deliver: Deliver) -> None:
        try:
            data = os.read(self._device, EVENT.size * EVENTS_A_READ)
        except BlockingIOError:
            return
        if not data:
            raise OSError(errno.ENODEV, "it was ready and brought nothing")
        for seconds, micros, kind, code, value in EVENT.iter_unpack(data[: len(data) // EVENT.size * EVENT.size]):
            if kind == EV_SYN:
                self._synchronize(code)
            elif kind == EV_KEY and code in self._keys and value != REPEATED and not self._dropping:
                self._key(self._keys[code], bool(value), (seconds * 1_000_000 + micros) * 1_000, deliver)
        if self._doubtful:  # what was read before is older than what the kernel says now
            self._doubtful = False
            self._take_levels()
            self._lost += 1

    def _synchronize(self, code: int) -> None:
        if code == SYN_DROPPED:
            self._dropping = True
        elif code == SYN_REPORT and self._dropping:
            self._dropping, self._doubtful = False, True

    def _key(self, line: Line, closed: bool, stamp: int, deliver: Deliver) -> None:  # noqa: FBT001 - a level is a truth value
        now = self._now_ns()
        if not plausible(stamp, now):
            self._strange += 1
            stamp = now
        self._levels = {**self._levels, line: closed}
        deliver(Edge(line, closed, stamp))

    def levels(self) -> dict[Line, bool]:
        """Both contacts as the latest event has them: True is closed.

        Raises:
            HardwareFault: The device was pulled out, or the source is not running.
        """
        health = self.health()
        if not health.alive:
            raise HardwareFault(health.fault or "The button source is not running.")
        return dict(self._levels)

    def health(self) -> SourceHealth:
        """What the source knows about itself; a reader that has ended is dead however it came."""
        alive = self._fault is None and self._thread is not None and self._thread.is_alive()
        fault = self._fault or (None if alive else "The button source is not running.")
        return SourceHealth(alive, self._lost, self._strange, fault, mends_itself=True)

    def close(self) -> None:
        """Stop the reader and let go of the device; others may read it again."""
        thread, self._thread = self._thread, None
        if thread is not None:
            os.write(self._stop[1], b"x")
            thread.join(2)
            if thread.is_alive():
                return  # it still waits for whoever takes the edges, and as a daemon it ends with the process
            for end in self._stop:
                os.close(end)
        device, self._device = self._device, -1
        if device >= 0:
            with contextlib.suppress(OSError):  # what was pulled out cannot be let go of, and need not be
                os.close(device)
