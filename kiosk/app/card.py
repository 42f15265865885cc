"""The rule card from its bundled file.

`kiosk/rulebooks/card.toml` has one section per entry, `[CODE]`, with `title` and `remedy` in every language of the screen, `article`,
and where they are due `counter = true` and one of `only` and `not`: lists of the bundled rulebooks that it is for, or is not for.

Import this late: the file is parsed when the card is first asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from kiosk import rulebooks
from kiosk.books.keys import CODE
from kiosk.books.source import RulebookFault, parse
from kiosk.books.values import Sort, Text, YesNo, nearest, shown
from kiosk.domain.card import CardEntry
from kiosk.domain.rulebook import LANGUAGES
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kiosk.books.lines import KeyPath
    from kiosk.books.source import Problem, Source
    from kiosk.books.values import Fault

_NUMBER = r"5\.4\.[1-9][0-9]?"
_NUMBERS = rf"{_NUMBER}(–{_NUMBER})?"
_ARTICLE = rf"(000 §[1-9][0-9]?|002 etiquette [1-5]|004 {_NUMBERS}(, {_NUMBERS})*)"


@dataclass(frozen=True, slots=True)
class InAllLanguages:
    """A text in every language."""

    item: Text
    wants: str = "one text for each of " + ", ".join(LANGUAGES)

    def faults(self, value: object) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield (), _("Give {wants}, not {shown}.", wants=_(self.wants), shown=shown(value))
            return
        for language in LANGUAGES:
            if language not in value:
                yield (language,), _("Give {wants}; {language} is missing.", wants=_(self.wants), language=language)
        for language, one in value.items():
            if language not in LANGUAGES:
                yield (language,), _("Give {wants}; {shown} is none of them.", wants=_(self.wants), shown=shown(language))
            for path, sentence in self.item.faults(one):
                yield (language, *path), sentence

    def read(self, value: object) -> tuple[tuple[str, str], ...]:
        return tuple((language, str(value[language])) for language in LANGUAGES) if isinstance(value, dict) else ()


@dataclass(frozen=True, slots=True)
class Books:
    """Some of the bundled rulebooks."""

    wants: str = "a list of different bundled rulebooks, some of " + ", ".join(f'"{name}"' for name in rulebooks.NAMES)

    def faults(self, value: object) -> Iterator[Fault]:
        if not isinstance(value, list) or not value:
            yield (), _("Give {wants}, not {value}.", wants=_(self.wants), value="an empty list" if value == [] else shown(value))
            return
        wrong = [one for one in value if one not in rulebooks.NAMES]
        if wrong:
            yield (
                (),
                _(
                    "Give {wants}; {shown} is none of them.{nearest}",
                    wants=_(self.wants),
                    shown=shown(wrong[0]),
                    nearest=nearest(str(wrong[0]), rulebooks.NAMES),
                ),
            )
        elif len(set(value)) != len(value):
            yield (), _("Give {wants}; one of them stands twice.", wants=_(self.wants))

    def read(self, value: object) -> tuple[str, ...]:
        return tuple(name for name in rulebooks.NAMES if name in value) if isinstance(value, list) else ()


NEEDED: Mapping[str, Sort] = {
    "article": Text(rf"{_ARTICLE}(, {_ARTICLE})*", 'the articles in quotes, like "000 §11, 004 5.4.32–5.4.34"'),
    "title": InAllLanguages(Text(longest=45)),
    "remedy": InAllLanguages(Text(longest=260)),
}
"""Keys of every entry."""

KEYS: Mapping[str, Sort] = {**NEEDED, "counter": YesNo(), "only": Books(), "not": Books()}
"""Keys of an entry."""


@cache
def card() -> tuple[CardEntry, ...]:
    """The whole bundled card, in the order in which it is offered; read once.

    Raises:
        RulebookFault: The file has faults; the first is told. `problems` finds all.
    """
    return read(parse(f"{rulebooks.CARD}.toml", rulebooks.CARD, rulebooks.text(rulebooks.CARD), bundled=True))


def read(source: Source) -> tuple[CardEntry, ...]:
    """The entries of a card's file.

    Args:
        source: The file.

    Raises:
        RulebookFault: It has faults; the first is told.
    """
    found = problems(source)
    if found:
        raise RulebookFault(found[:1])
    return tuple(_entry(code, table) for code, table in source.data.items() if isinstance(table, dict))


def problems(source: Source) -> list[Problem]:
    """Everything that is wrong with a card's file, by line.

    Args:
        source: The file.
    """
    found = [source.problem(path, sentence) for code, value in source.data.items() for path, sentence in _faults(code, value)]
    return sorted(found, key=lambda problem: problem.line)


def _faults(code: str, value: object) -> Iterator[Fault]:
    if any(CODE.faults(code)):
        yield (
            (code,),
            _("Give {wants}, at most {longest} characters, not {shown}.", wants=_(CODE.wants), longest=CODE.longest, shown=shown(code)),
        )
    elif not isinstance(value, dict):
        yield (code,), _("Write [{code}] on a line and the entry's keys below, not {shown}.", code=code, shown=shown(value))
    else:
        yield from (((code, *path), sentence) for path, sentence in _in_entry(value))


def _in_entry(table: Mapping[str, object]) -> Iterator[tuple[KeyPath, str]]:
    for name in NEEDED:
        if name not in table:
            yield (name,), _("The entry has no {name}; add it.", name=name)
    for name, value in table.items():
        if name not in KEYS:
            yield (name,), _("There is no such key here; remove it.{nearest}", nearest=nearest(name, KEYS))
            continue
        yield from (((name, *path), sentence) for path, sentence in KEYS[name].faults(value))
    if "only" in table and "not" in table:
        yield ("not",), _("An entry says only or not; keep one of the two.")


def _entry(code: str, table: Mapping[str, object]) -> CardEntry:
    said: dict[str, Any] = {name: KEYS[name].read(value) for name, value in table.items()}
    without = said.get("not", ())
    books = tuple(name for name in rulebooks.NAMES if name not in without) if without else said.get("only", ())
    return CardEntry(code, said["title"], said["remedy"], said["article"], counter=said.get("counter", False), rulebooks=books)


__all__ = ["card", "problems", "read"]
