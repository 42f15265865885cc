"""Work that would hold up the event loop, in few threads of its own: no kind of it waits behind another kind's rush.

When 1,000 tables come in at once, each wants something looked up. Whoever shares threads with them waits for seconds; the hall's board,
which reads for 20 ms, must not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from anyio import CapacityLimiter, to_thread

if TYPE_CHECKING:
    from collections.abc import Callable

_Answer = TypeVar("_Answer")


class Beside:
    """Threads for one kind of work."""

    def __init__(self, threads: int) -> None:
        """Start with none.

        Args:
            threads: So many work at once; what comes beyond that waits its turn.
        """
        self._room = CapacityLimiter(threads)

    async def run(self, what: Callable[..., _Answer], *given: object) -> _Answer:
        """Do something in one of them.

        Args:
            what: A function.
            given: What it is given.
        """
        return await to_thread.run_sync(what, *given, limiter=self._room)
