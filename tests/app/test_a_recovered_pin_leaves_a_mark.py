"""`recovered.json`: marks stay until they are recorded, whatever happens in between."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from kiosk.app import kept
from kiosk.app.recoveries import FILE, UNREADABLE, Recovery, add_mark, forget_recoveries, take_recoveries
from kiosk.domain.errors import RosterUnavailable

FIRST = Recovery("Ана", "table (ana)", 1_700_000_000_000_000_000, wall_trusted=True)
SECOND = Recovery("Bo", "table", 1, wall_trusted=False)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_where_nothing_was_recovered_there_is_no_mark(tmp_path: Path) -> None:
    assert take_recoveries(tmp_path) == []
    assert take_recoveries(tmp_path / "not yet made") == []
    forget_recoveries(tmp_path / "not yet made", [])
    assert names(tmp_path) == []


def test_marks_are_taken_in_order_and_stay_until_they_are_forgotten(tmp_path: Path) -> None:
    add_mark(tmp_path, FIRST)
    add_mark(tmp_path, SECOND)
    for _ in range(2):
        assert take_recoveries(tmp_path) == [FIRST, SECOND]
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    forget_recoveries(tmp_path, [FIRST, SECOND])
    assert take_recoveries(tmp_path) == []
    assert names(tmp_path) == []
    forget_recoveries(tmp_path, [FIRST])  # a start that was cut short comes again


def test_a_mark_that_comes_between_taking_and_forgetting_stays(tmp_path: Path) -> None:
    add_mark(tmp_path, FIRST)
    taken = take_recoveries(tmp_path)
    add_mark(tmp_path, SECOND)
    forget_recoveries(tmp_path, taken)
    assert take_recoveries(tmp_path) == [SECOND]


BROKEN = [
    b"",
    b"\xff",
    b"{}",
    b"[]",
    b"[1]",
    b"[{}]",
    b'[{"official":"A","by":"b","wall_ns":1.5,"wall_trusted":true}]',
    b'[{"official":"A","by":"b","wall_ns":true,"wall_trusted":true}]',
    b"[" * 200_000,
]


@pytest.mark.parametrize("content", BROKEN)
def test_a_damaged_mark_is_a_mark_too(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    assert take_recoveries(tmp_path) == [UNREADABLE]
    assert (tmp_path / FILE).read_bytes() == content
    forget_recoveries(tmp_path, [UNREADABLE])
    assert names(tmp_path) == ["recovered.damaged-1.json"]
    assert take_recoveries(tmp_path) == []


def test_a_new_mark_behind_a_damaged_one_leaves_two(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"?")
    add_mark(tmp_path, FIRST)
    assert take_recoveries(tmp_path) == [UNREADABLE, FIRST]
    assert (tmp_path / "recovered.damaged-1.json").read_bytes() == b"?"


def test_marks_that_cannot_be_read_are_a_sentence(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(RosterUnavailable, match=r"recovered\.json cannot be read: Is a directory"):
        take_recoveries(tmp_path)


def test_marks_that_cannot_be_forgotten_are_a_sentence_and_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    add_mark(tmp_path, FIRST)
    add_mark(tmp_path, SECOND)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", failing)
        for recorded in ([FIRST], [FIRST, SECOND]):
            with pytest.raises(RosterUnavailable, match=r"recovered\.json cannot be changed: Read-only"):
                forget_recoveries(tmp_path, recorded)
    assert take_recoveries(tmp_path) == [FIRST, SECOND]


def test_a_mark_needs_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(kept.os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        add_mark(tmp_path, FIRST)
    assert names(tmp_path) == []
