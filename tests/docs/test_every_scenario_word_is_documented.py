from __future__ import annotations

import pytest
from reference import PATH, arguments, rows

from kiosk.app.scenario_words import WORDS


def test_the_reference_knows_no_word_that_does_not_exist() -> None:
    assert set(rows("Scenario words")) == set(WORDS)


@pytest.mark.parametrize("name", WORDS)
def test_a_word_stands_in_the_reference_with_its_arguments(name: str) -> None:
    word = WORDS[name]
    expected = [(key, False) for key in word.needed] + [(key, True) for key in word.optional]
    assert sorted(arguments(rows("Scenario words")[name])) == sorted(expected)


@pytest.mark.parametrize("name", WORDS)
def test_a_word_that_is_not_played_yet_says_so(name: str) -> None:
    later = PATH.read_text(encoding="utf-8").split("### Words that are known and not yet played")[1].split("\n## ")[0]
    assert (f"\n| `{name}` |" in later) == (WORDS[name].comes_with is not None)
