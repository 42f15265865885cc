"""A journal's rows for what goes through all of its matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.journal import read_rows
from kiosk.sheets.when import offsets

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kiosk.ports import Row


class Rows:
    """A journal's rows, read anew whenever they are gone through: a long event need not fit into memory."""

    def __init__(self, path: Path) -> None:
        """Look how many matches there are, and where it ends now: the table may write on meanwhile.

        Raises:
            JournalUnavailable: There is no readable journal there.
        """
        self._path = path
        self.matches = self._last = 0
        """How many matches there are, and the last row's sequence."""
        self.known = offsets(self._surveyed())
        """What the dates of the boots tell, as `sheets` wants it."""

    def _surveyed(self) -> Iterator[Row]:
        for row in read_rows(self._path):
            self.matches += row.type == "match_opened"
            self._last = row.seq
            yield row

    def __iter__(self) -> Iterator[Row]:
        """Every row up to there."""
        return read_rows(self._path, upto=self._last)
