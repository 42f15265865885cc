from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime, time
from typing import Any

import pytest

from kiosk.domain.errors import CommandRefused
from kiosk.domain.types import Pair
from kiosk.say import LANGUAGES, speaking
from kiosk.server import assignments, columns, imports, lists
from kiosk.server.imports import BEGUN, CHANGED, NEW, SAME, WRONG, Defaults
from kiosk.server.store import Store
from kiosk.sync import wire
from tests.server.hall import Hall

TODAY = datetime(2026, 12, 5, 9, 0, tzinfo=UTC)
LIST = "Round;Table;Player 1;Player 2;Length\n1;12;Ana;Boris;7\n1;13;Vera / Olga;Goran & Petar;\n"


@pytest.fixture
def hall(store: Store) -> Hall:
    return Hall(store)


def _preview(hall: Hall, text: str | bytes, defaults: Defaults | None = None) -> list[imports.Entry]:
    raw = lists.read(text.encode() if isinstance(text, str) else text, "list.csv")
    with hall.store.read() as connection:
        return imports.preview(connection, raw, defaults or Defaults(free=True), hall.library, UTC, TODAY)


def _import(hall: Hall, text: str | bytes) -> tuple[int, int]:
    entries = _preview(hall, text)
    with hall.act() as act:
        return imports.apply(act, imports.agreed(imports.to_text(entries), hall.library), hall.library)


def _workbook(*rows: list[Any]) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_a_list_is_shown_and_then_made(hall: Hall) -> None:
    device = hall.table("12")
    entries = _preview(hall, LIST)
    assert [(one.n, one.state) for one in entries] == [(2, NEW), (3, NEW)]
    assert entries[1].plan is not None
    assert (entries[1].plan.players, entries[1].plan.length) == (Pair(("Vera", "Olga"), ("Goran", "Petar")), None)
    assert hall.acts() == []
    assert _import(hall, LIST) == (2, 0)
    assert [type(told) for told in hall.orders(device)] == [wire.AssignMatch]


def test_a_repeated_import_makes_nothing_twice(hall: Hall) -> None:
    _import(hall, LIST)
    assert [one.state for one in _preview(hall, LIST)] == [SAME, SAME]
    assert _import(hall, LIST) == (0, 0)
    entries = _preview(hall, LIST.replace(";13;", ";14;").replace("Ana;Boris", "BORIS;ana").replace("1;12;", "1;;"))
    assert [(one.state, one.sentence) for one in entries] == [(CHANGED, "Seats: changed"), (CHANGED, "Table: 14 instead of 13")]
    with hall.act() as act:
        assert imports.apply(act, imports.agreed(imports.to_text(entries), hall.library), hall.library) == (0, 2)
    with hall.store.read() as connection:
        assert [one.plan.table for one in assignments.listed(connection)] == ["12", "14"]


def test_the_same_agreement_sent_twice_makes_nothing_twice(hall: Hall) -> None:
    text = imports.to_text(_preview(hall, LIST))
    for expected in ((2, 0), (0, 0)):
        with hall.act() as act:
            assert imports.apply(act, imports.agreed(text, hall.library), hall.library) == expected


def test_a_match_that_has_begun_stays_as_it_is(hall: Hall) -> None:
    device = hall.table("12")
    _import(hall, LIST)
    with hall.store.read() as connection:
        ident = assignments.listed(connection)[0].id
    hall.played(device, ident, attached=ident)
    assert [one.state for one in _preview(hall, LIST.replace(";7", ";9"))] == [BEGUN, SAME]
    assert _import(hall, LIST.replace(";7", ";9")) == (0, 0)


