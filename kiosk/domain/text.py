"""Texts that people type and files bring: what of them can be seen, and how what cannot be seen is told."""

from __future__ import annotations

import unicodedata

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Controls, marks that only turn or join other characters, halves of a pair, what is not assigned, breaks of line and paragraph."""


def seen(text: str) -> bool:
    """Whether each character of a text can be seen: nothing in it breaks the line, drives a terminal or turns the reading around."""
    return text.isprintable() or not any(_unseen(letter) for letter in text)


def escaped(text: str) -> str:
    r"""A text on one line, for reading; what cannot be seen is written out, as `\n` or `\x1b`.

    Args:
        text: Any text.
    """
    if text.isprintable():
        return text
    return "".join(letter.encode("unicode_escape").decode("ascii") if _unseen(letter) else letter for letter in text)


def _unseen(letter: str) -> bool:
    return unicodedata.category(letter) in _UNSEEN
