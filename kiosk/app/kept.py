"""Small files that must not be lost: written as a whole or not at all, for their owner's eyes only, changed by one process at a time."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kiosk.journal.store import sync_folder
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LARGEST = 1_000_000
"""No kept file has more bytes."""

PATIENCE_S = 5.0
"""How long another process's change is waited for."""


class Damaged(ValueError):
    """What stands in a file is not what was written there."""


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep other processes from changing the kept files of a folder, by a lock on the folder itself; the kernel lets go of it at death.

    Raises:
        OSError: The folder cannot be had, or another process does not let go of it.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _lock(descriptor)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> None:
    limit = time.monotonic() + PATIENCE_S
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > limit:
                raise
            time.sleep(0.02)
        else:
            return


def read(path: Path) -> str:
    """The text of a kept file.

    Raises:
        OSError: It is not there, or cannot be read.
        Damaged: It is too long or no text.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(LARGEST + 1) or b""
    if len(data) > LARGEST:
        raise Damaged(_("it has more than {largest} bytes", largest=LARGEST))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Damaged(_("it is not UTF-8 text")) from error


def write(path: Path, text: str, mode: int = 0o600) -> None:
    """Replace a kept file: after a power cut at any instant there is the old one or the new one, whole.

    Written by root (`sudo`), it belongs to whom the folder belongs to, so that the table can still read it.

    Args:
        path: The file.
        text: What it is to say.
        mode: Who may read and write it; its owner only.

    Raises:
        OSError: It cannot be written; the old one stands.
    """
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    try:
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(descriptor, mode)
            if os.geteuid() == 0:
                owner = path.parent.stat()
                os.fchown(descriptor, owner.st_uid, owner.st_gid)
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(descriptor)
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def set_aside(path: Path) -> Path:
    """Rename a damaged file to `….damaged-1.json` (2, 3 …); nothing is overwritten.

    Returns:
        Its new place.

    Raises:
        OSError: It cannot be renamed.
    """
    number = 1
    while (aside := path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")).exists():
        number += 1
    path.rename(aside)
    sync_folder(path.parent)
    return aside


def last_aside(path: Path) -> Path | None:
    """The newest file that was set aside here, or None."""
    number, newest = 1, None
    while (aside := path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")).exists():
        number, newest = number + 1, aside
    return newest
