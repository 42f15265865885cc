from __future__ import annotations

import pytest
from reference import arguments, rows

from kiosk.app.scenario_words import WORDS


def test_the_reference_knows_no_word_that_does_not_exist() -> None:
    assert set(rows("Scenario words")) == set(WORDS)


@pytest.mark.parametrize("name", WORDS)
def test_a_word_stands_in_the_reference_with_its_arguments(name: str) -> None:
    word = WORDS[name]
    expected = [(key, False) for key in word.needed] + [(key, True) for key in word.optional]
    assert sorted(arguments(rows("Scenario words")[name])) == sorted(expected)
