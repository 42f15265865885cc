"""The receipt as dots: the same marks as its PDF, every alphabet, a code that is read back, and nothing beyond the paper's edge."""

from __future__ import annotations

import pytest
import zxingcpp
from PIL import Image

from kiosk.sheets import qr_text, to_dots, to_receipt
from kiosk.sheets.paper import Paper
from kiosk.sheets.raster import WIDE, dots
from tests.sheets.evenings import line, opened, sheet_of

EVENING = (
    opened(1, players={"left": "Ѓорѓи Ќосев", "right": "Ґалаґан Љубица"}),
    line(0, "press", side="right"),
    line(10, "press", side="left"),
    line(20, "press", side="right"),
    line(25, "game", winner="left", kind="single"),
    line(30, "confirm", by="right"),
)


def picture(rows: bytes) -> Image.Image:
    """Black on white."""
    return Image.frombytes("1", (WIDE, len(rows) * 8 // WIDE), bytes(byte ^ 0xFF for byte in rows))


def written(text: str, *, bold: bool = False, size: float = 12) -> bytes:
    paper = Paper(80, 10)
    paper.text(10, 6, text, size, bold=bold)
    return dots(paper)


def ink(rows: bytes) -> tuple[int, int, int, int]:
    """The rectangle in which there is ink."""
    found = picture(rows).convert("L").point([255] + [0] * 255).getbbox()
    assert found is not None
    return found


def test_a_row_is_what_a_printer_prints_of_its_paper() -> None:
    rows = to_dots(sheet_of(*EVENING))
    assert WIDE == 576
    assert len(rows) % 72 == 0
    left, _top, right, bottom = ink(rows)
    assert left >= 0
    assert right <= WIDE
    assert 0 < len(rows) // 72 - bottom < 120


def test_its_code_is_read_back_from_the_dots() -> None:
    sheet = sheet_of(*EVENING)
    (code,) = zxingcpp.read_barcodes(picture(to_dots(sheet)).convert("L"))
    assert code.text == qr_text(sheet)


@pytest.mark.parametrize(("letter", "like"), [("Ѓ", "Г"), ("Ќ", "К"), ("Ґ", "Г"), ("Љ", "Л"), ("ї", "і"), ("ქ", "?"), ("é", "e")])
def test_every_alphabet_is_printed_in_its_own_letters(letter: str, like: str) -> None:
    assert ink(written(letter)) != (0, 0, 0, 0)
    assert written(letter) != written(like)
    assert written(letter) != written("?")


def test_words_stand_where_they_stand_on_paper_and_as_large() -> None:
    left, top, right, bottom = ink(written("HH"))
    assert left == pytest.approx((10 - 4) * 8, abs=4)
    assert bottom == pytest.approx(6 * 8, abs=1)
    assert bottom - top == pytest.approx(12 * 25.4 / 72 * 0.714 * 8, abs=1.5)
    bold = ink(written("HH", bold=True))
    assert bold[2] > right


def test_greys_are_black_or_white() -> None:
    paper = Paper(80, 10)
    paper.box(10, 1, 5, 2, grey=238)
    paper.box(20, 1, 5, 2, grey=0)
    paper.line((30, 2), (40, 2), thick=0.05, grey=170)
    rows = dots(paper)
    assert ink(rows)[:2] == (128, 8)
    assert ink(rows)[2] >= (40 - 4) * 8


def test_a_receipt_longer_than_a_page_goes_on_below() -> None:
    paper = Paper(80, 5000)
    paper.text(10, 6, "first", 12)
    paper.turn_page()
    paper.text(10, 6, "second", 12)
    _left, top, _right, bottom = ink(dots(paper))
    assert bottom - top < 20 * 8


def test_an_empty_page_is_a_row() -> None:
    assert len(dots(Paper(80, 0))) == 72


def test_dots_and_pdf_are_of_one_receipt() -> None:
    sheet = sheet_of(*EVENING)
    box = next(part for part in to_receipt(sheet).split(b"/MediaBox [")[1:]).split(b"]")[0].split()
    high_mm = float(box[3]) * 25.4 / 72
    assert len(to_dots(sheet)) // 72 == pytest.approx(high_mm * 8, abs=60)
