"""Whether a worker's event loop still turns: it counts in memory that its parent shares, and the parent looks whether the count moves.

A worker whose count stands still answers nobody; its parent ends it and starts another, as it does with one that has died. systemd's own
watchdog looks after the parent (`kiosk.shell.notify`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import Synchronized

NS_PER_S = 1_000_000_000
BEAT_S = 1
"""How often a worker's loop counts."""
PATIENCE_S = 20
"""Whose count has not moved for so long hangs."""


class Beats:
    """A worker's end: what feeds the count, in place of systemd's watchdog."""

    feed_ns = BEAT_S * NS_PER_S

    def __init__(self, count: Synchronized[int]) -> None:
        """Nothing is counted yet.

        Args:
            count: Shared with the parent.
        """
        self._count = count

    def alive(self) -> None:
        """Count on."""
        with self._count.get_lock():
            self._count.value += 1

    def close(self) -> None:
        """Nothing has to be let go of."""


class Counted(Protocol):
    """What the parent sees of the count."""

    @property
    def value(self) -> int:
        """How far the worker has counted."""
        ...


class Vigil:
    """The parent's end: for how many looks a worker's count has stood still."""

    def __init__(self, count: Counted, looks: int) -> None:
        """Nothing is seen yet.

        Args:
            count: Shared with the worker; while it is 0 the worker is still starting.
            looks: So many looks without a beat, and it hangs.
        """
        self._count, self._looks = count, looks
        self._seen = 0
        self._still = 0

    def hangs(self) -> bool:
        """Look once more; whether the worker hangs."""
        now = self._count.value
        self._still = self._still + 1 if now == self._seen else 0
        self._seen = now
        return now > 0 and self._still >= self._looks
