"""What the shell reads off the machine: boot id, clocks, whether the date is right, where the data folder lies."""

from __future__ import annotations

import contextlib
import os
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from kiosk.shell import places

if TYPE_CHECKING:
    from datetime import tzinfo

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
SYNCED = (Path("/run/systemd/timesync/synchronized"), Path("/run/chrony/synchronized"))
LOCALTIME = Path("/etc/localtime")
NICENESS = -10
"""A press is on the screen at once whatever else the machine does; -20 would starve what draws the window."""

forgetful = places.forgetful


def boot_id() -> str:
    """Identifies this boot, and with it the monotonic clock's zero."""
    try:
        return BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return f"unknown-{time.time_ns() - time.monotonic_ns()}"


def zone() -> tzinfo:
    """The system's time zone; the one that holds now where it has no name, for all dates."""
    name = os.environ.get("TZ", "").removeprefix(":")
    try:
        if name:
            return ZoneInfo(name)
        with LOCALTIME.open("rb") as file:
            return ZoneInfo.from_file(file, key=str(LOCALTIME.resolve()).partition("zoneinfo/")[2] or None)
    except (OSError, ValueError, LookupError):
        return datetime.now().astimezone().tzinfo or UTC


def date_trusted() -> bool:
    """Whether the system says that its date has been set from the network (or by a battery clock that was)."""
    if any(path.exists() for path in SYNCED):
        return True
    import ctypes

    unsynchronised = 5  # TIME_ERROR of adjtimex(2)
    try:
        return bool(ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(512)) not in {unsynchronised, -1})
    except (OSError, AttributeError):
        return False


def served_first() -> int | None:
    """Have this process, and threads that it starts, served before other programs, where the system allows that.

    Returns:
        The niceness from before, or None where it was not changed.
    """
    with contextlib.suppress(OSError):  # only root, or a service with LimitNICE, may; the table works all the same
        before = os.getpriority(os.PRIO_PROCESS, 0)
        if before > NICENESS:
            os.setpriority(os.PRIO_PROCESS, 0, NICENESS)
            return before
    return None


class WallClock:
    """The system's date with a remembered answer to whether it can be trusted."""

    def __init__(self) -> None:
        """Ask once."""
        self.trusted = date_trusted()

    def __call__(self) -> tuple[int, bool]:
        """The date in nanoseconds since 1970, and whether it is trusted."""
        return time.time_ns(), self.trusted

    def newly_trusted(self) -> bool:
        """Ask again; True once, when the date has been set since."""
        if self.trusted:
            return False
        self.trusted = date_trusted()
        return self.trusted
