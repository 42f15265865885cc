"""From a match's rows to its sheet on A4, in a process of its own that has not yet imported what it needs for that."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.figures import Bench

RUNS = 5
MATCH = """
import json, sys
from pathlib import Path
from kiosk.books import Library
from kiosk.app.scenario import parse
from kiosk.app.simulate import Simulation
lines = [{"at": 0, "do": "open_match", "rulebook": "ibgf", "length": 25,
          "players": {"left": ["Ана Љубовић", "José Łęcki"], "right": ["ნინო ბერიძე", "Олена Ґудзь"]}}]
for n in range(49):
    at = 20 * n
    lines += [{"at": at, "do": "press", "side": "left"}, {"at": at + 5, "do": "call_referee", "by": "right"},
              {"at": at + 6, "do": "resume"}, {"at": at + 9, "do": "game", "winner": ("left", "right")[n % 2], "kind": "single"},
              {"at": at + 10, "do": "confirm", "by": ("right", "left")[n % 2]}]
library = Library([])
text = chr(10).join(map(json.dumps, lines))
simulation = Simulation(parse("bench", text, library.names()), library, Path(sys.argv[1]), lambda *_: None)
simulation.run()
simulation.close()
"""
SHEET = """
import sys, time
from pathlib import Path
from kiosk.journal import read_rows
rows = list(read_rows(Path(sys.argv[1])))
began = time.perf_counter()
from kiosk.sheets import sheets, to_pdf
(sheet,) = sheets(rows)
assert len(sheet.games) == 49 and to_pdf(sheet, event="Bench").startswith(b"%PDF")
print(time.perf_counter() - began)
"""


def measure() -> float:
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "journal.db"
        subprocess.run([sys.executable, "-c", MATCH, journal], check=True)
        runs = [subprocess.run([sys.executable, "-c", SHEET, journal], check=True, capture_output=True, text=True) for _ in range(RUNS)]
        return min(float(run.stdout) for run in runs)


BENCH = Bench("s", 1.0, measure, "the A4 sheet of a match of 49 games, its libraries imported too (best of 5)")
