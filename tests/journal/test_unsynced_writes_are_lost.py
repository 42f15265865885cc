"""The power goes at every single write and loses all that was not synced, or any part of it: what was accepted is there.

`TABLESIDE_CUTS` sets how many random remainders are tried at each write beside the bare one; 2 without it.
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest
from journal_parts import opened, record
from write_recorder import Note, Recorder, images

from kiosk.domain.types import Instant
from kiosk.journal import verify

if TYPE_CHECKING:
    from pathlib import Path

CUTS = int(os.environ.get("TABLESIDE_CUTS", "2"))


def recorded(path: Path) -> list[Note]:
    """Three lives of a journal: created and closed, taken up and cut off, taken up with a long write-ahead file."""
    path.parent.mkdir()
    recorder = Recorder(path.parent)
    with recorder.recording():
        for life, appends in enumerate((8, 8, 6)):
            journal = opened(path, f"boot-{life}")
            for number in range(appends):
                seq = journal.append([record(number)] * (1 + number % 3))
                journal.beat(Instant(number))
                assert journal.flush(10)
                recorder.notes.append(Note("accepted", offset=seq))
            if life == 1:
                journal.abandon()
            else:
                journal.close()
    return recorder.notes


@pytest.mark.slow
def test_what_was_accepted_survives_a_power_cut_at_every_write(tmp_path: Path) -> None:
    notes = recorded(tmp_path / "recorded" / "journal.db")
    kinds = {note.what for note in notes}
    assert kinds == {"open", "write", "truncate", "sync", "delete", "accepted"}
    seeds: list[int | None] = [None, *(100_000 * number for number in range(1, CUTS + 1))]
    tried = 0
    for point, accepted, files in images(notes, seeds):
        folder = tmp_path / "image"
        folder.mkdir()
        for name, content in files.items():
            (folder / name).write_bytes(content)
        journal = opened(folder / "journal.db", "boot-after")
        rows = list(journal.rows())
        report = verify(rows)
        assert report.fault is None, (point, report)
        assert report.rows >= accepted, (point, accepted, report)
        assert journal.state().fault is None
        journal.abandon()
        shutil.rmtree(folder)
        tried += 1
    assert tried > 200
