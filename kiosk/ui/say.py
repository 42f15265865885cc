"""What the table says: every text that people read goes through here, and through here only.

English is the catalogue's own language. A text is written where it is shown, as `_("Game {n}", n=4)`: the braces are filled in after
translating, so that a language may order the parts as it likes. Texts that are chosen from a table are marked there with `mark`.
"""

from __future__ import annotations

import gettext
from pathlib import Path
from typing import TYPE_CHECKING

from kiosk.domain.errors import told

if TYPE_CHECKING:
    from kiosk.domain.errors import CommandRefused, Value

DOMAIN = "tableside"
FOLDER = Path(__file__).parent.parent / "locale"


class _Voice:
    """The language that is spoken now."""

    translations: gettext.NullTranslations = gettext.NullTranslations()


def use(language: str) -> None:
    """Speak a language from now on.

    Args:
        language: A code such as `en` or `ru`; one that has no catalogue is spoken in English.
    """
    install(gettext.translation(DOMAIN, FOLDER, languages=[language], fallback=True))


def install(translations: gettext.NullTranslations) -> None:
    """Speak through a catalogue of one's own (the tests lengthen every word with it)."""
    _Voice.translations = translations


def mark(text: str) -> str:
    """Mark a text for the catalogue where it is not yet spoken."""
    return text


def _(text: str, **values: object) -> str:
    """A text in the language spoken now.

    Args:
        text: English, with `{name}` where a value goes.
        values: What goes there.
    """
    spoken = _Voice.translations.gettext(text) if text else ""
    return spoken.format(**values) if values else spoken


def n_(one: str, many: str, n: int, **values: object) -> str:
    """A text that depends on a count, in the language spoken now; `{n}` is the count."""
    return _Voice.translations.ngettext(one, many, n).format(n=n, **values)


def refusal(refused: CommandRefused) -> str:
    """Why something was refused, in the language spoken now: the sentence, and every word that is filled into it."""
    return _(refused.template).format(**{name: told(_spoken(value)) for name, value in refused.values.items()})


def _spoken(value: Value) -> Value:
    if isinstance(value, tuple):
        return tuple(_(str(each)) for each in value)
    return _(str(value)) if isinstance(value, str) else value  # str(): a side is looked up by its word
