"""What a rulebook's key may hold: one small class for each sort of value.

Each says in `wants` what would fit, in `faults` what does not, and in `read` turns a value without faults into the domain's.
Booleans are not numbers here, and neither are NaN and the infinities.
"""

# ruff: noqa: D102 - what the three mean is told once, in Sort

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Protocol

from kiosk.books.lines import KeyPath
from kiosk.domain.text import escaped, seen
from kiosk.domain.types import Span, seconds
from kiosk.say import _, mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from enum import StrEnum

Fault = tuple[KeyPath, str]
"""Where inside the value (empty: the value itself), and a sentence that says what to do."""


class Sort(Protocol):
    """A sort of value."""

    @property
    def wants(self) -> str:
        """What would fit, to stand after "give"."""

    def faults(self, value: object) -> Iterator[Fault]:
        """What does not fit in a value as TOML gives it."""

    def read(self, value: object) -> object:
        """The domain's value; only for values without faults."""


def shown(value: object) -> str:
    """A value as a sentence can bear it.

    Args:
        value: Anything that TOML can hold.
    """
    if isinstance(value, dict):
        return _("a table")
    if isinstance(value, list):
        return _("a list")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and abs(value) > 10**15:
        return _("a number beyond all measure")
    if isinstance(value, str):
        return escaped(f'"{value[:40]}…"' if len(value) > 40 else f'"{value}"')
    return str(value)


def nearest(word: str, words: Iterable[str]) -> str:
    """A suggestion to hang on a sentence, or nothing.

    Args:
        word: What was written.
        words: What could have been meant.
    """
    from difflib import get_close_matches

    found = get_close_matches(word[:80].lower(), list(words), n=1)
    return _(' Did you mean "{found}"?', found=found[0]) if found else ""


@dataclass(frozen=True, slots=True)
class Text:
    """Words for people, on one line; with a pattern, a word for commands."""

    pattern: str = r"(?=.*\S).+"
    wants: str = mark("a text on one line in quotes")
    longest: int = 80

    def faults(self, value: object) -> Iterator[Fault]:
        if not isinstance(value, str) or len(value) > self.longest or not re.fullmatch(self.pattern, value):
            yield (
                (),
                _(
                    "Give {wants}, at most {longest} characters, not {shown}.",
                    wants=_(self.wants),
                    longest=self.longest,
                    shown=shown(value),
                ),
            )
        elif not seen(value):
            yield (
                (),
                _(
                    "Give {wants} of characters that can be seen: no control characters, no marks of direction, not {shown}.",
                    wants=_(self.wants),
                    shown=shown(value),
                ),
            )

    def read(self, value: object) -> str:
        return str(value)


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a list."""

    words: type[StrEnum]
    none: str = ""
    """A further word, which is None in the domain."""

    @property
    def known(self) -> list[str]:
        """Every word that fits."""
        return [*self.words, *([self.none] if self.none else [])]

    @property
    def wants(self) -> str:
        return _("one of ") + ", ".join(f'"{word}"' for word in self.known)

    def faults(self, value: object) -> Iterator[Fault]:
        if not isinstance(value, str):
            yield (), _("Give {wants}, not {shown}.", wants=_(self.wants), shown=shown(value))
        elif value not in self.known:
            yield (), _("Give {wants}, not {shown}.{nearest}", wants=_(self.wants), shown=shown(value), nearest=nearest(value, self.known))

    def read(self, value: object) -> StrEnum | None:
        return None if value == self.none else self.words(str(value))


@dataclass(frozen=True, slots=True)
class Titles:
    """A short title: one for all languages, or one for each."""

    item: Text
    wants: str = mark('a title in quotes, or in braces one for each language, like en = "Late", ru = "Опоздание"')

    def faults(self, value: object) -> Iterator[Fault]:
        if isinstance(value, str):
            yield from self.item.faults(value)
            return
        if not isinstance(value, dict):
            sentence = _(
                "Give {wants}, at most {longest} characters, not {shown}.",
                wants=_(self.wants),
                longest=self.item.longest,
                shown=shown(value),
            )
            yield (), sentence
            return
        if "en" not in value:
            yield (), _("Give {wants}; it needs one in English (en), which stands in for a language that has none.", wants=_(self.wants))
        for language, one in value.items():
            if not re.fullmatch(r"[a-z]{2,3}", language):
                yield (
                    (language,),
                    _("Give a language in small letters as the title's key, like en, ru, uk or mk, not {shown}.", shown=shown(language)),
                )
            for path, sentence in self.item.faults(one):
                yield (language, *path), sentence

    def read(self, value: object) -> tuple[tuple[str, str], ...]:
        return tuple((str(language), str(one)) for language, one in value.items()) if isinstance(value, dict) else (("en", str(value)),)


@dataclass(frozen=True, slots=True)
class YesNo:
    """True or false."""

    wants: str = mark("true or false, without quotes")

    def faults(self, value: object) -> Iterator[Fault]:
        if not isinstance(value, bool):
            yield (), _("Give {wants}, not {shown}.", wants=_(self.wants), shown=shown(value))

    def read(self, value: object) -> bool:
        return value is True


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number in a range."""

    low: int
    high: int

    @property
    def wants(self) -> str:
        return _("a whole number from {low} to {high}", low=self.low, high=self.high)

    def faults(self, value: object) -> Iterator[Fault]:
        if not isinstance(value, int) or isinstance(value, bool) or not self.low <= value <= self.high:
            yield (), _("Give {wants}, not {shown}.", wants=_(self.wants), shown=shown(value))

    def read(self, value: object) -> int:
        assert isinstance(value, int)  # noqa: S101 - faults() has passed it
        return value


