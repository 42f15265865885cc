"""One thread beside the loop that does one thing after the other: for parts whose calls may take long, or never return.

What fails is kept as a sentence for the loop to tell. A call that does not come back is noticed by its age; nothing waits for it.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING, Generic, TypeVar

from kiosk.app.logs import log
from kiosk.domain.types import NS_PER_S

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

STUCK_NS = 3 * NS_PER_S
"""A call that takes longer than this is told."""


class Beside(Generic[T]):
    """Does things in the order in which they are put in; of those that wait only the last few are kept."""

    def __init__(self, name: str, do: Callable[[T], None], wake: Callable[[], None], *, most: int = 1) -> None:
        """Start the thread.

        Args:
            name: What it is called, in lists of threads and in the log.
            do: Does one thing; may take as long as it likes, and raise what it likes.
            wake: Wakes the loop when a thing has failed, or one has worked after that.
            most: How many things may wait; an older one is dropped for a newer.
        """
        self._name = name
        self._do = do
        self._wake = wake
        self._waiting: deque[T] = deque(maxlen=most)
        self._changed = threading.Condition()
        self._going = True
        self._put_at: int | None = None
        """When the thing that is being done, or the first that waits, was put in; None: there is none."""
        self._fault = ""
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def put(self, thing: T, now: int) -> None:
        """Have a thing done; returns at once.

        Args:
            thing: What.
            now: Nanoseconds of the monotonic clock.
        """
        with self._changed:
            self._waiting.append(thing)
            if self._put_at is None:
                self._put_at = now
            self._changed.notify()

    def fault(self, now: int) -> str:
        """What is wrong, in a sentence: the last thing failed, or one has been going on for too long; or nothing.

        Args:
            now: Nanoseconds of the monotonic clock.
        """
        with self._changed:
            if self._put_at is not None and now - self._put_at > STUCK_NS:
                return f"There has been no answer for {(now - self._put_at) // NS_PER_S} s."
            return self._fault

    def settled(self, timeout_s: float) -> bool:
        """Wait until nothing waits and nothing is being done; False when that takes longer."""
        with self._changed:
            return self._changed.wait_for(lambda: self._put_at is None, timeout_s)

    def close(self, timeout_s: float = 1) -> None:
        """End once the thing that is being done is done; what waits is dropped. One that hangs is left alone."""
        with self._changed:
            self._going = False
            self._waiting.clear()
            self._changed.notify()
        self._thread.join(timeout_s)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or not self._going)
                if not self._going:
                    return
                thing = self._waiting.popleft()
            fault = ""
            try:
                self._do(thing)
            except Exception as error:  # noqa: BLE001 - told by the loop; a part that fails harms nothing else
                fault = str(error) or type(error).__name__
                log.debug("%s failed.", self._name, exc_info=error)
            self._done(fault)

    def _done(self, fault: str) -> None:
        with self._changed:
            told, self._fault = self._fault, fault
            if not self._waiting:
                self._put_at = None
            self._changed.notify_all()
        if told or fault:
            self._wake()
