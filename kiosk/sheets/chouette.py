"""A chouette's record: its games as rows, its players as columns, worked out from the same facts as everything else.

It is no match and no result: no list of results counts it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from kiosk.domain import facts as f
from kiosk.domain.chouette import Chouette, told
from kiosk.domain.types import present
from kiosk.sheets.walk import ScoreSheet, all_parts, sheet_of
from kiosk.sheets.when import When, offsets, when_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kiosk.ports import Row
    from kiosk.sheets.walk import Part


@dataclass(frozen=True, slots=True)
class ChouetteSheet:
    """The record of one chouette."""

    number: int
    """Its number in the journal, from 1; matches and chouettes are counted together."""
    match: str
    """Its id."""
    chouette: Chouette
    """As it is after the last of its rows."""
    throws: tuple[tuple[str, tuple[int, ...]], ...]
    """What each player threw for his place; empty where the order was agreed."""
    opened: When
    ended: When | None
    """None while it goes on."""
    games: tuple[When, ...]
    """When each game that counts ended."""
    first_seq: int
    last_seq: int
    digest: str
    """The hash of its last row: the journal's chain up to there."""


def records(rows: Iterable[Row], known: dict[str, int] | None = None) -> Iterator[ScoreSheet | ChouetteSheet]:
    """What a journal holds: the sheet of every match and of every chouette, in order.

    Args:
        rows: The journal's rows; they are gone through twice, so an iterator will not do.
        known: What `offsets` found in them, where they were gone through before.

    Raises:
        CodecError: A row does not have the shape that it promises.
    """
    known = offsets(rows) if known is None else known
    for number, part in enumerate(all_parts(rows), 1):
        yield sheet_of(part, number, known) if isinstance(part[0][1], f.MatchOpened) else chouette_of(part, number, known)


def chouette_of(part: Part, number: int, known: dict[str, int]) -> ChouetteSheet:
    """The record of one chouette, as it was after the last of these rows.

    Args:
        part: Its rows from the opening on.
        number: Its number in the journal.
        known: What `offsets` knows about the journal's dates.
    """
    first, opening = part[0]
    opening = cast("f.ChouetteOpened", opening)  # such a part begins with it
    chouette: Chouette | None = None
    games: list[When] = []
    ended: When | None = None
    for row, fact in part:
        if isinstance(fact, f.ChouetteFact):
            chouette = told(chouette, fact)
            when = when_of(row, fact.at, known)
            games = [*games[: len(chouette.games)], *[when] * (len(chouette.games) - len(games))]
            ended = (ended or when) if chouette.ended else None
    last = part[-1][0]
    return ChouetteSheet(
        number=number,
        match=opening.match,
        chouette=present(chouette),
        throws=tuple(zip(opening.players, opening.throws, strict=True)) if opening.throws else (),
        opened=when_of(first, opening.at, known),
        ended=ended,
        games=tuple(games),
        first_seq=first.seq,
        last_seq=last.seq,
        digest=last.hash,
    )
