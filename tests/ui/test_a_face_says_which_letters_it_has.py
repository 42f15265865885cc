from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from kiosk.ui.letters import FACES, FOLDER, covered, lacking


@pytest.mark.parametrize("name", [name for face in FACES for name in face])
def test_it_reads_what_a_library_of_fonts_reads(name: str) -> None:
    assert covered((FOLDER / name).read_bytes()) == set(TTFont(FOLDER / name).getBestCmap())


def test_the_bundled_faces_lack_nothing() -> None:
    assert lacking() == ()


def test_a_face_without_georgian_is_noticed(tmp_path: Path) -> None:
    for face in FACES:
        for name in face:
            shutil.copy(FOLDER / face[0], tmp_path / name)
    ((language, letters),) = lacking(tmp_path)
    assert (language, letters[:3]) == ("ka", "აბგ")


@pytest.mark.parametrize("broken", [b"", b"\0\1\0\0\0\0", b"\0\1\0\0\0\1" + bytes(6) + b"cmap" + bytes(12) + bytes(40)])
def test_what_is_no_face_is_said(broken: bytes) -> None:
    with pytest.raises(ValueError, match="face"):
        covered(broken)


def test_segments_that_point_at_glyph_0_are_no_letters() -> None:
    head = b"\0\1\0\0\0\1" + bytes(6) + b"cmap" + bytes(4) + (28).to_bytes(4, "big") + bytes(4)
    cmap = bytes.fromhex("0000 0001 0003 0001 0000000c".replace(" ", ""))
    segments = bytes.fromhex("0004 0028 0000 0004 0000 0000 0000 0042 ffff 0000 0041 ffff 0000 0001 0004 0000 0000 0005".replace(" ", ""))
    assert covered(head + cmap + segments) == {0x42}
