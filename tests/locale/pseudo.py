"""A language that is half as long again as English: whoever lays a screen out for it has room for every language."""

from __future__ import annotations

import gettext
import itertools
import re

_KEPT = re.compile(r"(\{\{|\}\}|\{[^{}]*\})")
_WORD = re.compile(r"[^\W\d_]+")


class Longer(gettext.NullTranslations):
    """Every text of the catalogue, longer by half; what stands in braces stays as it is.

    `say.install(Longer())` speaks it.
    """

    def gettext(self, message: str) -> str:
        """The text, longer by half."""
        return longer(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The form for a count, longer by half."""
        return longer(msgid1 if n == 1 else msgid2)


def longer(text: str) -> str:
    """Lengthen a text's words by half of all that stands outside its braces, each word by its share, with letters of its own."""
    parts = _KEPT.split(text)
    outside = parts[::2]
    letters = sum(len(word) for part in outside for word in _WORD.findall(part))
    if not letters:
        return text
    more = -(-sum(map(len, outside)) // 2)
    done = 0

    def lengthened(found: re.Match[str]) -> str:
        nonlocal done
        word = found.group()
        share = more * (done + len(word)) // letters - more * done // letters
        done += len(word)
        return word + "".join(itertools.islice(itertools.cycle(word), share))

    parts[::2] = [_WORD.sub(lengthened, part) for part in outside]
    return "".join(parts)
