"""A broken file of each kind names line and key, and says what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kiosk.books import Library, RulebookFault, check_file
from kiosk.domain.errors import RulebookError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Write = Callable[[str, str], Path]

HEAD = 'extends = "ibgf"\n'
ALONE = 'title = "x"\ngame = "backgammon"\nkinds.single = 1\n'
PRESET = '[[presets]]\nname = "a"\nlength = 3\nreserve_s = 60\ndelay_s = 10\n'

# name: (text, line, key, a fragment of the sentence)
BROKEN = {
    # keys
    "unknown key": (HEAD + "crawfrod = true\n", 2, "crawfrod", 'Did you mean "crawford"'),
    "unknown key in a section": (HEAD + "[control]\ndelay = 8\n", 3, "control.delay", 'Did you mean "delay_s"'),
    "unknown key far from any": (HEAD + "zzzzzz = true\n", 2, "zzzzzz", "remove it"),
    "unknown section": (HEAD + "[contol]\ndelay_s = 8\n", 2, "contol", 'Did you mean "control"'),
    "key outside its section": (HEAD + "delay_s = 8\n", 2, "delay_s", "belongs in [control]"),
    "key in a wrong section": (HEAD + "[sounds]\ncube = true\n", 3, "sounds.cube", "before the first section"),
    "pass is never stated": (HEAD + "[kinds]\npass = 1\n", 3, "kinds.pass", "no such key"),
    "unknown key in a preset": (HEAD + PRESET + "delay = 3\n", 7, "presets.delay", 'Did you mean "delay_s"'),
    "quoted key": (HEAD + '"cu be" = true\n', 2, "cu be", 'Did you mean "cube"'),
    "dotted key": (HEAD + "control.dely_s = 1\n", 2, "control.dely_s", "delay_s"),
    # sorts of values
    "number for true": (HEAD + "cube = 1\n", 2, "cube", "true or false"),
    "text for true": (HEAD + 'cube = "yes"\n', 2, "cube", "without quotes"),
    "true for a number": (HEAD + "bonus_from = true\n", 2, "bonus_from", "whole number from 1 to 99, not true"),
    "true for seconds": (HEAD + "bonus_s = true\n", 2, "bonus_s", "not true"),
    "fraction for a whole number": (HEAD + "bonus_from = 7.5\n", 2, "bonus_from", "whole number"),
    "text for seconds": (HEAD + '[control]\ndelay_s = "12"\n', 3, "control.delay_s", 'as a number, not "12"'),
    "nan": (HEAD + "[control]\ndelay_s = nan\n", 3, "control.delay_s", "not nan"),
    "infinity": (HEAD + "[control]\ndelay_s = inf\n", 3, "control.delay_s", "not inf"),
    "overflow": (HEAD + "[control]\ndelay_s = 1e999\n", 3, "control.delay_s", "not inf"),
    "huge number": (HEAD + f"bonus_s = 0x{'f' * 5000}\n", 2, "bonus_s", "beyond all measure"),
    "date": (HEAD + "bonus_s = 2024-01-01\n", 2, "bonus_s", "as a number"),
    "number for a text": (HEAD + "title = 5\n", 2, "title", "one for each language"),
    "empty text": (HEAD + 'title = "  "\n', 2, "title", "text on one line"),
    "long text": (HEAD + f'title = "{"x" * 99}"\n', 2, "title", "at most 80"),
    "number for a word": (HEAD + "provide = 1\n", 2, "provide", '"bonus", "breaks", "neither"'),
    "section as a value": (HEAD + "control = 5\n", 2, "control", "write [control]"),
    "table for a number": (HEAD + "[bonus_s]\nx = 1\n", 2, "bonus_s", "not a table"),
    "list for a number": (HEAD + "bonus_s = [1]\n", 2, "bonus_s", "not a list"),
    "presets as one section": (HEAD + "[presets]\nx = 1\n", 2, "presets", "[[presets]]"),
    # words
    "wrong word": (HEAD + 'provide = "brakes"\n', 2, "provide", 'Did you mean "breaks"'),
    "wrong policy": (HEAD + '[on_flag]\npolicy = "claims"\n', 3, "on_flag.policy", 'Did you mean "claim"'),
    "wrong game": (HEAD + 'game = "chess"\n', 2, "game", '"backgammon", "long"'),
    "wrong name": (HEAD + 'name = "City Open"\n', 2, "name", "small letters"),
    # ranges
    "negative time": (HEAD + "[control]\nper_point_s = -1\n", 3, "control.per_point_s", "from 0"),
    "delay of hours": (HEAD + "[control]\ndelay_s = 4000\n", 3, "control.delay_s", "3600"),
    "zero refill": (HEAD + "[on_flag]\nrefill_s = 0\n", 3, "on_flag.refill_s", "above 0"),
    "refill in a word": (HEAD + '[on_flag]\nrefill_s = "all"\n', 3, "on_flag.refill_s", 'or "half"'),
    "refill below a nanosecond": (HEAD + "[on_flag]\nrefill_s = 1e-12\n", 3, "on_flag.refill_s", "above 0"),
    "zero overtime": (HEAD + "[on_flag]\nextra_s = 0\n", 3, "on_flag.extra_s", "above 0"),
    "no penalty points": (HEAD + "[on_flag]\npoints = 0\n", 3, "on_flag.points", "from 1"),
    "reversed range": (HEAD + "[control]\ndelay_range_s = [45, 5]\n", 3, "control.delay_range_s", "exchange them"),
    "range of three": (HEAD + "[control]\ndelay_range_s = [1, 2, 3]\n", 3, "control.delay_range_s", "two numbers"),
    "length of 100": (HEAD + "lengths = [\n  1,\n  100,\n]\n", 2, "lengths", "100 is none of them"),
    "length twice": (HEAD + "lengths = [3, 3]\n", 2, "lengths", "twice"),
    "no length": (HEAD + "lengths = []\n", 2, "lengths", "empty list"),
    "true as a length": (HEAD + "lengths = [true]\n", 2, "lengths", "true is none"),
    "row of length 0": (HEAD + "[breaks.table]\n7 = 1\n0 = 1\n", 4, "breaks.table.0", "1 to 99"),
    "row of no length": (HEAD + '[breaks.table]\n"from 7" = 1\n', 3, "breaks.table.from 7", "1 to 99"),
    "row of text": (HEAD + '[breaks.table]\n7 = "one"\n', 3, "breaks.table.7", "whole number"),
    "rows in one line": (HEAD + "breaks.table = { 7 = -1 }\n", 2, "breaks.table.7", "from 0"),
    "rows as a list": (HEAD + "breaks.table = [7, 1]\n", 2, "breaks.table", "not a list"),
    "preset of length 0": (HEAD + PRESET.replace("3", "0"), 4, "presets.length", "1 to 99"),
    "preset with a part missing": (
        HEAD + PRESET + "[[presets]]\nname = 'b'\nlength = 1\nreserve_s = 9\n",
        7,
        "presets.delay_s",
        "add one",
    ),
    "second preset": (HEAD + PRESET + PRESET.replace('"a"', "5"), 8, "presets.name", "one for each language"),
    # one against another
    "per point without its seconds": (ALONE + '[control]\nkind = "per_point"\n', 5, "control.kind", "needs per_point_s"),
    "table without rows": (HEAD + '[control]\nkind = "table"\n', 3, "control.kind", "needs table_s"),
    "empty table": (HEAD + '[control]\nkind = "table"\ntable_s = {}\n', 3, "control.kind", "needs table_s"),
    "flat without its seconds": (HEAD + '[control]\nkind = "flat"\n', 3, "control.kind", "needs flat_s"),
    "no time at all": (HEAD + "[control]\nper_point_s = 0\ndelay_s = 0\n", 3, "control.per_point_s", "no time at all"),
    "bronstein without a reserve": (
        HEAD + '[control]\nmethod = "bronstein"\nper_point_s = 0\n',
        4,
        "control.per_point_s",
        "no time at all",
    ),
    "lengths the table lacks": ('extends = "ibgf-blitz"\nlengths = [1, 9]\n', 2, "lengths", "no time for 9 points"),
    "table that lacks lengths": (
        'extends = "ibgf-blitz"\n[control.table_s]\n1 = 5\n3 = 5\n',
        2,
        "control.table_s",
        "no time for 5, 7 points",
    ),
    "blitz with breaks": (HEAD + 'blitz = true\nprovide = "breaks"\n', 3, "provide", "neither"),
    "blitz with the inherited bonus": (HEAD + "\nblitz = true\n", 3, "blitz", "neither"),
    "breaks without rows": (HEAD + 'provide = "breaks"\nbreaks.table = {}\n', 2, "provide", "rows in [breaks.table]"),
    "bonus of nothing": (HEAD + "bonus_s = 0\n", 2, "bonus_s", "is none"),
    "crawford without a cube": ('extends = "yellowclub"\ncrawford = true\n', 2, "crawford", "cube = true"),
    "jacoby without a cube": (HEAD + "cube = false\njacoby = true\n", 3, "jacoby", "jacoby = false"),
    "automatic doubles without a cube": (
        HEAD + "cube = false\nautomatic_doubles = true\n",
        3,
        "automatic_doubles",
        "Without a cube",
    ),
    "mars in backgammon": (HEAD + "[kinds]\nmars = 2\n", 3, "kinds.mars", "no way to win"),
    "no plain win": (HEAD + "[kinds]\nsingle = 0\n", 3, "kinds.single", "single = 1"),
    "preset without time": (
        HEAD + PRESET.replace("60", "0").replace("10", "0"),
        5,
        "presets.reserve_s",
        "no time at all",
    ),
    "two presets of one name": (HEAD + PRESET + PRESET, 8, "presets.name", "rename one"),
    # infractions
    "infractions as a value": (HEAD + "infractions = 5\n", 2, "infractions", "[infractions.my_code]"),
    "infraction as a value": (HEAD + "[infractions]\nlate = 5\n", 3, "infractions.late", "Write [infractions.late]"),
    "infractions misspelled": (HEAD + "[infraction.late]\nserious = true\n", 2, "infraction", 'Did you mean "infractions"'),
    "code in words": (HEAD + '[infractions."Phone rang"]\ntitle = "x"\n', 2, "infractions.Phone rang", "like my_code"),
    "code of great length": (HEAD + f"[infractions.{'x' * 41}]\n", 2, f"infractions.{'x' * 41}", "at most 40"),
    "unknown key in an infraction": (
        HEAD + "[infractions.late]\nsanctoin = 'remark'\n",
        3,
        "infractions.late.sanctoin",
        'Did you mean "sanction"',
    ),
    "unknown sanction": (HEAD + "[infractions.late]\nsanction = 'warn'\n", 3, "infractions.late.sanction", 'Did you mean "warning"'),
    "sanction of another sort": (HEAD + "[infractions.late]\nrepeat = 1\n", 3, "infractions.late.repeat", '"ladder", not 1'),
    "serious in a word": (HEAD + "[infractions.late]\nserious = 'yes'\n", 3, "infractions.late.serious", "true or false"),
    "title of a number": (HEAD + "[infractions.late]\ntitle = 5\n", 3, "infractions.late.title", "one for each language"),
    "title too long": (HEAD + f"[infractions.late]\ntitle = '{'x' * 41}'\n", 3, "infractions.late.title", "at most 40"),
    "no English title": (HEAD + "[infractions.late]\ntitle = { ru = 'Поздно' }\n", 3, "infractions.late.title", "(en)"),
    "titles of no language": (HEAD + "[infractions.late.title]\nen = 'x'\nRussian = 'y'\n", 4, "infractions.late.title.Russian", "ru"),
    "a name in no English": (HEAD + PRESET.replace('"a"', "{ ru = 'Блиц' }"), 3, "presets.name", "(en)"),
    "title that drives a terminal": (HEAD + 'title.en = "\\u001b[31mx"\n', 2, "title.en", "can be seen"),
    "title of null": (HEAD + '[infractions.late]\ntitle = "x\\u0000"\n', 3, "infractions.late.title", "text on one line"),
    "title that turns the reading around": (
        HEAD + "[infractions.late.title]\nen = 'x'\nru = 'y\u202e'\n",
        4,
        "infractions.late.title.ru",
        'no marks of direction, not "y\\u202e".',
    ),
    "preset with a mark of direction": (
        HEAD + "[[presets]]\nname = 'x\u2066'\nlength = 5\nreserve_s = 9\ndelay_s = 1\n",
        3,
        "presets.name",
        "can be seen",
    ),
    "empty title": (HEAD + "[infractions.late.title]\nen = 'x'\nru = ' '\n", 4, "infractions.late.title.ru", "a text"),
    "new code without a title": (
        HEAD + '[infractions.lates]\narticle = "3"\n',
        2,
        "infractions.lates",
        'no title; add one. Did you mean "late"',
    ),
    "new code without an article": (HEAD + '[infractions.phone]\ntitle = "Phone"\n', 2, "infractions.phone", "no article; add one."),
    "code without a title alone": (
        ALONE + "[control]\nkind = 'flat'\nflat_s = 5\n[infractions.phone]\narticle = '3'\n",
        7,
        "infractions.phone",
        "no title",
    ),
    "punished and recorded only": (
        HEAD + "[infractions.illegal_move]\nsanction = 'remark'\n",
        3,
        "infractions.illegal_move.sanction",
        "recorded_only = false",
    ),
    "recorded only and punished": (
        HEAD + "[infractions.match_fixing]\nrecorded_only = true\n",
        3,
        "infractions.match_fixing.recorded_only",
        '"ladder"',
    ),
    "ladder step of no word": (HEAD + "[ladder]\nfirst_minor = 'ladder'\n", 3, "ladder.first_minor", '"expulsion", not "ladder"'),
    "ladder step unknown": (HEAD + "[ladder]\nsecond = 'warning'\n", 3, "ladder.second", "no such key"),
    # what is needed
    "no title": (ALONE[12:] + "[control]\nkind = 'flat'\nflat_s = 5\n", 1, "title", "extends"),
    "no control": (ALONE, 1, "control", "missing"),
    "no kind of control": (ALONE + "[control]\nflat_s = 5\n", 4, "control.kind", "missing"),
    "unknown base": ('\nextends = "ibfg"\n', 2, "extends", 'Did you mean "ibgf"'),
    "base of itself": ('extends = "broken"\n', 1, "extends", "circle"),
    "base of no word": ("extends = 5\n", 1, "extends", "Give a word"),
    # not TOML
    "key twice": (HEAD + "cube = true\ncube = false", 3, "cube", "second time"),
    "section twice": (HEAD + "[late]\n[stops]\n[late]\n", 4, "late", "second time"),
    "key twice in one line": (HEAD + "breaks.table = {7 = 1, 7 = 2}\n", 2, "breaks.table", "second time"),
    "no value": (HEAD + "[control]\ndelay_s =\n", 3, "control.delay_s", "not TOML"),
    "no quotes": (HEAD + "provide = bonus\n", 2, "provide", "in quotes"),
    "open quotes": (HEAD + 'title = "x\n', 2, "title", "not TOML"),
    "open list at the end": (HEAD + "lengths = [1, 2\n", 2, "lengths", "not TOML"),
    "number of thousands of digits": (HEAD + f"bonus_s = {'9' * 5000}\n", 2, "bonus_s", "not TOML"),
    "nested too deeply": (HEAD + f"lengths = {'[' * 3000}{']' * 3000}\n", 1, "", "nested too deeply"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_names_line_and_key(case: str, write: Write, tmp_path: Path) -> None:
    text, line, key, fragment = BROKEN[case]
    path = write("broken.toml", text)
    problems = [problem for problem in check_file(path, Library([tmp_path])) if not problem.warning]
    assert [(problem.line, problem.key) for problem in problems] == [(line, key)]
    assert fragment in problems[0].sentence
    assert len(str(problems[0])) < 600
    with pytest.raises(RulebookError) as caught:
        Library([tmp_path]).load("broken")
    if isinstance(caught.value, RulebookFault):
        assert caught.value.problems == tuple(problems)
        assert str(caught.value) == f"{path}, line {line}{', ' if key else ''}{key}: {problems[0].sentence}"


WARNED = {
    "delay outside the usual range": (HEAD + "[control]\ndelay_s = 50\n", 3, "control.delay_s", "usual 0:05.0 to 0:45"),
    "preset outside the usual range": (HEAD + PRESET.replace("10", "2"), 6, "presets.delay_s", "outside the usual"),
    "part that is not used": (HEAD + "[control]\nflat_s = 5\n", 3, "control.flat_s", "does not use it"),
}


@pytest.mark.parametrize("case", WARNED)
def test_what_is_unusual_is_a_warning_only(case: str, write: Write, tmp_path: Path) -> None:
    text, line, key, fragment = WARNED[case]
    (problem,) = check_file(write("odd.toml", text), Library())
    assert (problem.warning, problem.line, problem.key) == (True, line, key)
    assert fragment in problem.sentence
    assert Library([tmp_path]).load("odd").name == "odd"


def test_all_problems_are_told_at_once_by_line(write: Write) -> None:
    text = HEAD + 'cube = 1\nbonus_s = -1\n[control]\ndelay_s = 60\nflat_s = "x"\n[late]\nrule = "none"\nzone = 1\n'
    problems = check_file(write("many.toml", text), Library())
    assert [(problem.line, problem.key, problem.warning) for problem in problems] == [
        (2, "cube", False),
        (3, "bonus_s", False),
        (5, "control.delay_s", True),
        (6, "control.flat_s", False),
        (8, "late.rule", False),
        (9, "late.zone", False),
    ]


def test_nothing_is_said_about_keys_beside_a_faulty_one(write: Write) -> None:
    text = ALONE + '[control]\nkind = "per_point"\nper_point_s = "two"\n'
    assert [problem.key for problem in check_file(write("x.toml", text), Library())] == ["control.per_point_s"]


def test_a_text_that_is_not_utf8_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "old.toml"
    path.write_bytes(b'extends = "ibgf"\ntitle = "\xcd\xe0\xf0\xe4\xfb"\n')
    (problem,) = check_file(path, Library())
    assert (problem.line, problem.sentence) == (2, "The text is not UTF-8; save the file with that encoding.")


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path, tmp_path / "nul\0.toml"):
        (problem,) = check_file(path, Library())
        assert "cannot be read" in problem.sentence


def test_a_file_beyond_all_size_is_not_read(write: Write) -> None:
    (problem,) = check_file(write("big.toml", "# x\n" * 20_000), Library())
    assert "hardly a rulebook" in problem.sentence


def test_a_file_name_that_is_no_word_is_told(write: Write) -> None:
    (problem,) = check_file(write("City Open.toml", HEAD), Library())
    assert (problem.line, problem.key) == (1, "name")
    assert "by renaming" in problem.sentence
