"""The QR text: compact, versioned, and refused with a sentence when it is not whole."""

from __future__ import annotations

from dataclasses import replace

import pytest
from boundary import BOUNDARY, boundary

from kiosk.domain.errors import KioskError
from kiosk.domain.types import Pair, Side
from kiosk.sheets import NotAQrText, QrText, qr_of, qr_text, read_qr

DIGEST = "0123456789abcdef" * 4
WHOLE = f"TS1|m-1|2|7:5|L|score|10|{DIGEST}"


@pytest.mark.parametrize("name", BOUNDARY)
def test_what_a_sheet_says_is_read_back(name: str) -> None:
    sheet = boundary(name)
    read = read_qr(f"  {qr_text(sheet)}\n")
    assert read == qr_of(sheet) == QrText(sheet.match, sheet.revision, sheet.score, sheet.winner, sheet.how, sheet.standing, sheet.digest)
    assert len(qr_text(sheet)) < 140


@pytest.mark.parametrize("match", ["a|b", "матч №1", "50% %41", "x y", "=1"])
def test_any_match_id_is_read_back(match: str) -> None:
    sheet = replace(boundary("one game"), match=match)
    assert read_qr(qr_text(sheet)).match == match
    assert qr_text(sheet).isascii()


def test_the_text_is_what_its_description_says() -> None:
    assert read_qr(WHOLE) == QrText("m-1", 2, Pair(7, 5), Side.LEFT, "score", Pair("1", "0"), DIGEST)
    assert read_qr(WHOLE.replace("|L|score|10|", "|-|-|..|")).standing is None
    assert read_qr(WHOLE.replace("|L|score|10|", "|R|forfeit|-+|")).standing == Pair("−", "+")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "not the QR text of a Tableside sheet"),
        ("https://example.org", "not the QR text of a Tableside sheet"),
        (WHOLE.replace("TS1", "TS2"), "version 2"),
        (WHOLE.rsplit("|", 1)[0], "7 parts instead of 8"),
        (WHOLE + "|", "9 parts instead of 8"),
        (WHOLE.replace("m-1", ""), "The match"),
        (WHOLE.replace("m-1", "%FF"), "The match"),
        (WHOLE.replace("m-1", "a b"), "The match"),
        (WHOLE.replace("|2|", "|0|"), "The revision"),
        (WHOLE.replace("|2|", "|²|"), "The revision"),
        (WHOLE.replace("7:5", "7"), "The score"),
        (WHOLE.replace("|L|", "|X|"), "The winner"),
        (WHOLE.replace("score", "scored"), "The end"),
        (WHOLE.replace("|10|", "|1|"), "The standing"),
        (WHOLE.replace("|10|", "|.1|"), "The standing"),
        (WHOLE[:-1], "The digest"),
        (WHOLE.upper(), "The end"),
        (WHOLE[:-1] + "g", "The digest"),
    ],
)
def test_what_is_not_whole_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(NotAQrText, match=sentence) as refused:
        read_qr(text)
    assert isinstance(refused.value, KioskError)
    assert isinstance(refused.value, ValueError)
    assert "\n" not in str(refused.value)
