"""Without a desktop the table puts itself into the compositor `cage`, as a user of its own, and fills its screen."""

from __future__ import annotations

import contextlib
import io
import json
import os
import select
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

from kiosk.journal import read_rows, verify
from tests.window import caged
from tests.window.table import KIOSK, TOP

PATIENCE_S = 60
SAME = 0.95
"""The share of pixels that must be alike: the clock goes on between the table's own picture and the compositor's."""


class Caged:
    """A table that is told to run inside cage."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "kiosk.toml").write_text(f'data = "{folder}/data"\ndisplay = "cage"\n', encoding="utf-8")
        if os.geteuid() == 0:
            os.chown(folder, caged.NOBODY, caged.NOBODY)
        self._supervisor = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._supervisor.bind(str(folder / "notify"))
        self._supervisor.settimeout(PATIENCE_S)
        (folder / "notify").chmod(0o777)
        as_systemd = ("sh", "-c", 'WATCHDOG_PID=$$ exec "$@"', "sh")
        command = [*as_systemd, *caged.as_user(), *KIOSK, "--config", str(folder), "run", "--simulate"]
        self._errors = (folder / "stderr").open("wb")
        self.process = subprocess.Popen(
            command,
            cwd=TOP,
            env={**caged.environment(folder), "PYTHONPATH": str(TOP), "NOTIFY_SOCKET": str(folder / "notify"), "WATCHDOG_USEC": "1000000"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
        )
        self._buffer = b""

    def line(self) -> str:
        """The next line that the table prints."""
        assert self.process.stdout is not None
        until = time.monotonic() + PATIENCE_S
        while b"\n" not in self._buffer:
            ready = select.select([self.process.stdout], [], [], max(0.0, until - time.monotonic()))[0]
            data = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            assert data, (self.folder / "stderr").read_text(encoding="utf-8")
            self._buffer += data
        line, self._buffer = self._buffer.split(b"\n", 1)
        return line.decode()

    def do(self, **word: Any) -> dict[str, Any]:
        """A word on its console, and the answer."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(word).encode() + b"\n")
        self.process.stdin.flush()
        while True:
            answer: dict[str, Any] = json.loads(self.line())
            if "line" in answer:
                return answer

    def tells_its_supervisor(self, word: str) -> bool:
        """Wait for a word on the socket that systemd would listen at."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            if word in self._supervisor.recv(4096).decode().splitlines():
                return True
        return False

    def own(self) -> Image.Image:
        """What the table says that it shows."""
        path = self.folder / "own.png"
        answer = self.do(do="render", file=str(path))
        assert "error" not in answer, answer
        return Image.open(io.BytesIO(path.read_bytes())).convert("RGB")

    def alike(self) -> float:
        """Which share of the compositor's screen is as the table says."""
        seen = Image.open(io.BytesIO(caged.shot(self.folder))).convert("RGB")
        own = self.own()
        if seen.size != own.size:
            return 0.0
        difference = ImageChops.difference(seen, own).convert("L").point(lambda value: 255 if value > 8 else 0)
        return difference.histogram()[0] / (own.width * own.height)

    def leave(self) -> None:
        """Nothing stays behind: the compositor, its X server and the table are one group."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._supervisor.close()
        for pipe in (self.process.stdin, self.process.stdout, self._errors):
            if pipe is not None:
                pipe.close()


@pytest.fixture
def table() -> Iterator[Caged]:
    why = caged.missing()
    if why:
        pytest.skip(why)
    with tempfile.TemporaryDirectory(prefix="tableside-cage-") as folder:  # not below a folder that is root's alone
        found = Caged(Path(folder))
        yield found
        found.leave()


def test_it_fills_the_screen_with_a_running_clock_and_ends_in_order(table: Caged) -> None:
    assert table.line().startswith("ready")
    assert table.tells_its_supervisor("READY=1")
    assert table.tells_its_supervisor("WATCHDOG=1")  # by the child of the process that systemd started
    table.do(do="open_match", rulebook="ibgf", length=7, players={"left": "Ana", "right": "Boris"})
    table.do(do="press", side="right")
    assert table.do(do="status")["status"]["clock"]["running"] == "left"

    until = time.monotonic() + PATIENCE_S
    while (share := table.alike()) < SAME:
        assert time.monotonic() < until, share
        time.sleep(0.2)
    _keep(table)

    os.killpg(table.process.pid, signal.SIGTERM)  # as systemd ends a unit
    table.process.wait(PATIENCE_S)
    rows = tuple(read_rows(table.folder / "data" / "journal.db"))
    assert verify(rows).fault is None
    assert "Traceback" not in (table.folder / "stderr").read_text(encoding="utf-8")


def _keep(table: Caged) -> None:
    """Where somebody wants to look at it: TABLESIDE_SHOTS names a folder."""
    folder = os.environ.get("TABLESIDE_SHOTS")
    if folder:
        (Path(folder) / "cage.png").write_bytes(caged.shot(table.folder))
