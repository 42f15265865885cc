"""1,000 tables at play for 40 seconds, a press each 5 s, with a board open: one run, of which several figures are taken."""

from __future__ import annotations

import bisect
import threading
import time
from dataclasses import dataclass
from functools import cache

from tests.bench.figures import CannotMeasure
from tests.bench.hall import hall

TABLES = 1_000
SECONDS = 40
WARM_S = 12
"""Until then all 1,000 tables come in at once, with two TLS connections each: what they wait for that is not counted, only what is lost."""
PRESSES = 20
PROCESSES = 2
"""Of tables."""


@dataclass(frozen=True)
class Run:
    """What was measured."""

    intake_p99_ms: float
    """From a press's batch to its answer, at the table."""
    board_behind_ms: float
    """From a press's batch to the board that shows it, at the worst."""
    lost: int
    """Facts that the tables have and the database has not."""
    memory_mb: float
    connecting_wait_ms: float
    """The longest from a press's batch to its answer while the tables come in."""
    connecting_behind_ms: float
    """The longest from a press's batch to the board in the same time."""
    cpu_ms: float
    """What the server's processes computed for each press after that, keeping the streams alive included."""

    def left_out(self) -> str:
        """What the first two figures leave out, for people."""
        return (
            f"without the first {WARM_S} s, in which all tables connect: there an answer took {self.connecting_wait_ms:.0f} ms and "
            f"the board {self.connecting_behind_ms:.0f} ms at the worst; the server computed {self.cpu_ms:.2f} ms for each press"
        )


@cache
def at_play(tables: int = TABLES, seconds: float = SECONDS) -> Run:
    """Let them play, once.

    Args:
        tables: How many.
        seconds: For how long.

    Raises:
        CannotMeasure: A board that shows nothing, a table that was answered nothing.
    """
    with hall(tables) as place:
        memory: list[float] = []
        computed: list[tuple[float, float]] = []
        done = threading.Event()

        def watch() -> None:
            while not done.wait(1):
                memory.append(place.memory_mb())
                computed.append((time.monotonic(), place.computed_s()))

        watching = threading.Thread(target=watch)
        watching.start()
        with place.board() as heard:
            told = place.tables("play", PROCESSES, presses=PRESSES, seconds=seconds)
            time.sleep(3)  # what is later is too late
        done.set()
        watching.join()
        rows = sum(each["rows"] for each in told)
        presses = [press for each in told for press in each["presses"]]
        warm = min((press[2] for press in presses), default=0) + WARM_S
        early = [press for press in presses if press[2] < warm]
        presses = [press for press in presses if press[2] >= warm]
        if not presses:
            raise CannotMeasure("nobody played.")
        waits = sorted(press[3] for press in presses)
        return Run(
            waits[len(waits) * 99 // 100] * 1000,
            _behind(presses, heard) * 1000,
            rows - place.stored(),
            max(memory, default=0),
            max(press[3] for press in early) * 1000,
            _behind(early, heard) * 1000,
            _cpu_ms(computed, presses),
        )


def _cpu_ms(computed: list[tuple[float, float]], presses: list[tuple[int, str, float, float]]) -> float:
    """CPU time for each press, from the first look at it after the tables are in to the last one before they stop."""
    first, last = min(press[2] for press in presses), max(press[2] for press in presses)
    looks = [(at, spent) for at, spent in computed if first <= at <= last]
    if len(looks) < 2:
        raise CannotMeasure("it was too short.")
    inside = sum(looks[0][0] <= press[2] <= looks[-1][0] for press in presses)
    return (looks[-1][1] - looks[0][1]) * 1000 / max(1, inside)


def _behind(presses: list[tuple[int, str, float, float]], heard: list[tuple[int, str | None, float]]) -> float:
    """How long the slowest press took to the board; who pressed is not on the clock any more."""
    shown: dict[tuple[int, str], list[float]] = {}
    for table, turn, at in heard:
        shown.setdefault((table, str(turn)), []).append(at)
    worst = 0.0
    for table, by, at, _wait in presses:
        times = shown.get((table, "right" if by == "left" else "left"), [])
        place = bisect.bisect_left(times, at)
        worst = max(worst, times[place] - at if place < len(times) else float("inf"))
    return worst
