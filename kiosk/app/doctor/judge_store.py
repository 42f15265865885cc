"""Verdicts on where the table keeps its records: folder, disk, how long a sync takes, the journal. Pure."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from kiosk.domain.types import NS_PER_MS
from kiosk.ports import Finding
from kiosk.say import _, n_

if TYPE_CHECKING:
    from kiosk.app.doctor.figures import DiskFigures, FolderFigures, JournalFigures, SyncFigures

MB = 1_000_000
FULL, NEARLY_FULL = 100 * MB, 500 * MB
"""Bytes left. Decision: a hall's weekend is some 20 MB a table with its sheets; below 100 MB the system itself begins to fail."""

SLOW_MEDIAN_NS, SLOW_WORST_NS = 50 * NS_PER_MS, 500 * NS_PER_MS
"""Decision: beyond these "accepted" is seen to lag behind the hand. A good card takes 2 to 20 ms, with stalls of 100 to 300 ms."""

TOO_SLOW_NS = 2000 * NS_PER_MS
"""A journal that is not written for two seconds is told on the screen."""


def judge_folder(found: FolderFigures) -> list[Finding]:
    """Whether what is written there stays."""
    name, what = "data", _("Data folder")
    if found.forgets:
        figure = _("{path} is on {kind} and forgets everything at the next reboot", path=found.path, kind=found.forgets)
        advice = _("Put it on a partition of the disk: set `data` in kiosk.toml, as hardware/README.md shows for a read-only system.")
        return [Finding(name, what, figure, "wrong", advice)]
    if not found.writable:
        advice = _("Give the folder to the user who runs the table, or set another `data` in kiosk.toml.")
        return [Finding(name, what, _("{path} cannot be written", path=found.path), "wrong", advice)]
    if not found.exists:
        return [Finding(name, what, _("{path} is not there yet; it is made at the first start", path=found.path), "good")]
    return [Finding(name, what, found.path, "good")]


def judge_disk(found: DiskFigures) -> list[Finding]:
    """Whether there is room."""
    figure = _("{free} of {total} free", free=size_words(found.free), total=size_words(found.total))
    advice = _("Delete what is not needed, or take a larger card; the journal itself is never deleted.")
    if found.free < FULL:
        return [Finding("disk", _("Free disk"), figure, "wrong", advice)]
    if found.free < NEARLY_FULL:
        return [Finding("disk", _("Free disk"), figure, "doubt", advice)]
    return [Finding("disk", _("Free disk"), figure, "good")]


def judge_sync(found: SyncFigures) -> list[Finding]:
    """Whether an entry is safely on disk soon."""
    what = _("Sync of an entry")
    if not found.spent_ns:
        return [Finding("sync", what, _("not measured: the data folder cannot be written"), "wrong", _("See the data folder."))]
    middle, worst = round(median(found.spent_ns)), max(found.spent_ns)
    figure = _("median {middle} ms, the longest of {n}: {worst} ms", middle=ms_words(middle), n=len(found.spent_ns), worst=ms_words(worst))
    if worst > TOO_SLOW_NS:
        return [Finding("sync", what, figure, "wrong", _("The card stalls: replace it by a new one of endurance grade."))]
    if middle > SLOW_MEDIAN_NS or worst > SLOW_WORST_NS:
        advice = _(
            "Slow: presses are charged exactly all the same, but entries are accepted late. Look again at rest; else take a better card."
        )
        return [Finding("sync", what, figure, "doubt", advice)]
    return [Finding("sync", what, figure, "good")]


def judge_journal(found: JournalFigures) -> list[Finding]:
    """Whether what is recorded holds together."""
    what = _("Journal")
    if not found.exists:
        return [Finding("journal", what, _("{path}: none yet; it is begun at the first start", path=found.path), "good")]
    if found.fault:
        advice = _("Keep the file, tell the organizer, and look at it with `kiosk journal verify`.")
        return [Finding("journal", what, found.fault, "wrong", advice)]
    rows = n_("{n} entry holds together", "{n} entries hold together", found.rows)
    figure = f"{rows}, {size_words(found.size)}"
    if found.holder is not None:
        figure = _("{figure}; in use by process {pid}, and only read here", figure=figure, pid=found.holder)
    return [Finding("journal", what, figure, "good")]


def size_words(size: int) -> str:
    """Bytes, as people say them."""
    if size >= 1000 * MB:
        return _("{n} GB", n=f"{size / (1000 * MB):.1f}")
    if size >= MB:
        return _("{n} MB", n=round(size / MB))
    return _("{n} kB", n=-(-size // 1000))


def ms_words(spent_ns: int) -> str:
    """Milliseconds with as many digits as say something."""
    spent = spent_ns / NS_PER_MS
    return f"{spent:.1f}" if spent < 10 else f"{spent:.0f}"
