"""The scanner finds the line of every key."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from kiosk import rulebooks
from kiosk.books.lines import key_lines, line_of, statements

if TYPE_CHECKING:
    from kiosk.books.lines import KeyPath

TEXT = '''# comment = 1
top = 1 # [no.section]
"quoted key" = "a # b = [c]"
'single' = 'x'
"esc\\u0061ped" = 1
a.b . "c.d" = 2
many = [
  1, # ] not the end
  "]",
  { inner = 1 },
]
text = """
hidden = 1
[hidden]
\\"""
still = 1
"""
literal = \'\'\'
hidden2 = 1\'\'\'\'\'
empty = ""
inline = { x = 1, y = { z = 2 } }

[ section . "sub" ]
7 = 1

[[presets]]
name = "one"
[presets.deep]
k = 1
[[presets]]

name = "two"
[[presets.more]]
k = 1
[[presets.more]]
k = 2
[last]'''

LINES: dict[KeyPath, int] = {
    ("top",): 2,
    ("quoted key",): 3,
    ("single",): 4,
    ("escaped",): 5,
    ("a",): 6,
    ("a", "b"): 6,
    ("a", "b", "c.d"): 6,
    ("many",): 7,
    ("text",): 12,
    ("literal",): 18,
    ("empty",): 20,
    ("inline",): 21,
    ("section",): 23,
    ("section", "sub"): 23,
    ("section", "sub", "7"): 24,
    ("presets",): 26,
    ("presets", 0): 26,
    ("presets", 0, "name"): 27,
    ("presets", 0, "deep"): 28,
    ("presets", 0, "deep", "k"): 29,
    ("presets", 1): 30,
    ("presets", 1, "name"): 32,
    ("presets", 1, "more"): 33,
    ("presets", 1, "more", 0): 33,
    ("presets", 1, "more", 0, "k"): 34,
    ("presets", 1, "more", 1): 35,
    ("presets", 1, "more", 1, "k"): 36,
    ("last",): 37,
}


def test_every_way_to_write_a_key_has_its_line() -> None:
    tomllib.loads(TEXT)
    assert key_lines(TEXT) == LINES


def test_what_is_inside_a_value_has_the_line_of_the_outer_key() -> None:
    lines = key_lines(TEXT)
    assert line_of(lines, ("inline", "y", "z")) == 21
    assert line_of(lines, ("presets", 1, "missing")) == 30
    assert line_of(lines, ("nowhere",)) == 1


def test_the_scanner_sees_every_key_of_the_bundled_files() -> None:
    def paths(value: object, path: KeyPath = ()) -> set[KeyPath]:
        inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        found = {deeper for key, one in inside if isinstance(one, dict | list) for deeper in paths(one, (*path, key))}
        return found | {(*path, key) for key, _ in inside if isinstance(key, str)}

    for name in rulebooks.NAMES:
        text = rulebooks.text(name)
        assert paths(tomllib.loads(text)) <= set(key_lines(text))


@given(st.text(alphabet="ab.=[]{}\"'\\#\n\t 1,", max_size=60))
def test_any_text_is_walked_to_its_end(text: str) -> None:
    assert all(1 <= statement.line <= text.count("\n") + 1 for statement in statements(text))
