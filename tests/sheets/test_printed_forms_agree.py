"""Paper, receipt and workbook say what the JSON says: on every boundary sheet."""

from __future__ import annotations

import io
import re
import unicodedata
from datetime import datetime, timedelta, timezone
from functools import cache
from itertools import pairwise
from typing import Any

import openpyxl
import pypdfium2
import pytest
import zxingcpp
from boundary import BOUNDARY, WIDE, boundary, many
from evenings import json_of, line, opened, sheet_of

from kiosk import say
from kiosk.domain.types import SIDES, Side
from kiosk.sheets import ScoreSheet, name_of, printed, qr_text, read_qr, to_blank, to_pdf, to_receipt, to_xlsx
from kiosk.sheets.cells import text_of
from kiosk.sheets.paper import Box, Paper, Stroke, Words, spelled, width
from kiosk.sheets.pdf import A4, FOOT, MARGIN, on_a4, on_receipt
from kiosk.sheets.strokes import png
from tests.locale.pseudo import Longer

EVERY = pytest.mark.parametrize("name", BOUNDARY)


@cache
def paper_of(name: str) -> bytes:
    """A boundary sheet on A4, made once for all tests: fonts are cut anew for each file."""
    return to_pdf(boundary(name))


@cache
def receipt_of(name: str) -> bytes:
    """The same as a receipt."""
    return to_receipt(boundary(name))


@cache
def book_of(name: str) -> bytes:
    """The same as a workbook."""
    return to_xlsx(boundary(name))


def pages(pdf: bytes) -> list[str]:
    """The text of each page."""
    return [page.get_textpage().get_text_range().replace("\r\n", "\n") for page in pypdfium2.PdfDocument(pdf)]


def flat(text: str) -> str:
    """Without spaces and line ends, which say where a text was broken."""
    return re.sub(r"\s", "", unicodedata.normalize("NFC", text))


def sheets_of(book: bytes) -> dict[str, list[dict[str, Any]]]:
    """Each worksheet's rows by their headings."""
    found = {}
    for page in openpyxl.load_workbook(io.BytesIO(book)).worksheets[1:]:
        head, *rows = page.iter_rows(values_only=True)
        found[page.title] = [dict(zip(map(str, head), row, strict=True)) for row in rows]
    return found


def extent(mark: Words | Stroke | Box) -> tuple[float, float, float, float]:
    match mark:
        case Words():
            return mark.x, mark.y - mark.size * 0.3, mark.x + width(mark.text, mark.size, bold=mark.bold), mark.y + mark.size * 0.1
        case Stroke():
            return (
                min(x for x, _ in mark.points),
                min(y for _, y in mark.points),
                max(x for x, _ in mark.points),
                max(y for _, y in mark.points),
            )
        case Box():
            return mark.x, mark.y, mark.x + mark.wide, mark.y + mark.high


def outside(paper: Paper, edge: float) -> list[object]:
    return [
        mark
        for marks in paper.pages
        for mark in marks
        for x, y, right, low in (extent(mark),)
        if x < edge - 0.01 or y < 0 or right > paper.wide - edge + 0.01 or low > paper.high - 2
    ]


def overlapping(marks: list[Any]) -> list[tuple[str, str]]:
    """Pairs of words on one baseline that run into each other."""
    words = sorted((mark for mark in marks if isinstance(mark, Words) and mark.text), key=lambda mark: (round(mark.y, 1), mark.x))
    return [
        (one.text, other.text)
        for one, other in pairwise(words)
        if abs(one.y - other.y) < 0.05 and one.x + width(one.text, one.size, bold=one.bold) > other.x + 0.05
    ]


@EVERY
def test_every_game_stands_on_a4_in_a_row_as_in_the_json(name: str) -> None:
    sheet = boundary(name)
    text = flat("\n".join(pages(paper_of(name))))
    for game in json_of(sheet)["games"]:
        winner = spelled(name_of(sheet, Side(game["winner"])))
        cube = str(game["cube"]) if sheet.setup.cube else ""
        assert re.search(rf"{game['n']}.*?{game['kind']}{cube}{game['points']}{game['score']['left']}:{game['score']['right']}", text)
        assert flat(winner) in text
    assert f"{sheet.score.left}:{sheet.score.right}" in text
    assert flat(sheet.digest) in text


