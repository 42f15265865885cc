"""Is a chouette's JSON record still what the table wrote? Its values against what the journal's facts give, or against its own seal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kiosk.domain import facts as f
from kiosk.say import _
from kiosk.sheets.chouette import chouette_of
from kiosk.sheets.chouette_files import chouette_object
from kiosk.sheets.verify import Verdict, by_itself, differences, seal_faults, seal_notes
from kiosk.sheets.walk import all_parts
from kiosk.sheets.when import offsets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kiosk.ports import Row
    from kiosk.sheets.walk import Part

UNKNOWN_TO_JOURNALS = ("event", "table", "seal")
"""What people named when they exported it, and what is made of the rest."""


def verify_chouette(plain: dict[str, Any], rows: Iterable[Row] | None, *, must: bool = False) -> Verdict:
    """Judge a chouette's JSON record.

    Args:
        plain: The record.
        rows: The journal's rows, gone through more than once; None: there is no journal, only the seal can speak.
        must: It is a fault if this journal does not have the chouette.

    Raises:
        CodecError: A row of the journal does not have the shape that it promises.
    """
    found = None if rows is None else _find(rows, plain.get("match"))
    if rows is None or found is None:
        itself = by_itself(plain)
        lacks = (_("This journal has no such chouette."),) if must else ()
        return Verdict((*lacks, *itself.faults), itself.notes)
    number, part = found
    chain = plain.get("journal")
    then = _rows_then(part, chain.get("digest") if isinstance(chain, dict) else None)
    given = {key: value for key, value in plain.items() if key not in UNKNOWN_TO_JOURNALS}
    ways = (offsets(rows), offsets([row for row, _fact in then]))  # as of a match: the date may have been set since
    faults = min((tuple(differences((), given, _right(then, number, known))) for known in ways), key=len)
    older = (_("The record is an older one: as of entry {then}.", then=then[-1][0].seq),) if len(then) < len(part) else ()
    return Verdict(faults or seal_faults(plain), (*older, *seal_notes(plain)))


def _find(rows: Iterable[Row], match: object) -> tuple[int, Part] | None:
    for number, part in enumerate(all_parts(rows), 1):
        opening = part[0][1]
        if isinstance(opening, f.ChouetteOpened) and opening.match == match:
            return number, part
    return None


def _rows_then(part: Part, digest: object) -> Part:
    """What the record rests on: the rows up to the one whose hash it names, else all of them."""
    count = next((n for n, (row, _fact) in enumerate(part, 1) if row.hash == digest), len(part))
    return part[:count]


def _right(part: Part, number: int, known: dict[str, int]) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(json.dumps(chouette_object(chouette_of(part, number, known))))
    return plain
