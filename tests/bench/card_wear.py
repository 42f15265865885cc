"""What a running clock writes to the card: the heartbeat's commits with everything that SQLite and ext4 write for them.

The real journal runs on an ext4 file system of its own in a file, mounted as on the box (`noatime`); what the block device was given to
write is read from the kernel, the file system's own journal included. That needs root and a loop device. Without them what this process
made dirty is counted, which lacks ext4's part and is said to.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from kiosk.domain.types import NS_PER_S, Instant
from kiosk.journal import SqliteJournal, open_journal
from kiosk.ports import Record
from kiosk.session.session import HEARTBEAT
from tests.bench.figures import Bench

BEATS = 1200
"""Ten minutes of a running clock; SQLite copies its write-ahead file back about every 1000 pages, so that is in it."""

PRESS_S = 8
"""A turn takes so long on average: each press adds a row and its hash."""

BOOT = "4f0e7a52-7f4b-4ec6-9c1e-1b2c3d4e5f60"
"""As long as a real one."""

HOURS_A_DAY, DAYS_A_YEAR = 10, 60
"""A club's table: every weekend, and a few weeks of events."""

CARD_GB = 32
CYCLES = {"plain (TLC, 500 cycles)": 500, "endurance (3000 cycles)": 3000}
"""How often each cell can be written, by what makers say of such cards."""

INSIDE = (4, 50)
"""Decision: how many bytes a card's own controller writes for each byte of such small writes, in a good card and in a poor one. No maker
says it, so both ends are reckoned with."""

FOUND: dict[str, float | str] = {}


def measure() -> float:
    with tempfile.TemporaryDirectory(prefix="tableside-wear-") as folder, _device(Path(folder)) as (place, written):
        journal, _ = open_journal(place / "journal.db", boot=BOOT, wall=lambda: (1_800_000_000 * NS_PER_S, True))
        _beats(journal, 10)
        before = written()
        _beats(journal, BEATS)
        spent = written() - before
        journal.close()
    FOUND["a beat"] = spent / BEATS
    return spent * NS_PER_S / (BEATS * HEARTBEAT) / 1000


def _beats(journal: SqliteJournal, count: int) -> None:
    presses = PRESS_S * NS_PER_S // HEARTBEAT
    for number in range(1, count + 1):
        at = number * HEARTBEAT
        if number % presses == 0:
            journal.append([Record("turn_ended", '{"at":123456789012,"by":"left","charged":7123456789,"v":1}', at)])
        journal.beat(Instant(at))
        assert journal.flush(10)


@contextlib.contextmanager
def _device(folder: Path) -> Iterator[tuple[Path, Callable[[], int]]]:
    """A file system of its own, and how many bytes its device was given; where that cannot be had, this process's count."""
    image, place = folder / "card.img", folder / "card"
    place.mkdir()
    try:
        with image.open("wb") as file:
            file.truncate(256_000_000)
        _run("mkfs.ext4", "-q", "-F", str(image))
        _run("mount", "-o", "loop,noatime", str(image), str(place))
    except (OSError, subprocess.CalledProcessError):
        FOUND["how"] = "without ext4's own journal: needs root and a loop device"
        yield place, _dirtied
        return
    FOUND["how"] = "with ext4's own journal"
    number = place.stat().st_dev
    stat = Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}/stat")

    def given() -> int:
        os.sync()
        return int(stat.read_text(encoding="ascii").split()[6]) * 512

    try:
        yield place, given
    finally:
        _run("umount", str(place))


def _run(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True)


def _dirtied() -> int:
    lines = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("write_bytes"))


def beside() -> str:
    a_beat = float(FOUND["a beat"])
    a_year = years_bytes(a_beat)
    lives = ", ".join(f"{kind}: {life(a_beat, cycles)}" for kind, cycles in CYCLES.items())
    return f"{a_beat / 1000:.1f} kB a beat {FOUND['how']}; {a_year / 1e9:.0f} GB in {HOURS_A_DAY * DAYS_A_YEAR} h a year; {lives}"


def years_bytes(a_beat: float) -> float:
    """What the card is given in a year.

    Args:
        a_beat: Bytes of one heartbeat.
    """
    return a_beat * NS_PER_S / HEARTBEAT * 3600 * HOURS_A_DAY * DAYS_A_YEAR


def life(a_beat: float, cycles: int) -> str:
    """How long a card lasts, from a poor controller to a good one.

    Args:
        a_beat: Bytes of one heartbeat.
        cycles: How often each of its cells can be written.
    """
    good, poor = (CARD_GB * 1e9 * cycles / (years_bytes(a_beat) * inside) for inside in INSIDE)
    return f"{poor:.0f} to {good:.0f} years"


BENCH = Bench("kB/s", 100.0, measure, "what a running clock writes to the card", beside)
