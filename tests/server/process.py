"""`kiosk-server run` as a process of its own, as it runs in the hall."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kiosk.server.keys import Keys
from kiosk.sync.transport import Address


@dataclass
class Running:
    """A server that runs in a process of its own."""

    process: subprocess.Popen[str]
    ready: str
    """The line that says where the board is."""
    address: Address
    keys: Keys

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Stop it, and give its exit code."""
        self.process.send_signal(how)
        return self.process.wait(60)


@contextmanager
def running(folder: Path, *options: str) -> Iterator[Running]:
    """Start it, wait until it is ready, and kill it at the end if it is still there."""
    command = [sys.executable, "-m", "kiosk.server.main", "--data", str(folder), "run", "--host", "127.0.0.1", "--no-announce", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            ready = process.stdout.readline()
            if not ready.startswith("ready: "):
                assert process.stderr is not None
                raise AssertionError(ready + process.stderr.read())
            port = int(ready.rsplit(":", 1)[1].strip().strip("/"))
            yield Running(process, ready, Address("127.0.0.1", port, plain="--plain" in options), Keys.load(folder))
        finally:
            process.kill()
