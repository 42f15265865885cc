"""What Tableside says: every text that people read goes through here, and through here only.

English is the catalogue's own language. A text is written where it is shown, as `_("Game {n}", n=4)`: the braces are filled in after
translating, so that a language may order the parts as it likes. Texts that are chosen from a table are marked there with `mark`.

One language is spoken by default (`use`); what is drawn or written for somebody else is put into `with speaking("uk"):`, which holds
for that thread only.
"""

from __future__ import annotations

import gettext
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from kiosk.domain.errors import told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.domain.errors import CommandRefused, Value

DOMAIN = "tableside"
FOLDER = Path(__file__).parent / "locale"

LANGUAGES = {"en": "English", "ru": "Русский", "uk": "Українська", "mk": "Македонски"}
"""Every language, by its own name."""


class _Voice:
    """The language that is spoken where no other is asked for."""

    translations: gettext.NullTranslations = gettext.NullTranslations()


_ELSE: ContextVar[gettext.NullTranslations | None] = ContextVar("language", default=None)


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """The texts of a language.

    Args:
        language: A code such as `en` or `ru`; one that has no catalogue is spoken in English.
    """
    return gettext.translation(DOMAIN, FOLDER, languages=[language], fallback=True)


def use(language: str) -> None:
    """Speak a language from now on, wherever no other is asked for."""
    install(catalogue(language))


def install(translations: gettext.NullTranslations) -> None:
    """Speak through a catalogue of one's own (the tests lengthen every word with it)."""
    _Voice.translations = translations


@contextmanager
def speaking(language: str | None) -> Iterator[None]:
    """Speak another language inside; None changes nothing."""
    if language is None:
        yield
        return
    before = _ELSE.set(catalogue(language))
    try:
        yield
    finally:
        _ELSE.reset(before)


def _spoken_now() -> gettext.NullTranslations:
    return _ELSE.get() or _Voice.translations


def language() -> str:
    """The code of the language spoken now; `en` where a catalogue does not say its own."""
    return _spoken_now().info().get("language", "en")


def mark(text: str) -> str:
    """Mark a text for the catalogue where it is not yet spoken."""
    return text


def _(text: str, /, **values: object) -> str:
    """A text in the language spoken now.

    Args:
        text: English, with `{name}` where a value goes.
        values: What goes there.
    """
    spoken = _spoken_now().gettext(text) if text else ""
    return spoken.format(**values) if values else spoken


def n_(one: str, many: str, n: int, /, **values: object) -> str:
    """A text that depends on a count, in the language spoken now; `{n}` is the count."""
    return _spoken_now().ngettext(one, many, n).format(n=n, **values)


def refusal(refused: CommandRefused) -> str:
    """Why something was refused, in the language spoken now: the sentence, and every word that is filled into it."""
    return _(refused.template).format(**{name: told(_spoken(value)) for name, value in refused.values.items()})


def _spoken(value: Value) -> Value:
    if isinstance(value, tuple):
        return tuple(_(str(each)) for each in value)
    return _(str(value)) if isinstance(value, str) else value  # str(): a side is looked up by its word