@pytest.mark.parametrize("form", ["csv", "xlsx"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_to_be_filled_in_can_be_read_in_every_language(hall: Hall, form: str, language: str) -> None:
    with speaking(language):
        (entry,) = _preview(hall, lists.template(form))
    assert (entry.state, entry.sentence) == (NEW, "")
    assert entry.plan is not None
    assert (entry.plan.players, entry.plan.length, entry.plan.table) == (Pair(("Ana",), ("Boris",)), 7, "12")
    assert entry.plan.starts_ns == int(datetime(2026, 12, 5, 14, 30, tzinfo=UTC).timestamp()) * 10**9


@pytest.mark.parametrize("column", columns.COLUMNS)
def test_every_name_of_a_column_is_known(column: str) -> None:
    for names in columns.COLUMNS[column].values():
        for name in names:
            assert columns.column_of(f" {name.upper()}: ") == column


def test_a_workbook_is_read_with_its_numbers_dates_and_ticks(hall: Hall) -> None:
    data = _workbook(
        ["The autumn cup", None],
        [],
        ["Стол", "Игрок 1", "Игрок 2", "Длина", "Начало", "Тренировка", "Задержка", "Основное время", "Рейтинг"],
        [12.0, "Ана", "Борис", 7, datetime(2026, 12, 6, 10, 15), True, 12.5, 18, 1800],  # noqa: DTZ001 - workbooks know no zones
        ["A1", "Вера", "Горан", 5.0, time(11, 0), None, None, "18:30", None],
        [None, "", None],
    )
    raw = lists.read(data)
    assert raw.unknown == ("Рейтинг",)
    first, second = _preview(hall, data)
    assert (first.n, first.state, second.n, second.state) == (4, NEW, 5, NEW)
    assert first.plan is not None
    assert second.plan is not None
    assert (first.plan.table, first.plan.length, first.plan.practice, first.plan.delay_ms) == ("12", 7, True, 12_500)
    assert first.plan.reserve_ms == Pair(1_080_000, 1_080_000)
    assert first.plan.starts_ns == int(datetime(2026, 12, 6, 10, 15, tzinfo=UTC).timestamp()) * 10**9
    assert (second.plan.table, second.plan.reserve_ms) == ("A1", Pair(1_110_000, 1_110_000))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1251"])
@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
def test_every_usual_form_of_csv_is_read(hall: Hall, encoding: str, delimiter: str) -> None:
    text = "Игрок 1;Игрок 2;Стол\r\nАна;Борис;1\r\n".replace(";", delimiter)
    (entry,) = _preview(hall, text.encode(encoding))
    assert entry.plan is not None
    assert entry.plan.players == Pair(("Ана",), ("Борис",))


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (";Boris;7;;;", "name is missing"),
        ("Ana;;7;;;", "name is missing"),
        ("Ana;Boris;seven;;;", "whole number from 1 to 99"),
        ("Ana;Boris;7;chess;;", "no rulebook"),
        ("Ana;Boris;7;;noon;", "14:30"),
        ("Ana;Boris;7;;;maybe", "yes or no"),
        ("Ana;ana;7;;;", "stands twice"),
        ("Ana;Boris;9;ibgf-blitz;;", "has no time"),
        ("A/B/C;Boris;7;;;", "one player, or two"),
        ("Ana;Boris;7;;1200-01-01 10:00;", "14:30"),
    ],
)
def test_a_bad_row_is_told_by_its_number_and_the_others_stand(hall: Hall, row: str, sentence: str) -> None:
    text = f"Left;Right;Length;Rulebook;Start;Practice\n{row}\nVera;Goran;5;;;\n"
    bad, good = _preview(hall, text)
    assert (bad.n, bad.state, good.state) == (2, WRONG, NEW)
    assert sentence in bad.sentence


def test_the_same_players_twice_in_a_round_are_told(hall: Hall) -> None:
    entries = _preview(hall, "Left;Right;Round\nAna;Boris;1\nBoris;ANA;1\nAna;Boris;2\n")
    assert [one.state for one in entries] == [NEW, WRONG, NEW]
    assert "row 2" in entries[1].sentence


def test_what_a_row_does_not_say_is_taken_from_the_form(hall: Hall) -> None:
    (entry,) = _preview(hall, "Left;Right\nAna;Boris\n", Defaults("ibgf-blitz", 5, "2", practice=True))
    assert entry.plan is not None
    assert (entry.plan.rulebook, entry.plan.length, entry.plan.round, entry.plan.practice) == ("ibgf-blitz", 5, "2", True)


def _bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/worksheets/sheet1.xml", b"0" * (lists.LARGEST_INSIDE + 1))
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "is empty"),
        (b" \n ", "is empty"),
        (b"x" * (lists.LARGEST + 1), "larger"),
        (b"\x89PNG\0\0\0", "no text"),
        (b"PK\x03\x04 and no more", "workbook"),
        (b"\xd0\xcf\x11\xe0 old", "old kind"),
        (b"Name;Score\nAna;7\n", "no heads"),
        (b"Ana\nBoris\n", "Found there: “Ana”"),
        (b"Evening\nAna;Boris\nVera;Goran\n", "Found there: “Ana”, “Boris”"),
        (b'Left;Right\nAna;"Boris\nVera;Goran\nEva;Dina\n', "line 2: a quotation mark is never closed"),
        (b'Left;Right\nAna;Boris\n"Vera;Goran\n"Eva";Dina\n', "line 3: a quotation mark is never closed"),
        (b"Left;Right\n", "no row below"),
        (b"Left;Right;Player 1\nA;B;C\n", "Two columns"),
        (b"Left;Right\n" + b"A;B\n" * 1001, "more than 1000"),
        (b"Left;Right\n" + b"A" * 400 + b";B\n", "more than 300"),
        (b'Left;Right\n"' + b"A" * 200_000 + b'";B\n', "line 2|more than 300"),
        (_bomb(), "unpacked"),
        (_workbook(["nothing"]), "no heads"),
    ],
)
def test_a_file_that_is_no_list_is_refused_whole(data: bytes, sentence: str) -> None:
    with pytest.raises(CommandRefused, match=sentence):
        lists.read(data, "matches")


