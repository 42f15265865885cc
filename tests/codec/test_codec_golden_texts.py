"""The stored shape of every fact is data: a journal of today must be readable for ever.

A test fails here when a field, a word of an enumeration or a fact was renamed, added or taken away. If that is meant, raise the
fact's version in `VERSIONS`, write its upcaster, and add the new text to `golden.json` beside the old one.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kiosk import codec

GOLDEN: dict[str, list[str]] = json.loads((Path(__file__).parent / "golden.json").read_text(encoding="utf-8"))


def test_every_fact_has_golden_texts() -> None:
    assert set(GOLDEN) == set(codec.TYPES)


@pytest.mark.parametrize("name", GOLDEN)
def test_a_stored_text_is_read_and_written_as_it_was(name: str) -> None:
    for text in GOLDEN[name]:
        fact = codec.decode(name, text)
        assert isinstance(fact, codec.TYPES[name])
        if json.loads(text)["v"] == codec.VERSIONS.get(name, 1):
            assert codec.encode(fact) == (name, text)
