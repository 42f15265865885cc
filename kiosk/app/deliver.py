"""Files that a command writes for people: whole or not at all, and safely on disk when it is said."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from pathlib import Path

from kiosk.app.lines import say
from kiosk.domain.errors import JournalUnavailable, KioskError
from kiosk.journal.store import sync_folder
from kiosk.say import _, mark

SENTENCES = {
    errno.ENOSPC: mark("the disk is full"),
    errno.EDQUOT: mark("this user's share of the disk is full"),
    errno.EROFS: mark("the disk can only be read"),
    errno.EACCES: mark("this user may not write there"),
    errno.EPERM: mark("this user may not write there"),
    errno.EIO: mark("the disk does not answer, or was pulled out"),
    errno.ENODEV: mark("the disk was pulled out"),
    errno.ENOENT: mark("its folder does not exist"),
    errno.ENOTDIR: mark("its folder is a file"),
    errno.ENAMETOOLONG: mark("its name is too long"),
}
"""What an error of the system means to whoever wanted a file."""


class NotForATerminal(KioskError, ValueError):
    """You erred: bytes that no terminal shows."""


def deliver(data: bytes, output: Path | None, *, binary: bool = False) -> None:
    """Write to a file, or to standard output.

    Args:
        data: What to write.
        output: The file; None is standard output.
        binary: No text: a terminal does not get it.

    Raises:
        NotForATerminal: It would be shown on one.
        JournalUnavailable: It cannot be written; what stood there before stands there still.
    """
    if output is None or str(output) == "-":
        if binary and sys.stdout.isatty():
            raise NotForATerminal("--output: this is no text for a terminal; name a file with -o FILE, or send it on with > or |.")
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return
    try:
        write_whole(output, data, binary=binary)
    except OSError as error:
        why = f"{_(SENTENCES[error.errno])} ({error.strerror})" if error.errno in SENTENCES else error.strerror or str(error)
        raise JournalUnavailable(_("--output: {output} cannot be written: {why}.", output=output, why=why)) from error
    say(f"{output}: {len(data)} bytes.", err=True)


def write_whole(output: Path, data: bytes, *, binary: bool = False) -> None:
    """Replace a file in one step, on disk; follow a link, and write straight into what is no file (a pipe, a device).

    Raises:
        NotForATerminal: It is a terminal, and this is no text.
        OSError: It cannot be written; the old one stands.
    """
    target = output.resolve()
    if target.exists() and not target.is_file():
        with target.open("wb", buffering=0) as there:
            if binary and there.isatty():
                raise NotForATerminal(f"--output: {output} is a terminal, and this is no text.")
            _write_all(there.fileno(), data)
        return
    descriptor, made = tempfile.mkstemp(prefix=f".{target.name.encode()[:80].decode(errors='ignore')}.", suffix=".part", dir=target.parent)
    partial = Path(made)
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(descriptor, 0o666 & ~_mask())
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(target)
    except OSError:
        partial.unlink(missing_ok=True)
        raise
    try:
        sync_folder(target.parent)
    except OSError as error:
        if error.errno != errno.EINVAL:  # a file system whose folders cannot be synced
            raise


def _mask() -> int:
    """What this process keeps from other users of its files."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
