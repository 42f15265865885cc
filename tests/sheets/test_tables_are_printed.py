"""Standings, crosstables and pairings on A4: what is on each page, what is whole, what goes on beside it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

import pypdfium2
import pytest

from kiosk.sheets import cross
from kiosk.sheets.grid import Grid
from kiosk.sheets.grid_pdf import MARGIN, Heading, on_pages, to_grid_pdf
from kiosk.sheets.paper import Box, Paper, Stroke, Words, width

TOP = Heading(
    "Open Skopje",
    "Main · Crosstable",
    datetime(2026, 12, 5, 18, 30, tzinfo=UTC),
    (("Ties are broken by", "Buchholz; direct encounter"), ("Rounds not played count", "as they are"), ("Public seed", "27 October")),
    ("1 won, 0 lost.",),
)
NAMES = ("Ана Петровска-Николовска", "Boris Ivanov", "Ґалина Шевченко", "Ђорђе Стојановић", "ნინო მაისურაძე")


def name(n: int) -> str:
    return f"{NAMES[n % 5]} {n}"


def everybody(count: int, laps: int = 1) -> Grid:
    rows = tuple(
        (n, name(n), *("■" if n == m else " ".join(["1"] * laps) for m in range(1, count + 1)), count - n) for n in range(1, count + 1)
    )
    return Grid("Main", ("Rank", "Name", *(str(n) for n in range(1, count + 1)), "Points"), rows, crossed=count)


def swiss(count: int, rounds: int) -> Grid:
    rows = tuple((n, name(n), *(f"1 ({count - n + 1})" if n > 1 else "" for _round in range(rounds)), n / 2) for n in range(1, count + 1))
    return Grid("Main", ("Line", "Name", *(str(n + 1) for n in range(rounds)), "Points"), rows, ("A note.",), rounds)


def standings(count: int) -> Grid:
    heads = ("Rank", "Name", "Points", "Buchholz", "direct encounter", "Tie broken by", "Club", "Country", "Remark")
    return Grid("Main", heads, tuple((n, name(n), n / 4, 7, "", "Buchholz", "Vardar", "MK", "") for n in range(1, count + 1)))


def pages(pdf: bytes) -> list[str]:
    return [page.get_textpage().get_text_range().replace("\r\n", "\n") for page in pypdfium2.PdfDocument(pdf)]


def words(paper: Paper) -> list[Words]:
    return [mark for page in paper.pages for mark in page if isinstance(mark, Words)]


@pytest.mark.parametrize(
    "grid", [everybody(32), everybody(64), swiss(200, 11), standings(60)], ids=["everybody 32", "everybody 64", "swiss 200", "standings"]
)
def test_every_line_is_there_once_on_paper_and_nothing_leaves_it(grid: Grid) -> None:
    paper = on_pages([grid], TOP)
    for each in words(paper):
        assert each.x >= MARGIN - 0.01
        assert each.x + width(each.text, each.size, bold=each.bold) <= paper.wide - MARGIN + 0.5
        assert each.y <= paper.high - 8
        assert each.size >= 7
    told = [each.text for each in words(paper)]
    parts = 2 if grid.crossed == 64 else 1
    assert all(told.count(str(row[1])) == parts for row in grid.rows), "names are whole, and beside every part"


def test_every_page_says_of_what_and_when_it_is_and_says_the_heads_again() -> None:
    told = pages(to_grid_pdf([swiss(200, 11)], TOP))
    assert len(told) > 3
    for n, page in enumerate(told, 1):
        assert "Open Skopje" in page
        assert "Main · Crosstable" in page
        assert "As of 2026-12-05 18:30" in page
        assert f"page {n} of {len(told)}" in page
        assert re.search(r"Line\s+Name\s+1\s+2", page)
    for what, how in TOP.about:
        assert what in told[0]
        assert how in told[0]
    assert "1 won, 0 lost." in told[-1]
    assert "A note." in told[-1]


def test_thirty_two_against_each_other_stand_on_one_page_that_lies_across() -> None:
    paper = on_pages([everybody(32)], TOP)
    assert (len(paper.pages), paper.wide > paper.high) == (1, True)
    assert sum(isinstance(mark, Box) and mark.grey == cross.RULE for mark in paper.pages[0]) == 32, "nobody meets himself"


def test_eight_against_each_other_stand_on_upright_paper() -> None:
    paper = on_pages([everybody(8, laps=2)], TOP)
    assert (len(paper.pages), paper.wide < paper.high) == (1, True)


def test_columns_without_room_go_on_beside_the_same_names() -> None:
    told = pages(to_grid_pdf([everybody(64)], TOP))
    assert "Columns 1 to 32" in told[0]
    assert any("Columns 33 to 64" in page for page in told)
    heads = [found for each in words(on_pages([everybody(110)], TOP)) if (found := re.fullmatch(r"Columns (\d+) to (\d+)", each.text))]
    assert [n for each in heads for n in range(int(each[1]), int(each[2]) + 1)] == list(range(1, 111)), "each of them once"


def test_a_name_that_is_longer_than_its_room_ends_with_an_ellipsis() -> None:
    grid = everybody(32)
    long = replace(grid, rows=((1, "Ана " * 30, *grid.rows[0][2:]), *grid.rows[1:]))
    assert any(each.text.startswith("Ана Ана") and each.text.endswith("…") for each in words(on_pages([long], TOP)))


def test_every_fifth_line_is_darker() -> None:
    lines = [mark for mark in on_pages([everybody(12)], TOP).pages[0] if isinstance(mark, Stroke)]
    across = [mark for mark in lines if mark.points[0][1] == mark.points[1][1] and mark.grey in {cross.LIGHT, cross.STRONG}]
    assert [mark.grey == cross.STRONG for mark in across] == [n in {5, 10, 12} for n in range(1, 13)]


def test_groups_stand_below_each_other_each_with_its_name() -> None:
    told = pages(to_grid_pdf([replace(everybody(5), title="Group 1"), replace(everybody(4), title="Group 2")], TOP))
    assert len(told) == 1
    assert told[0].index("Group 1") < told[0].index("Group 2")
    both = pages(to_grid_pdf([replace(standings(3), title="Group 1"), replace(standings(3), title="Group 2")], TOP))
    assert "Group 2" in both[0]
    assert "Group" not in pages(to_grid_pdf([replace(standings(3), title="Group 1")], TOP))[0], "one table needs no name"


def test_numbers_of_a_column_have_their_points_below_each_other() -> None:
    assert [row[2] for row in standings(4).shown()] == ["0.25", "0.50", "0.75", "1.00"]
    assert [row[3] for row in standings(2).shown()] == ["7", "7"]
    assert Grid("x", ("a",), ((1.005,), ("−",))).shown() == (("1",), ("−",)), "not more than two places"
    assert "direct encounter" not in pages(to_grid_pdf([standings(4)], replace(TOP, about=())))[0], "a column that says nothing is left out"


def test_what_has_not_begun_says_so() -> None:
    for grids in ([], [standings(0)]):
        assert "Nothing stands here yet." in pages(to_grid_pdf(grids, replace(TOP, about=(), notes=())))[0]


def test_the_same_tables_are_the_same_bytes() -> None:
    assert to_grid_pdf([everybody(6)], TOP) == to_grid_pdf([everybody(6)], TOP)
