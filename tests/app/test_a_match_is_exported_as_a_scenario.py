"""`kiosk journal export --scenario`: what is written plays to the same result, whatever happened at the table."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import pytest

from kiosk.app.main import run
from kiosk.app.scenario import load, parse
from kiosk.app.scenario_export import scenario_of
from kiosk.app.scenario_facts import WRITTEN
from kiosk.app.simulate import ORIGIN, Simulation
from kiosk.books import Library
from kiosk.domain.facts import Fact
from kiosk.domain.officials import Official, Role
from kiosk.domain.setup import Options, resolve
from kiosk.domain.types import NS_PER_MS, Instant, Pair
from kiosk.journal import MemoryJournal, read_rows
from kiosk.session import Session
from kiosk.session import commands as c
from kiosk.sheets import sheets

if TYPE_CHECKING:
    from kiosk.app.scenario import Step

LIBRARY = Library()
FOLDER = Path(__file__).parents[1] / "scenarios"
SCENARIOS = sorted(file.stem for file in FOLDER.glob("*.jsonl"))
NOT_ONE_MATCH = {"11-bad-file", "152-a-chouette-begins-where-a-match-is-over"}


def play(steps: list[Step], journal: Path) -> dict[str, Any]:
    simulation = Simulation(steps, LIBRARY, journal, lambda _done, _all: None)
    try:
        return simulation.result(simulation.run())
    finally:
        simulation.close()


def earlier(result: dict[str, Any], by_ms: int) -> dict[str, Any]:
    """A result with its instants counted from `by_ms` on, without what an export leaves out."""
    result["at_ms"] -= by_ms
    for alert in [*result["alerts"], *(result["clock"] or {}).get("flagged", [])]:
        alert["at_ms"] -= by_ms
    result["ignored"] = [(one["side"], one["reason"]) for one in result["ignored"]]
    del result["refused"]
    return result


def until(text: str, at_ms: int) -> str:
    """The same scenario, watched until a later instant: how long a table was watched stands in no journal."""
    *lines, end = text.splitlines()
    assert json.loads(end)["do"] == "end"
    assert json.loads(end)["at"] * 1000 <= at_ms + 1
    return "\n".join([*lines, json.dumps({"at": at_ms / 1000, "do": "end"})])


@pytest.mark.parametrize("name", [name for name in SCENARIOS if name not in NOT_ONE_MATCH])
def test_a_scenario_that_was_played_is_exported_and_plays_the_same(name: str, tmp_path: Path) -> None:
    steps = load(FOLDER / f"{name}.jsonl", LIBRARY.names())
    steps = [step for step in steps if step.word != "render"]
    wanted = play(steps, tmp_path / "first.db")
    rows = list(read_rows(tmp_path / "first.db"))
    found = list(sheets(rows))
    if not found:
        assert wanted["match"] is None
        return
    opened = rows[found[-1].first_seq - 1].mono_ns - ORIGIN
    wanted = earlier(wanted, opened // NS_PER_MS)
    text = scenario_of(rows, found[-1], LIBRARY)
    again = earlier(play(parse("again", until(text, wanted["at_ms"]), LIBRARY.names()), tmp_path / "again.db"), 0)
    presses = sum(row.type == "press_ignored" for row in rows[found[-1].first_seq - 1 :])  # not those of an earlier match
    wanted["ignored"] = wanted["ignored"][len(wanted["ignored"]) - presses :]
    assert again == wanted


def test_every_fact_is_written_or_said_to_come_by_itself() -> None:
    assert set(get_args(Fact)) == WRITTEN


def _journal(folder: Path, *lines: dict[str, Any]) -> Path:
    journal = folder / "journal.db"
    play(parse("made", "\n".join(json.dumps(line) for line in lines), LIBRARY.names()), journal)
    return journal


OPEN: dict[str, Any] = {
    "do": "open_match",
    "rulebook": "ibgf",
    "length": 3,
    "players": {"left": "Ана", "right": ["Bo", "Cy"]},
    "officials": [{"name": "Марија", "role": "chief", "pin": "1111"}],
}


def test_the_command_writes_what_simulate_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = _journal(tmp_path, OPEN, {"at": 3.000000001, "do": "press", "side": "left"}, {"at": 9, "do": "sign_in", "pin": "1111"})
    target = tmp_path / "match.jsonl"
    assert run(["journal", "export", "--scenario", "1", "-o", str(target), "--journal", str(journal)]) == 0
    lines = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert [line["do"] for line in lines] == ["open_match", "press", "sign_in", "end"]
    assert '"at": 3.000000001,' in target.read_text(encoding="utf-8")
    assert lines[0]["players"] == {"left": ["Ана"], "right": ["Bo", "Cy"]}
    (official,) = lines[0]["officials"]
    assert (official["name"], official["role"]) == ("Марија", "chief")
    assert official["pin"] == lines[2]["pin"] != "1111"
    capsys.readouterr()
    assert run(["simulate", str(target), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["phase"] == "playing"


def test_a_match_goes_to_standard_output_too(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["journal", "export", "last", "--scenario", "--journal", str(_journal(tmp_path, OPEN))]) == 0
    assert [json.loads(line)["do"] for line in capfdbinary.readouterr().out.splitlines()] == ["open_match", "end"]


def _house_rule(folder: Path, text: str) -> None:
    (folder / "rulebooks").mkdir(exist_ok=True)
    (folder / "rulebooks" / "house.toml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("today", "sentence"),
    [
        (None, "Match 1 was played under 'house', a rulebook that this table does not know; it knows"),
        ('extends = "ibgf"\n[stops]\nallowed_s = 31\n', "Match 1 was played under another house than this table has now (stops differ)."),
        ('extends = "ibgf"\n[infractions.device]\nsanction = "game_loss"\n', "(device differ)"),
        ('extends = "ibgf"\n[infractions.notes]\nsanction = "game_loss"\n', ""),
    ],
)
def test_a_rulebook_that_is_another_one_now_is_a_sentence(
    today: str | None, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _house_rule(tmp_path, 'extends = "ibgf"\n')
    scenario, journal = tmp_path / "made.jsonl", tmp_path / "journal.db"
    made = [{**OPEN, "rulebook": "house"}, {"do": "sign_in", "pin": "1111"}, {"do": "penalty", "side": "left", "infraction": "device"}]
    scenario.write_text("\n".join(json.dumps(line) for line in made), encoding="utf-8")
    library = Library([tmp_path / "rulebooks"])
    simulation = Simulation(load(scenario, library.names()), library, journal, lambda _done, _all: None)
    simulation.run()
    simulation.close()
    if today is None:
        (tmp_path / "rulebooks" / "house.toml").unlink()
    else:
        _house_rule(tmp_path, today)
    code = run(["--config", str(tmp_path), "journal", "export", "--scenario", "1", "--journal", str(journal)])
    err = capsys.readouterr().err
    assert code == (1 if sentence else 0)
    assert sentence in err
    assert err.count("\n") == bool(sentence)


def test_an_entry_of_a_newer_program_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = _journal(tmp_path, OPEN, {"do": "press", "side": "left"})
    connection = sqlite3.connect(journal)
    with connection:
        connection.execute("UPDATE fact SET type = 'dice_read' WHERE seq = 2")
    connection.close()
    assert run(["journal", "export", "--scenario", "1", "--journal", str(journal)]) == 1
    assert capsys.readouterr().err == "kiosk: Entry 2 (dice_read) was written by a newer Tableside; update this one to write the match.\n"


def test_what_it_is_to_be_written_as_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["journal", "export", "1", "--journal", str(_journal(tmp_path, OPEN))]) == 2
    assert "--scenario" in capsys.readouterr().err


def test_a_press_that_was_held_and_one_that_came_soon_after_stay_two(tmp_path: Path) -> None:
    edges = [[0, 1], [5, 0], [36, 1], [60, 0], [100, 1], [1150, 0]]
    journal = _journal(tmp_path, OPEN, {"do": "edges", "side": "left", "edges": edges}, {"at": 3, "do": "end"})
    rows = list(read_rows(journal))
    (sheet,) = sheets(rows)
    lines = [json.loads(line) for line in scenario_of(rows, sheet, LIBRARY).splitlines()]
    presses = [line for line in lines if line["do"] == "press"]
    assert [line["at"] for line in presses] == [0, 0.036, 0.1]
    assert presses[0]["held_s"] < 0.006
    assert presses[2]["held_s"] > 1


def test_two_roles_of_one_name_are_two_people(tmp_path: Path) -> None:
    journal = MemoryJournal()
    session = Session(journal)
    setup = resolve(LIBRARY.load("ibgf"), Options(3, Pair(("A",), ("B",))))
    session.command(c.OpenMatch("m", setup), Instant(5))
    for role in (Role.REFEREE, Role.ORGANIZER, Role.REFEREE):
        session.command(c.SignIn(Official("Ana", role)), Instant(6))
    rows = list(journal.rows())
    (sheet,) = sheets(rows)
    lines = [json.loads(line) for line in scenario_of(rows, sheet, LIBRARY).splitlines()]
    people = [(one["name"], one["role"]) for one in lines[0]["officials"]]
    assert people == [("Ana", "referee"), ("Ana (2)", "chief")]
    pins = [line["pin"] for line in lines if line["do"] == "sign_in"]
    assert pins[0] == pins[2] != pins[1]
    assert play(parse("again", scenario_of(rows, sheet, LIBRARY), LIBRARY.names()), tmp_path / "again.db")["refused"] == []
