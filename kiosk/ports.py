"""What the inner rooms need from outside, as protocols: the journal, who may sign in, lamps and sounds.

Every port has one contract suite in `tests/`, run over each implementation, the shipped simulated twin included.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kiosk.domain.officials import Official
    from kiosk.domain.rulebook import Sanction
    from kiosk.domain.setup import MatchSetup
    from kiosk.domain.state import Place
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


@dataclass(frozen=True, slots=True)
class LinkState:
    """The table's connection to its tournament server, as the screen tells it."""

    joined: bool = False
    """It belongs to a server."""
    connected: bool = False
    """The server can be reached now."""
    since: Instant | None = None
    """Since when it is as it is, on this boot's clock; None while it is not joined."""
    unsynced: int = 0
    """Accepted entries that the server has not confirmed."""
    event: str = ""
    """What the organizer calls the event."""
    trouble: str = ""
    """A sentence where something is wrong beyond being offline (revoked, another certificate, a fork); else empty."""
    table: str = ""
    """What the server calls this table."""
    takes_over: str = ""
    """The id of a running match that waits to be taken over by this device; or empty."""
    address: str = ""
    """The server's public address, such as `https://192.168.1.20:8443`; empty where it is not joined."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """A ruling on one of a match's players, made earlier in this event, at any table."""

    player: str
    table: str
    match: str
    at_ns: int
    """The date of that table when it was made: nanoseconds since 1970, right or not."""
    infraction: str
    sanction: Sanction | None
    """None: on record only."""
    by: str
    note: str


class Uplink(Protocol):
    """The table's connection to its tournament server. Every call returns at once; what takes time happens beside the loop."""

    def state(self) -> LinkState:
        """How it stands; cheap enough for every frame."""
        ...

    def earlier(self, match: str) -> tuple[Earlier, ...] | None:
        """Earlier rulings of this event on a match's players; asking for them has them fetched.

        Returns:
            What is known, maybe nothing; None where it is not known (not joined, offline, or not here yet).
        """
        ...


class NoUplink:
    """A table that belongs to no server."""

    def state(self) -> LinkState:
        """Not joined."""
        return LinkState()

    def earlier(self, _match: str) -> tuple[Earlier, ...] | None:
        """Nothing is known."""
        return None


@dataclass(frozen=True, slots=True)
class Offer:
    """An organizer's match that can be opened at this table by a touch of both players."""

    match: str
    """Its id."""
    version: int
    """Goes up with each change that the organizer makes."""
    setup: MatchSetup
    place: Place


@dataclass(frozen=True, slots=True)
class FoundServer:
    """A tournament server that says on the local network that it is there; nothing is proved yet."""

    name: str
    """The event, as it calls it."""
    address: str
    """Such as `https://192.168.1.20:8443`."""


@dataclass(frozen=True, slots=True)
class Joined:
    """This table belongs to a server now."""

    event: str
    table: str
    """What the table is called from now on."""
    takes_over: str
    """The id of the running match that waits to be taken over from the device before, or empty."""


class Joining(Protocol):
    """Joining a tournament server from the screen. Each call may take seconds: it is made beside the loop."""

    def find(self) -> tuple[FoundServer, ...]:
        """The servers that are there.

        Raises:
            KioskError: They cannot be looked for; the sentence says what to do instead.
        """
        ...

    def join(self, address: str, code: str, *, replaces: bool) -> Joined:
        """Join by the code that the organizer shows.

        Args:
            address: As found or typed; a name or number with or without a port.
            code: As typed.
            replaces: This device takes the code's table over, with its running match.

        Raises:
            KioskError: It has not joined; the sentence says why.
        """
        ...

    def running(self) -> tuple[str, tuple[Row, ...]]:
        """The running match that this device is to take over: the table it comes from and its rows, their chain checked.

        Raises:
            KioskError: There is none, or it cannot be had.
        """
        ...

    def leave(self) -> None:
        """Belong to no server any more; what the journal holds stays.

        Raises:
            KioskError: What was kept of it cannot be removed.
        """
        ...


class Roster(Protocol):
    """The officials that this table knows. A PIN on the number pad and a badge's number (`badge_secret`) are secrets alike."""

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


Grade = Literal["good", "off", "doubt", "wrong", "waits"]
"""`off`: not configured or not there, and no fault; `doubt`: it works, and wants attention; `waits`: it is still being looked at."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of what the doctor found, in the language spoken when it was looked at."""

    name: str
    """Its word, for programs."""
    what: str
    """What was looked at, in a few words."""
    figure: str
    """What was found."""
    grade: Grade
    advice: str = ""
    """What to do, where something is to be done."""


class Sound(StrEnum):
    """What can be heard at a table."""

    PRESS = "press"
    """A clock has begun to run: somebody pressed, or it was let go on."""
    ALERT = "alert"
    """The table wants somebody to look at it."""
    LAST_SECONDS = "last_seconds"
    """Another of a reserve's last seconds has begun."""
    FLAG = "flag"
    """A reserve has run out."""


@dataclass(frozen=True, slots=True)
class Volumes:
    """How loud each sound is: 0 off, 1 soft, 2 medium, 3 loud."""

    press: int = 2
    alert: int = 2
    last_seconds: int = 2
    flag: int = 2
    quiet: bool = False
    """A quiet hall: nothing is more than soft, and the time is told by lamp and screen only."""

    def of(self, sound: Sound) -> int:
        """How loud a sound is now.

        Args:
            sound: Which.
        """
        loud = {Sound.PRESS: self.press, Sound.ALERT: self.alert, Sound.LAST_SECONDS: self.last_seconds, Sound.FLAG: self.flag}[sound]
        if not self.quiet:
            return loud
        return min(loud, 1) if sound in {Sound.PRESS, Sound.ALERT} else 0


Note = tuple[int, int]
"""A tone: hertz, 0 for a rest, and milliseconds."""


class Lamps(Protocol):
    """The lamps in the two buttons. Calls may take as long as the box does, so they are made beside the loop."""

    def light(self, *, left: bool, right: bool) -> None:
        """Let each lamp be lit or dark.

        Raises:
            Exception: A lamp cannot be switched; the text says which, and why.
        """
        ...

    def close(self) -> None:
        """Let go of them, dark; never raises."""
        ...


class Sounder(Protocol):
    """What can be heard. A call may take as long as its notes do, so it is made beside the loop."""

    def play(self, notes: Sequence[Note], volume: int) -> None:
        """Play notes, one after the other.

        Args:
            notes: What.
            volume: 1 soft, 2 medium, 3 loud.

        Raises:
            Exception: It cannot be heard; the text says why.
        """
        ...

    def close(self) -> None:
        """Let go of it, silent; never raises."""
        ...
