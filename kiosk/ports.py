"""What the inner rooms need from outside, as protocols: the journal, and who may sign in.

Every port has one contract suite in `tests/`, run over each implementation, the shipped simulated twin included.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kiosk.domain.officials import Official
    from kiosk.domain.types import Instant


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a record was first written down: at another table, or at this one before."""

    boot: str
    """The boot that its instant belongs to."""
    wall_ns: int
    """The system's date there when it was recorded: nanoseconds since 1970 in UTC, right or not."""
    wall_trusted: bool
    """Whether that date had been set."""


@dataclass(frozen=True, slots=True)
class Record:
    """One fact on its way into the journal: already plain data, not yet sequenced."""

    type: str
    """The fact's name in the codec, e.g. `turn_ended`."""
    data: str
    """Canonical JSON text of the fact (sorted keys, no spaces), versioned by the codec."""
    mono_ns: int
    """The instant at which it happened: nanoseconds of the boot's monotonic clock."""
    origin: Origin | None = None
    """None: it is new, of this boot and this date."""


@dataclass(frozen=True, slots=True)
class Row:
    """One fact as it stands in the journal."""

    seq: int
    """1, 2, 3 … without a gap."""
    boot: str
    """Identifies the boot whose monotonic clock `mono_ns` belongs to."""
    mono_ns: int
    """Nanoseconds of that boot's monotonic clock."""
    wall_ns: int
    """The system's date when the fact was recorded: nanoseconds since 1970 in UTC, right or not."""
    wall_trusted: bool
    """Whether the date had been set from the network (or a battery clock) by then."""
    type: str
    """The fact's name in the codec."""
    data: str
    """Canonical JSON text of the fact."""
    prev: str
    """The hash of the row before; 64 zeros before the first."""
    hash: str
    """SHA-256 (hex) over all of the above."""


@dataclass(frozen=True, slots=True)
class Beat:
    """The heartbeat: the last instant at which the table is known to have been alive."""

    boot: str
    """The boot it belongs to."""
    mono_ns: int
    """Nanoseconds of that boot's monotonic clock."""
    wall_ns: int
    """The system's date then, right or not."""
    wall_trusted: bool
    """Whether the date had been set by then."""
    seq: int
    """The last sequence number that had been handed to the journal."""


@dataclass(frozen=True, slots=True)
class JournalState:
    """What the screen must know about the journal."""

    accepted: int
    """The highest sequence that is safely on disk: only these entries may be called accepted."""
    pending: int
    """Rows that wait in memory."""
    fault: str | None
    """A sentence when rows cannot be written now, else None."""


class Journal(Protocol):
    """An append-only stream of records with a heartbeat beside it.

    `append` and `beat` never block and never raise for the disk's sake: rows wait in memory, in order, and go in when they can.
    """

    def append(self, records: Sequence[Record]) -> int:
        """Hand over records that belong together: they are committed in one transaction, or wait together.

        Returns:
            The sequence number of the last of them.
        """
        ...

    def beat(self, at: Instant) -> None:
        """Note that the table is alive at `at`; only the newest beat is kept."""
        ...

    def last_beat(self) -> Beat | None:
        """The newest beat on disk from before this journal was opened, or None."""
        ...

    def rows(self, after: int = 0) -> Iterator[Row]:
        """All accepted rows with a sequence above `after`, in order."""
        ...

    def state(self) -> JournalState:
        """What is accepted, what waits, what is wrong; cheap enough for every frame."""
        ...

    def flush(self, timeout_s: float) -> bool:
        """Wait until everything handed over is on disk; False when that did not happen in time."""
        ...

    def close(self) -> None:
        """Write what can be written and let go of the disk."""
        ...


class Roster(Protocol):
    """The officials that this table knows. A PIN on the number pad and, later, a badge's number are both a secret that tells who it is."""

    def find(self, secret: str) -> Official | None:
        """Whose secret this is, or None where it is nobody's; it may take a tenth of a second, whoever it is.

        Raises:
            RosterUnavailable: Who is known cannot be read; a secret is neither right nor wrong then.
        """
        ...

    def officials(self) -> tuple[Official, ...]:
        """Everybody who is known, in the order in which they were entered.

        Raises:
            RosterUnavailable: Who is known cannot be read.
        """
        ...
