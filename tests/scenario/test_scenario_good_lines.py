"""A scenario's lines become steps with exact times and the table's own values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kiosk.app.scenario import ScenarioError, documented_words, load
from kiosk.books import Library
from kiosk.domain.facts import StopReason
from kiosk.domain.rulebook import FlagPolicy, Kind
from kiosk.domain.types import Pair, Side

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.app.scenario import Step

    Read = Callable[[str | bytes], list[Step]]

EXAMPLES = Path(__file__).parents[1] / "scenarios"
KNOWN = Library().names()


def test_times_are_exact(read: Read) -> None:
    steps = read('{"at":36.4,"do":"resume"}\n{"do":"resume"}\n{"at":36.400000001,"do":"power_cut","off_s":0.1}')
    assert [step.at_ns for step in steps] == [36_400_000_000, 36_400_000_000, 36_400_000_001]
    assert steps[2].args == {"off_s": 100_000_000}


def test_the_first_line_is_at_0_unless_it_says_otherwise(read: Read) -> None:
    assert read('{"do":"resume"}')[0].at_ns == 0


def test_lines_are_counted_as_an_editor_counts_them(read: Read) -> None:
    steps = read("\ufeff\r\n".encode() + b'{"do":"resume"}\r\n  \t\r\n{"do":"end"}')
    assert [(step.line, step.word) for step in steps] == [(2, "resume"), (4, "end")]


def test_separators_inside_a_text_do_not_end_a_line(read: Read) -> None:
    steps = read('{"do":"correct","game":1,"winner":"left","kind":"oin","reason":"a\u2028b"}\n{"do":"end"}')
    assert steps[0].args["reason"] == "a\u2028b"
    assert steps[1].line == 2


def test_an_empty_file_is_an_evening_on_which_nothing_happens(read: Read) -> None:
    assert read("") == []


def test_values_are_the_tables_own(read: Read) -> None:
    stop, game, edges = read(
        '{"do":"stop","reason":"dice","by":"referee"}\n{"do":"game","winner":"left","kind":"mars","cube":3}\n'
        '{"do":"edges","side":"right","edges":[[0,1],[1.5,0]]}'
    )
    assert stop.args == {"reason": StopReason.DICE, "by": "referee"}
    assert game.args == {"winner": Side.LEFT, "kind": Kind.MARS, "cube": 3}
    assert edges.args == {"side": Side.RIGHT, "edges": ((0, True), (1_500_000, False))}


def test_what_does_not_fit_is_left_to_the_table(read: Read) -> None:
    (step,) = read(
        '{"do":"open_match","rulebook":"ibgf-blitz","length":0,"players":{"left":["a","b","c"],"right":""},'
        '"reserve_s":-5,"delay_s":-1,"backgammon_counts":7,"score":{"left":-1,"right":99},"on_flag":{"policy":"auto","points":0}}'
    )
    assert step.args["length"] == 0
    assert step.args["players"] == Pair(("a", "b", "c"), ("",))
    assert step.args["reserve_s"] == Pair(-5_000_000_000, -5_000_000_000)
    assert step.args["on_flag"] == {"policy": FlagPolicy.AUTO, "points": 0}


def test_a_free_session_has_length_null(read: Read) -> None:
    (step,) = read('{"do":"open_match","rulebook":"circle","length":null,"players":{"left":"a","right":"b"}}')
    assert step.args["length"] is None


def expected_exit(path: Path) -> int:
    expected: dict[str, int] = json.loads(path.with_name(f"{path.stem}.expect.json").read_text(encoding="utf-8"))
    return expected.get("exit", 0)


EXAMPLES_PLAYED = sorted(EXAMPLES.glob("*.jsonl"))


@pytest.mark.parametrize("path", EXAMPLES_PLAYED, ids=lambda path: path.stem)
def test_every_example_is_read_or_refused_as_it_expects(path: Path) -> None:
    if expected_exit(path) == 2:
        with pytest.raises(ScenarioError):
            load(path, KNOWN)
    else:
        assert load(path, KNOWN)


def test_a_bad_example_is_refused_by_its_line() -> None:
    path = EXAMPLES / "11-bad-file.jsonl"
    with pytest.raises(ScenarioError) as caught:
        load(path, KNOWN)
    assert str(caught.value).startswith(f'{path}:2: "pres" is no word')


ARGUMENTS: dict[str, Any] = {
    "press": ("side", "held_s"),
    "end": (),
    "correct": ("game", "winner", "kind", "cube", "reason"),
    "render": ("file", "size", "theme"),
}


@pytest.mark.parametrize("word", ARGUMENTS)
def test_words_are_listed_with_their_arguments(word: str) -> None:
    assert documented_words()[word] == ARGUMENTS[word]
