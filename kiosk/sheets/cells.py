"""What stands in a printed sheet's tables: values that every form writes in its own way, as text or as numbers and times."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, TypeAlias

from kiosk.domain.types import NS_PER_S, Pair, Span, clock_text

if TYPE_CHECKING:
    from kiosk.sheets.when import When

MARKS = {"set": "", "corrected": "*", "unset": "?"}
"""How a time of day says whether it can be trusted."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A time of day in the sheet's zone."""

    at: datetime | None
    """None where no calendar has the date."""
    trust: str
    """`set`, `corrected` or `unset`, as in `kiosk.sheets.when`."""
    raw: int
    """Nanoseconds since 1970 in UTC, as recorded."""
    dated: bool
    """Whether the date is said too: it is not the day on which the match was opened."""

    @property
    def text(self) -> str:
        """`14:03:05`, with the date where it is needed, and with a mark where it is corrected or cannot be trusted."""
        if self.at is None:
            return f"{self.raw}{MARKS[self.trust]}"
        return self.at.strftime("%Y-%m-%d %H:%M:%S" if self.dated else "%H:%M:%S") + MARKS[self.trust]


@dataclass(frozen=True, slots=True)
class Lasting:
    """A length of time."""

    span: Span
    exact: bool = False
    """A setting, told in seconds as it was entered; else what a clock showed, rounded up as it does."""

    @property
    def text(self) -> str:
        """`12:30`, as the clock shows it."""
        if self.exact:
            whole = abs(self.span) // NS_PER_S
            return ("–" if self.span < 0 else "") + f"{whole // 60}:{whole % 60:02d}"
        return clock_text(self.span)


Plain: TypeAlias = str | int | Moment | Lasting | None


@dataclass(frozen=True, slots=True)
class Both:
    """A value for each side, the left one first."""

    left: Plain
    right: Plain

    @property
    def text(self) -> str:
        """`3 : 1`, times as `12:30 – 9:05`."""
        between = " – " if isinstance(self.left, Lasting) else " : "
        return text_of(self.left) + between + text_of(self.right)


Cell: TypeAlias = Plain | Both


def text_of(cell: Cell) -> str:
    """A cell as paper shows it."""
    if cell is None:
        return ""
    return str(cell) if isinstance(cell, str | int) else cell.text


def both_of(values: Pair[int] | None) -> Both | None:
    """Two numbers."""
    return None if values is None else Both(values.left, values.right)


def reserves_of(values: Pair[Span] | None) -> Both | None:
    """Both reserves as the clock showed them; None in an unclocked session."""
    return None if values is None else Both(Lasting(values.left), Lasting(values.right))


@dataclass(frozen=True, slots=True)
class Clockwork:
    """How instants become times of day on one sheet."""

    zone: tzinfo
    opened: When

    def day(self) -> Moment:
        """When the match was opened, with its date."""
        return Moment(_local(self.opened, self.zone), self.opened.trust, self.opened.wall_ns, dated=True)

    def moment(self, when: When) -> Moment:
        """An instant; its date is said where it is another day's."""
        at, opened = _local(when, self.zone), _local(self.opened, self.zone)
        dated = at is not None and (opened is None or at.date() != opened.date())
        return Moment(at, when.trust, when.wall_ns, dated)

    def maybe(self, when: When | None) -> Moment | None:
        """An instant that may not have been."""
        return None if when is None else self.moment(when)

    def name(self) -> str:
        """The zone, by its name and by its distance from UTC: `CET (UTC+01:00)`."""
        at = _local(self.opened, self.zone) or datetime(2000, 1, 1, tzinfo=self.zone)
        name = at.tzname() or ""
        minutes = int((at.utcoffset() or timedelta()).total_seconds()) // 60
        if not minutes:
            return "UTC"
        distance = f"UTC{'+' if minutes > 0 else '−'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"
        return distance if name.replace("-", "−") in {"", distance} else f"{name} ({distance})"


def _local(when: When, zone: tzinfo) -> datetime | None:
    try:
        return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=when.wall_ns // NS_PER_S)).astimezone(zone)
    except (OverflowError, ValueError):
        return None
