"""Finds texts for people that were written past the catalogue.

A string is a text for people when, its `{fields}` left out, it has two letters or more and either a space between them or a capital
at its beginning. Lower-case single words pass: they are keys. Not looked at are

- docstrings, and any other string that stands alone as a statement;
- the texts of `_`, `n_` and `mark` (the values that go into them are looked at);
- all within `raise`, and the arguments of calls of `…Error`, `…Exception` and of a `log`, `logger` or `logging`;
- annotations, `Literal[…]`, and the arguments of `cast`, `NewType`, `TypeVar` and `namedtuple`;
- `__dunder__` assignments such as `__all__`;
- names of files (`NotoSans-Bold.ttf`) and of environment variables (`SDL_VIDEODRIVER`);
- the tables of names that the caller allows, as `ALL_CAPS` names that the module assigns.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from tests.locale.catalogue import called

_FIELD = re.compile(r"\{[^{}]*\}")
_FOR_PROGRAMS = re.compile(r"[\w./-]+\.[a-z0-9]{2,4}|[A-Z0-9]+(_[A-Z0-9]+)+")
_OPENING = "\n([«“'\"–—…"
_SPOKEN = {"_", "n_", "mark"}
_TYPING = {"cast", "NewType", "TypeVar", "ParamSpec", "namedtuple"}
_LOGS = {"log", "logger", "logging"}


def untranslated(source: str, tables: Collection[str] = ()) -> list[str]:
    """The texts for people in a source that the catalogue does not know, each with its line.

    Args:
        source: Python.
        tables: Names of tables that hold names and no texts.
    """
    return [f"{text.lineno}: {text.value!r}" for text in _strings(ast.parse(source), tables) if _for_people(str(text.value))]


def _for_people(text: str) -> bool:
    bare = _FIELD.sub("", text)
    if sum(char.isalpha() for char in bare) < 2 or _FOR_PROGRAMS.fullmatch(text):
        return False
    return " " in bare or bare.lstrip(_OPENING)[:1].isupper()


def _strings(node: ast.AST, tables: Collection[str]) -> Iterator[ast.Constant]:
    if _is_passed_over(node, tables):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node
    spoken = isinstance(node, ast.Call) and called(node) in _SPOKEN
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            a_text = spoken and name == "args" and isinstance(child, ast.Constant)
            if isinstance(child, ast.AST) and not a_text:
                yield from _strings(child, tables)


def _is_passed_over(node: ast.AST, tables: Collection[str]) -> bool:
    match node:
        case ast.Raise() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Call():
            return called(node) in _TYPING or called(node).endswith(("Error", "Exception")) or _is_log(node.func)
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name == "Literal"
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name in tables or (name.startswith("__") and name.endswith("__"))
        case _:
            return False


def _is_log(function: ast.expr) -> bool:
    match function:
        case ast.Attribute(value=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name.strip("_").lower() in _LOGS
        case _:
            return False
