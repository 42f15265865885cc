"""The clocks that a table's moments are told with."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.sync.wire import Moment

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Clocks:
    """What a table's moments are told with."""

    boot: str
    """This boot's id."""
    wall: Callable[[], tuple[int, bool]]
    """The date in nanoseconds since 1970, and whether it is trusted."""
    mono_ns: Callable[[], int] = time.monotonic_ns

    told: Callable[[], Moment] | None = None
    """What is told instead, where a table's own clocks are simulated ones."""

    def moment(self) -> Moment:
        """Now."""
        if self.told is not None:
            return self.told()
        date, trusted = self.wall()
        return Moment(self.boot, self.mono_ns(), date, trusted)
