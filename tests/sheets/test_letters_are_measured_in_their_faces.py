"""A letter is taken from the face that has it, and is as wide as there; found out anew, whatever was asked before."""

from __future__ import annotations

import pytest
from fontTools.ttLib import TTFont

from kiosk.sheets import paper, raster
from kiosk.sheets.paper import FACES, PT, Paper, family_of, spelled, width
from tests.locale.catalogue import ROOT

LETTERS = {"A": "sans", "Љ": "sans", "ნ": "georgian"}


@pytest.fixture(autouse=True)
def _nothing_is_known() -> None:
    for kept in (paper._face, paper._family, paper._thousandths, raster._font):
        kept.cache_clear()


@pytest.mark.parametrize(("letter", "family"), LETTERS.items())
@pytest.mark.parametrize("bold", [False, True])
def test_a_letter_is_as_wide_as_in_its_face(letter: str, family: str, *, bold: bool) -> None:
    assert family_of(letter) == family
    font = TTFont(ROOT / "kiosk" / "sheets" / "fonts" / FACES[family, bold])
    wide = font["hmtx"].metrics[font.getBestCmap()[ord(letter)]][0] / font["head"].unitsPerEm
    assert width(letter, 12, bold=bold) == pytest.approx(wide * 12 * PT, abs=0.01)


def test_a_letter_that_no_face_has_is_seen_as_a_question_mark_and_counted_to_the_first_face() -> None:
    assert spelled("A字") == "A?"
    assert family_of("字") == "sans"


def test_a_printer_gets_each_letter_from_its_face() -> None:
    drawn = set()
    for letter in (*LETTERS, "字"):
        page = Paper(80, 10)
        page.text(10, 6, letter, 12)
        drawn.add(raster.dots(page))
    assert len(drawn) == 4