@EVERY
def test_every_ruling_appeal_and_correction_is_on_each_form(name: str) -> None:
    sheet = boundary(name)
    plain = json_of(sheet)
    paper, receipt, book = flat("".join(pages(paper_of(name)))), flat("".join(pages(receipt_of(name)))), sheets_of(book_of(name))
    titles = {infraction.code: infraction.title("en") for infraction in sheet.setup.infractions}
    for ruling in plain["rulings"]:
        assert all(flat(f"{titles[ruling['infraction']]}({ruling['article']})") in form for form in (paper, receipt))
        assert all(flat(spelled(ruling["note"])) in form for form in (paper, receipt))
    assert [row["No."] for row in book.get("Rulings", [])] == [ruling["id"] for ruling in plain["rulings"]]
    assert [row["Note"] or "" for row in book.get("Rulings", [])] == [ruling["note"] for ruling in plain["rulings"]]
    assert [row["Against ruling"] for row in book.get("Appeals", [])] == [appeal["ruling"] for appeal in plain["appeals"]]
    assert [row["Game"] for row in book.get("Corrections", [])] == [each["game"] for each in plain["corrections"]]
    for each in plain["corrections"]:
        for values in (each["old"], each["new"]):
            told = flat(f"{values['kind']}, cube {values['cube']}, {values['points']} point")
            assert told in paper
            assert told in receipt
    lines = len(plain["events"])
    assert len(book.get("What else happened", [])) + len(book.get("Late start", [])) == lines
    assert len(book.get("Breaks", [])) == len(plain["breaks"])
    assert len(book.get("Officials' acts", [])) == len(plain["acts"])
    assert len(book.get("Adjournments", [])) == len(plain["adjournments"])


@EVERY
def test_the_workbook_holds_the_games_as_numbers_and_times(name: str) -> None:
    sheet = boundary(name)
    names = {side: name_of(sheet, side) for side in SIDES}
    rows = sheets_of(book_of(name))["Games"]
    assert len(rows) == len(sheet.games)
    for row, game in zip(rows, json_of(sheet)["games"], strict=True):
        assert (row["Game"], row["Winner"], row["Win"], row["Points"]) == (game["n"], names[game["winner"]], game["kind"], game["points"])
        assert [row[f"Score: {names[side]}"] for side in SIDES] == [game["score"][side] for side in SIDES]
        if game["reserve_ms"] is not None:
            told = [row[f"Reserves: {names[side]}"] for side in SIDES]
            assert told == [span_of(game["reserve_ms"][side]) for side in SIDES]
        if sheet.paper is not None:
            assert (game["time_utc"], row.keys() & {"Time", "Entered"}) == (None, set())
            continue
        stamp = datetime.strptime(game["time_utc"], "%Y-%m-%dT%H:%M:%SZ")  # noqa: DTZ007 - a workbook knows no zones
        assert row["Time"] == stamp


def span_of(ms: int) -> Any:
    """As openpyxl reads a length of time."""
    return timedelta(milliseconds=ms)


@EVERY
def test_no_cell_of_the_workbook_is_a_formula(name: str) -> None:
    book = openpyxl.load_workbook(io.BytesIO(to_xlsx(boundary(name), event="=1+1", table="@x")))
    cells = [cell for page in book for row in page.iter_rows() for cell in row if cell.value is not None]
    assert "f" not in {cell.data_type for cell in cells}
    assert not any(page._hyperlinks for page in book)


@pytest.mark.no_cover  # files that others measure, written once more
@EVERY
def test_the_code_on_the_page_and_on_the_receipt_says_what_the_sheet_says(name: str) -> None:
    sheet = boundary(name)
    for form in (paper_of(name), receipt_of(name)):
        picture = pypdfium2.PdfDocument(form)[0].render(scale=3).to_pil().convert("L")
        (code,) = zxingcpp.read_barcodes(memoryview(picture.tobytes()).cast("B", shape=[picture.height, picture.width]))
        assert code.text == qr_text(sheet)
        read = read_qr(code.text)
        assert (read.match, read.revision, read.score, read.winner) == (sheet.match, sheet.revision, sheet.score, sheet.winner)
        assert (read.how, read.standing, read.digest) == (sheet.how, sheet.standing, sheet.digest)


@pytest.mark.no_cover  # files that others measure, written once more
@EVERY
def test_the_same_sheet_is_the_same_bytes(name: str) -> None:
    sheet = boundary(name)
    assert to_pdf(sheet) == paper_of(name)
    assert to_receipt(sheet) == receipt_of(name)
    assert to_xlsx(sheet) == book_of(name)
    assert to_blank(sheet.setup) == to_blank(sheet.setup)


