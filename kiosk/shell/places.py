"""Where things are kept: whether what is written to a folder is still there after a reboot."""

from __future__ import annotations

import re
from pathlib import Path

MOUNTS = Path("/proc/self/mounts")

FORGETFUL = {"tmpfs", "ramfs", "overlay"}
"""File systems that lose everything at a reboot."""


def forgetful(folder: Path) -> str | None:
    """The file system's name if it loses everything at a reboot, else None.

    Args:
        folder: Whether it is there or is still to be made.
    """
    best, kind = "", ""
    try:
        mounts = MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    place = str(folder.resolve())
    for line in mounts:
        _, where, name, *_ = line.split(" ")
        where = re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), where)
        inside = place == where or place.startswith(where.rstrip("/") + "/")
        if inside and len(where) >= len(best):
            best, kind = where, name
    return kind if kind in FORGETFUL else None
