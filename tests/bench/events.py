"""A journal as long as an event's, written once and measured from outside."""

from __future__ import annotations

import resource
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from kiosk.app.scenario import parse
from kiosk.app.simulate import Simulation
from kiosk.books import Library
from kiosk.domain.types import Side
from kiosk.journal import open_journal, read_rows
from kiosk.ports import Origin, Record
from tests.bench.figures import CannotMeasure
from tests.bench.processes import KIOSK

MATCHES = 200
PRESSES = 40
"""In each game."""


def _lines() -> Iterator[str]:
    """A 7-point match of eleven games of 40 presses, which is a long one, and two signatures."""
    yield '{"at": 0, "do": "open_match", "rulebook": "ibgf", "length": 7, "players": {"left": "Marija", "right": "Boris"}}'
    at = 10
    for game in range(11):
        for turn in range(PRESSES):
            yield f'{{"at": {at}, "do": "press", "side": "{tuple(Side)[turn % 2]}"}}'
            at += 9
        winner, loser = tuple(Side) if game % 3 else tuple(Side)[::-1]
        yield f'{{"at": {at}, "do": "game", "winner": "{winner}", "kind": "single"}}'
        yield f'{{"at": {at + 5}, "do": "confirm", "by": "{loser}"}}'
        at += 20
    for side in Side:
        yield f'{{"at": {at}, "do": "sign", "side": "{side}"}}'


def _one_match(folder: Path) -> list[Record]:
    library = Library([])
    simulation = Simulation(parse("bench", "\n".join(_lines()), library.names()), library, folder / "one.db", lambda _played, _of: None)
    simulation.run()
    simulation.close()
    if simulation.log.refused:
        raise CannotMeasure(f"the match could not be played: {simulation.log.refused[0]}")
    return [Record(row.type, row.data, row.mono_ns) for row in read_rows(folder / "one.db")]


@contextmanager
def event() -> Iterator[Path]:
    """The journal of `MATCHES` matches, one after the other on days of their own; it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="tableside-bench-") as folder:
        match = _one_match(Path(folder))
        path = Path(folder) / "journal.db"
        journal, _ = open_journal(path, boot="bench", wall=lambda: (0, False))
        for number in range(MATCHES):
            origin = Origin(f"boot-{number}", (1_700_000_000 + number * 3600) * 10**9, wall_trusted=True)
            journal.append([replace(record, origin=origin) for record in match])
        complete = journal.flush(120)
        journal.close()
        if not complete:
            raise CannotMeasure("the journal could not be filled.")
        yield path


def exported(path: Path) -> tuple[float, int]:
    """How long `kiosk export all` took, in seconds, and the most memory that its process held, in MB."""
    target = path.with_name("event.xlsx")
    words = ["export", "all", "--journal", path, "--output", target]
    began = time.perf_counter()
    subprocess.run([KIOSK, *words], check=True, capture_output=True)
    spent = time.perf_counter() - began
    if target.stat().st_size < 50_000:
        raise CannotMeasure("the workbook is too small to hold the event.")
    return spent, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
