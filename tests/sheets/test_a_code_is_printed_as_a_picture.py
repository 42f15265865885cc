"""A code for a table is printed as a picture that a camera can read."""

from __future__ import annotations

from kiosk.sheets.qr import png, squares


def test_a_code_as_a_picture_has_ten_pixels_a_square_and_its_margin() -> None:
    picture = png("tableside:ABCD-EFGH")
    wide = int.from_bytes(picture[16:20], "big")
    assert picture.startswith(b"\x89PNG")
    assert wide == (len(squares("tableside:ABCD-EFGH")) + 8) * 10
