"""USB sticks: which are mounted, and writing a file to one so that it can be pulled out afterwards."""

from __future__ import annotations

import contextlib
import errno
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from kiosk.domain.errors import KioskError
from kiosk.journal.store import sync_folder
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
            return sorted(folder for folder in under.iterdir() if folder.is_dir() and not folder.name.startswith("."))
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


def put(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files to a stick: all of them whole and on the medium when this returns, or none.

    Args:
        folder: Where the stick is mounted.
        files: What each file, by its name, is to hold; one that is there already is replaced.

    Raises:
        StickFault: They cannot be written; what was there before is as it was.
    """
    parts = {folder / f".{name}.part": folder / name for name in files}
    try:
        try:
            for part, data in zip(parts, files.values(), strict=True):
                descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
                with os.fdopen(descriptor, "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(descriptor)
            for part, path in parts.items():
                part.replace(path)
            sync_folder(folder)
        except OSError:
            for part in parts:
                part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StickFault(_sentence(folder, error)) from error


def put_somewhere(folders: Sequence[Path], files: Mapping[str, bytes]) -> Path:
    """Write files to the first stick that takes them.

    Returns:
        That stick.

    Raises:
        StickFault: None does; the text is about the last one.
    """
    for folder in folders[:-1]:
        with contextlib.suppress(StickFault):
            put(folder, files)
            return folder
    put(folders[-1], files)
    return folders[-1]


def part_of_a_name(words: str, most: int) -> str:
    """What people typed as a part of a file's name that every system takes: letters, digits and hyphens, at most so many bytes."""
    plain = re.sub(r"[^\w]+", "-", words).strip("-")
    return plain.encode()[:most].decode(errors="ignore").strip("-")


def _sentence(folder: Path, error: OSError) -> str:
    name = folder.name
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return _("The stick {name} is full; make room on it, or take another one. Nothing is lost: the journal has it.", name=name)
        case errno.EROFS | errno.EACCES | errno.EPERM:
            return _("The stick {name} cannot be written to: it is write-protected, or not this table's. Take another one.", name=name)
        case errno.ENOENT | errno.ENODEV | errno.EIO | errno.ENXIO | errno.ENOTDIR:
            return _("The stick {name} was pulled out or is broken; put it in again, or take another one. Nothing is lost.", name=name)
        case _:
            return _(
                "The stick {name} cannot be written to: {why}. Take another one. Nothing is lost.",
                name=name,
                why=error.strerror or error,
            )