def test_a_cell_of_two_lines_is_no_open_quotation_mark() -> None:
    found = lists.read(b'"Left\nplayer";Right;Note\n'.replace(b"\nplayer", b"") + b'Ana;Boris;"late\nagain"\nVera;Goran;\n', "matches")
    assert [row.cells["left"] for row in found.rows] == ["Ana", "Vera"]


def test_a_damaged_workbook_is_refused_wherever_it_is_damaged() -> None:
    whole = _workbook(["Left", "Right"], ["Ana", "Boris"])
    told = 0
    for cut in range(40, len(whole), 97):
        try:
            lists.read(whole[:cut] + bytes(60) + whole[cut + 60 :], "list.xlsx")
        except CommandRefused:
            told += 1
    assert told > 10


@pytest.mark.parametrize(
    "text",
    ["", "[]x", "{}", "[1]", '[{"plan":{}}]', "[" * 100_000, '[{"plan":null}]'],
)
def test_an_agreement_that_came_back_broken_makes_nothing(hall: Hall, text: str) -> None:
    with pytest.raises(CommandRefused, match="import the file again"), hall.act() as act:
        imports.apply(act, imports.agreed(text, hall.library), hall.library)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"length":7', '"length":"7"'),
        ('"method":null', '"method":"sundial"'),
        ('"rulebook":"ibgf"', '"rulebook":7'),
        ('"starts_ns":null', '"starts_ns":-5'),
    ],
)
def test_an_agreement_with_values_that_nobody_typed_makes_nothing(hall: Hall, old: str, new: str) -> None:
    text = imports.to_text(_preview(hall, LIST))
    assert old in text
    with pytest.raises(CommandRefused), hall.act() as act:
        imports.apply(act, imports.agreed(text.replace(old, new), hall.library), hall.library)
    assert hall.acts() == []


def test_nothing_is_half_applied(hall: Hall) -> None:
    text = imports.to_text(_preview(hall, LIST)).replace('"length":null', '"length":777')
    with pytest.raises(CommandRefused, match="1 to 99"), hall.act() as act:
        imports.apply(act, imports.agreed(text, hall.library), hall.library)
    with hall.store.read() as connection:
        assert assignments.listed(connection) == []


@pytest.mark.parametrize(
    ("head", "column"),
    [
        *(
            (name, "left")
            for name in ("left player", "Player left", "Player (left)", "игрок слева", "Левый игрок", "лівий гравець", "лев играч")
        ),
        *((name, "right") for name in ("right player", "Sits right", "игрок справа", "гравець праворуч", "десен играч")),
        *((name, "table") for name in ("Table no.", "№ стола", "Номер столу", "Број, маса")),
        *((name, "delay") for name in ("Delay (s)", "Задержка, сек")),
        *((name, "reserve") for name in ("Reserve (minutes)", "Reserve, min")),
        ("Rating", None),
        ("Player", None),
        ("", None),
    ],
)
def test_a_head_may_say_more_than_the_columns_name(head: str, column: str | None) -> None:
    assert columns.column_of(head) == column


def test_a_refused_list_tells_which_heads_were_found() -> None:
    with pytest.raises(CommandRefused, match="Found there: “Home”, “Away”, “Desk”"):
        lists.read(b"Autumn cup\nHome;Away;Desk\nAna;Boris;1\n", "list.csv")


def test_a_formula_without_a_value_is_called_so(hall: Hall) -> None:
    bad, good = _preview(hall, _workbook(["Left", "Right", "Length"], ['="A"&"na"', "Boris", 7], ["Vera", "Goran", 5]))
    assert (bad.state, good.state) == (WRONG, NEW)
    assert bad.sentence.startswith("Left: a formula without a value. Open the file in a spreadsheet program")


def test_two_matches_at_one_table_and_a_player_in_two_of_a_round_are_told(hall: Hall) -> None:
    hall.make(round="1", table="4", starts_ns=None)  # Ana and Boris
    rows = ["Ana;Boris;4;1", "Cid;Dan;5;1", "Eve;Fay;5;1", "Gus;ANA;6;1", "Cid;Eve;4;2", "Hal;Ida;5;", "Jon;Kay;5;"]
    entries = _preview(hall, "Left;Right;Table;Round\n" + "\n".join(rows) + "\n")
    told = [one.clashes for one in entries]
    assert told[1] == ("Table 5 has another match in this round: row 4.",)
    assert told[2] == ("Table 5 has another match in this round: row 3.",)
    assert told[3] == ("ANA has another match in this round: Ana – Boris, table 4.",)
    assert [bool(each) for each in told] == [False, True, True, True, False, False, False], "without round and start nothing is known"


def test_a_table_is_free_again_once_its_match_was_played_but_its_players_are_not(hall: Hall) -> None:
    ident = hall.make(round="1", table="4")
    hall.played(hall.table("4"), ident, attached=ident, phase="received")
    entries = _preview(hall, "Left;Right;Table;Round\nCid;Dan;4;1\nBoris;Eve;5;1\n")
    assert [one.clashes for one in entries] == [(), ("Boris has another match in this round: Ana – Boris, table 4.",)]
