"""`kiosk journal`: a chouette is listed and shown beside the matches, and is none of them."""

from __future__ import annotations

import json
from datetime import UTC
from pathlib import Path

import pytest

from kiosk.app.chouette_export import chouette_scenario
from kiosk.app.main import run
from kiosk.app.scenario import parse
from kiosk.app.simulate import Simulation
from kiosk.app.stick import save_sheet
from kiosk.books import Library
from kiosk.journal import read_rows

LIBRARY = Library()

EVENING = """
{"at": 0, "do": "open_match", "rulebook": "ibgf", "length": 1, "players": {"left": "Ana", "right": "Boris"}, "reserve_s": 60}
{"at": 1, "do": "game", "winner": "left", "kind": "single"}
{"at": 2, "do": "confirm", "by": "right"}
{"at": 10, "do": "chouette_open", "players": ["Ana", "Boris", "Vera"], "throws": [6, [5, 1], [5, 4]]}
{"at": 11, "do": "chouette_tie"}
{"at": 12, "do": "chouette_double"}
{"at": 13, "do": "chouette_answer", "by": "Vera", "takes": false}
{"at": 14, "do": "chouette_answer", "by": "Boris", "takes": true}
{"at": 15, "do": "chouette_want", "by": "Boris"}
{"at": 16, "do": "chouette_undo"}
{"at": 17, "do": "chouette_win", "by": "box", "kind": "single"}
{"at": 18, "do": "chouette_win", "by": "team", "kind": "gammon"}
{"at": 19, "do": "chouette_want", "by": "Ana"}
{"at": 20, "do": "chouette_want", "by": "Ana", "wants": false}
{"at": 21, "do": "chouette_join", "player": "Dina"}
{"at": 22, "do": "chouette_leave", "player": "Dina"}
{"at": 22, "do": "press", "side": "left"}
{"at": 23, "do": "chouette_end"}
{"at": 30, "do": "open_match", "rulebook": "ibgf", "length": 3, "players": {"left": "Vera", "right": "Dina"}}
"""


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("chouette") / "journal.db"
    simulation = Simulation(parse("evening", EVENING, LIBRARY.names()), LIBRARY, path, lambda _done, _all: None)
    simulation.run()
    simulation.close()
    return str(path)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert run(list(words)) == 0
    return capsys.readouterr().out.splitlines()


def test_it_has_its_number_among_the_matches(journal: str, capsys: pytest.CaptureFixture[str]) -> None:
    first, chouette, last = said(capsys, "journal", "list", "--journal", journal)
    assert "Ana – Boris" in first
    assert chouette.split()[0] == "2"
    assert chouette.endswith("chouette   free  Ana +4, Boris −3, Vera −1, Dina 0  ended")
    assert last.split()[0] == "3"
    assert "Vera – Dina" in last


def test_its_entries_are_told_in_words(journal: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, *lines = said(capsys, "journal", "show", "2", "--journal", journal)
    told = [line.split(maxsplit=4)[4] for line in lines if "press_ignored" not in line]
    assert told == [
        "Chouette opened: Ana, Boris, Vera",
        "Automatic double",
        "The box doubled",
        "Vera passed",
        "Boris took",
        "Boris wants to double",
        "The last entry was taken back",
        "The box won: single",
        "The team won: gammon",
        "Ana wants to double",
        "Ana does not want to double",
        "Dina joined",
        "Dina left",
        "The chouette was ended",
    ]


def test_no_register_of_results_counts_it(journal: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = "\n".join(said(capsys, "export", "all", "--format", "csv", "--journal", journal))
    assert "Vera" in out
    assert "chouette" not in out.lower()
    assert len(out.splitlines()) == 3


@pytest.mark.parametrize("form", ["pdf", "xlsx", "csv", "json"])
def test_it_is_exported_as_a_match_is(journal: str, tmp_path: Path, form: str) -> None:
    file = tmp_path / f"chouette.{form}"
    assert run(["export", "2", "--journal", journal, "-o", str(file)]) == 0
    assert file.stat().st_size > 300
    if form == "json":
        assert run(["verify", str(file), "--journal", journal]) == 0
        file.write_text(file.read_text(encoding="utf-8").replace('"Ana": 4', '"Ana": 5'), encoding="utf-8")
        assert run(["verify", str(file), "--journal", journal]) == 1


def test_it_becomes_a_scenario_that_comes_out_the_same(journal: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "again.jsonl"
    assert run(["journal", "export", "2", "--scenario", "--journal", journal, "-o", str(file)]) == 0
    capsys.readouterr()
    assert run(["simulate", "--json", str(file)]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert plain["refused"] == []
    assert plain["chouette"]["totals"] == {"Ana": 4, "Boris": -3, "Vera": -1, "Dina": 0}
    assert plain["chouette"]["ended"]


def test_over_a_power_cut_its_scenario_goes_on(tmp_path: Path) -> None:
    rows = [row for row in read_rows(Path(cut(tmp_path))) if row.type.startswith("chouette")]
    lines = [json.loads(line) for line in chouette_scenario(rows).splitlines()]
    assert [(line["at"], line["do"]) for line in lines] == [(0, "chouette_open"), (5, "chouette_tie"), (6, "chouette_double")]


def cut(folder: Path) -> str:
    """A chouette with a power cut in its middle."""
    text = """
{"at": 10, "do": "chouette_open", "players": ["Ana", "Boris", "Vera"]}
{"at": 15, "do": "chouette_tie"}
{"at": 16, "do": "power_cut", "off_s": 60}
{"at": 80, "do": "chouette_double"}
"""
    simulation = Simulation(parse("cut", text, LIBRARY.names()), LIBRARY, folder / "cut.db", lambda _done, _all: None)
    simulation.run()
    simulation.close()
    return str(folder / "cut.db")


def test_its_moves_were_not_written_down(journal: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["export", "2", "--journal", journal, "-o", str(tmp_path / "x.mat")]) == 2
    assert "not as mat" in capsys.readouterr().err
    assert not (tmp_path / "x.mat").exists()


def test_it_is_not_handed_over(journal: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["journal", "hand-over", "2", "--journal", journal]) == 2
    assert "MATCH: 2 is a chouette" in capsys.readouterr().err


def test_a_receipt_has_no_room_for_it(journal: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", "2", "--journal", journal, "--format", "receipt", "-o", "x.pdf"]) == 2
    assert "pdf, xlsx, csv, json" in capsys.readouterr().err


def test_a_sheet_behind_a_chouette_keeps_its_number_and_is_verified(journal: str, tmp_path: Path) -> None:
    file = tmp_path / "sheet.json"
    assert run(["export", "3", "--journal", journal, "-o", str(file)]) == 0
    assert run(["verify", str(file), "--journal", journal]) == 0


def test_it_is_saved_on_a_stick(journal: str, tmp_path: Path) -> None:
    rows = [row for row in read_rows(Path(journal)) if row.seq < 18]
    (tmp_path / "stick").mkdir()
    saved = save_sheet(lambda: rows, "4", UTC, tmp_path)
    assert "chouette" in saved
    assert {file.suffix for file in (tmp_path / "stick").iterdir()} == {".pdf", ".json"}


def test_a_run_tells_people_what_came_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "evening.jsonl"
    file.write_text(EVENING.rpartition('{"at": 30')[0], encoding="utf-8")
    assert run(["simulate", str(file)]) == 0
    first, game, *_rest = capsys.readouterr().out.splitlines()
    assert first == "Chouette: Ana +4, Boris −3, Vera −1, Dina 0"
    assert game == "  game 1: the box won, single, cube 4: Ana +6, Vera −2, Boris −4"
