"""Blank sheets: what is known stands there, the rest has room, and whatever is signed stands with the games where that can be."""

from __future__ import annotations

import pypdfium2
import pytest
from boundary import BOUNDARY, WIDE, boundary
from evenings import opened, sheet_of
from test_printed_forms_agree import flat, outside, overlapping, pages

from kiosk import say
from kiosk.domain.setup import MatchSetup
from kiosk.domain.types import Pair
from kiosk.sheets import blank as module
from kiosk.sheets import to_blank
from kiosk.sheets.paper import Paper
from tests.locale.pseudo import Longer


def setup_of(length: int | None, **options: object) -> MatchSetup:
    return sheet_of(opened(length, **options)).setup


def numbers(pdf: bytes) -> list[int]:
    """The numbered rows."""
    rows = [[int(row) for row in text.split("\n") if row.isdigit()] for text in pages(pdf)]
    return [n for page in rows for n in page]


@pytest.mark.parametrize(("length", "rows"), [(1, 7), (3, 7), (5, 9), (7, 13), (15, 29), (25, 49), (99, 49)])
def test_there_is_a_row_for_every_game_that_a_match_can_have(length: int, rows: int) -> None:
    assert numbers(to_blank(setup_of(length))) == list(range(1, rows + 1))


def test_what_was_agreed_is_filled_in() -> None:
    setup = setup_of(7, provide="breaks", players={"left": ["Ана", "José"], "right": "ნინო"})
    text = "\n".join(pages(to_blank(setup, event="City open", round_name="Round 3", table="12", match="m-17", rulebook="IBGF backgammon")))
    for told in ("Ана / José", "ნინო", "City open", "Round 3", "12", "m-17", "IBGF backgammon", "7 points", "14:00", "1 break for each"):
        assert told in text
    assert "Breaks" in text
    assert "ibgf" not in text


def test_without_anything_known_there_are_only_lines_to_write_on() -> None:
    text = "\n".join(pages(to_blank()))
    assert [text.count(word) for word in ("Left side", "Right side", "Rulebook", "Games", "Breaks", "Signatures", "Referee")] == [
        2,
        2,
        1,
        1,
        1,
        1,
        1,
    ]
    assert numbers(to_blank()) == list(range(1, 14))


def test_names_length_and_control_can_be_given_without_a_setup() -> None:
    pdf = to_blank(names=Pair("Ana", "Boris"), length=9, control="2 min a point + 12 s", rulebook="House rules")
    text = "\n".join(pages(pdf))
    assert all(told in text for told in ("Ana", "Boris", "9 points", "2 min a point + 12 s", "House rules"))
    assert numbers(pdf) == list(range(1, 18))


def test_a_session_without_clock_asks_for_no_times_and_a_game_without_cube_for_no_cube() -> None:
    free = "\n".join(pages(to_blank(setup_of(None, rulebook="circle"))))
    assert ("Reserve" in free, "free session" in free, "without clock" in free, "Breaks" in free) == (False, True, True, False)
    assert "Cube" in free
    assert "Cube" not in "\n".join(pages(to_blank(setup_of(3, rulebook="rus-long"))))


@pytest.mark.parametrize("length", [1, 3, 5, 7])
def test_whatever_is_signed_stands_on_the_page_of_the_games(length: int) -> None:
    texts = pages(to_blank(setup_of(length)))
    assert ("Games" in texts[0], "Signatures" in texts[0], "Received by" in texts[0]) == (True, True, True)


def test_a_short_match_needs_one_page() -> None:
    assert [len(pages(to_blank(setup_of(length)))) for length in (1, 3)] == [1, 1]


def test_on_the_second_page_the_headings_stand_again() -> None:
    texts = pages(to_blank(setup_of(25)))
    assert [text.count("Score, left") for text in texts[:2]] == [1, 1]
    assert all(f"page {n} of {len(texts)}" in text for n, text in enumerate(texts, 1))


@pytest.mark.no_cover  # files that others measure, written once more
@pytest.mark.parametrize("name", BOUNDARY)
@pytest.mark.parametrize("longer", [False, True])
def test_nothing_is_cut_on_a_blank_sheet(name: str, *, longer: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Paper] = []
    monkeypatch.setattr(module, "_feet", lambda paper, feet=module._feet: (feet(paper), seen.append(paper)))
    monkeypatch.setattr(Paper, "written", lambda *_: b"")  # what lies where is looked at, not the file
    try:
        if longer:
            say.install(Longer())
        to_blank(boundary(name).setup, event=WIDE, match="m-1")
    finally:
        say.use("en")
    assert outside(seen[0], 13.9) == []
    assert [overlapping(marks) for marks in seen[0].pages if overlapping(marks)] == []


def test_long_names_are_whole() -> None:
    text = flat("".join(pages(to_blank(boundary("pairs of long names").setup))))
    assert flat(" / ".join(boundary("pairs of long names").setup.players.left)) in text
    assert pypdfium2.PdfDocument(to_blank())[0].get_width() == pytest.approx(595, abs=1)
