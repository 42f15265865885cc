"""Whatever people typed, the command line prints it so that it fakes no line and drives no terminal."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from kiosk.app.logs import JournalFormatter, PlainFormatter
from kiosk.app.main import run
from kiosk.books import Library
from kiosk.domain.officials import Official, Role
from kiosk.domain.setup import Options, resolve
from kiosk.domain.text import seen
from kiosk.domain.types import Instant, Pair, Side
from kiosk.journal import open_journal
from kiosk.session import Session
from kiosk.session import commands as c

SLY = "note\n    9        0.000 s  game_confirmed\x1b[2J\x07\x9b1m\u202egnp"
READ = r"note\n    9        0.000 s  game_confirmed\x1b[2J\x07\x9b1m\u202egnp"


def ask(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, list[str]]:
    code = run([str(argument) for argument in arguments])
    out, err = capfd.readouterr()
    lines = (out + err).removesuffix("\n").split("\n")
    assert all(seen(line) for line in lines), lines
    return code, lines


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    file = tmp_path / "journal.db"
    opened, _ = open_journal(file, boot="boot\x1b[1m", wall=lambda: (0, False))
    session = Session(opened)
    setup = resolve(Library().load("ibgf"), Options(5, Pair(("Ana",), ("Bo",))))
    session.command(c.OpenMatch("m", setup), Instant(0))
    session.press(Side.LEFT, Instant(1))
    session.command(c.SignIn(Official("Vera", Role.REFEREE)), Instant(2))
    session.command(c.Rule((Side.LEFT,), "late", note=SLY), Instant(3))
    session.alert("source_dead", Instant(4), SLY)
    session.command(c.Suspend(SLY, SLY), Instant(5))
    opened.close()
    return file


def test_a_note_is_one_entry_of_the_journal(journal: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, lines = ask(capfd, "journal", "show", "1", "--journal", journal)
    assert code == 0
    assert len(lines) == 7  # the boot, and six entries
    assert lines[0] == r"       since switched on (boot\x1b[1m), date not yet set:"
    assert lines[4].endswith(f"note: {READ}")
    assert r"\x9b1m\u202egnp" in lines[5]
    assert lines[6].endswith(f"position: {READ}; note: {READ}")
    assert len(ask(capfd, "journal", "list", "--journal", journal)[1]) == 1


def test_a_sentence_about_what_was_typed_is_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for words in (["rulebook", "check", f"{tmp_path}/{SLY}"], ["simulate", f"{tmp_path}/{SLY}"], ["officials", "remove", SLY]):
        code, lines = ask(capfd, "--config", tmp_path, *words)
        assert code == 2
        assert len(lines) == 1
    assert ask(capfd, "--config", tmp_path, "officials", "add", SLY, "--role", "x\x1b[2J")[0] == 2
    (tmp_path / "sly.toml").write_text('extends = "ibgf"\n"\\u001b[2J" = "\\u001b[2J"\ntitle = "\\u202ex"\n')
    assert ask(capfd, "rulebook", "check", tmp_path / "sly.toml")[0] == 2


def test_a_scenarios_result_keeps_to_its_lines(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    people = '[{"name": "Vera\\u009b1m", "role": "referee", "pin": "1"}]'
    players = '{"left": "A", "right": "B"}'
    open_match = f'{{"do": "open_match", "rulebook": "ibgf", "length": 5, "players": {players}, "officials": {people}}}'
    (tmp_path / "a.jsonl").write_text(open_match + '\n{"do": "check", "item": "left"}\n')
    assert ask(capfd, "simulate", tmp_path / "a.jsonl")[0] == 0
    (tmp_path / "b.jsonl").write_text('{"do": "suspend", "note": "a\\u0000b"}\n')
    code, lines = ask(capfd, "simulate", tmp_path / "b.jsonl")
    assert (code, len(lines)) == (2, 1)


def test_a_line_of_the_log_is_one_line() -> None:
    record = logging.LogRecord("tableside", logging.WARNING, "", 0, "The PIN of %s was set anew.", (SLY,), None)
    assert PlainFormatter("%(levelname)s: %(message)s").format(record) == f"WARNING: The PIN of {READ} was set anew."
    assert JournalFormatter("%(message)s").format(record) == f"<4>The PIN of {READ} was set anew."


def test_a_tables_name_is_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("a\\nb", "\\u001b[2J", "x" * 101):
        (tmp_path / "kiosk.toml").write_text(f'table = "{name}"\n')
        code, lines = ask(capfd, "--config", tmp_path, "officials", "list")
        assert code == 2
        assert lines[0].endswith("table must be a text of one line, at most 100 characters, in quotes.")
