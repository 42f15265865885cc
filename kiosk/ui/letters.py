"""Which letters a bundled face has, read from its file: it needs no display, and no thread that draws is disturbed by it."""

from __future__ import annotations

import struct
from pathlib import Path

FOLDER = Path(__file__).with_name("fonts")
FACES = (
    ("NotoSans-CondensedSemiBold.ttf", "NotoSansGeorgian-CondensedSemiBold.ttf"),
    ("NotoSans-ExtraCondensedBold.ttf", "NotoSansGeorgian-ExtraCondensedBold.ttf"),
)
"""Each face with the one that stands in for its Georgian letters."""

ALPHABETS = {
    "en": "abcdefghijklmnopqrstuvwxyz",
    "ru": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
    "mk": "абвгдѓежзѕијклљмнњопрстќуфхцчџш",
    "ka": "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ",
}
"""What people's names and the screen's words are written with."""


def lacking(folder: Path = FOLDER) -> tuple[tuple[str, str], ...]:
    """Each language of which a face lacks letters, and those.

    Args:
        folder: Where the faces are.

    Raises:
        OSError: A face cannot be read.
        ValueError: A file is no face.
    """
    found = []
    covers = [frozenset().union(*(covered((folder / name).read_bytes()) for name in face)) for face in FACES]
    for language, small in ALPHABETS.items():
        wanted = small if language == "ka" else small + small.upper()
        missing = "".join(letter for letter in wanted if any(ord(letter) not in cover for cover in covers))
        if missing:
            found.append((language, missing))
    return tuple(found)


def covered(face: bytes) -> frozenset[int]:
    """The code points that a TrueType face has a glyph for.

    Args:
        face: The file's bytes.

    Raises:
        ValueError: It is none, or has no table of letters that is read here.
    """
    try:
        start = _table(face, b"cmap")
        (count,) = struct.unpack_from(">H", face, start + 2)
        offsets = [start + struct.unpack_from(">HHI", face, start + 4 + 8 * i)[2] for i in range(count)]
        found = [_format_4(face, at) for at in offsets if struct.unpack_from(">H", face, at)[0] == 4]
    except struct.error as error:
        raise ValueError("This file is no TrueType face.") from error
    if not found:
        raise ValueError("This face has no table of letters.")
    return frozenset().union(*found)


def _table(face: bytes, tag: bytes) -> int:
    (count,) = struct.unpack_from(">H", face, 4)
    for i in range(count):
        name, _sum, offset, _length = struct.unpack_from(">4sIII", face, 12 + 16 * i)
        if name == tag:
            return int(offset)
    raise ValueError("This file is no TrueType face.")


def _format_4(face: bytes, at: int) -> frozenset[int]:
    """Segments of code points; one that maps to glyph 0 is missing."""
    twice = struct.unpack_from(">H", face, at + 6)[0]
    count = twice // 2
    ends, starts, deltas, places = at + 14, at + 16 + twice, at + 16 + 2 * twice, at + 16 + 3 * twice
    letters: set[int] = set()
    for i in range(count):
        end, start, delta, place = (struct.unpack_from(">H", face, where + 2 * i)[0] for where in (ends, starts, deltas, places))
        for code in range(start, min(end, 0xFFFE) + 1):
            glyph = code
            if place:
                glyph = struct.unpack_from(">H", face, places + 2 * i + place + 2 * (code - start))[0]
                if not glyph:
                    continue
            if (glyph + delta) % 65_536:
                letters.add(code)
    return frozenset(letters)
