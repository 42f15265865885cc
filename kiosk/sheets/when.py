"""Times of day on the sheet, from the rows' own dates; where the date was set later in the same boot, corrected from there, and said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kiosk.ports import Row


@dataclass(frozen=True, slots=True)
class When:
    """A time of day on the sheet."""

    wall_ns: int
    """Nanoseconds since 1970 in UTC."""
    trust: str
    """`set`: the date was right; `corrected`: it was set later in the same boot; `unset`: it cannot be trusted."""


def offsets(rows: Iterable[Row]) -> dict[str, int]:
    """For each boot whose date was once set: date minus monotonic clock."""
    found: dict[str, int] = {}
    for row in rows:
        if row.wall_trusted:
            found.setdefault(row.boot, row.wall_ns - row.mono_ns)
    return found


def when_of(row: Row, at: int, known: dict[str, int]) -> When:
    """When something that a row holds happened."""
    if row.wall_trusted:
        return When(row.wall_ns - (row.mono_ns - at), "set")
    if row.boot in known:
        return When(known[row.boot] + at, "corrected")
    return When(row.wall_ns - (row.mono_ns - at), "unset")
