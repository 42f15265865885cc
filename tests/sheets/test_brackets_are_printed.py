"""Knock-outs on A4: every match once, lines from each to the next, sections of a large draw on pages of their own."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

import pypdfium2
import pytest

from kiosk.sheets.bracket import HIGH, SIZES, Pairing, Part, Side, on_pages, to_bracket_pdf
from kiosk.sheets.grid_pdf import FOOT, MARGIN, Heading
from kiosk.sheets.paper import Paper, Stroke, Words, width

TOP = Heading("Open Skopje", "Main · Bracket", datetime(2026, 12, 5, 18, 30, tzinfo=UTC), (("Public seed", "27 October"),))


def match(key: str, **more: bool) -> Pairing:
    return Pairing(key, Side(f"Ана {key}", won=True, mark="7"), Side(f"Борис {key}", mark="4"), **more)


def halved(first: int, letter: str = "M") -> tuple[tuple[Pairing, ...], ...]:
    rounds, count = [], first
    while count:
        rounds.append(tuple(match(f"{letter}{len(rounds) + 1}.{n}") for n in range(1, count + 1)))
        count //= 2
    return tuple(rounds)


def twice(first: int) -> tuple[tuple[Pairing, ...], ...]:
    """As after one loss: each round twice as long as the next but one."""
    return tuple(
        tuple(replace(each, key=f"L{2 * n + m}.{i}") for i, each in enumerate(matches, 1))
        for n, matches in enumerate(halved(first))
        for m in (1, 2)
    )


def words(paper: Paper) -> list[Words]:
    return [mark for page in paper.pages for mark in page if isinstance(mark, Words)]


PARTS = [*(Part("Main", halved(n)) for n in (1, 2, 16, 32, 64, 128, 24)), *(Part("Lower", twice(n)) for n in (1, 8, 32))]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: f"{part.title} {len(part.rounds[0])}")
def test_every_match_stands_there_once_and_nothing_leaves_the_paper(part: Part) -> None:
    paper = on_pages([part], TOP)
    told = [each.text for each in words(paper)]
    for each in (each for matches in part.rounds for each in matches):
        assert told.count(each.key) == 1
        assert told.count(each.left.name) == told.count(each.right.name) == (2 if part.title == "Lower" else 1)
    for mark in words(paper):
        assert mark.x >= MARGIN - 0.01
        assert mark.x + width(mark.text, mark.size, bold=mark.bold) <= paper.wide - MARGIN + 0.5
        assert mark.y <= paper.high - FOOT + 0.01
    for page in paper.pages:
        boxes = sorted((each.points[0][0], each.points[0][1]) for each in page if isinstance(each, Stroke) and len(each.points) == 5)
        for (x, y), (next_x, next_y) in pairwise(boxes):
            assert next_x > x or next_y >= y + HIGH, "no box lies over another"


def test_a_large_draw_is_cut_by_its_sections_which_say_where_they_go_on() -> None:
    told = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(to_bracket_pdf([Part("Main", halved(64))], TOP))]
    assert len(told) == 5
    assert "M1.16" in told[0]
    assert "M1.17" in told[1]
    assert ["goes on in M6.1" in page for page in told] == [True, True, False, False, False]
    assert ["goes on in M6.2" in page for page in told] == [False, False, True, True, False]
    assert "M7.1" in told[4]
    for n, page in enumerate(told, 1):
        assert "Open Skopje" in page
        assert f"page {n} of 5" in page


def test_who_has_won_is_bold_and_who_is_not_known_yet_is_grey() -> None:
    open_ = Pairing("M1.1", Side("Ана"), Side("winner of M0.1", known=False))
    told = {each.text: each for each in words(on_pages([Part("Main", ((open_,),)), Part("Third", ((match("T1.1"),),))], TOP))}
    assert told["Ана T1.1"].bold
    assert not told["Борис T1.1"].bold
    assert told["winner of M0.1"].grey > told["Ана"].grey
    assert "Round 1" not in told, "the only one needs no number"


def test_what_nobody_plays_keeps_its_place_and_is_not_drawn() -> None:
    one, other, last = match("M1.1", void=True), match("M1.2"), match("M2.1")
    paper = on_pages([Part("Main", ((one, other), (last,))), Part("Final", ((match("F1.1"),), (match("F2.1", void=True),)))], TOP)
    told = [each.text for each in words(paper)]
    assert "M1.1" not in told
    assert "F2.1" not in told
    assert told.count("Round 2") == 1, "of the final nobody plays one"
    lines = [mark for page in paper.pages for mark in page if isinstance(mark, Stroke) and len(mark.points) == 4]
    assert len(lines) == 1, "from M1.2 to M2.1"


def test_long_names_get_smaller_letters_before_they_are_cut() -> None:
    names = ["Ана", "Александр Константинопольский", "Александр Константинопольский / Marija Петровска-Николовска", "Ана " * 30]
    rounds = (tuple(Pairing(f"M1.{n}", Side(name), Side("x")) for n, name in enumerate(names)), *halved(4)[1:], (), ())[:3]
    told = [each for each in words(on_pages([Part("Main", rounds)], TOP)) if each.text[:2] in {"Ан", "Ал"} and " M" not in each.text]
    assert told[0].size == SIZES[0]
    assert {each.size for each in told} >= {SIZES[0], SIZES[-1]}
    assert any(each.text.endswith("…") for each in told)


def test_without_parts_there_is_a_sentence() -> None:
    assert "Only a knock-out has a bracket." in [each.text for each in words(on_pages([], TOP))]