@EVERY
@pytest.mark.parametrize("longer", [False, True])
def test_nothing_is_cut_and_nothing_runs_into_another(name: str, *, longer: bool) -> None:
    try:
        if longer:
            say.install(Longer())
        what = printed(boundary(name), event="An open with a rather long name", round_name="Round 12", table="17")
        paper, strip = on_a4(what), on_receipt(what)
    finally:
        say.use("en")
    assert outside(paper, MARGIN - 0.1) == []
    assert outside(strip, 2) == []
    assert [overlapping(marks) for marks in (*paper.pages, *strip.pages) if overlapping(marks)] == []


def bottoms(paper: Paper) -> list[float]:
    return [max(mark.y for mark in marks if isinstance(mark, Words) and mark.y < A4[1] - FOOT - 5) for marks in paper.pages]


def rows_on(pdf: bytes) -> list[list[int]]:
    """The games on each page."""
    return [[int(n) for n in re.findall(r"(?m)^(\d+) (?:Ana|Boris) single", text)] for text in pages(pdf)]


@pytest.mark.no_cover  # files that others measure, written once more
def test_a_page_is_filled_to_its_last_row_and_one_row_more_begins_another_with_its_headings() -> None:
    count = len(rows_on(to_pdf(sheet_of(*many(45))))[0])
    full, more = to_pdf(sheet_of(*many(count))), to_pdf(sheet_of(*many(count + 1)))
    assert [len(rows) for rows in rows_on(full)] == [count, 0]  # the signatures alone go on
    assert [len(rows) for rows in rows_on(more)] == [count, 1]
    assert [text.count("Winner") for text in pages(full)] == [1, 0]
    assert [text.count("Winner") for text in pages(more)] == [1, 1]
    last, longest = bottoms(on_a4(printed(sheet_of(*many(count)))))[0], A4[1] - FOOT - 6
    assert longest - 6 < last <= longest


@pytest.mark.no_cover  # files that others measure, written once more
def test_the_largest_sheet_that_has_room_on_one_page_is_one_page() -> None:
    texts = {n: pages(to_pdf(sheet_of(*many(n)))) for n in range(15, 26)}
    counts = {n: len(text) for n, text in texts.items()}
    fits = max(n for n, count in counts.items() if count == 1)
    assert [counts[n] for n in range(15, 26)] == [1] * (fits - 14) + [2] * (25 - fits)
    assert "page 1 of 1" in texts[fits][0]
    more = texts[fits + 1]
    assert ["page 1 of 2" in more[0], "page 2 of 2" in more[1]] == [True, True]


def test_forty_nine_games_of_a_match_to_25_are_all_there_once() -> None:
    rows = rows_on(paper_of("a match of 25 points in 49 games"))
    assert [n for page in rows for n in page] == list(range(1, 50))


def test_a_row_is_never_cut() -> None:
    for marks in on_a4(printed(boundary("hundreds of events"))).pages:
        lowest = max(mark.y for mark in marks if isinstance(mark, Words) and mark.size == 8.5)
        assert lowest < A4[1] - FOOT - 6


def test_a_note_longer_than_a_page_goes_on_on_the_next_one() -> None:
    officials = [{"name": "Vera", "role": "referee", "pin": "2468"}]
    note = " ".join(f"word{n}" for n in range(3000))
    sheet = sheet_of(
        opened(5, officials=officials),
        line(0, "press", side="right"),
        line(1, "sign_in", pin="2468"),
        line(2, "penalty", side="right", infraction="eating", note=note),
    )
    texts = pages(to_pdf(sheet))
    assert len(texts) > 2
    assert flat(note) in flat("".join(re.sub(r"(?s)Match simulated.*", "", re.sub(r"(?s)^Ana .*?Ruled by", "", text)) for text in texts))
    assert outside(on_a4(printed(sheet)), MARGIN - 0.1) == []


def test_names_are_whole_in_every_script() -> None:
    for name in ("names of 40 letters", "pairs of long names", "Cyrillic", "Georgian", "Latin with diacritics"):
        sheet = boundary(name)
        for form in (paper_of(name), receipt_of(name)):
            text = flat("".join(pages(form)))
            assert all(flat(each) in text for side in SIDES for each in sheet.setup.players[side])
    assert len(WIDE) == 40


def test_a_letter_that_no_face_has_is_seen_as_a_question_mark() -> None:
    text = pages(paper_of("letters that no face has"))[0]
    assert "?? ??" in text
    assert "???? ?" in text


