"""Officials at a table that runs: its own process, its own roster, words on its console."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kiosk import codec
from kiosk.app import cli_run
from kiosk.app.main import run
from kiosk.app.recoveries import FILE, Recovery, add_mark
from kiosk.app.roster import FileRoster
from kiosk.domain.errors import RosterUnavailable
from kiosk.domain.facts import PinRecovered
from kiosk.domain.officials import Official, Role
from kiosk.journal import MemoryJournal, read_rows
from kiosk.session import Session

if TYPE_CHECKING:
    from collections.abc import Sequence

OPEN: dict[str, Any] = {"do": "open_match", "rulebook": "ibgf", "length": 5, "players": {"left": "A", "right": "B"}}
RIGHT: dict[str, Any] = {"do": "sign_in", "pin": "58294"}
WRONG: dict[str, Any] = {"do": "sign_in", "pin": "40417"}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "kiosk.toml").write_text(f'data = "{tmp_path}/data"\n', encoding="utf-8")
    (tmp_path / "data").mkdir()
    FileRoster(tmp_path / "data" / "officials.json").add(Official("Ana", Role.REFEREE), "58294")
    return tmp_path


def tell(table: Path, words: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Run a table until its input ends; its answers in the order of the words."""
    command = [sys.executable, "-c", "from kiosk.app.main import main; main()", "--config", str(table), "run", "--simulate", "--no-screen"]
    typed = "".join(json.dumps(word) + "\n" for word in words)
    done = subprocess.run(command, input=typed, capture_output=True, text=True, timeout=60, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return sorted((answer for answer in answers if "line" in answer), key=lambda answer: answer["line"])


def types(table: Path) -> list[str]:
    return [row.type for row in read_rows(table / "data" / "journal.db")]


def test_a_right_pin_signs_in_rules_takes_back_and_leaves(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    penalty = {"do": "penalty", "side": "left", "infraction": "device", "note": "phone"}
    answers = tell(
        table,
        [
            OPEN,
            penalty,
            RIGHT,
            penalty,
            {"do": "void", "ruling": 1, "reason": "not his"},
            {"do": "dice_change", "by": "left"},
            {"do": "sign_out"},
            penalty,
            {"do": "status"},
        ],
    )
    assert [answer.get("refused", "accepted" in answer) for answer in answers[:-1]] == [
        True,
        "not_authorised",
        True,
        True,
        True,
        "not_authorised",  # a referee's role is too low
        True,
        "not_authorised",
    ]
    assert answers[-1]["status"]["rulings"] == [{"id": 1, "side": "left", "infraction": "device", "sanction": "warning", "void": True}]
    assert types(table) == ["match_opened", "official_signed_in", "ruling_made", "ruling_voided", "official_signed_out"]
    assert run(["--config", str(table), "journal", "show", "1"]) == 0
    shown = capsys.readouterr().out
    for words in (
        "Ana signed in as referee\n",
        "Ana (referee): ruling 1: left, device (",
        "warning; suggested: warning (first serious); note: phone\n",
        "Ana (referee): took ruling 1 back; reason: not his\n",
        "Ana signed out\n",
    ):
        assert words in shown
    assert "58294" not in shown


def test_five_wrong_pins_lock_out_the_right_one_too(table: Path) -> None:
    answers = tell(table, [OPEN, *[WRONG] * 5, RIGHT, WRONG])
    assert [answer.get("refused") for answer in answers] == [None, *["not_authorised"] * 7]
    assert answers[5]["message"] == "This PIN is nobody's."
    assert answers[6]["message"].startswith("Five wrong PINs: wait ")
    assert types(table) == ["match_opened", *["sign_in_failed"] * 5]
    (again,) = tell(table, [RIGHT])  # pulling the plug unlocks nothing
    assert again["refused"] == "not_authorised"


def test_an_official_who_is_entered_while_it_runs_can_sign_in(table: Path) -> None:
    command = [sys.executable, "-c", "from kiosk.app.main import main; main()", "--config", str(table), "run", "--simulate", "--no-screen"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline().startswith("ready")
        FileRoster(table / "data" / "officials.json").add(Official("Bo", Role.CHIEF), "40417")
        process.stdin.write(json.dumps(WRONG) + "\n")
        assert json.loads(process.stdout.readline()) == {"line": 1, "accepted": 1}
        process.stdin.close()
    assert types(table) == ["official_signed_in"]


def test_a_damaged_roster_lets_nobody_in_and_counts_nobody_as_wrong(table: Path) -> None:
    (table / "data" / "officials.json").write_text("?", encoding="utf-8")
    (answer,) = tell(table, [RIGHT])
    assert "damaged" in answer["error"]
    assert types(table) == []


def test_a_recovered_pin_goes_into_the_journal_once(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for mark in (Recovery("Ana", "table", 1_700_000_000, wall_trusted=True), Recovery("", "", 0, wall_trusted=False)):
        add_mark(table / "data", mark)
    for _ in range(2):
        tell(table, [])
    facts = [codec.decode(row.type, row.data) for row in read_rows(table / "data" / "journal.db")]
    assert [(fact.name, fact.wall_ns) for fact in facts if isinstance(fact, PinRecovered)] == [("Ana", 1_700_000_000), ("", 0)]
    assert not (table / "data" / FILE).exists()
    add_mark(table / "data", Recovery("Ana", "table", 2, wall_trusted=True))
    tell(table, [OPEN])
    add_mark(table / "data", Recovery("Ana", "table", 3, wall_trusted=True))
    tell(table, [])
    assert run(["--config", str(table), "journal", "show", "last"]) == 0
    assert capsys.readouterr().out.count("the PIN of Ana was set anew at the table itself") == 1


class Parts:
    """What is to be done when a table is left."""

    def __init__(self) -> None:
        self.later: list[Any] = []

    def callback(self, work: Any) -> None:
        self.later.append(work)


def test_marks_stay_until_the_disk_has_them(tmp_path: Path) -> None:
    add_mark(tmp_path, Recovery("Ana", "table", 1, wall_trusted=True))
    journal, parts = MemoryJournal(), Parts()
    journal.fail_with("The disk is full.")
    cli_run._note_recoveries(tmp_path, Session(journal), journal, parts)  # type: ignore[arg-type]
    (later,) = parts.later
    later()
    assert (tmp_path / FILE).exists()
    journal.recover()
    later()
    assert not (tmp_path / FILE).exists()
    assert [row.type for row in journal.rows()] == ["pin_recovered"]


def test_marks_that_cannot_be_read_keep_no_table_from_starting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_folder: Path) -> None:
        raise RosterUnavailable("recovered.json cannot be read: Input/output error.")

    monkeypatch.setattr(cli_run, "take_recoveries", fails)
    journal = MemoryJournal()
    cli_run._note_recoveries(tmp_path, Session(journal), journal, Parts())  # type: ignore[arg-type]
    assert list(journal.rows()) == []
