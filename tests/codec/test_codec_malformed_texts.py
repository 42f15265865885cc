"""Whatever stands in the journal, the answer is a fact, an unknown fact, or a CodecError."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk import codec
from kiosk.codec import CodecError, UnknownFact, decode
from kiosk.domain.errors import KioskError

GOLDEN: dict[str, list[str]] = json.loads((Path(__file__).parent / "golden.json").read_text(encoding="utf-8"))
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)
OPENED = next(text for text in GOLDEN["match_opened"] if text.endswith('"v":2}'))
BAD = [
    ("turn_ended", ""),
    ("turn_ended", "{"),
    ("turn_ended", "null"),
    ("turn_ended", "[]"),
    ("turn_ended", '{"at":1,"by":"left","v":1} '),
    ("turn_ended", '{"at":1,"by":"left"}'),
    ("turn_ended", '{"at":1,"by":"left","v":0}'),
    ("turn_ended", '{"at":1,"by":"left","v":true}'),
    ("turn_ended", '{"at":1,"v":1}'),
    ("turn_ended", '{"at":1,"by":"left","side":"left","v":1}'),
    ("turn_ended", '{"at":1,"side":"left","v":1}'),
    ("turn_ended", '{"at":1,"by":"middle","v":1}'),
    ("turn_ended", '{"at":1,"by":null,"v":1}'),
    ("turn_ended", '{"at":1,"by":["left"],"v":1}'),
    ("turn_ended", '{"at":true,"by":"left","v":1}'),
    ("turn_ended", '{"at":1.0,"by":"left","v":1}'),
    ("turn_ended", '{"at":NaN,"by":"left","v":1}'),
    ("turn_ended", '{"at":"1","by":"left","v":1}'),
    ("turn_ended", '{"at":' + "9" * 5000 + ',"by":"left","v":1}'),
    ("turn_ended", "[" * 100_000),
    ("double_offered", '{"at":1,"by":"left","early":1,"v":1}'),
    ("late_started", '{"at":1,"sides":"left","v":1}'),
    ("sheet_signed", '{"at":1,"protest":true,"side":"left","v":2}'),
    ("sheet_signed", '{"at":1,"protest":true,"side":"left","strokes":[[[1,2,3]]],"v":2}'),
    ("sheet_signed", '{"at":1,"protest":true,"side":"left","strokes":[[[1,2.5]]],"v":2}'),
    ("sheet_signed", '{"at":1,"protest":true,"side":"left","strokes":[[1,2]],"v":2}'),
    ("late_started", '{"at":1,"sides":["left",1],"v":1}'),
    ("match_opened", OPENED.replace('"sanction":"warning"', '"sanction":"warn"')),
    ("match_opened", OPENED.replace('"both":false,', "", 1)),
    ("match_opened", OPENED.replace('["en","Illegal move"]', '["en"]')),
    ("match_opened", OPENED.replace('"note_later":true', '"note_later":1')),
    ("match_opened", OPENED.replace('"v":2', '"v":1').replace('"setup":{', '"setup":{"x":1,')),
]


@pytest.mark.parametrize(("name", "text"), BAD, ids=range(len(BAD)))
def test_a_text_without_its_shape_is_a_codec_error(name: str, text: str) -> None:
    with pytest.raises(CodecError) as caught:
        decode(name, text)
    assert isinstance(caught.value, KioskError)
    assert isinstance(caught.value, ValueError)
    assert str(caught.value).startswith(f"A stored {name} ")
    assert str(caught.value).endswith(".")


@given(st.sampled_from(sorted(GOLDEN)), st.text(max_size=30) | JSON.map(json.dumps))
def test_any_text_at_all_gives_nothing_but_a_codec_error(name: str, text: str) -> None:
    with pytest.raises(CodecError):
        decode(name, text)


@given(st.data())
def test_a_damaged_fact_gives_nothing_but_a_codec_error(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(GOLDEN)))
    whole: dict[str, Any] = json.loads(data.draw(st.sampled_from(GOLDEN[name])))
    places: list[tuple[Any, Any]] = list(_places(whole))
    box, key = data.draw(st.sampled_from(places))
    box[key] = data.draw(JSON)
    try:
        fact = decode(name, json.dumps(whole))
    except CodecError:
        return
    assert isinstance(fact, codec.TYPES[name] | UnknownFact)


def _places(plain: Any) -> Any:
    for key in plain if isinstance(plain, dict) else range(len(plain)):
        yield plain, key
        if isinstance(plain[key], dict | list):
            yield from _places(plain[key])


def test_a_word_of_a_closed_list_is_kept_and_any_other_refused() -> None:
    read = codec._reader(Literal["yes", "no"])
    assert read("no") == "no"
    with pytest.raises(ValueError, match="none of yes, no"):
        read("maybe")
