"""The phase × command table: every command in every phase either leads to facts or is refused and changes nothing.

`phase_table.json` holds what each cell came to where nobody is signed in: the facts' names joined by +, or the refusal's code;
`phase_table_chief.json` what officials' commands come to where the chief is. To write them anew after a considered change, run this file
as a program; then read the difference cell by cell.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest
from evening import LEFT, Evening, ns
from phases import AT_S, BY_OFFICIALS, CHIEF, COMMANDS, PHASES

from kiosk import codec
from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.state import Phase
from kiosk.session import commands as c
from kiosk.session.authority import OFFICIALS_ONLY
from kiosk.session.permits import ALLOWED, DOING, PLACE

Cells = dict[str, dict[str, str]]

STORED = Path(__file__).with_name("phase_table.json")
STORED_CHIEF = Path(__file__).with_name("phase_table_chief.json")
CELLS = [(phase, name) for phase in PHASES for name in COMMANDS]
CHIEFS_CELLS = [(phase, name) for phase in PHASES for name in BY_OFFICIALS]


def outcome(table: Evening, command: c.Command) -> str:
    """What a command comes to; a refusal is checked to have changed nothing."""
    table.session.tick(ns(AT_S))
    before, rows = table.table, list(table.journal.rows())
    try:
        facts = table.do(command, AT_S)
    except CommandRefused as refused:
        assert isinstance(refused.code, Refusal)
        assert refused.message.strip().endswith(".")
        assert table.table == before
        assert list(table.journal.rows()) == rows
        return refused.code.value
    assert facts
    assert len(list(table.journal.rows())) == len(rows) + len(facts)
    assert table.replayed() == table.table
    return "+".join(codec.encode(fact)[0] for fact in facts)


def signed_in(phase: str) -> Evening:
    """A phase with the chief at the table."""
    table = PHASES[phase]()
    table.do(c.SignIn(CHIEF), AT_S)
    return table


def written() -> Cells:
    return {phase: {name: outcome(make(), command) for name, command in COMMANDS.items()} for phase, make in PHASES.items()}


def written_by_the_chief() -> Cells:
    return {phase: {name: outcome(signed_in(phase), command) for name, command in BY_OFFICIALS.items()} for phase in PHASES}


def read(path: Path) -> Cells:
    cells: Cells = json.loads(path.read_text())
    return cells


@pytest.fixture(scope="module")
def stored() -> Cells:
    return read(STORED)


@pytest.fixture(scope="module")
def by_the_chief() -> Cells:
    return read(STORED_CHIEF)


@pytest.mark.parametrize("phase", PHASES)
def test_each_cell_of_a_phase_comes_out_as_decided(stored: Cells, phase: str) -> None:
    assert {name: outcome(PHASES[phase](), command) for name, command in COMMANDS.items()} == stored[phase]


@pytest.mark.parametrize("phase", PHASES)
def test_each_of_the_chiefs_cells_of_a_phase_comes_out_as_decided(by_the_chief: Cells, phase: str) -> None:
    assert {name: outcome(signed_in(phase), command) for name, command in BY_OFFICIALS.items()} == by_the_chief[phase]


def test_the_tables_have_every_cell_and_no_other(stored: Cells, by_the_chief: Cells) -> None:
    assert [(phase, name) for phase, row in stored.items() for name in row] == CELLS
    assert [(phase, name) for phase, row in by_the_chief.items() for name in row] == CHIEFS_CELLS


def test_every_kind_of_command_is_tried() -> None:
    assert {type(command) for command in COMMANDS.values()} == set(get_args(c.Command))


def test_every_command_has_its_places_and_its_sentence() -> None:
    assert set(ALLOWED) == set(DOING) == set(get_args(c.Command))
    assert set(PLACE) == {None, *Phase}


def test_every_command_succeeds_somewhere(stored: Cells, by_the_chief: Cells) -> None:
    codes = {code.value for code in Refusal}
    both = [*stored.values(), *by_the_chief.values()]
    done = {type(COMMANDS[name]) for row in both for name, came in row.items() if came not in codes}
    assert done == set(get_args(c.Command)) - {c.Back}, "a permission ends only where one was given"


def test_without_a_sign_in_nothing_that_is_an_officials_is_done(stored: Cells) -> None:
    theirs = [name for name, command in COMMANDS.items() if isinstance(command, OFFICIALS_ONLY) or command == c.LiftPause(None)]
    for row in stored.values():
        assert all(row[name] == "not_authorised" for name in theirs)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("side", ["left", "right"])
def test_a_press_is_never_refused_and_always_recorded(phase: str, side: str) -> None:
    table = PHASES[phase]()
    facts = table.press(LEFT if side == "left" else LEFT.other, AT_S)
    assert facts
    assert table.replayed() == table.table


if __name__ == "__main__":
    STORED.write_text(json.dumps(written(), indent=1) + "\n")
    STORED_CHIEF.write_text(json.dumps(written_by_the_chief(), indent=1) + "\n")
