"""From a button's edge to new pixels, on the whole running table, while other programs keep every core busy."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from hardware import SimulatedBox
from kiosk.domain.types import Instant, Side
from tests.bench.figures import Bench, CannotMeasure
from tests.bench.tables import MS, S, alternate, open_match
from tests.window.display import Display, missing

PRESSES = 150
HELD = 80 * MS
SEED = 33
PATIENCE_S = 5


@contextlib.contextmanager
def busy() -> Iterator[None]:
    """One program that never sleeps for each core, at the same rank as the table."""
    programs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


@contextlib.contextmanager
def some_display() -> Iterator[None]:
    """Xvfb where it is installed, else SDL's dummy; the environment is as before afterwards."""
    with contextlib.ExitStack() as parts, mock.patch.dict(os.environ):
        for variable in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
            os.environ.pop(variable, None)
        if missing():
            os.environ["SDL_VIDEODRIVER"] = "dummy"
        else:
            display = parts.enter_context(Display())
            display.hurry()
            os.environ["DISPLAY"] = display.name
        yield


class Presser:
    """Presses both buttons in turn, and sees when the screen has followed."""

    def __init__(self) -> None:
        self.box = SimulatedBox()
        self.spent: list[int] = []
        self._awaited: Side | None = None
        self._painted = threading.Event()
        self._painted_at = 0
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._press_all, daemon=True)

    def shown(self, session: Any) -> None:
        """The window has just been painted, on the loop's thread."""
        now = time.monotonic_ns()
        if session.table.phase is None:
            session.command(open_match(8 * S), Instant(now))
            self._thread.start()
        clock = session.table.clock
        if self._awaited is not None and clock is not None and clock.turn is self._awaited:
            self._awaited, self._painted_at = None, now
            self._painted.set()

    def _press_all(self) -> None:
        draw = random.Random(SEED)
        try:
            for _, line in zip(range(PRESSES), alternate(), strict=False):
                time.sleep(0.03 + draw.random() * 0.04)
                self._painted.clear()
                self._awaited = Side(line).other
                at = time.monotonic_ns()
                self.box.drive(line, True, at)
                if not self._painted.wait(PATIENCE_S):
                    return
                self.spent.append(self._painted_at - at)
                time.sleep(max(0.0, (at + HELD - time.monotonic_ns()) / S))
                self.box.drive(line, False, time.monotonic_ns())
        finally:
            os.kill(os.getpid(), signal.SIGTERM)


def measure() -> float:
    from kiosk.app import cli_run, config
    from kiosk.ui.window import Window

    presser = Presser()
    show = Window.show

    def show_and_tell(window: Window, desk: Any, now: int, **how: bool) -> None:
        show(window, desk, now, **how)
        presser.shown(desk.session)

    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    logging.disable()
    try:
        with (
            tempfile.TemporaryDirectory(prefix="tableside-bench-") as folder,
            some_display(),
            busy(),
            mock.patch.object(Window, "show", show_and_tell),
            mock.patch.object(cli_run, "SimulatedBox", return_value=presser.box),
            Path(os.devnull).open(encoding="utf-8") as nothing,
            mock.patch.object(sys, "stdin", nothing),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            table = config.Config(Path(folder), Path(folder) / "data")
            cli_run.run_table(table, simulate=True, shape=cli_run.Shape((800, 480)))
    finally:
        logging.disable(logging.NOTSET)
        for number, handler in before.items():
            signal.signal(number, handler)
    if len(presser.spent) < PRESSES:
        raise CannotMeasure(f"the screen did not follow press {len(presser.spent) + 1} within {PATIENCE_S} s.")
    return sorted(presser.spent)[PRESSES * 99 // 100] / MS


BENCH = Bench("ms", 33, measure, "a button's edge until its picture is on the display, every core busy (99 of 100)")
