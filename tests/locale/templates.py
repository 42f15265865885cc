"""Texts of the server's pages: those that cannot be filled in, and those that were written past the catalogue.

In a template, what stands between tags or in an attribute that people read is a text when it has two letters or more; a string in an
expression when it begins with a capital. In a script every string that begins with a capital or holds words is one: scripts take their
texts from `data-` attributes, which a template filled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from jinja2 import Environment, nodes

from tests.locale.catalogue import fields

READ = {"title", "alt", "placeholder", "aria-label", "label", "value", "content"}
"""Attributes that people read."""
_PLAIN = Environment(autoescape=True)
_SPOKEN = {"_", "n_"}
_WITHIN_TAGS = re.compile(r"(\{% block (?:kind|body) %\}).*?(\{% endblock %\})")
"""Blocks that stand within a tag of `base.html`: what they hold is attributes."""
_FILE = re.compile(r"[\w./-]+\.[a-z0-9]{2,4}")
_IN_SCRIPT = re.compile(r"//[^\n]*|/\*.*?\*/|(?P<text>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)", re.DOTALL)
_WORDS = re.compile(r"[A-Za-zА-я]{2,} [A-Za-zА-я]{2,}")


def page_mistakes(source: str) -> list[str]:
    """Calls in a template whose text the catalogue cannot hold, or whose values are not those that the text has braces for."""
    wrong = []
    for call in _PLAIN.parse(source).find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in _SPOKEN:
            wrong += [f"{call.lineno}: {why}" for why in _wrong(call, call.node.name)]
    return wrong


def _wrong(call: nodes.Call, name: str) -> Iterator[str]:
    count = 2 if name == "n_" else 1
    plain = [arg.value for arg in call.args[:count] if isinstance(arg, nodes.Const) and isinstance(arg.value, str)]
    if len(plain) != count:
        if any(isinstance(arg, nodes.BinExpr | nodes.Concat | nodes.Filter) for arg in call.args[:count]):
            yield f"{name} needs a plain text with braces, not one that is put together"
        return
    counted = {"n"} if name == "n_" else set()
    wanted, given = set().union(*map(fields, plain)), {keyword.key for keyword in call.kwargs}
    if wanted - counted != given - counted:
        yield f"{name} fills {sorted(given)} into {plain[-1]!r}"


def untranslated_in_page(source: str) -> list[str]:
    """The texts for people in a template that the catalogue does not know, each with its line."""
    parser = _Texts()
    parser.feed(_without_expressions(_WITHIN_TAGS.sub(r"\1\2", source)))
    spoken = [f"{call.lineno}: {value!r}" for call, value in _strings(_PLAIN.parse(source)) if value[:1].isupper() and _letters(value)]
    return parser.found + spoken


def _without_expressions(source: str) -> str:
    """The template's bare HTML, line for line; each expression is a sign that is no letter."""
    out = []
    for _line, kind, text in _PLAIN.lex(source):
        lines = "\n" * text.count("\n")
        out.append(text if kind == "data" else "¤" if kind == "variable_begin" else lines)
    return "".join(out)


def _strings(node: nodes.Node) -> Iterator[tuple[nodes.Node, str]]:
    for child in node.iter_child_nodes():
        spoken = isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name in _SPOKEN and child in node.args
        if isinstance(child, nodes.Const) and isinstance(child.value, str) and not spoken:
            yield child, child.value
        elif not isinstance(child, nodes.TemplateData):
            yield from _strings(child)


def _letters(text: str) -> bool:
    return sum(char.isalpha() for char in re.sub(r"&\w+;", "", text)) >= 2 and not _FILE.fullmatch(text)


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "meta" and dict(attrs).get("name") in {"viewport", "color-scheme"}:
            return
        for name, value in attrs:
            if name in READ and value and _letters(value) and (name != "value" or not value.islower()):
                self.found.append(f"{self.getpos()[0]}: {name}={value!r}")

    def handle_data(self, data: str) -> None:
        if _letters(data.strip()):
            self.found.append(f"{self.getpos()[0]}: {data.strip()!r}")


def untranslated_in_script(source: str) -> list[str]:
    """The texts for people in a script, each with its line."""
    found = []
    for hit in _IN_SCRIPT.finditer(source):
        text = (hit["text"] or "")[1:-1]
        if hit["text"] and not _FILE.search(text) and not text.startswith("Arrow"):
            bare = re.sub(r"\$\{[^}]*\}", "", text)
            if (bare[:1].isupper() and _letters(bare) and bare.lower() != "get") or _WORDS.search(bare):
                found.append(f"{source[: hit.start()].count(chr(10)) + 1}: {text!r}")
    return found
