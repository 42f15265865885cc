"""How tests wait, and hold bounds in seconds, on a machine that may be busy with others.

    until(lambda: server.live._open.total() == 0)          whatever must come, comes; it may take its time

    watch = Stopwatch()
    until(...)
    assert watch.seconds() < 2                              what the product promises, less what the machine kept back

A bound is for the product, not for the machine: the kernel tells for how long anything had to wait for a processor, a disk or memory
(`/proc/pressure`), and for how long another guest had this one's processors (`steal` in `/proc/stat`). That time is taken off. On an idle
machine it is nothing, and the bound holds as it is written; on a busy one a slow answer is nobody's fault. What never comes fails anywhere.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

LONG_S = 60.0
"""So long a test waits for what must come: nobody is ever kept waiting so by a sound product, and no machine is that busy."""

UNTOLD = 4
"""Where the kernel tells nothing, everything may take so many times as long."""

_PRESSURE = Path("/proc/pressure")
_STAT = Path("/proc/stat")


def until(true: Callable[[], object], what: str = "it did not happen", *, seconds: float = LONG_S) -> None:
    """Wait until something is true.

    Args:
        true: Asked again and again.
        what: Told where it never is.
        seconds: The longest wait.
    """
    end, pause = time.monotonic() + seconds, threading.Event()
    while not true():
        assert time.monotonic() < end, what
        pause.wait(0.01)


def kept_back() -> float | None:
    """Seconds since the machine's start in which something had to wait for it; None where the kernel does not tell."""
    try:
        lines = [(_PRESSURE / each).read_text(encoding="ascii").split("\n")[0] for each in ("cpu", "io", "memory")]
        stolen = _STAT.read_text(encoding="ascii").split("\n")[0].split()[8]
    except (OSError, IndexError):
        return None
    return sum(int(line.rpartition("total=")[2]) for line in lines) / 1e6 + int(stolen) / os.sysconf("SC_CLK_TCK")


class Stopwatch:
    """Seconds since it was made, less those that the machine kept back."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._kept_back = kept_back()

    def seconds(self) -> float:
        """How long it took; never less than nothing."""
        took, now = time.monotonic() - self._began, kept_back()
        if now is None or self._kept_back is None:
            return took / UNTOLD
        return max(0.0, took - (now - self._kept_back))
