"""The product as a process of its own, in folders that vanish afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.figures import CannotMeasure

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
def running_table() -> Iterator[tuple[subprocess.Popen[str], float]]:
    """`kiosk run --simulate --no-screen`, and the seconds from its start until it said `ready`."""
    with home() as environment:
        began = time.perf_counter()
        process = subprocess.Popen(
            [KIOSK, "run", "--simulate", "--no-screen"],
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


def _wait_until_ready(process: subprocess.Popen[str]) -> None:
    if process.stdout is None or process.stderr is None:
        raise CannotMeasure("the table's output is not connected.")
    for line in process.stdout:
        if line.startswith("ready"):
            return
    said = process.stderr.read().strip().splitlines()
    raise CannotMeasure(f"kiosk run --simulate --no-screen ended without saying ready: {said[-1] if said else 'no word'}")
