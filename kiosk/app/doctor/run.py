"""Has checks done, each on a thread of its own and no longer than its time: what hangs is said to hang, and the rest goes on."""

from __future__ import annotations

import contextvars
import queue
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from kiosk.ports import Finding
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

LIMIT_S = 5.0
"""How long a look may take, unless it says otherwise."""


@dataclass(frozen=True, slots=True)
class Examination:
    """What one check came to."""

    findings: tuple[Finding, ...]
    measured: Any = None
    """Its figures; None where it came to none."""


@dataclass(frozen=True, slots=True)
class Check:
    """Something to look at."""

    name: str
    """Its word."""
    what: str
    """What it looks at, marked for the catalogue."""
    go: Callable[[], Examination]
    """Does it; takes no longer than its time, and never raises."""

    def waiting(self) -> Finding:
        """The line that stands there until it is done."""
        return Finding(self.name, _(self.what), _("is being looked at"), "waits")


def check(name: str, what: str, look: Callable[[], T], judge: Callable[[T], list[Finding]], limit_s: float = LIMIT_S) -> Check:
    """Put a look and its judge together.

    Args:
        name: Its word.
        what: What it looks at, marked for the catalogue.
        look: Finds the figures out, on a thread of its own.
        judge: Makes lines of them.
        limit_s: How long the look may take.
    """

    def go() -> Examination:
        answer: queue.SimpleQueue[tuple[T] | Exception] = queue.SimpleQueue()

        def work() -> None:
            try:
                answer.put((look(),))
            except Exception as fault:  # noqa: BLE001 - whatever it is, it is what was found
                answer.put(fault)

        spoken = contextvars.copy_context()  # the thread speaks the language that is spoken here
        threading.Thread(target=spoken.run, args=(work,), name=f"doctor-{name}", daemon=True).start()
        try:
            came = answer.get(timeout=limit_s)
        except queue.Empty:
            figure = _("does not answer within {n} s", n=f"{limit_s:g}")
            return Examination(
                (Finding(name, _(what), figure, "wrong", _("Switch the box off and on; if it stays so, the part is broken.")),)
            )
        if isinstance(came, Exception):
            figure = _("could not be looked at ({name}: {error})", name=type(came).__name__, error=came)
            return Examination((Finding(name, _(what), figure, "wrong", _("See the sentence; `kiosk --verbose doctor` logs more.")),))
        return Examination(tuple(judge(came[0])), came[0])

    return Check(name, what, go)