@dataclass(frozen=True, slots=True)
class Seconds:
    """A length of time; a fraction is allowed."""

    high: int = 86_400
    above_zero: bool = False
    half: bool = False
    """Whether the word "half" may stand instead: half the initial reserve, None in the domain."""

    @property
    def wants(self) -> str:
        span = _("seconds above 0, at most {high}", high=self.high) if self.above_zero else _("seconds from 0 to {high}", high=self.high)
        return _('{span}, or "half"', span=span) if self.half else span

    def faults(self, value: object) -> Iterator[Fault]:
        if not (self.half and value == "half") and not self._fits(value):
            yield (), _("Give {wants}, as a number, not {shown}.", wants=_(self.wants), shown=shown(value))

    def _fits(self, value: object) -> bool:
        if not isinstance(value, int | float) or isinstance(value, bool) or not isfinite_number(value):
            return False
        # A fraction below a nanosecond is no time at all.
        return 0 <= value <= self.high and not (self.above_zero and seconds(value) == 0)

    def read(self, value: object) -> Span | None:
        return seconds(value) if isinstance(value, int | float) else None


def isfinite_number(value: float) -> bool:
    """Whether a number is neither NaN nor infinite; whole numbers of any size are finite.

    Args:
        value: A whole number or a float.
    """
    return isinstance(value, int) or isfinite(value)


@dataclass(frozen=True, slots=True)
class Lengths:
    """The match lengths offered."""

    wants: str = mark("a list of different whole numbers from 1 to 99, like [3, 5, 7]")

    def faults(self, value: object) -> Iterator[Fault]:
        item = Whole(1, 99)
        if not isinstance(value, list) or not value:
            yield (), _("Give {wants}, not {value}.", wants=_(self.wants), value=_("an empty list") if value == [] else shown(value))
            return
        wrong = [one for one in value if any(item.faults(one))]
        if wrong:
            yield (), _("Give {wants}; {shown} is none of them.", wants=_(self.wants), shown=shown(wrong[0]))
        elif len(set(value)) != len(value):
            yield (), _("Give {wants}; one of them stands twice.", wants=_(self.wants))

    def read(self, value: object) -> tuple[int, ...]:
        return tuple(value) if isinstance(value, list) else ()


@dataclass(frozen=True, slots=True)
class SpanRange:
    """The shortest and the longest of something."""

    item: Seconds
    wants: str = mark("a list of two numbers of seconds, the smaller first, like [5, 45]")

    def faults(self, value: object) -> Iterator[Fault]:
        if not isinstance(value, list) or len(value) != 2 or any(any(self.item.faults(one)) for one in value):
            yield (), _("Give {wants}, each {wants2}.", wants=_(self.wants), wants2=self.item.wants)
        elif value[0] > value[1]:
            yield (
                (),
                _(
                    "Give {wants}; {shown} is more than {shown2}, so exchange them.",
                    wants=_(self.wants),
                    shown=shown(value[0]),
                    shown2=shown(value[1]),
                ),
            )

    def read(self, value: object) -> tuple[object, ...]:
        return tuple(self.item.read(one) for one in value) if isinstance(value, list) else ()


@dataclass(frozen=True, slots=True)
class Rows:
    """A table by match length: `length = value`."""

    item: Whole | Seconds

    @property
    def wants(self) -> str:
        return _("a table of rows `match length = {wants}`", wants=self.item.wants)

    def faults(self, value: object) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield (), _("Give {wants}, not {shown}.", wants=_(self.wants), shown=shown(value))
            return
        for length, one in value.items():
            if not re.fullmatch(r"[1-9][0-9]?", length, re.ASCII):
                yield (length,), _("Give a match length from 1 to 99 as the row's key, not {shown}.", shown=shown(length))
            for path, sentence in self.item.faults(one):
                yield (length, *path), sentence

    def read(self, value: object) -> tuple[tuple[int, object], ...]:
        rows = value.items() if isinstance(value, dict) else ()
        return tuple(sorted((int(length), self.item.read(one)) for length, one in rows))
