"""The rule card: what to do, and by which article, where no sanction is at stake (domain rule 4.9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

GENERAL = "ibgf"
"""The rulebook whose entries hold where none is written for a rulebook's own word."""


@dataclass(frozen=True, slots=True)
class CardEntry:
    """One situation and its remedy."""

    code: str
    """Its word, e.g. `die_on_edge`."""
    titles: tuple[tuple[str, str], ...]
    """(language, title) pairs: the situation, as people look it up."""
    remedies: tuple[tuple[str, str], ...]
    """(language, remedy) pairs: what to do."""
    article: str
    """The text that it rests on, e.g. `000 §11, 004 5.4.32–5.4.34`."""
    counter: bool = False
    """Whether three seconds are counted, for which the screen has a counter."""
    rulebooks: tuple[str, ...] = ()
    """The bundled rulebooks that it holds for; empty: all."""

    def title(self, language: str) -> str:
        """What the situation is called: in this language, else in English, else its code.

        Args:
            language: `en`, `ru`, `uk`, `mk`.
        """
        return _in(self.titles, language) or self.code

    def remedy(self, language: str) -> str:
        """What to do: in this language, else in English.

        Args:
            language: `en`, `ru`, `uk`, `mk`.
        """
        return _in(self.remedies, language)


def for_rulebook(entries: Iterable[CardEntry], name: str) -> tuple[CardEntry, ...]:
    """The entries that hold for a rulebook, in their order.

    Args:
        entries: The whole card.
        name: The word of a bundled rulebook. For an organizer's own, give the one that it extends in the end (the library's
            `base`); a word that no entry knows is taken for `GENERAL`.
    """
    entries = tuple(entries)
    known = any(name in entry.rulebooks for entry in entries)
    word = name if known else GENERAL
    return tuple(entry for entry in entries if not entry.rulebooks or word in entry.rulebooks)


def _in(texts: tuple[tuple[str, str], ...], language: str) -> str:
    known = dict(texts)
    return known.get(language) or known.get("en", "")
