"""A file layer for SQLite that notes every write, truncation, sync, creation and deletion, and a disk that loses what was not synced.

The layer is SQLite's own one with four functions wrapped, registered through the C interface of the very library that Python uses:
nothing is compiled, nothing is preloaded. `Disk` then plays any prefix of the notes and tells what the medium holds when the power
goes at that point: for certain only what was synced, and of the rest any part, torn at sectors of 512 bytes.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import random
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

SECTOR = 512
CREATE, JOURNALS = 0x4, 0x800 | 0x80000
"""SQLite's flags of opening: may be created; is a rollback journal or a write-ahead file."""

Vp, Int, Long = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
OPEN = ctypes.CFUNCTYPE(Int, Vp, Vp, Vp, Int, Vp)
DELETE = ctypes.CFUNCTYPE(Int, Vp, ctypes.c_char_p, Int)
WRITE = ctypes.CFUNCTYPE(Int, Vp, Vp, Int, Long)
TRUNCATE = ctypes.CFUNCTYPE(Int, Vp, Long)
SYNC = ctypes.CFUNCTYPE(Int, Vp, Int)


class Vfs(ctypes.Structure):
    _fields_ = (
        *((name, Int) for name in ("version", "file_size", "path_size")),
        *((name, Vp) for name in ("next", "name", "data", "open", "delete")),
        ("others", Vp * 16),
    )


class Methods(ctypes.Structure):
    _fields_ = (("version", Int), *((name, Vp) for name in ("close", "read", "write", "truncate", "sync")), ("others", Vp * 16))


@dataclass(frozen=True)
class Note:
    what: str
    name: str = ""
    offset: int = 0
    """Where a write begins; the size after a truncation; 1 where a deletion or a sync puts the folder on disk; the accepted sequence."""
    data: bytes = b""


class Recorder:
    """Notes what SQLite does to the files in one folder."""

    def __init__(self, folder: Path) -> None:
        self.notes: list[Note] = []
        self._folder = folder
        self._library = ctypes.CDLL(_sqlite3.__file__)
        self._library.sqlite3_vfs_find.restype = ctypes.POINTER(Vfs)
        self._original = self._library.sqlite3_vfs_find(None)
        self._names: dict[int, str] = {}
        self._unlinked: set[int] = set()
        self._methods: dict[int, Methods] = {}
        self._kept: list[Any] = [ctypes.create_string_buffer(b"recorder"), OPEN(self._opened), DELETE(self._deleted)]
        vfs = Vfs.from_buffer_copy(self._original.contents)
        vfs.name, vfs.open, vfs.delete = (ctypes.cast(part, Vp).value for part in self._kept)
        self._vfs = vfs

    @contextmanager
    def recording(self) -> Iterator[None]:
        self._library.sqlite3_vfs_register(ctypes.byref(self._vfs), 1)
        try:
            yield
        finally:
            self._library.sqlite3_vfs_register(self._original, 1)
            self._library.sqlite3_vfs_unregister(ctypes.byref(self._vfs))

    def _opened(self, vfs: int, name: int | None, file: int, flags: int, out: int | None) -> int:
        code = OPEN(self._original.contents.open)(vfs, name, file, flags, out)
        path = Path(ctypes.string_at(name).decode()) if name else None
        if code == 0 and path is not None and path.parent == self._folder:
            self._names[file] = path.name
            if flags & CREATE and flags & JOURNALS:
                self._unlinked.add(file)
            self.notes.append(Note("open", path.name))
            slot = ctypes.cast(file, ctypes.POINTER(Vp))
            slot[0] = ctypes.addressof(self._wrapped(slot[0]))
        return int(code)

    def _wrapped(self, address: Any) -> Methods:
        if address not in self._methods:
            original = Methods.from_address(address)
            made = Methods.from_buffer_copy(original)
            wrappers = (
                WRITE(self._writer(original.write)),
                TRUNCATE(self._truncater(original.truncate)),
                SYNC(self._syncer(original.sync)),
            )
            made.write, made.truncate, made.sync = (ctypes.cast(wrapper, Vp).value for wrapper in wrappers)
            self._kept += wrappers
            self._methods[address] = made
            self._methods[ctypes.addressof(made)] = made
        return self._methods[address]

    def _writer(self, original: int) -> Any:
        def write(file: int, data: int, size: int, offset: int) -> int:
            self.notes.append(Note("write", self._names[file], offset, ctypes.string_at(data, size)))
            return int(WRITE(original)(file, data, size, offset))

        return write

    def _truncater(self, original: int) -> Any:
        def truncate(file: int, size: int) -> int:
            self.notes.append(Note("truncate", self._names[file], size))
            return int(TRUNCATE(original)(file, size))

        return truncate

    def _syncer(self, original: int) -> Any:
        def sync(file: int, flags: int) -> int:
            code = int(SYNC(original)(file, flags))
            self.notes.append(Note("sync", self._names[file], int(file in self._unlinked)))
            self._unlinked.discard(file)
            return code

        return sync

    def _deleted(self, vfs: int, name: bytes, sync: int) -> int:
        code = int(DELETE(self._original.contents.delete)(vfs, name, sync))
        if code == 0:
            self.notes.append(Note("delete", Path(name.decode()).name, sync))
        return code


