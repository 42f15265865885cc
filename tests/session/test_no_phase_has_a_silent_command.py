"""The phase × command table: every command in every phase either leads to facts or is refused and changes nothing.

`phase_table.json` holds what each cell came to: the facts' names joined by +, or the refusal's code. To write it anew after a
considered change, run this file as a program; then read the difference cell by cell.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest
from evening import LEFT, Evening, ns
from phases import AT_S, COMMANDS, PHASES

from kiosk import codec
from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.state import Phase, Table
from kiosk.session import commands as c
from kiosk.session.decide import decide
from kiosk.session.permits import ALLOWED, DOING, PLACE

STORED = Path(__file__).with_name("phase_table.json")
CELLS = [(phase, name) for phase in PHASES for name in COMMANDS]


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


def written() -> dict[str, dict[str, str]]:
    return {phase: {name: outcome(make(), command) for name, command in COMMANDS.items()} for phase, make in PHASES.items()}


@pytest.fixture(scope="module")
def stored() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = json.loads(STORED.read_text())
    return table


@pytest.mark.parametrize(("phase", "name"), CELLS)
def test_the_cell_comes_out_as_decided(stored: dict[str, dict[str, str]], phase: str, name: str) -> None:
    assert outcome(PHASES[phase](), COMMANDS[name]) == stored[phase][name]


def test_the_table_has_every_cell_and_no_other(stored: dict[str, dict[str, str]]) -> None:
    assert [(phase, name) for phase, row in stored.items() for name in row] == CELLS


def test_every_kind_of_command_is_tried() -> None:
    assert {type(command) for command in COMMANDS.values()} == set(get_args(c.Command))


def test_every_command_has_its_places_and_its_sentence() -> None:
    assert set(ALLOWED) == set(DOING) == set(get_args(c.Command))
    assert set(PLACE) == {None, *Phase}


def test_every_command_succeeds_somewhere(stored: dict[str, dict[str, str]]) -> None:
    codes = {code.value for code in Refusal}
    done = {type(COMMANDS[name]) for row in stored.values() for name, came in row.items() if came not in codes}
    assert done == set(get_args(c.Command))


@pytest.mark.parametrize("phase", [Phase.SUSPENDED, Phase.RECEIVED])
@pytest.mark.parametrize("name", COMMANDS)
def test_phases_that_only_an_official_reaches_have_no_silent_cell_either(phase: Phase, name: str) -> None:
    made = PHASES["stopped" if phase is Phase.SUSPENDED else "signed"]().table
    table = Table(**{key: getattr(made, key) for key in made.__slots__} | {"phase": phase})
    try:
        assert decide(table, COMMANDS[name], ns(AT_S))
    except CommandRefused as refused:
        assert refused.message.endswith(".")


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("side", ["left", "right"])
def test_a_press_is_never_refused_and_always_recorded(phase: str, side: str) -> None:
    table = PHASES[phase]()
    facts = table.press(LEFT if side == "left" else LEFT.other, AT_S)
    assert facts
    assert table.replayed() == table.table


if __name__ == "__main__":
    STORED.write_text(json.dumps(written(), indent=1) + "\n")
