"""A power cut after every single write: the journal opens, holds together, and everything that was called accepted is there.

A public report (OctoPrint-PowerFailure#16) is about a product that survived the end of its process and lost its file to a real power
cut. So here a process writes through a layer that notes each write, sync, truncation and removal, and what a disk would hold is
rebuilt after each of them.
"""

from __future__ import annotations

import json
import os
import random
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from power_cut import Disk, Note, read_notes

from kiosk.journal import open_journal, verify
from kiosk.ports import Record

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
RECORDS = int(os.environ.get("TABLESIDE_POWER_CUT_RECORDS", "40"))
SEEDS = (1, 2)


@dataclass(frozen=True, slots=True)
class Moment:
    """An instant of the workload."""

    number: int
    disk: Disk
    accepted: int
    beat: int


@pytest.fixture(scope="module")
def layer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("layer") / "disk_shim.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", built, HERE / "disk_shim.c", "-ldl", "-pthread"], check=True)
    return built


@pytest.fixture(scope="module", params=SEEDS)
def notes(request: pytest.FixtureRequest, layer: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Note]:
    root = tmp_path_factory.mktemp("power")
    folder, log = root / "data", root / "log"
    folder.mkdir()
    env = {**os.environ, "LD_PRELOAD": str(layer), "DISK_FOLDER": str(folder), "DISK_LOG": str(log)}
    subprocess.run([sys.executable, HERE / "workload.py", folder, str(request.param), str(RECORDS)], check=True, env=env)
    return list(read_notes(log, folder))


def moments(notes: list[Note]) -> Iterator[Moment]:
    """The disk before the first note and after each; what was said until then is promised."""
    disk, accepted, beat = Disk(), 0, 0
    yield Moment(0, disk, accepted, beat)
    for number, note in enumerate(notes, 1):
        if note.name != "said":
            disk.do(note)
        elif note.kind == "w":
            said = json.loads(note.data)
            accepted, beat = max(accepted, said["accepted"]), max(beat, said["beat"])
        yield Moment(number, disk, accepted, beat)


def check(folder: Path, contents: dict[str, bytes], moment: Moment, *, go_on: bool) -> None:
    folder.mkdir()
    for name, text in contents.items():
        (folder / name).write_bytes(text)
    path = folder / "journal.db"
    journal, notices = open_journal(path, boot="next", wall=lambda: (0, False))
    assert notices == ()
    found = list(journal.rows())
    assert len(found) == journal.state().accepted >= moment.accepted
    assert verify(found).fault is None
    if found:
        last = json.loads(found[-1].data)
        assert last["at"] == last["of"] - 1, "a group was torn"
    beat = journal.last_beat()
    assert (0 if beat is None else beat.mono_ns) >= moment.beat
    if go_on:
        assert journal.append([Record("t", "{}", 1)]) == len(found) + 1
        assert journal.flush(10)
        assert verify(journal.rows()).rows == len(found) + 1
    journal.close()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_the_layer_sees_every_kind_of_change(notes: list[Note]) -> None:
    assert {(note.kind, note.name) for note in notes} >= {
        ("c", "journal.db"),
        ("s", "journal.db"),
        ("w", "journal.db-wal"),
        ("s", "journal.db-wal"),
        ("u", "journal.db-wal"),
        ("s", "."),
    }


def test_a_workload_without_a_power_cut_is_rebuilt_whole(notes: list[Note], tmp_path: Path) -> None:
    *_, last = moments(notes)
    assert last.accepted >= RECORDS
    check(tmp_path / "disk", {name: file.now() for name, file in last.disk.names.items()}, last, go_on=True)


def test_after_every_write_what_was_synced_is_a_whole_journal_with_all_that_was_accepted(notes: list[Note], tmp_path: Path) -> None:
    seen = set()
    for moment in moments(notes):
        contents = moment.disk.after_cut(None)
        key = (moment.accepted, moment.beat, *sorted(contents.items()))
        if key not in seen:
            seen.add(key)
            check(tmp_path / str(moment.number), contents, moment, go_on=moment.number % 5 == 0)
    assert len(seen) > len(notes) / 10


def test_after_every_write_any_of_the_unsynced_sectors_do_no_harm(notes: list[Note], tmp_path: Path) -> None:
    chance = random.Random(7)
    for moment in moments(notes):
        check(tmp_path / str(moment.number), moment.disk.after_cut(chance), moment, go_on=moment.number % 5 == 0)
