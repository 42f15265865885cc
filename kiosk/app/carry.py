"""Adjourned matches between tables: a file holds one, and the shelf is where a table finds them.

A file is JSON, one value a line: first `{"tableside_match": 1, "table": …, "rows": …}`, then every row of the match as
`[seq, boot, mono_ns, wall_ns, wall_trusted, type, data, prev, hash]`, as it stands in the journal in which it was written. So the hash
chain goes along, and a file that was cut short, or changed without working the chain out anew, is refused. It is not signed: who wrote
it cannot be told. Therefore nothing gets in that no table could have written (`kiosk.session.brought`).
"""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import TYPE_CHECKING, Any

from kiosk.app.media import part_of_a_name, put_somewhere, sticks
from kiosk.domain.errors import CommandRefused, KioskError, Refusal
from kiosk.domain.text import escaped
from kiosk.journal import verify
from kiosk.ports import Row
from kiosk.say import _
from kiosk.session import Carried, adjourned, brought, goes_on_from, last_entries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

SUFFIX = ".tableside-match"

LARGEST = 32_000_000
"""No file of a match has more bytes."""

MOST = 64
"""So many files of a stick are looked at."""

VERSION = 1


class CarryError(KioskError, ValueError):
    """You erred: a file holds no adjourned match; the text names the file and says why."""


def to_file(match: Carried) -> bytes:
    """A match as a file."""
    head = {"tableside_match": VERSION, "table": match.table, "rows": len(match.rows)}
    rows = (json.dumps(astuple(row), ensure_ascii=False, separators=(",", ":")) for row in match.rows)
    return ("\n".join([json.dumps(head, ensure_ascii=False), *rows]) + "\n").encode()


def from_file(data: bytes, where: str) -> Carried:
    """The match that a file holds.

    Args:
        data: The file.
        where: What it is called.

    Raises:
        CarryError: It holds none, or not all of it, or it was changed, or no table could have written it.
    """
    where = escaped(where)
    try:
        head, *lines = data.decode("utf-8").removesuffix("\n").split("\n")
        plain = json.loads(head)
        version, table, count = plain["tableside_match"], plain["table"], plain["rows"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise CarryError(_("{where}: this is no adjourned match.", where=where)) from error
    if version != VERSION:
        raise CarryError(
            _("{where}: this file is of another version of Tableside ({short}); update this table.", where=where, short=_short(version))
        )
    try:
        rows = [_row(json.loads(line)) for line in lines]
    except (ValueError, TypeError, RecursionError) as error:
        raise CarryError(_("{where}: a line of it is damaged; save the match once more at its own table.", where=where)) from error
    if len(rows) != count or not rows or not isinstance(table, str):
        raise CarryError(
            _(
                "{where}: it has {len} of {short} entries; save the match once more at its own table.",
                where=where,
                len=len(rows),
                short=_short(count),
            )
        )
    report = verify(rows, rows[0].seq - 1, rows[0].prev)
    if report.fault is not None:
        raise CarryError(_("{where}: {fault} Save the match once more at its own table.", where=where, fault=report.fault))
    try:
        return brought(table, rows)
    except KioskError as error:
        raise CarryError(f"{where}: {_short(error)}") from error
    except Exception as error:  # a chain that holds around facts that cannot follow one another was made by hand
        words = _short(f"{type(error).__name__}: {error}")
        raise CarryError(_("{where}: its entries do not follow from one another ({words}).", where=where, words=words)) from error


def _short(words: object) -> str:
    """What a file says, or what is said about it, as a sentence can bear it."""
    text = escaped(str(words))
    return text if len(text) <= 300 else text[:297] + "…"


_KINDS = (int, str, int, int, bool, str, str, str, str)


def _row(plain: Any) -> Row:  # noqa: ANN401 - what JSON holds
    if not isinstance(plain, list) or [type(value) for value in plain] != list(_KINDS):
        raise TypeError("this is no row")
    return Row(*plain)


def file_name(match: Carried) -> str:
    """What a match's file is called: readable on any system."""
    setup = match.state.setup
    names = "" if setup is None else "-".join(name for side in (setup.players.left, setup.players.right) for name in side)
    return f"{part_of_a_name(names, 120) or 'match'}-{part_of_a_name(match.match, 8)}{SUFFIX}"


class Shelf:
    """Where this table finds adjourned matches: in its own journal, in the folder `adjourned` of its data, and on sticks."""

    def __init__(self, rows: Callable[[], Iterable[Row]], data: Path, table: str, media: Path | None = None) -> None:
        """Look nowhere yet.

        Args:
            rows: Reads this table's journal.
            data: The data folder.
            table: What the organizer calls this table.
            media: Where sticks are, when the system is not to be asked.
        """
        self._rows = rows
        self._folder = data / "adjourned"
        self._table = table
        self._media = media

    def found(self) -> tuple[list[Carried], list[str]]:
        """Every adjourned match, its own first, and a sentence for each file that offers none. It may take as long as a stick does.

        Of a match that is found twice only the occurrence that goes further is offered. A file is out of date where its match has gone on
        at this table: taken up once more, the journal would hold it with two results.
        """
        rows = list(self._rows())
        here = last_entries(rows)
        matches, wrong = {match.match: match for match in adjourned(self._table, rows)}, list[str]()
        for folder in (self._folder, *sticks(self._media)):
            for path in _files(folder):
                try:
                    match = from_file(_read(path), path.name)
                except CarryError as error:
                    wrong.append(str(error))
                    continue
                other = matches.get(match.match)
                if other is not None:
                    if goes_on_from(match.rows, other.rows):
                        matches[match.match] = match
                elif match.match in here and not goes_on_from(match.rows, here[match.match]):
                    name = escaped(path.name)
                    wrong.append(
                        _("{name}: this match has gone on at this table since; the journal has it, and the file is out of date.", name=name)
                    )
                else:
                    matches[match.match] = match
        return list(matches.values()), wrong

    def own(self, match: str) -> Carried:
        """An adjourned match of this table's journal.

        Raises:
            CommandRefused: It has none of that id.
        """
        return pick(adjourned(self._table, list(self._rows())), match)

    def hand_over(self, match: str) -> str:
        """Save an adjourned match of this table to the first stick.

        Returns:
            The file's name and the stick's.

        Raises:
            CommandRefused: There is no such match, or no stick.
            StickFault: It cannot be written.
        """
        wanted, found = self.own(match), sticks(self._media)
        if not found:
            raise CommandRefused(Refusal.BAD_VALUE, "No stick is there: put one in, and touch again.")
        name = file_name(wanted)
        return f"{put_somewhere(found, {name: to_file(wanted)}).name}/{name}"


def pick(matches: Sequence[Carried], wanted: str | None) -> Carried:
    """The one that is wanted; None takes the first.

    Raises:
        CommandRefused: There is none.
    """
    for match in matches:
        if wanted in {None, match.match}:
            return match
    raise CommandRefused(Refusal.BAD_VALUE, "No such match is adjourned here.")


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.name.endswith(SUFFIX) and path.is_file())[:MOST]
    except OSError:
        return []


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise CarryError(_("{text}: it cannot be read: {why}.", text=escaped(path.name), why=error.strerror or error)) from error
    if len(data) > LARGEST:
        raise CarryError(_("{text}: it is too large for a match.", text=escaped(path.name)))
    return data
