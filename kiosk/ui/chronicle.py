"""What happened so far in the match that is open, as the screen tells it: the session's facts, each with its time of day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.domain.facts import ChouetteOpened, MatchOpened
from kiosk.ui.view import Happened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kiosk.domain.facts import Fact
    from kiosk.domain.state import Table


class Chronicle:
    """Listens to a session."""

    def __init__(self, time_of_day: Callable[[], str] = lambda: "") -> None:
        """Begin empty.

        Args:
            time_of_day: The time now as people read it, or an empty text where the date is not known.
        """
        self._time_of_day = time_of_day
        self._entries: list[Happened] = []
        self._told: tuple[Happened, ...] | None = None
        self.count = 0
        """Facts heard so far: tells whether anything has happened since a look."""

    def recall(self, entries: Iterable[Happened]) -> None:
        """Take up what the journal holds from before."""
        for entry in entries:
            self._add(entry)

    def put_before(self, entries: Iterable[Happened]) -> None:
        """Put what happened at another table before the last fact that was heard: the match was taken up here."""
        last = self._entries[-1]
        self.recall((*entries, last))

    def hear(self, fact: Fact, _table: Table) -> None:
        """Take down a fact; told by the session."""
        self._add(Happened(fact, self._time_of_day()))

    def _add(self, entry: Happened) -> None:
        if isinstance(entry.fact, MatchOpened | ChouetteOpened):
            self._entries = []
        self._entries.append(entry)
        self._told = None
        self.count += 1

    @property
    def entries(self) -> tuple[Happened, ...]:
        """What happened in the last match that was opened, in order."""
        if self._told is None:  # asked for at every picture
            self._told = tuple(self._entries)
        return self._told
