"""Names and words as long as they come cost no other word its wholeness: columns, heads of pages, headings, what is filled in."""

from __future__ import annotations

import pytest
from boundary import WIDE, game
from evenings import opened, sheet_of
from test_printed_forms_agree import overlapping, pages

from kiosk import say
from kiosk.domain.types import Pair
from kiosk.sheets import blank as module
from kiosk.sheets import printed, to_blank
from kiosk.sheets.blank import HEADS
from kiosk.sheets.cells import text_of
from kiosk.sheets.flow import in_one_line
from kiosk.sheets.paper import ELLIPSIS, Paper, Words, broken, levelled, longest_word, shortened, width
from kiosk.sheets.pdf import on_a4, on_receipt
from kiosk.sheets.walk import ScoreSheet

LANGUAGES = pytest.mark.parametrize("language", ["en", "ru", "uk", "mk"])
OTHER = WIDE[::-1]
PAIRS = {"left": [WIDE, "M" + WIDE[1:]], "right": [OTHER, "Ана Љубовић-Константиновска Вучковиќ"]}
SINGLES = {"left": WIDE, "right": OTHER}


def played(players: object, *games: tuple[str, str]) -> ScoreSheet:
    lines = [opened(25, players=players)]
    for n, (winner, kind) in enumerate(games):
        lines += game(3 * n + 1, winner, kind)
    return sheet_of(*lines)


def words_on(paper: Paper) -> list[str]:
    return [mark.text for marks in paper.pages for mark in marks if isinstance(mark, Words)]


@LANGUAGES
@pytest.mark.parametrize("players", [SINGLES, PAIRS])
def test_on_a_receipt_names_are_broken_and_neither_headings_nor_kinds_of_win(players: object, language: str) -> None:
    with say.speaking(language):
        what = printed(played(players, ("left", "single"), ("right", "gammon"), ("left", "backgammon")))
        told = words_on(on_receipt(what))
    games = what.sections[0]
    beside = [i for i, column in enumerate(games.columns) if column.key in {"n", "kind", "cube", "points", "score"}]
    for text in (*(games.columns[i].title for i in beside), *(text_of(row[i]) for row in games.rows for i in beside)):
        assert text in told
    assert games.columns[1].title in told


@LANGUAGES
@pytest.mark.parametrize("players", [SINGLES, PAIRS])
def test_the_head_of_further_pages_has_both_sides_and_the_score_between(players: object, language: str) -> None:
    with say.speaking(language):
        paper = on_a4(printed(played(players, *[(("left", "right")[n % 2], "single") for n in range(40)])))
    head = next(mark.text for mark in paper.pages[1] if isinstance(mark, Words) and mark.bold)
    left, right = head.split("   20 : 20   ")
    given = [[each] if isinstance(each, str) else each for each in (SINGLES if players is SINGLES else PAIRS).values()]
    for side, names in zip((left, right), given, strict=True):
        for part, name in zip(side.split(" / "), names, strict=True):
            assert part == name or (part.endswith(ELLIPSIS) and name.startswith(part[:-1]) and len(part) > 8)
    assert players is SINGLES or (left + right).count(ELLIPSIS) == 4
    assert [overlapping(marks) for marks in paper.pages if overlapping(marks)] == []


def test_the_head_of_a_blank_sheets_further_pages_has_both_sides() -> None:
    names = Pair(*(" / ".join(each) for each in PAIRS.values()))
    head = pages(to_blank(names=names, length=25))[1].split("\n")[0]
    assert (head.count(" / "), head.count(" – "), head.startswith("Wolfe")) == (2, 1, True)


def test_names_that_have_room_are_whole_and_long_ones_are_cut_to_the_same_width() -> None:
    assert in_one_line(["Ana"], " – ", ["Boris"], 8, 100) == "Ana – Boris"
    told = in_one_line(["Ana"], " – ", [WIDE, OTHER], 8, 70)
    assert told.startswith("Ana – Wolfe")
    assert told.count(ELLIPSIS) == 2
    assert width(told, 8) <= 70
    assert levelled([30, 2, 50], 22) == [10, 2, 10]
    assert levelled([3, 4], 10) == [3, 4]


@LANGUAGES
@pytest.mark.parametrize("rulebook", ["ibgf", "rus-long"])
def test_no_heading_of_a_blank_sheet_is_broken_within_a_word(rulebook: str, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[list[list[str]], list[str]]] = []
    headed = module._headed

    def watched(names: list[str], shares: list[float], wide: float) -> tuple[float, list[float]]:
        size, wides = headed(names, shares, wide)
        seen.append(([broken(name, size, each - 2) for name, each in zip(names, wides, strict=True)], names))
        assert sum(wides) == pytest.approx(wide)
        return size, wides

    monkeypatch.setattr(module, "_headed", watched)
    setup = sheet_of(opened(7, rulebook=rulebook)).setup
    with say.speaking(language):
        to_blank(setup)
    assert seen
    for heads, names in seen:
        assert [" ".join(lines) for lines in heads] == names


def test_headings_are_smaller_where_they_have_no_room_and_broken_only_where_no_size_helps() -> None:
    names = ["Wolfeschlegel", "Wolfeschlegel"]
    fits = 2 * longest_word(names[0], HEADS[0]) + 5
    assert module._headed(names, [1, 2], fits)[0] == HEADS[0]
    assert module._headed(names, [1, 2], fits - 1)[0] == HEADS[1]
    assert module._headed(names, [1, 2], 12) == (HEADS[-1], [4, 8])


@pytest.mark.no_cover  # files that others measure, written once more
@pytest.mark.parametrize("text", ["x" * 3000, "word " * 600])
@pytest.mark.parametrize("key", ["match", "event", "round_name", "table", "rulebook", "control"])
def test_whatever_is_too_long_for_a_blank_sheet_ends_with_an_ellipsis_after_three_lines(key: str, text: str) -> None:
    texts = pages(to_blank(length=7, **{key: text}))  # type: ignore[arg-type]
    assert ("Games" in texts[0], "Signatures" in texts[0]) == (True, True)
    lines = [each for each in texts[0].split("\n") if "xxxx" in each or "word word" in each]
    assert (len(lines), ELLIPSIS in lines[-1]) == (3, True)


def test_a_name_that_no_table_would_take_leaves_the_blank_sheet_its_games() -> None:
    texts = pages(to_blank(names=Pair("x" * 3000, "Boris"), length=5))
    assert "Games" in texts[0]


def test_a_text_is_shortened_at_its_end_and_what_has_room_is_left_as_it_is() -> None:
    assert shortened("one two", 10, 100) == ["one two"]
    assert shortened("", 10, 100) == [""]
    (cut,) = shortened("one two three four", 10, width("one two thr", 10) + width(ELLIPSIS, 10) + 0.01)
    assert cut == "one two thr" + ELLIPSIS
    lines = shortened("one two three four five six", 10, width("one two", 10) + 1, lines=2)
    assert lines[0] == "one two"
    assert lines[1].startswith("thr")
    assert lines[1].endswith(ELLIPSIS)
    assert all(width(each, 10) <= width("one two", 10) + 1 for each in lines)
