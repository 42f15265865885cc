"""A long scenario through `kiosk simulate`."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

from tests.bench.figures import Bench, CannotMeasure
from tests.bench.processes import KIOSK, home
from tests.bench.tables import MS, S, alternate, gaps

PRESSES = 2_000
SEED = 7


def _scenario() -> str:
    players = {"left": "Marija", "right": "Boris"}
    lines: list[dict[str, object]] = [
        {"at": 0, "do": "open_match", "rulebook": "ibgf", "length": 7, "players": players, "reserve_s": 36_000}
    ]
    at = 5 * S
    for line, gap in zip(alternate(), gaps(PRESSES, 4 * 3600 * S, 300 * MS, SEED), strict=False):
        at += gap
        lines.append({"at": at // MS / 1000, "do": "press", "side": line})
    return "\n".join(json.dumps(line) for line in lines)


def measure() -> float:
    with home() as environment:
        path = Path(environment["HOME_OF_BENCH"]) / "long.jsonl"
        path.write_text(_scenario(), encoding="utf-8")
        began = time.perf_counter()
        done = subprocess.run([KIOSK, "simulate", "--json", path], env=environment, capture_output=True, text=True, check=False)
        spent = time.perf_counter() - began
    if done.returncode != 0:
        raise CannotMeasure(f"kiosk simulate said: {done.stderr.strip()}")
    turns = json.loads(done.stdout)["clock"]["turns"]
    if turns["left"] + turns["right"] != PRESSES - 1:
        raise CannotMeasure("kiosk simulate did not play every press.")
    return spent


BENCH = Bench("s", 6, measure, "kiosk simulate with 2,000 presses")
