"""What the power-cut test runs under the file layer: groups of records, beats, flushes, a close and a reopening.

Usage: workload.py FOLDER SEED RECORDS. After every flush it writes what had been accepted to FOLDER/said, through the same layer, so
that the promise stands in the log where it was made.
"""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kiosk.domain.types import Instant
from kiosk.journal import SqliteJournal, open_journal, store
from kiosk.ports import Record

if TYPE_CHECKING:
    from sqlite_utils import Database

FEW_PAGES = 6
"""A checkpoint after so many pages, so that a short run has several."""

plain_connect = store.connect


def connect_with_checkpoints(path: Path) -> Database:
    database = plain_connect(path)
    database.conn.execute(f"PRAGMA wal_autocheckpoint={FEW_PAGES}")
    return database


def group(number: int, size: int) -> list[Record]:
    """Records that know their place, padded to spill over pages at times."""
    padding = "×" * (number * 37 % 900)
    texts = [{"group": number, "at": place, "of": size, "padding": padding} for place in range(size)]
    return [Record("t", json.dumps(text, ensure_ascii=False), number) for text in texts]


class Workload:
    def __init__(self, folder: Path, seed: int) -> None:
        self.path = folder / "journal.db"
        self.random = random.Random(seed)
        self.said = os.open(folder / "said", os.O_WRONLY | os.O_CREAT)
        self.groups = 0
        self.handed = 0
        self.beats = 0
        self.journal = self.open()

    def open(self) -> SqliteJournal:
        journal, notices = open_journal(self.path, boot="boot", wall=lambda: (7, True))
        assert notices == ()
        return journal

    def say(self) -> None:
        """Promise what is accepted, and the last beat when everything was flushed."""
        state = self.journal.state()
        beats = self.beats if state.pending == 0 else 0
        os.write(self.said, json.dumps({"accepted": state.accepted, "beat": beats}).encode())

    def flush(self) -> None:
        assert self.journal.flush(10)
        self.say()

    def step(self) -> None:
        self.groups += 1
        self.handed = self.journal.append(group(self.groups, self.random.randint(1, 4)))
        if self.random.random() < 0.4:
            self.beats += 1
            self.journal.beat(Instant(self.beats))
        if self.random.random() < 0.7:
            self.flush()

    def run(self, records: int) -> None:
        while self.handed < records:
            self.step()
            if self.groups == 9:
                self.journal.close()
                self.say()
                self.journal = self.open()
        self.flush()
        self.journal.close()
        self.say()


if __name__ == "__main__":
    store.connect = connect_with_checkpoints
    Workload(Path(sys.argv[1]), int(sys.argv[2])).run(int(sys.argv[3]))
