"""Marks of recovered PINs: `recovered.json` beside the journal, until the next start of the table has put them into the journal.

`kiosk officials recover` leaves a mark before it changes the PIN: a mark without a change says that somebody tried; there is no
change without a mark. The start reads the marks, records them, waits until they are on disk and only then forgets them; one that is
cut short in between records them once more.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from kiosk.app import kept
from kiosk.domain.errors import RosterUnavailable
from kiosk.journal.store import sync_folder
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FILE = "recovered.json"


@dataclass(frozen=True, slots=True)
class Recovery:
    """A PIN was set anew on the table's own console."""

    official: str
    """Whose; empty where the mark itself was damaged, which is a mark too."""
    by: str
    """The system's name of whoever did it; empty likewise."""
    wall_ns: int
    """The system's date then: nanoseconds since 1970 in UTC, right or not; 0 likewise."""
    wall_trusted: bool
    """Whether the date had been set by then."""


UNREADABLE = Recovery("", "", 0, wall_trusted=False)
"""Stands for marks that cannot be read any more."""


def take_recoveries(folder: Path) -> list[Recovery]:
    """The marks that no start has recorded yet; they stay until they are forgotten.

    Args:
        folder: The data folder.

    Raises:
        RosterUnavailable: The marks cannot be read.
    """
    try:
        return _marks(folder / FILE)
    except kept.Damaged:
        return [UNREADABLE]
    except OSError as error:
        raise RosterUnavailable(_("{path} cannot be read: {why}.", path=folder / FILE, why=error.strerror or error)) from error


def forget_recoveries(folder: Path, recorded: Sequence[Recovery]) -> None:
    """Drop marks that are safely in the journal; one that came meanwhile stays, a damaged file is set aside.

    Args:
        folder: The data folder.
        recorded: What `take_recoveries` had given.

    Raises:
        RosterUnavailable: They cannot be dropped; the next start will find them again.
    """
    path = folder / FILE
    if not recorded:
        return
    try:
        with kept.held(folder):
            try:
                left = [mark for mark in _marks(path) if mark not in recorded]
            except kept.Damaged:
                kept.set_aside(path)
                return
            if left:
                kept.write(path, _text(left))
            else:
                path.unlink(missing_ok=True)
                sync_folder(folder)
    except OSError as error:
        raise RosterUnavailable(_("{path} cannot be changed: {why}.", path=path, why=error.strerror or error)) from error


def add_mark(folder: Path, mark: Recovery) -> None:
    """Leave a mark, on disk when this returns; the caller holds the folder.

    Raises:
        OSError: It cannot be written.
    """
    path = folder / FILE
    try:
        marks = _marks(path)
    except kept.Damaged:
        kept.set_aside(path)
        marks = [UNREADABLE]
    kept.write(path, _text([*marks, mark]))


def _text(marks: Sequence[Recovery]) -> str:
    return json.dumps([asdict(mark) for mark in marks], indent=1, ensure_ascii=False) + "\n"


def _marks(path: Path) -> list[Recovery]:
    try:
        plain: Any = json.loads(kept.read(path))
    except FileNotFoundError:
        return []
    except (ValueError, RecursionError) as error:
        raise kept.Damaged(_("it is not JSON")) from error
    if not isinstance(plain, list) or not plain:
        raise kept.Damaged(_("it is no list of marks"))
    return [_mark(mark) for mark in plain]


def _mark(plain: object) -> Recovery:
    wanted = {"official": str, "by": str, "wall_ns": int, "wall_trusted": bool}
    if not isinstance(plain, dict) or {name: type(value) for name, value in plain.items()} != wanted:
        raise kept.Damaged(_("a mark in it is none"))
    return Recovery(**plain)
