"""Whatever can happen at a table is stored and comes back as it was."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk import codec
from kiosk.domain.facts import Fact
from kiosk.domain.types import Instant, Pair, Span

FACTS = get_args(Fact)
NANOSECONDS = st.integers(-(2**63), 2**63)
st.register_type_strategy(Instant, NANOSECONDS.map(Instant))
st.register_type_strategy(Span, NANOSECONDS.map(Span))


def pairs(hint: Any) -> st.SearchStrategy[Any]:
    (inner,) = get_args(hint)
    return st.builds(Pair, st.from_type(inner), st.from_type(inner))


st.register_type_strategy(Pair, pairs)


def facts() -> st.SearchStrategy[Any]:
    return st.sampled_from(FACTS).flatmap(st.from_type)


@pytest.mark.no_cover  # by chance
@pytest.mark.parametrize("kind", FACTS)
def test_every_fact_can_be_stored_and_read(kind: type[Fact]) -> None:
    @given(st.from_type(kind))
    def there_and_back(fact: Fact) -> None:
        name, text = codec.encode(fact)
        again = codec.decode(name, text)
        assert again == fact
        assert type(again) is kind

    there_and_back()


@given(facts())
def test_the_text_is_canonical(fact: Fact) -> None:
    name, text = codec.encode(fact)
    plain = json.loads(text)
    assert plain["v"] == codec.VERSIONS.get(name, 1)
    assert plain["at"] == fact.at
    assert text == json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def test_names_are_distinct_words() -> None:
    assert len(codec.TYPES) == len(FACTS)
    assert all(name.replace("_", "").isalpha() and name.islower() for name in codec.TYPES)
