"""Where a key stands: `tomllib` tells values and no lines, and a person mends lines.

A small scanner walks the text in logical lines (a value may go on over several) and notes for each key the line on which it
begins: sections, arrays of tables, dotted and quoted keys. What is inside an inline table or a list has the line of the outer
key. It is lenient: text that is not TOML gives whatever keys can be seen, so that a syntax error can be given its key.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

KeyPath = tuple[str | int, ...]
"""The way to a key, e.g. `("presets", 0, "name")`; numbers count the tables of an array."""

_TOKEN = (
    r'''(?P<string>"""(?:\\.|[^\\])*?"{3,5}|\'{3}.*?\'{3,5}|"(?:\\[^\n]|[^"\\\n])*"|'[^'\n]*')'''
    r"|(?P<skip>\#[^\n]*|[ \t\r]+)|(?P<newline>\n)|(?P<word>[A-Za-z0-9_-]+)|(?P<sign>.)"
)
_DEEPEST = 6  # no key of a rulebook lies deeper; keeps absurd dotted keys cheap


@dataclass(frozen=True, slots=True)
class Statement:
    """A section's header or a `key = value`."""

    line: int
    """Where it begins, from 1."""
    path: KeyPath
    """The whole way to the key."""
    header: bool
    """Whether it opens a section."""


_Token = tuple[str, str]


def statements(text: str) -> Iterator[Statement]:
    """All headers and keys in the order of the text.

    Args:
        text: TOML, or nearly.
    """
    prefix: KeyPath = ()
    counts: dict[KeyPath, int] = {}
    for line, tokens in _logical_lines(text):
        if tokens[0][1] == "[":
            prefix = _header(_names(tokens), counts, array=tokens[1:2] == [("sign", "[")])
            yield Statement(line, prefix, header=True)
        elif names := _names(tokens):
            yield Statement(line, (prefix + names)[:_DEEPEST], header=False)


def key_lines(text: str) -> dict[KeyPath, int]:
    """The line on which each key first stands.

    Args:
        text: TOML, or nearly.
    """
    lines: dict[KeyPath, int] = {}
    for statement in statements(text):
        for depth in range(1, len(statement.path) + 1):
            lines.setdefault(statement.path[:depth], statement.line)
    return lines


def line_of(lines: Mapping[KeyPath, int], path: KeyPath) -> int:
    """The line of a key, or of the nearest thing around it that has one; 1 if there is none.

    Args:
        lines: As `key_lines` gives them.
        path: The way to the key.
    """
    return next((lines[path[:depth]] for depth in range(len(path), 0, -1) if path[:depth] in lines), 1)


def _logical_lines(text: str) -> Iterator[tuple[int, list[_Token]]]:
    line = begun = 1
    depth = 0
    tokens: list[_Token] = []
    for match in re.finditer(_TOKEN, text, re.DOTALL):
        kind, token = match.lastgroup or "", match.group()
        if kind == "newline" and depth <= 0 and tokens:
            yield begun, tokens
            tokens, depth = [], 0
        elif kind not in {"skip", "newline"}:
            begun = begun if tokens else line
            tokens.append((kind, token))
            depth += (kind == "sign" and token in "[{") - (kind == "sign" and token in "]}")
        line += token.count("\n")
    if tokens:
        yield begun, tokens


def _names(tokens: list[_Token]) -> tuple[str, ...]:
    names: list[str] = []
    for kind, token in tokens:
        if kind == "sign" and token in "=]":
            break
        if kind == "word":
            names.append(token)
        elif kind == "string":
            names.append(_unquoted(token))
    return tuple(names[:_DEEPEST])


def _unquoted(token: str) -> str:
    import tomllib

    try:
        return str(tomllib.loads(f"key = {token}")["key"])
    except tomllib.TOMLDecodeError:
        return token


def _header(names: tuple[str, ...], counts: dict[KeyPath, int], *, array: bool) -> KeyPath:
    path: KeyPath = ()
    for depth, name in enumerate(names, 1):
        path = (*path, name)
        if array and depth == len(names):
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path
