"""`kill -9` at any moment: every sequence that had been told as accepted is there afterwards, and the chain holds.

`TABLESIDE_KILLS` sets the number of kills; 20 without it.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from journal_parts import opened

from kiosk.journal import store, verify

KILLS = int(os.environ.get("TABLESIDE_KILLS", "20"))

APPENDING = """
import sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from kiosk.domain.types import Instant
from journal_parts import opened, record

journal = opened(Path(sys.argv[1]))
while True:
    seq = journal.append([record(1), record(2)])
    journal.beat(Instant(seq))
    assert journal.flush(10)
    print(journal.state().accepted, flush=True)
"""


def killed(path: Path, chance: random.Random) -> int:
    """Run a writer, kill it at some moment after its first accepted row, return the last sequence that it had told."""
    command = [sys.executable, "-c", APPENDING, str(path), str(Path(__file__).parent)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        told = [writer.stdout.readline()]
        timer = threading.Timer(chance.uniform(0, 0.05), writer.kill)
        timer.start()
        told += writer.stdout.readlines()
        timer.join()
    return int([line for line in told if line.endswith("\n")][-1])


@pytest.mark.slow
def test_the_last_accepted_row_survives_every_kill(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    chance = random.Random(11)
    for _ in range(KILLS):
        told = killed(path, chance)
        journal = opened(path)
        report = verify(journal.rows())
        assert report.fault is None
        assert report.rows >= told
        beat = journal.last_beat()
        assert beat is not None
        assert beat.seq >= told
        journal.close()
        connection = store.read_only(path)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()
