"""`kill -9` at random instants of a running table: whatever was answered `accepted` is there afterwards.

The full number runs by command: `TABLESIDE_KILLS=200 python -m pytest tests/power`.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

from kiosk.journal import read_rows, verify
from kiosk.session import replay

KILLS = int(os.environ.get("TABLESIDE_KILLS", "12"))
OPEN = {"do": "open_match", "rulebook": "ibgf", "length": 5, "players": {"left": "A", "right": "B"}}


class RunningKiosk:
    """A table in its own process, spoken to through its console."""

    def __init__(self, config: Path) -> None:
        command = [
            sys.executable,
            "-c",
            "from kiosk.app.main import main; main()",
            "--config",
            str(config),
            "run",
            "--simulate",
            "--no-screen",
        ]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)
        self.buffer = b""
        self.accepted = 0
        assert self.line(60).startswith("ready")

    def line(self, timeout: float) -> str:
        """The next line of its output, or an empty string."""
        assert self.process.stdout is not None
        until = time.monotonic() + timeout
        while b"\n" not in self.buffer:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, until - time.monotonic()))
            data = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            if not data:
                return ""
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line.decode()

    def say(self, word: dict[str, object]) -> None:
        """Send one word."""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write((json.dumps(word) + "\n").encode())

    def listen(self, timeout: float) -> None:
        """Note what is accepted."""
        while line := self.line(timeout):
            self.accepted = max(self.accepted, json.loads(line).get("accepted", 0))

    def kill(self) -> None:
        """As the kernel would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.listen(0.05)  # what it had answered before it died


def _words(rng: random.Random) -> dict[str, object]:
    side = rng.choice(["left", "right"])
    return rng.choice(
        [
            {"do": "press", "side": side},
            {"do": "press", "side": side},
            {"do": "stop", "reason": "dice", "by": side},
            {"do": "resume"},
            {"do": "double", "by": side},
            {"do": "take", "by": side},
            {"do": "game", "winner": side, "kind": "single"},
            {"do": "confirm", "by": side},
            OPEN,
        ]
    )


def test_whatever_was_answered_accepted_is_there_after_a_kill(tmp_path: Path) -> None:
    rng = random.Random(2026)
    (tmp_path / "kiosk.toml").write_text(f'data = "{tmp_path}/data"\n', encoding="utf-8")
    journal = tmp_path / "data" / "journal.db"
    promised = 0
    for _ in range(KILLS):
        table = RunningKiosk(tmp_path)
        table.say(OPEN)
        for _ in range(rng.randrange(25)):
            table.say(_words(rng))
            table.listen(rng.random() * 0.02)
        table.kill()
        promised = max(promised, table.accepted)
        rows = list(read_rows(journal))
        assert verify(rows).fault is None
        assert len(rows) >= promised
        assert promised > 0
        assert replay(rows).phase is not None