@dataclass
class _Inode:
    safe: bytearray = field(default_factory=bytearray)
    loose: list[Note] = field(default_factory=list)


class Disk:
    """What the medium holds; play notes into it in order."""

    def __init__(self) -> None:
        self._names: dict[str, _Inode] = {}
        self._safe_names: dict[str, _Inode] = {}

    def play(self, note: Note) -> None:
        if note.what == "open":
            self._names.setdefault(note.name, _Inode())
        elif note.what == "delete":
            self._names.pop(note.name, None)
        elif note.what == "sync":
            inode = self._names[note.name]
            for one in inode.loose:
                _apply(inode.safe, one)
            inode.loose.clear()
        elif note.what in {"write", "truncate"}:
            self._names[note.name].loose.append(note)
        if note.what in {"sync", "delete"} and note.offset:
            self._safe_names = dict(self._names)

    def image(self, seed: int | None) -> dict[str, bytes]:
        """The files after a power cut: None loses all that was not synced, a seed keeps some of it, in sectors."""
        if seed is None:
            return {name: bytes(inode.safe) for name, inode in self._safe_names.items()}
        chance = random.Random(seed)
        names = chance.choice((self._safe_names, self._names))
        return {name: _torn(inode, chance) for name, inode in names.items()}


def _torn(inode: _Inode, chance: random.Random) -> bytes:
    content = bytearray(inode.safe)
    for note in inode.loose:
        if note.what == "truncate":
            if chance.random() < 0.5:
                _apply(content, note)
            continue
        for part in _sectors(note):
            if chance.random() < 0.5:
                _apply(content, part)
    return bytes(content)


def _sectors(note: Note) -> Iterator[Note]:
    position = 0
    while position < len(note.data):
        size = SECTOR - (note.offset + position) % SECTOR
        yield Note("write", note.name, note.offset + position, note.data[position : position + size])
        position += size


def _apply(content: bytearray, note: Note) -> None:
    if note.what == "truncate":
        del content[note.offset :]
        content.extend(bytes(note.offset - len(content)))
        return
    end = note.offset + len(note.data)
    content.extend(bytes(max(0, end - len(content))))
    content[note.offset : end] = note.data


def images(notes: list[Note], seeds: list[int | None]) -> Iterator[tuple[int, int, dict[str, bytes]]]:
    """Every different state of the medium at every point: the point, the last accepted sequence then, the files."""
    disk, accepted = Disk(), 0
    seen: dict[int, set[int]] = defaultdict(set)
    for point, note in enumerate(notes):
        if note.what == "accepted":
            accepted = note.offset
        disk.play(note)
        for seed in seeds:
            files = disk.image(None if seed is None else seed + point)
            mark = hash(tuple(sorted(files.items())))
            if mark not in seen[accepted]:
                seen[accepted].add(mark)
                yield point, accepted, files
