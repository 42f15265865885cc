"""What a disk holds after a power cut, rebuilt from the notes of the file layer.

The model: contents reach the disk when their file is synced; a name reaches it when its folder is synced, or with the first sync of
the file it names. Whatever else had been done may be there or not, each 512-byte sector and each name on its own: that is the choice
that `Disk.after_cut` leaves to its caller.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

SECTOR = 512
_HEAD = struct.Struct("<cIQQ")


@dataclass(frozen=True, slots=True)
class Note:
    """One call that changed the folder."""

    kind: str
    name: str
    offset: int
    data: bytes


def read_notes(log: Path, folder: Path) -> Iterator[Note]:
    """The notes of the file layer, without the index that is shared in memory only."""
    text = log.read_bytes()
    at = 0
    while at < len(text):
        kind, length, offset, size = _HEAD.unpack_from(text, at)
        at += _HEAD.size
        path, data = text[at : at + length], text[at + length : at + length + size]
        at += length + size
        name = str(Path(path.decode()).relative_to(folder))
        if not name.endswith("-shm"):
            yield Note(kind.decode(), name, offset, data)


@dataclass(slots=True)
class File:
    """What is safe, and what was done since."""

    safe: bytes = b""
    undecided: list[Note] = field(default_factory=list)

    def now(self) -> bytes:
        return _applied(self.safe, self.undecided)

    def torn(self, chance: random.Random) -> bytes:
        """The safe contents and any of the undecided sectors and sizes."""
        done = []
        for note in self.undecided:
            if note.kind == "t":
                done += [note] if chance.random() < 0.5 else []
                continue
            for start in range(0, len(note.data), SECTOR):
                if chance.random() < 0.5:
                    done.append(Note("w", note.name, note.offset + start, note.data[start : start + SECTOR]))
        return _applied(self.safe, done)


def _applied(contents: bytes, notes: list[Note]) -> bytes:
    text = bytearray(contents)
    for note in notes:
        end = note.offset + len(note.data)
        if note.kind == "t":
            del text[note.offset :]
            end = note.offset
        text.extend(bytes(max(0, end - len(text))))
        text[note.offset : end] = note.data
    return bytes(text)


class Disk:
    """A folder as it is seen (`names`) and as it would be found (`safe_names`)."""

    def __init__(self) -> None:
        self.names: dict[str, File] = {}
        self.safe_names: dict[str, File] = {}

    def do(self, note: Note) -> None:
        match note.kind:
            case "c":
                self.names[note.name] = File()
            case "u":
                del self.names[note.name]
            case "r":
                self.names[Path(note.data.decode()).name] = self.names.pop(note.name)
            case "s" if note.name == ".":
                self.safe_names = dict(self.names)
            case "s":
                self._sync(note.name)
            case _:
                self.names[note.name].undecided.append(note)

    def _sync(self, name: str) -> None:
        file = self.names[name]
        file.safe, file.undecided = file.now(), []
        self.safe_names[name] = file

    def after_cut(self, chance: random.Random | None) -> dict[str, bytes]:
        """Contents by name: without `chance` only what is safe, else any of the rest as well."""
        if chance is None:
            return {name: file.safe for name, file in self.safe_names.items()}
        found = {}
        for name in sorted({*self.names, *self.safe_names}):
            file = chance.choice([self.names, self.safe_names]).get(name)
            if file is not None:
                found[name] = file.torn(chance)
        return found
