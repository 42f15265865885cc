"""The product as a process of its own, in folders that vanish afterwards."""

from __future__ import annotations

import compileall
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.figures import CannotMeasure
from tests.window.display import Display, missing

if TYPE_CHECKING:
    from collections.abc import Iterator

KIOSK = Path(sys.executable).with_name("kiosk")
"""The command as it is installed beside this Python."""

PATIENCE_S = 30
"""Whoever is not ready by then is stopped."""


@contextmanager
def home() -> Iterator[dict[str, str]]:
    """An environment whose configuration and data are an empty folder's."""
    with tempfile.TemporaryDirectory(prefix="tableside-bench-") as folder:
        places = {"HOME_OF_BENCH": folder, "XDG_CONFIG_HOME": f"{folder}/config", "XDG_DATA_HOME": f"{folder}/data"}
        yield {**os.environ, **places, "TABLESIDE_CONFIG": ""}


@contextmanager
def hidden_display() -> Iterator[Display]:
    """A display that nobody sees."""
    why = missing()
    if why:
        raise CannotMeasure(why)
    with Display() as display:
        yield display


@contextmanager
def running_table(display: Display | None = None) -> Iterator[tuple[subprocess.Popen[str], float]]:
    """`kiosk run --simulate`, on a display or without a screen, and the seconds from its start until it said `ready`."""
    compiled()
    command = [KIOSK, "run", "--simulate", "--no-screen" if display is None else "--screen"]
    with home() as plain:
        environment = plain if display is None else display.environment(plain)
        began = time.perf_counter()
        process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        overdue = threading.Timer(PATIENCE_S, process.kill)
        overdue.start()
        try:
            _wait_until_ready(process)
            yield process, time.perf_counter() - began
        finally:
            overdue.cancel()
            process.kill()
            process.communicate()


@cache
def compiled() -> None:
    """Compile the product, as an installation does; whoever runs it from its sources may have told Python not to keep that."""
    for part in ("kiosk", "hardware"):
        compileall.compile_dir(Path(__file__).parents[2] / part, quiet=2)


def _wait_until_ready(process: subprocess.Popen[str]) -> None:
    if process.stdout is None or process.stderr is None:
        raise CannotMeasure("the table's output is not connected.")
    for line in process.stdout:
        if line.startswith("ready"):
            return
    said = process.stderr.read().strip().splitlines()
    raise CannotMeasure(f"kiosk run --simulate ended without saying ready: {said[-1] if said else 'no word'}")


def say(process: subprocess.Popen[str], *words: dict[str, object]) -> None:
    """Give the table's console words, and wait until each is answered."""
    if process.stdin is None or process.stdout is None:
        raise CannotMeasure("the table's console is not connected.")
    for word in words:
        process.stdin.write(json.dumps(word) + "\n")
        process.stdin.flush()
        while True:
            answer = json.loads(process.stdout.readline() or '{"error": "the table has ended"}')
            if "accepted" in answer or "status" in answer:
                break
            if "error" in answer or "refused" in answer:
                raise CannotMeasure(f"the table said to {word}: {answer}")


def resident_mb(pid: int) -> float:
    """What a process holds in memory."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024 / 1e6
    raise CannotMeasure("this system does not say how much memory a process holds.")


def spent_s(pid: int) -> float:
    """The processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
