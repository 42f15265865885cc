"""Sheets of scenarios: an evening's lines in, the sheets of its matches out."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kiosk.app.scenario import parse
from kiosk.app.simulate import Simulation
from kiosk.books import Library
from kiosk.journal import read_rows
from kiosk.sheets import ScoreSheet, sheets, to_csv, to_json

if TYPE_CHECKING:
    from kiosk.ports import Row

NAMES = {"left": "Ana", "right": "Boris"}


def line(at: float, do: str, **arguments: Any) -> dict[str, Any]:
    return {"at": at, "do": do, **arguments}


def opened(length: int | None = 5, **options: Any) -> dict[str, Any]:
    return line(0, "open_match", **{"rulebook": "ibgf", "length": length, "players": NAMES, **options})


def rows_of(*lines: dict[str, Any], strict: bool = True) -> list[Row]:
    """The journal of an evening; unless it is strict, some of its lines may be refused."""
    library = Library([])
    text = "\n".join(json.dumps(each) for each in lines)
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "journal.db"
        simulation = Simulation(parse("evening", text, library.names()), library, journal, lambda _played, _of: None)
        simulation.run()
        simulation.close()
        assert not strict or simulation.log.refused == [], simulation.log.refused[:3]
        return list(read_rows(journal))


def sheet_of(*lines: dict[str, Any]) -> ScoreSheet:
    """The sheet of an evening's last match."""
    return list(sheets(rows_of(*lines)))[-1]


def json_of(sheet: ScoreSheet) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(to_json(sheet))
    return plain


def records(sheet: ScoreSheet, kind: str) -> list[dict[str, str]]:
    """The CSV's lines of one kind."""
    table = csv.DictReader(io.StringIO(to_csv(sheet).decode("utf-8-sig"), newline=""))
    return [each for each in table if each["record"] == kind]
