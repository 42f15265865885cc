"""Rulebook files as they are read: bytes to text to TOML, and problems that name file, line and key."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.books.lines import KeyPath, key_lines, line_of, statements
from kiosk.domain.errors import RulebookError
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Table = dict[str, object]
"""A TOML table."""

LARGEST = 65_536
"""Bytes; a longer file is no rulebook."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to mend in a rulebook's file."""

    file: str
    """The file as it was named."""
    line: int
    """The line, from 1."""
    key: str
    """The key, dotted, e.g. `control.delay_s`; empty where the trouble is not one key's."""
    sentence: str
    """What is wrong and what to do."""
    warning: bool = False
    """True where the file works all the same."""

    def __str__(self) -> str:
        key = f", {self.key}" if self.key else ""
        return f"{self.file}, line {self.line}{key}: {self.sentence}"


class RulebookFault(RulebookError):
    """You erred: a rulebook's file has problems; the text is the first of them."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        """Keep all problems for who wants to show them.

        Args:
            problems: At least one.
        """
        more = len(problems) - 1
        super().__init__(f"{problems[0]} ({more} more; `kiosk rulebook check` shows all.)" if more else str(problems[0]))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Source:
    """A rulebook's file, read."""

    file: str
    """The file as it was named."""
    stem: str
    """Its name without the ending."""
    text: str
    """What it says."""
    data: Table
    """The same as TOML has it."""
    bundled: bool = False
    """Whether it is one of the product's own."""

    @property
    def word(self) -> str:
        """The rulebook's word: its `name`, else the file's."""
        name = self.data.get("name")
        return name if isinstance(name, str) else self.stem

    def problem(self, path: KeyPath, sentence: str, *, warning: bool = False) -> Problem:
        """A problem at a key's line.

        Args:
            path: The way to the key; it need not be in the file.
            sentence: What is wrong and what to do.
            warning: Whether the file works all the same.
        """
        return Problem(self.file, line_of(key_lines(self.text), path), dotted(path), sentence, warning)


def dotted(path: KeyPath) -> str:
    """A key as people write it; the place in an array is told by the line.

    Args:
        path: The way to the key.
    """
    return ".".join(part for part in path if isinstance(part, str))


def read(path: Path) -> Source:
    """Read an organizer's file.

    Args:
        path: The file.

    Raises:
        RulebookFault: It cannot be read, is not UTF-8 or not TOML.
    """
    file = str(path)
    try:
        with path.open("rb") as stream:
            raw = stream.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise RulebookFault(
            [Problem(file, 1, "", _("The file cannot be read ({reason}); check its name and rights.", reason=reason))]
        ) from error
    if len(raw) > LARGEST:
        raise RulebookFault([Problem(file, 1, "", _("The file is longer than {largest} bytes and hardly a rulebook.", largest=LARGEST))])
    try:
        text = raw.decode("utf-8-sig")  # editors on some desks put a mark in front
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise RulebookFault([Problem(file, line, "", _("The text is not UTF-8; save the file with that encoding."))]) from error
    return parse(file, path.stem, text)


def parse(file: str, stem: str, text: str, *, bundled: bool = False) -> Source:
    """Make a source of a text.

    Args:
        file: What problems call it.
        stem: The file's name without the ending.
        text: Its content.
        bundled: Whether it is one of the product's own.

    Raises:
        RulebookFault: The text is not TOML.
    """
    import tomllib

    text = text.replace("\r\n", "\n")
    if not text.endswith("\n"):
        text += "\n"  # so that an error in the last line is told with that line
    try:
        return Source(file, stem, text, tomllib.loads(text), bundled)
    except RecursionError as error:
        raise RulebookFault([Problem(file, 1, "", _("The lists and tables are nested too deeply; a rulebook needs none."))]) from error
    except ValueError as error:  # TOMLDecodeError, or a number with thousands of digits
        raise RulebookFault([_syntax(file, text, str(error))]) from error


def _syntax(file: str, text: str, message: str) -> Problem:
    place = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", message)
    last = len(text.rstrip().splitlines()) or 1
    line = int(place[1]) if place and place[1] else last
    said = message[: place.start()] if place else message
    before = [statement for statement in statements(text) if statement.line <= line]
    path = before[-1].path if before else ()
    if said.startswith(("Cannot overwrite", "Cannot declare", "Duplicate", "Cannot mutate")):
        sentence = f"{dotted(path)} stands here a second time; keep one of the two."
    else:
        sentence = f"This is not TOML: {said[:1].lower()}{said[1:120]}; mend it as `key = value`, with texts in quotes."
    return Problem(file, line, dotted(path), sentence)
