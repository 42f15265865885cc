"""Saving a match's score sheet on a USB stick from the screen: as PDF for people and JSON for programs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from kiosk.app.media import part_of_a_name, put_somewhere, sticks
from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.sheets import ChouetteSheet, records, to_chouette_json, to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import tzinfo
    from pathlib import Path

    from kiosk.ports import Row
    from kiosk.sheets import ScoreSheet


def save_sheet(rows: Callable[[], Iterable[Row]], table: str, zone: tzinfo, media: Path | None = None) -> str:
    """Write the last match's sheet, or the last chouette's, to the first stick; each file is there whole, or not at all.

    Args:
        rows: Reads this table's journal.
        table: What the organizer calls this table.
        zone: The time zone of the sheet.
        media: Where sticks are, when the system is not to be asked.

    Returns:
        The stick and the files.

    Raises:
        CommandRefused: There is no stick, or no match.
        StickFault: It cannot be written; nothing is lost, the journal has it.
    """
    from kiosk.sheets import to_chouette_pdf, to_pdf

    found = sticks(media)
    if not found:
        raise CommandRefused(Refusal.BAD_VALUE, "No stick is there: put one in, and touch again.")
    sheet = None
    for sheet in records(list(rows())):  # noqa: B007 - the last one is wanted
        pass
    if sheet is None:
        raise CommandRefused(Refusal.BAD_VALUE, "There is no match whose sheet could be saved.")
    name = file_name(sheet, table)
    if isinstance(sheet, ChouetteSheet):
        pdf, plain = to_chouette_pdf(sheet, table=table, zone=zone), to_chouette_json(sheet, table=table)
    else:
        pdf, plain = to_pdf(sheet, table=table, zone=zone), to_json(sheet, table=table)
    files = {f"{name}.pdf": pdf, f"{name}.json": plain}
    return f"{put_somewhere(found, files).name}/{name}.pdf, .json"


def file_name(sheet: ScoreSheet | ChouetteSheet, table: str) -> str:
    """What a sheet's files are called: readable on any system, and another revision has another name."""
    day = time.strftime("%Y-%m-%d", time.gmtime(sheet.opened.wall_ns // 10**9)) if sheet.opened.trust != "unset" else ""
    if isinstance(sheet, ChouetteSheet):
        names, newest = "chouette", f"e{sheet.last_seq}"
    else:
        names = "-".join(name for side in (sheet.setup.players.left, sheet.setup.players.right) for name in side)
        newest = f"r{sheet.revision}"
    parts = [day, part_of_a_name(table, 40), part_of_a_name(names, 120) or "match", part_of_a_name(sheet.match, 8), newest]
    return "-".join(part for part in parts if part)
