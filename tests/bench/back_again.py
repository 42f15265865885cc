"""A table that is killed in mid-match, as by a crash, and started again as systemd would do it: until it is ready with its match."""

from __future__ import annotations

import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from kiosk.journal import read_rows
from kiosk.session import replay
from tests.bench.figures import Bench, CannotMeasure
from tests.bench.processes import KIOSK, compiled, say

if TYPE_CHECKING:
    from collections.abc import Generator

RUNS = 5
RESTART_S = 0.2
"""`RestartSec` of the unit; a test compares them."""

MATCH = {"do": "open_match", "rulebook": "ibgf", "length": 7, "players": {"left": "Ana", "right": "Boris"}}
PRESS = ({"do": "press", "side": "right"}, {"do": "press", "side": "left"})


def _supervised(folder: Path) -> Generator[subprocess.Popen[str], None, None]:
    """One table after the other, each started as soon as the one before has ended and `RestartSec` has gone."""
    while True:
        with subprocess.Popen(
            [KIOSK, "--config", folder, "run", "--simulate", "--no-screen"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            try:
                yield process
            finally:
                process.kill()
        time.sleep(RESTART_S)


def _wait_until_ready(process: subprocess.Popen[str]) -> str:
    for line in process.stdout or ():
        if line.startswith("ready"):
            return line
    raise CannotMeasure("the table ended without saying ready.")


def measure() -> float:
    compiled()
    spent: list[float] = []
    with tempfile.TemporaryDirectory(prefix="tableside-bench-") as name:
        folder = Path(name)
        (folder / "kiosk.toml").write_text(f'data = "{folder}/data"\n', encoding="utf-8")
        tables = _supervised(folder)
        table = next(tables)
        _wait_until_ready(table)
        say(table, MATCH, *PRESS * 20)
        for _ in range(RUNS):
            table.kill()
            killed = time.perf_counter()
            table = next(tables)
            ready = _wait_until_ready(table)
            spent.append(time.perf_counter() - killed)
            match = replay(list(read_rows(folder / "data" / "journal.db")))
            if "no match" in ready or match.match is None or match.phase is None:
                raise CannotMeasure("the table came back without its match.")
        tables.close()
    return statistics.median(spent)


BENCH = Bench("s", 3, measure, "kill -9 in mid-match until ready with the match, RestartSec included (median of 5)")
