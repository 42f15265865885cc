"""`kiosk journal export --scenario`: what is written plays to the same result, whatever happened at the table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import pytest

from kiosk.app.rulebooks import Library
from kiosk.app.scenario import load, parse
from kiosk.app.scenario_export import scenario_of
from kiosk.app.scenario_facts import WRITTEN
from kiosk.app.simulate import ORIGIN, Simulation
from kiosk.domain.facts import Fact
from kiosk.domain.types import NS_PER_MS
from kiosk.journal import read_rows
from kiosk.sheets import sheets

if TYPE_CHECKING:
    from kiosk.app.scenario import Step

LIBRARY = Library()
FOLDER = Path(__file__).parents[1] / "scenarios"
SCENARIOS = sorted(file.stem for file in FOLDER.glob("*.jsonl"))
NOT_ONE_MATCH = {"11-bad-file"}


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
