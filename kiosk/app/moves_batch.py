"""`kiosk play --batch` and `--mat`: questions and matches from files.

**A batch** is JSON Lines: `{"rulebook": "ibgf", "me": […], "opp": […], "dice": [5, 3]}`, with `me` and `opp` each player's checkers from
his own ace point on (25 numbers in backgammon, the last is the bar; 24 in long nardy), for long nardy with `ply` 1 or 2 in the two first
throws. Other keys are passed over. Each line is answered by `{"finals": [{"me": …, "opp": …, "move": "13/8 6/5"}]}` before the next one
is read; `finals` is empty where nothing can be played.

Decision: a line that cannot be answered ends the run with exit code 2 and one sentence that names file and line; nothing is printed for it,
and what was answered before stands. Empty lines are passed over.
"""

from __future__ import annotations

import json
import sys
from typing import IO, TYPE_CHECKING, Any

import click

from kiosk.domain.errors import KioskError
from kiosk.play import Board, Game, PlayRules, Terms, mat, plays, transcript_from_plain, written
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kiosk.books import Library

LONGEST_LINE = 1_000_000
"""Bytes; no question has more."""

LARGEST = 20_000_000
"""No transcript has more bytes."""

LONGEST_NUMBER = 20
"""Digits of a number."""

USUAL = {24: "rus-long", 25: "ibgf"}
"""The rulebook where none is named, by the length of the arrays."""


class WrongFile(KioskError, ValueError):
    """You erred: a file cannot be used; the sentence names it, its line, and what is wrong."""


def answer_all(path: Path, library: Library, usual: str | None) -> None:
    """Answer every line of a file on standard output.

    Args:
        path: The file; `-` is standard input.
        library: Where rulebooks are found.
        usual: The rulebook of lines that name none; None: the usual one of the game that the line's arrays are of.

    Raises:
        WrongFile: A line cannot be answered.
    """
    known: dict[str, PlayRules] = {}
    with click.open_file(str(path), "rb") as file:
        for number, line in enumerate(_lines(file), start=1):
            if not line.strip() and len(line) <= LONGEST_LINE:
                continue
            try:
                answer = _answer(_parsed(line, LONGEST_LINE), library, usual, known)
            except ValueError as error:
                raise WrongFile(f"{path}:{number}: {error}") from error
            sys.stdout.write(answer + "\n")
            sys.stdout.flush()


def as_mat(path: Path, library: Library, usual: str | None) -> str:
    """A match told turn by turn, as .mat.

    Args:
        path: Its JSON file; `-` is standard input.
        library: Where rulebooks are found.
        usual: The rulebook to play it by, instead of the file's own.

    Raises:
        WrongFile: The file is none, or something in it cannot have been; game and turn are named.
    """
    with click.open_file(str(path), "rb") as file:
        data = file.read(LARGEST + 1)
    try:
        return mat(transcript_from_plain(_parsed(data, LARGEST), lambda word: Terms.of(library.load(usual or word))))
    except ValueError as error:
        line = f":{error.__cause__.lineno}" if isinstance(error.__cause__, json.JSONDecodeError) else ""
        raise WrongFile(f"{path}{line}: {error}") from error


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    """The lines, each as it comes; of one that is too long only the beginning."""
    while line := file.readline(LONGEST_LINE + 1):
        yield line


def _parsed(data: bytes, most: int) -> Any:  # noqa: ANN401 - whatever JSON holds
    """What JSON holds; whatever is wrong with it is a ValueError with a sentence."""
    if len(data) > most:
        raise ValueError(_("this is too long: the most is {n} bytes.", n=most))
    try:
        return json.loads(data.decode("utf-8-sig"), parse_int=_integer)
    except UnicodeDecodeError as error:
        raise ValueError(_("this is not UTF-8 text; save the file as UTF-8.")) from error
    except json.JSONDecodeError as error:
        raise ValueError(_("this is not JSON ({msg} at column {colno}).", msg=error.msg, colno=error.colno)) from error
    except RecursionError as error:
        raise ValueError(_("this is nested too deeply.")) from error


def _integer(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise ValueError(_("{digits}… is too large a number.", digits=digits[:LONGEST_NUMBER]))
    return int(digits)


def _answer(plain: Any, library: Library, usual: str | None, known: dict[str, PlayRules]) -> str:  # noqa: ANN401 - whatever JSON holds
    if not isinstance(plain, dict):
        raise ValueError(_("each line must be an object in braces."))  # noqa: TRY004 - a wrong kind is a wrong file
    missing = [key for key in ("me", "opp", "dice") if key not in plain]
    if missing:
        raise ValueError(_("{key} is missing.", key=missing[0]))
    me, opp, dice = (_numbers(plain[key], key) for key in ("me", "opp", "dice"))
    word = plain.get("rulebook") or usual or USUAL.get(len(me), "ibgf")
    if not isinstance(word, str):
        raise ValueError(_("{key} must be a text.", key="rulebook"))  # noqa: TRY004 - a wrong kind is a wrong file
    if word not in known:
        known[word] = PlayRules.of(library.load(word))
    ply = plain.get("ply")
    if ply is not None and known[word].game is Game.BACKGAMMON:
        raise ValueError(_("ply: only in long nardy do the two first throws differ; leave it out."))
    finals = plays(Board(me, opp), dice, known[word], ply)
    told = [{"me": each.final.me, "opp": each.final.opp, "move": written(each.steps)} for each in finals]
    return json.dumps({"finals": told}, separators=(",", ":"))


def _numbers(value: object, key: str) -> tuple[int, ...]:
    if not isinstance(value, list) or any(type(each) is not int for each in value):
        raise ValueError(_("{key} must be a list of whole numbers.", key=key))
    return tuple(value)
