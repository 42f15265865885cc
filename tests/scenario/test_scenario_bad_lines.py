"""Whatever is wrong with a scenario is said with its line before anything is played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kiosk.app.scenario import ScenarioError, load
from kiosk.app.scenario_words import WORDS
from kiosk.books import Library

if TYPE_CHECKING:
    from collections.abc import Callable

OPEN = '{"do":"open_match","rulebook":"ibgf","length":7,"players":{"left":"Ana","right":"Boris"}'
PRESS = '{"do":"press","side":"left"'

BAD: list[tuple[str | bytes, str]] = [
    (b'{"do":"resume"}\n\xff', "2: this is not UTF-8"),
    ('{"do":"resume"}'.encode("utf-16"), "1: this is not UTF-8"),
    ('\n\n{"do":', "3: this is not JSON"),
    ("[]", "1: each line must be an object"),
    ("3", "1: each line must be an object"),
    ("[" * 100_000, "1: this is nested too deeply"),
    ("{}", "1: 'do' is missing"),
    ('{"do":3}', "1: 'do' must be a text"),
    (f'{PRESS},"side":"right"}}', "1: 'side' stands twice"),
    (f'{PRESS},"at":NaN}}', "1: NaN is not a number"),
    (f'{PRESS},"at":-Infinity}}', "1: -Infinity is not a number"),
    (f'{PRESS},"at":-1}}', "1: 'at' must be a number of seconds, 0 or more; not -1"),
    (f'{PRESS},"at":-0.5}}', "1: 'at' must be a number of seconds, 0 or more; not -0.5"),
    (f'{PRESS},"at":true}}', "1: 'at' must be a number; not true"),
    (f'{PRESS},"at":"5"}}', "1: 'at' must be a number"),
    (f'{PRESS},"at":null}}', "1: 'at' must be a number"),
    (f'{PRESS},"at":1e10}}', "1: 'at' must be a number below a thousand million"),
    (f'{PRESS},"at":1e9999999}}', "1: 'at' must be a number below a thousand million"),
    (f'{PRESS},"at":1e99999999999999999999}}', "1: 1e999999999999999999 is too large"),
    (f'{PRESS},"at":{"9" * 5000}}}', "1: 99999999999999999999… is too large"),
    (f'{PRESS},"at":5}}\n\n{PRESS},"at":4.999999999}}', "3: time runs backwards"),
    ('{"do":"pres","side":"left"}', "1: \"pres\" is no word of the scenario format (did you mean 'press'?)."),
    ('{"do":"xyzzy"}', '1: "xyzzy" is no word of the scenario format; known are open_match'),
    ('{"do":"press","sid":"left"}', "1: 'press' has no argument \"sid\" (did you mean 'side'?)."),
    ('{"do":"resume","by":"left"}', "1: 'resume' has no argument \"by\""),
    ('{"do":"press"}', "1: 'press' needs the argument 'side'"),
    ('{"do":"press","side":"middle"}', "1: 'side' must be one of left, right; not \"middle\""),
    ('{"do":"press","side":1}', "1: 'side' must be one of left, right; not 1"),
    ('{"do":"press","side":null}', "1: 'side' must be one of left, right; not null"),
    (f'{PRESS},"held_s":-1}}', "1: 'held_s' must be a number of seconds, 0 or more"),
    ('{"do":"double","by":"referee"}', "1: 'by' must be one of left, right"),
    ('{"do":"stop","by":"chief"}', "1: 'by' must be one of left, right, referee"),
    ('{"do":"stop","reason":"tea"}', "1: 'reason' must be one of setup, dice, referee, fault"),
    ('{"do":"start_late","side":"none"}', "1: 'side' must be one of left, right, both"),
    ('{"do":"game","winner":"left","kind":"pass"}', "1: 'kind' must be one of single, gammon, backgammon, oin, mars, koks"),
    ('{"do":"game","winner":"left","kind":"single","cube":1.5}', "1: 'cube' must be a whole number; not 1.5"),
    ('{"do":"sign","side":"left","protest":1}', "1: 'protest' must be true or false"),
    ('{"do":"edges","side":"left","edges":5}', "1: 'edges' must be a list of"),
    ('{"do":"edges","side":"left","edges":[[0]]}', "1: 'edges' must be a list of"),
    ('{"do":"edges","side":"left","edges":[[0,2]]}', "1: 'edges' must be a list of"),
    ('{"do":"edges","side":"left","edges":[[5,1],[4,0]]}', "1: 'edges' must be a list of"),
    ('{"do":"edges","side":"left","edges":[[-1,1]]}', "1: 'edges' must be a list of"),
    ('{"do":"sign","side":"left","strokes":5}', "1: 'strokes' must be a list of strokes"),
    ('{"do":"sign","side":"left","strokes":[5]}', "1: 'strokes' must be a list of strokes"),
    ('{"do":"sign","side":"left","strokes":[[5,6]]}', "1: 'strokes' must be a list of strokes"),
    ('{"do":"sign","side":"left","strokes":[[[5,6,7]]]}', "1: 'strokes' must be a list of strokes"),
    ('{"do":"sign","side":"left","strokes":[[[5,6.5]]]}', "1: 'strokes' must be a whole number"),
    ('{"do":"check","item":"lamp"}', "1: 'item' must be one of left, right, checkers, clock, dice, choice"),
    ('{"do":"wall_clock","step_s":"1 h"}', "1: 'step_s' must be a number"),
    ('{"do":"power_cut","off_s":-1}', "1: 'off_s' must be a number of seconds, 0 or more"),
    (OPEN.replace("ibgf", "igbf") + "}", "1: there is no rulebook \"igbf\" (did you mean 'ibgf'?)."),
    (OPEN.replace('"length":7,', "") + "}", "1: 'open_match' needs the argument 'length'"),
    (OPEN.replace("7", '"7"') + "}", "1: 'length' must be a number"),
    (OPEN.replace("7", "true") + "}", "1: 'length' must be a number"),
    (OPEN.replace(',"right":"Boris"', "") + "}", "1: 'players' must be an object with left and right"),
    (OPEN.replace('"Boris"', '"Boris","third":"Cid"') + "}", "1: 'players' must be an object with left and right"),
    (OPEN.replace('"Boris"', "4") + "}", "1: 'players' must be a text"),
    (OPEN.replace('"Boris"', '["Boris",4]') + "}", "1: 'players' must be a text"),
    (OPEN.replace('"Boris"', '"\\ud800"') + "}", "1: 'players' must be a text of whole characters"),
    (f'{OPEN},"reserve_s":[1,2]}}', "1: 'reserve_s' must be a number"),
    (f'{OPEN},"reserve_s":{{"left":1}}}}', "1: 'reserve_s' must be an object with left and right"),
    (f'{OPEN},"method":"hourglass"}}', "1: 'method' must be one of delay, bronstein, fischer"),
    (f'{OPEN},"provide":"tea"}}', "1: 'provide' must be one of bonus, breaks, neither"),
    (f'{OPEN},"crawford":"yes"}}', "1: 'crawford' must be true or false"),
    (f'{OPEN},"score":3}}', "1: 'score' must be an object with left and right"),
    (f'{OPEN},"on_flag":"mercy"}}', "1: 'on_flag' must be one of claim, auto"),
    (f'{OPEN},"on_flag":{{"points":2}}}}', "1: 'on_flag' must be a policy's name, or an object with policy"),
    (f'{OPEN},"on_flag":{{"policy":"auto","hours":2}}}}', "1: 'on_flag' must be a policy's name, or an object with policy"),
    (f'{OPEN},"on_flag":4}}', "1: 'on_flag' must be a policy's name, or an object with policy"),
    (f'{OPEN},"officials":"Vera"}}', "1: 'officials' must be a list of objects"),
    (f'{OPEN},"officials":[{{"name":"Vera"}}]}}', "1: 'officials' must be a list of objects"),
    (f'{OPEN},"officials":[{{"name":"Vera","role":"king","pin":"1"}}]}}', "1: 'officials' must be one of referee, deputy, chief"),
    (f'{OPEN},"officials":[{{"name":"Vera","role":"chief","pin":1}}]}}', "1: 'officials' must be a text"),
    (f'{OPEN},"round_start_s":-5}}', "1: 'round_start_s' must be a number of seconds"),
    ('{"do":"penalty","side":"left","infraction":"x","panel":"Vera"}', "1: 'panel' must be a list of texts"),
    ('{"do":"penalty","side":"left","infraction":"x","sanction":"jail"}', "1: 'sanction' must be one of remark"),
    ('{"do":"render","file":"a.png","colour":3}', "1: 'render' has no argument"),
    ('{"do":"render","file":"a.jpg"}', "1: 'file' must be a file name that ends in .png"),
    ('{"do":"render","file":7}', "1: 'file' must be a file name that ends in .png"),
    ('{"do":"render","file":"a.png","size":3}', "1: 'size' must be a size in pixels such as 800x480"),
    ('{"do":"render","file":"a.png","size":"800x48000"}', "1: 'size' must be a size in pixels such as 800x480"),
    ('{"do":"render","file":"a.png","theme":"pink"}', "1: 'theme' must be one of dark, light"),
]


@pytest.mark.parametrize(("contents", "wrong"), BAD, ids=range(len(BAD)))
def test_a_wrong_line_is_named(fault: Callable[[str | bytes], str], contents: str | bytes, wrong: str) -> None:
    assert fault(contents).startswith(wrong)


def test_a_long_wrong_value_is_told_in_short(fault: Callable[[str | bytes], str]) -> None:
    assert len(fault(f'{{"do":"press","side":"{"x" * 10_000}"}}')) < 200
    assert len(fault(f'{{"do":"resume","{"x" * 10_000}":1}}')) < 200


@pytest.mark.parametrize("path", [Path("nowhere.jsonl"), Path(__file__).parent, Path("nul\0.jsonl")])
def test_what_cannot_be_read_is_a_sentence(path: Path) -> None:
    with pytest.raises(ScenarioError, match="the scenario cannot be read") as caught:
        load(path, Library().names())
    assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.parametrize("word", WORDS)
def test_every_needed_argument_is_asked_for(fault: Callable[[str | bytes], str], word: str) -> None:
    needed = next(iter(WORDS[word].needed), None)
    if needed is not None:
        assert fault(f'{{"do":"{word}"}}') == f"1: '{word}' needs the argument '{needed}'."
