"""Whatever happens to the bytes of a journal: it opens, the damaged file is kept byte for byte under a free name, and it is said."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from journal_parts import WALL, opened, record, until

from kiosk.domain.errors import JournalUnavailable
from kiosk.journal import open_journal, store, verify

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlite_utils import Database

PAGE = 4096
ROWS = 300

HOLDING = """
import sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from journal_parts import opened, record

journal = opened(Path(sys.argv[1]))
journal.append([record(1)])
assert journal.flush(10)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("sound") / "journal.db"
    journal = opened(path)
    journal.append([record(number) for number in range(ROWS)])
    assert journal.flush(10)
    journal.close()
    return path.read_bytes()


def begun_anew(path: Path, number: int) -> None:
    """Check that the file at `path` is set aside as the given number, and that the table works."""
    before = path.read_bytes()
    journal, notices = open_journal(path, boot="next", wall=lambda: WALL)
    (notice,) = notices
    kept = path.with_name(f"journal.damaged-{number}.db")
    assert str(kept) in notice
    assert kept.read_bytes() == before
    assert journal.state().fault is None
    assert journal.append([record(1)]) == 1
    assert journal.flush(10)
    journal.close()


DAMAGES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "garbage": lambda text, chance: chance.randbytes(len(text)),
    "a short scrap": lambda _text, chance: chance.randbytes(7),
    "a text file": lambda _text, _chance: "Турнир 2025\n".encode() * 300,
    "cut in the middle": lambda text, _chance: text[: len(text) // 2],
    "cut within a page": lambda text, _chance: text[: len(text) // 2 + 100],
    "cut within the header": lambda text, _chance: text[:60],
    "the first page lost": lambda text, _chance: bytes(PAGE) + text[PAGE:],
    "the end lost to zeros": lambda text, _chance: text[:-PAGE] + bytes(PAGE),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_journal_is_kept_twice_in_a_row(damage: Callable[[bytes, random.Random], bytes], sound: bytes, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    for number in (1, 2):
        path.write_bytes(damage(sound, random.Random(number)))
        begun_anew(path, number)


def test_any_page_overwritten_with_garbage_is_noticed_at_opening_or_by_the_chain(sound: bytes, tmp_path: Path) -> None:
    chance = random.Random(5)
    set_aside = 0
    for page in range(len(sound) // PAGE):
        folder = tmp_path / str(page)
        folder.mkdir()
        path = folder / "journal.db"
        path.write_bytes(sound[: page * PAGE] + chance.randbytes(PAGE) + sound[(page + 1) * PAGE :])
        journal, notices = open_journal(path, boot="next", wall=lambda: WALL)
        report = verify(journal.rows())
        assert notices or report.fault or report.rows == ROWS
        set_aside += len(notices)
        journal.close()
    assert set_aside >= len(sound) // PAGE - 2


@pytest.mark.parametrize("left", [b"", None], ids=["emptied", "missing"])
def test_a_journal_that_lost_all_but_its_write_ahead_file_loses_nothing_more(left: bytes | None, tmp_path: Path) -> None:
    """SQLite removes a write-ahead file beside an empty database: with it would go the only copy of its rows."""
    path = tmp_path / "journal.db"
    journal = opened(path)
    journal.append([record(number) for number in range(5)])
    assert journal.flush(10)
    journal.abandon()
    ahead = path.with_name("journal.db-wal").read_bytes()
    path.unlink()
    if left is not None:
        path.write_bytes(left)
    journal, notices = open_journal(path, boot="next", wall=lambda: WALL)
    assert path.with_name("journal.damaged-1.db-wal").read_bytes() == ahead
    assert len(notices) == 1
    assert journal.append([record(1)]) == 1
    assert journal.flush(10)
    journal.close()


def test_an_empty_file_is_a_fresh_start(tmp_path: Path) -> None:
    (tmp_path / "journal.db").touch()
    opened(tmp_path / "journal.db").close()


def test_a_process_that_holds_the_journal_is_named_until_it_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    command = [sys.executable, "-c", HOLDING, str(path), str(Path(__file__).parent)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(JournalUnavailable, match="already in use"):
            open_journal(path, boot="b", wall=lambda: WALL)
        os.kill(holder.pid, signal.SIGKILL)
    journal = opened(path)
    assert [row.data for row in journal.rows()] == [record(1).data]
    journal.close()


def test_a_disk_that_hangs_is_said_within_two_seconds_and_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = opened(tmp_path / "journal.db")
    answers = threading.Event()
    connect = store.connect

    def hang(path: Path) -> Database:
        answers.wait(20)
        return connect(path)

    monkeypatch.setattr(store, "connect", hang)
    for number in range(10):
        assert journal.append([record(number)]) == number + 1
    assert until(lambda: journal.state().fault is not None, 2)
    assert journal.state().pending == 10
    answers.set()
    assert journal.flush(10)
    assert journal.state().fault is None
    assert [row.data for row in journal.rows()] == [record(number).data for number in range(10)]
    journal.close()