def test_what_does_not_count_any_more_is_struck_out() -> None:
    sheet = boundary("hundreds of events")
    (rulings,) = (section for section in printed(sheet).sections if section.key == "rulings")
    assert rulings.struck == {1}
    book = openpyxl.load_workbook(io.BytesIO(to_xlsx(sheet)))
    assert [book["Rulings"].cell(row, 4).font.strike for row in (2, 3)] == [None, True]
    marks = on_a4(printed(sheet)).pages[0]
    words = next(mark for mark in marks if isinstance(mark, Words) and mark.text.startswith("Eating at the table"))
    through = [mark for mark in marks if isinstance(mark, Stroke) and mark.points[0][0] == words.x]
    assert any(words.y - 2 < mark.points[0][1] < words.y for mark in through)


def test_a_signature_is_drawn_where_it_was_drawn() -> None:
    signed = printed(boundary("revision 2")).signatures
    assert (signed.left.words, signed.left.strokes, signed.right.words) == ("not signed", (), "signed on the screen")
    assert signed.right.strokes == (((10, 390), (500, 12), (700, 300)), ((1000, 0),))
    paper = on_a4(printed(boundary("revision 2")))
    drawn = [mark for mark in paper.pages[0] if isinstance(mark, Stroke) and mark.width == 0.4]
    assert [len(mark.points) for mark in drawn] == [3, 2]  # a dot is a very short line
    assert min(x for mark in drawn for x, _ in mark.points) > A4[0] / 2


def test_times_that_cannot_be_trusted_or_were_corrected_are_marked_and_explained() -> None:
    unset = printed(boundary("one game"))
    assert text_of(unset.sections[0].rows[0][-1]).endswith("?")
    assert any(line_.startswith("? The date was not set") for line_ in unset.legend)
    mixed = printed(boundary("a date that was set on the way"))
    assert [text_of(row[-1])[8:] for row in mixed.sections[0].rows] == ["*", ""]
    assert [line_[0] for line_ in mixed.legend] == ["T", "*"]
    book = openpyxl.load_workbook(io.BytesIO(book_of("a date that was set on the way")))["Games"]
    assert [book.cell(row, book.max_column).number_format for row in (2, 3)] == ['hh:mm:ss"*"', "hh:mm:ss"]


def test_times_of_day_are_told_in_the_sheets_zone_with_the_date_where_it_is_another() -> None:
    sheet = boundary("one game")
    utc, east = printed(sheet), printed(sheet, zone=timezone(timedelta(hours=1, minutes=30)))
    assert (text_of(utc.opened), text_of(east.opened)) == ("2023-11-14 22:30:00?", "2023-11-15 00:00:00?")
    assert "UTC+01:30" in east.legend[0]
    late = sheet_of(opened(3), *([line(6000, "game", winner="left", kind="single"), line(6001, "confirm", by="right")]))
    assert text_of(printed(late).sections[0].rows[0][-1]) == "2023-11-15 00:10:01?"


def test_the_place_stands_once_under_the_title_and_nothing_where_nothing_is_known() -> None:
    sheet = boundary("one game")
    assert printed(sheet).place == ""
    assert printed(sheet, event="Open", table="7").place == "Open · Table 7"
    assert pages(to_pdf(sheet, event="Open", round_name="Final", table="7"))[0].count("Open") == 1
    assert [
        field.value for field in printed(sheet, event="Open", rulebook="IBGF backgammon").head if field.key in {"event", "rulebook"}
    ] == [
        "Open",
        "IBGF backgammon (ibgf)",
    ]


def test_a_sheet_is_written_in_the_language_spoken() -> None:
    with say.speaking("ru"):
        assert printed(boundary("hundreds of events")).sections[3].key == "rulings"
        infraction = text_of(printed(boundary("hundreds of events")).sections[3].rows[0][4])
    catalogue: ScoreSheet = boundary("hundreds of events")
    assert infraction.startswith(next(each.title("ru") for each in catalogue.setup.infractions if each.code == "dice_replaced"))


@EVERY
def test_the_workbook_shows_each_signature_as_it_was_drawn(name: str) -> None:
    sheet = boundary(name)
    page = openpyxl.load_workbook(io.BytesIO(to_xlsx(sheet))).worksheets[0]
    drawn = [signature for signature in sheet.signed if signature.strokes]
    assert len(page._images) == len(drawn)
    for image, signature in zip(page._images, sorted(drawn, key=lambda each: list(Side).index(each.side)), strict=True):
        assert image.anchor._from.col == 1 + list(Side).index(signature.side)
        assert image._data() == png(signature.strokes)


def test_a_dot_is_seen_too() -> None:
    assert png((((500, 200),),)) != png((((100, 200),),))
