"""USB sticks: which are mounted, and writing a file to one so that it can be pulled out afterwards."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

from kiosk.domain.errors import KioskError
from kiosk.journal.store import sync_folder

MOUNTS = Path("/proc/self/mountinfo")

WHERE = ("/media/", "/run/media/", "/mnt/")
"""Below which removable media are mounted."""

NO_MEDIA = frozenset({"tmpfs", "autofs", "overlay", "proc", "sysfs", "nfs", "nfs4", "cifs", "fuse.sshfs"})
"""Kinds of file systems that are no stick, or may not answer for minutes."""


class StickFault(KioskError, OSError):
    """The world failed: a stick cannot be read or written; the text says what to do."""


def sticks(under: Path | None = None, mounts: Path = MOUNTS) -> list[Path]:
    """The folders at which removable media are mounted.

    Args:
        under: Take every folder in this one for a stick instead of asking the system.
        mounts: The system's table of mounts.
    """
    if under is not None:
        try:
            return sorted(folder for folder in under.iterdir() if folder.is_dir())
        except OSError:
            return []
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return sorted({place for line in lines if (place := _place(line)) is not None})


def _place(line: str) -> Path | None:
    """Where a line of mountinfo(5) mounts a stick, or None."""
    left, _, right = line.partition(" - ")
    fields, kind = left.split(), right.split()[:1]
    if len(fields) < 5 or not kind or kind[0] in NO_MEDIA:
        return None
    place = re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), fields[4])
    return Path(place) if place.startswith(WHERE) else None


def put(folder: Path, name: str, data: bytes) -> Path:
    """Write a file to a stick: whole and on the medium when this returns, or not at all.

    Args:
        folder: Where the stick is mounted.
        name: The file's name; one that is there already is replaced.
        data: What it holds.

    Returns:
        The file.

    Raises:
        StickFault: It cannot be written; what was there before is as it was.
    """
    path, part = folder / name, folder / f".{name}.part"
    try:
        try:
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(descriptor)
            part.replace(path)
            sync_folder(folder)
        except OSError:
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StickFault(_sentence(folder, error)) from error
    return path


def _sentence(folder: Path, error: OSError) -> str:
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return f"The stick {folder.name} is full; make room on it, or take another one. Nothing is lost: the journal has it."
        case errno.EROFS | errno.EACCES | errno.EPERM:
            return f"The stick {folder.name} cannot be written to: it is write-protected, or not this table's. Take another one."
        case errno.ENOENT | errno.ENODEV | errno.EIO | errno.ENXIO | errno.ENOTDIR:
            return f"The stick {folder.name} was pulled out or is broken; put it in again, or take another one. Nothing is lost."
        case _:
            return f"The stick {folder.name} cannot be written to: {error.strerror or error}. Take another one. Nothing is lost."
