"""What can be known of each part of the box: figures, before anybody judges them. Also what `kiosk doctor --json` shows of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FolderFigures:
    """The data folder."""

    path: str
    exists: bool
    writable: bool
    """This user may write there, or make it."""
    forgets: str = ""
    """The file system's name where it forgets everything at a reboot; else empty."""


@dataclass(frozen=True, slots=True)
class DiskFigures:
    """The disk under it, in bytes."""

    total: int
    free: int
    """For this user."""


@dataclass(frozen=True, slots=True)
class SyncFigures:
    """How long a page takes until it is safely on disk: written and synced, in the data folder."""

    spent_ns: tuple[int, ...]
    """Each trial."""


@dataclass(frozen=True, slots=True)
class JournalFigures:
    """The journal."""

    path: str
    exists: bool
    rows: int = 0
    """Rows whose chain holds."""
    size: int = 0
    """Bytes, with its write-ahead file."""
    fault: str = ""
    """What does not hold, or why it cannot be read."""
    holder: int | None = None
    """The process that writes it now; None where nobody does."""


@dataclass(frozen=True, slots=True)
class TimeFigures:
    """The date."""

    synchronised: bool
    source: str = ""
    """What keeps it right: `systemd-timesyncd`, `chrony`, `the kernel`; empty where nothing does."""
    battery: str = ""
    """The battery clock's name, empty where there is none."""
    shown: str = ""
    """Date and time as the system has them."""


@dataclass(frozen=True, slots=True)
class HeatFigures:
    """The warmest sensor, in degrees Celsius; None where there is none."""

    celsius: float | None


@dataclass(frozen=True, slots=True)
class PowerFigures:
    """What the Pi's firmware says of its supply and its speed."""

    pi: bool
    """It is a Raspberry Pi."""
    word: int | None = None
    """The bits of `get_throttled`; None where it cannot be read."""


@dataclass(frozen=True, slots=True)
class PinFigures:
    """The buttons' pins."""

    simulated: bool = False
    chip: str = ""
    label: str = ""
    others: tuple[str, ...] = ()
    lines: tuple[tuple[str, int, str], ...] = ()
    """Button, BCM number, who holds it (empty: nobody)."""
    fault: str = ""
    table_runs: bool = False
    """A table runs on this box; it holds them."""


@dataclass(frozen=True, slots=True)
class ButtonFigures:
    """One button, as it was pressed in a trial."""

    line: str
    presses: int
    movements: int
    edges: int
    worst_ns: int
    """The longest bounce."""
    simulated: bool = False
    fault: str = ""
    """Why it could not be tried."""


@dataclass(frozen=True, slots=True)
class PartFigures:
    """A part that may be configured: a lamp, the sounder, a badge reader, a printer, a button box."""

    name: str
    """Its word."""
    what: str
    """What it is, in a few words, in the language spoken now."""
    configured: str = ""
    """As it is configured; empty where it is not."""
    detail: str = ""
    """What was found."""
    fault: str = ""
    """Why it does not work; empty where it does."""


@dataclass(frozen=True, slots=True)
class PanelFigures:
    """A panel."""

    connector: str
    """As the kernel calls it, such as `HDMI-A-1`, or what shows the window."""
    w: int
    """Pixels."""
    h: int
    mm: tuple[int, int] | None = None
    """Width and height; None where neither the panel nor the configuration says it."""
    source: str = ""
    """Who says so: `EDID`, `inch`, `usual`."""
    target_px: int = 0
    """The smallest target, in pixels."""


@dataclass(frozen=True, slots=True)
class FontFigures:
    """The screen's faces."""

    lacking: tuple[tuple[str, str], ...]
    """Language and the letters that a face lacks."""
    faces: int
    languages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ServerFigures:
    """The tournament server."""

    url: str = ""
    """Empty where none was joined."""
    event: str = ""
    trip_ns: int | None = None
    """A question and its answer on an open connection."""
    days: int | None = None
    """Until its certificate ends; negative when it has; None where it cannot be read."""
    fault: str = ""
    """Why it is not reached, or what is wrong with what answers."""


@dataclass(frozen=True, slots=True)
class VersionFigures:
    """What runs here."""

    tableside: str
    python: str
    sdl: str
    sqlite: str
    kernel: str
    system: str
    model: str


Figures = (
    FolderFigures
    | DiskFigures
    | SyncFigures
    | JournalFigures
    | TimeFigures
    | HeatFigures
    | PowerFigures
    | PinFigures
    | ButtonFigures
    | PartFigures
    | PanelFigures
    | FontFigures
    | ServerFigures
    | VersionFigures
)
"""What one look finds out."""
