"""Backups: the whole event in one file, every hour and whenever somebody asks; made while the server runs, checked before it counts.

A backup is a ZIP file, for its owner's eyes only (it holds the keys):

| in it | what |
|---|---|
| `tableside.json` | `{"backup": 1, "at_ns", "event", "version", "counts": {table: rows}, "digests": {name: SHA-256}}` |
| `tables/NAME.jsonl` | each of our tables, a row a line; bytes stand as `{"hex": "…"}` |
| `keys/…`, `server.toml` | the server's keys, certificate and settings |

The rows are read in one transaction, so that they are of one instant, on SQLite and on PostgreSQL alike; either of them takes them back.
A file is written beside its name, put on the disk, read back and compared, and only then called a backup. Where the disk is full, the
older backups stay, and the organizer is told.

The newest of each of the last 24 hours and of each of the last 14 days are kept (`hourly`, `daily` in `server.toml`). What `kiosk-server
backup` and the organizer's page make is kept until somebody deletes it.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import re
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from kiosk import __version__
from kiosk.say import _
from kiosk.server import audit, clock, keys
from kiosk.server.house import get, put
from kiosk.server.problems import ServerError, WrongUse
from kiosk.server.schema import metadata
from kiosk.server.settings import FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Table

    from kiosk.server.house import House
    from kiosk.server.settings import Settings

HOUR_S = 3600.0
DAY_S = 24 * HOUR_S
ABOUT = "tableside.json"
TROUBLE = "backup_trouble"
"""The setting that says why the hourly backups fail, and since when; empty: they do not."""
SUFFIX = ".tableside-backup"
_HOURLY = re.compile(r"hourly-(\d{8}T\d{6}Z)\.tableside-backup")
AT_ONCE = 1000
"""So many rows are held at a time."""
_PASSING = frozenset({"login", "attempt"})
"""Tables that no backup needs: who is logged in at this moment, and who tried."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was found whole."""

    path: Path
    at_ns: int
    event: str
    version: str
    rows: int
    size: int
    hourly: bool


def tables() -> list[Table]:
    """Our tables, each behind those that it refers to."""
    return [table for table in metadata.sorted_tables if table.name not in _PASSING]


# ── Making ───────────────────────────────────────────────────────────────────
def make(house: House, by: str, path: Path | None = None) -> Backup:
    """Make a backup now.

    Args:
        house: Of which server.
        by: Who asked, for the audit.
        path: Where; None: in the folder of backups, under the date.

    Raises:
        ServerError: There is no such folder, it cannot be written, or does not come back as it was written; older ones are untouched.
        WrongUse: There is a file already.
    """
    target = path or house.settings.backups / f"by-hand-{_stamp(house.now_ns())}{SUFFIX}"
    if target.exists():
        raise WrongUse(_("{path} is there already; a backup overwrites nothing.", path=target))
    _check_place(house.settings, target.parent)
    with house.store.write() as connection:
        audit.note(connection, by, "backup_made", file=target.name)
    return _made(house, target)


def wait_s(house: House) -> float:
    """In how many seconds the next hourly backup is due; 0: now."""
    now = house.now_ns()
    since_s = min((abs(now - at_ns) / clock.SECOND for at_ns, _path in _hourly_ones(house.settings)), default=HOUR_S)
    return HOUR_S - since_s if since_s < HOUR_S - 1 else 0.0


def hourly(house: House) -> float:
    """Make the hour's backup if there is none yet, and let go of old ones.

    Returns:
        In how many seconds to look again.

    Raises:
        ServerError: It cannot be written; older ones are untouched.
    """
    wait = wait_s(house)
    if wait > 0:
        return wait
    now = house.now_ns()
    for left in house.settings.backups.glob(f"hourly-*{SUFFIX}.part"):  # whoever made it was stopped in the middle
        left.unlink(missing_ok=True)
    _made(house, house.settings.backups / f"hourly-{_stamp(now)}{SUFFIX}")
    for path in superseded(_hourly_ones(house.settings), now, house.settings.hourly, house.settings.daily):
        path.unlink(missing_ok=True)
    return HOUR_S


def superseded(found: list[tuple[int, Path]], now_ns: int, hours: int, days: int) -> list[Path]:
    """The hourly backups that are kept no longer.

    Args:
        found: When each was made, and where it is.
        now_ns: Now.
        hours: For so many hours, the newest of each hour is kept.
        days: For so many days, the newest of each day.
    """
    kept: set[Path] = set()
    for length_s, most in ((HOUR_S, hours), (DAY_S, days)):
        newest: dict[int, Path] = {}
        for at_ns, path in sorted(found):
            age = int((now_ns - at_ns) / clock.SECOND // length_s)
            newest[age] = path  # the later one of the same hour
        kept |= {path for age, path in newest.items() if age < most}
    return [path for _at, path in found if path not in kept]


def _hourly_ones(settings: Settings) -> list[tuple[int, Path]]:
    found = []
    for path in settings.backups.glob(f"hourly-*{SUFFIX}"):
        if named := _HOURLY.fullmatch(path.name):
            at = datetime.strptime(named[1], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
            found.append((int(at.timestamp()) * clock.SECOND, path))
    return found


def _made(house: House, target: Path) -> Backup:
    part = target.with_name(f"{target.name}.part")
    _check_place(house.settings, target.parent)
    try:
        part.unlink(missing_ok=True)
        _write(house, part)
        found = replace(check(part), path=target)
        part.rename(target)
    except OSError as error:
        part.unlink(missing_ok=True)
        if error.errno == errno.ENOSPC:
            raise ServerError(
                _("The disk with {path} is full: no backup was made; the older ones are as they were.", path=target)
            ) from error
        raise ServerError(_("No backup was made at {path}: {why}.", path=target, why=error.strerror or error)) from error
    return found


def _check_place(settings: Settings, folder: Path) -> None:
    """Make a folder within the data folder; elsewhere it must be there, for a stick that is not in is no folder that is called so.

    Raises:
        ServerError: It cannot be made, or is not there.
    """
    if folder.is_relative_to(settings.folder):
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise ServerError(_("No backup was made at {path}: {why}.", path=folder, why=error.strerror or error)) from error
    elif not folder.is_dir():
        raise ServerError(
            _("There is no folder {folder}; no backup was made. Is the disk in? Otherwise make the folder first.", folder=folder)
        )


def _write(house: House, part: Path) -> None:
    descriptor = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w+b") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            counts: dict[str, int] = {}
            digests: dict[str, str] = {}
            with house.store.read() as connection:
                event = get(connection, "name")
                for table in tables():
                    counts[table.name], digests[table.name] = _dump(connection, table, archive)
            for name in (*keys.FILES, FILE):
                path = house.settings.folder / name
                if path.exists():
                    archive.writestr(f"keys/{name}" if name != FILE else FILE, path.read_bytes())
            about = {"backup": 1, "at_ns": house.now_ns(), "event": event, "version": __version__, "counts": counts, "digests": digests}
            archive.writestr(ABOUT, json.dumps(about, ensure_ascii=False, indent=1))
        file.flush()
        os.fsync(file.fileno())


def _dump(connection: Connection, table: Table, archive: zipfile.ZipFile) -> tuple[int, str]:
    """Write a table's rows.

    Returns:
        How many, and their SHA-256.
    """
    count, digest = 0, hashlib.sha256()
    rows = connection.execution_options(yield_per=AT_ONCE).execute(select(table).order_by(*table.primary_key.columns))
    with archive.open(member_of(table), "w", force_zip64=True) as member:
        for row in rows:
            line = json.dumps([_plain(value) for value in row], ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            member.write(line)
            digest.update(line)
            count += 1
    return count, digest.hexdigest()


def _plain(value: object) -> object:
    return {"hex": value.hex()} if isinstance(value, bytes) else value


def member_of(table: Table) -> str:
    """Where a table's rows stand in a backup."""
    return f"tables/{table.name}.jsonl"


def _stamp(at_ns: int) -> str:
    return datetime.fromtimestamp(at_ns // clock.SECOND, UTC).strftime("%Y%m%dT%H%M%SZ")


# ── Looking ──────────────────────────────────────────────────────────────────
def check(path: Path) -> Backup:
    """Read a backup through to its end: every row is counted, and every digest worked out.

    Raises:
        ServerError: It is no backup, or not a whole one.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            about = _about(path, archive)
            rows = 0
            for table in tables():
                count, digest = _read_through(archive, table)
                if (count, digest) != (about["counts"].get(table.name), about["digests"].get(table.name)):
                    raise ServerError(_("{path} is no whole backup: its table {table} was altered.", path=path, table=table.name))
                rows += count
        return Backup(
            path, int(about["at_ns"]), str(about["event"]), str(about["version"]), rows, path.stat().st_size, bool(_HOURLY.match(path.name))
        )
    except (zipfile.BadZipFile, zipfile.LargeZipFile, KeyError, EOFError, ValueError, TypeError) as error:
        if isinstance(error, ServerError):
            raise
        raise ServerError(_("{path} is no whole backup ({why}).", path=path, why=error)) from error


def _about(path: Path, archive: zipfile.ZipFile) -> dict[str, Any]:
    about = json.loads(archive.read(ABOUT))
    if not isinstance(about, dict) or about.get("backup") != 1:
        raise ServerError(_("{path} was made by a newer Tableside; update this one.", path=path))
    return about


def _read_through(archive: zipfile.ZipFile, table: Table) -> tuple[int, str]:
    count, digest = 0, hashlib.sha256()
    with archive.open(member_of(table)) as member:
        for line in member:
            digest.update(line)
            count += 1
    return count, digest.hexdigest()


def listed(settings: Settings) -> list[Backup | Path]:
    """The backups in their folder, newest first; one that is no whole backup as its path."""
    found: list[tuple[float, Backup | Path]] = []
    for path in settings.backups.glob(f"*{SUFFIX}"):
        try:
            found.append((path.stat().st_mtime, glance(path)))
        except (OSError, ServerError):
            found.append((0.0, path))
    return [each for _when, each in sorted(found, key=lambda pair: pair[0], reverse=True)]


def glance(path: Path) -> Backup:
    """What a backup says of itself, its rows unread.

    Raises:
        ServerError: It is none.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            about = _about(path, archive)
        rows = sum(int(count) for count in about["counts"].values())
        return Backup(
            path, int(about["at_ns"]), str(about["event"]), str(about["version"]), rows, path.stat().st_size, bool(_HOURLY.match(path.name))
        )
    except (zipfile.BadZipFile, KeyError, EOFError, ValueError, TypeError, AttributeError) as error:
        if isinstance(error, ServerError):
            raise
        raise ServerError(_("{path} is no whole backup ({why}).", path=path, why=error)) from error


def _found(path: Path, about: dict[str, Any], rows: int) -> Backup:
    told = (int(about["at_ns"]), str(about["event"]), str(about["version"]))
    return Backup(path, *told, rows, path.stat().st_size, _HOURLY.match(path.name) is not None)


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why the last hourly backup could not be made."""

    since_ns: int
    """When the first of those in a row failed."""
    why: str


def trouble(connection: Connection) -> Trouble | None:
    """What is wrong with the hourly backups, or None."""
    kept = get(connection, TROUBLE)
    return Trouble(**json.loads(kept)) if kept else None


def trouble_is(house: House, why: str) -> None:
    """Keep what is wrong with the hourly backups, and since when; empty: nothing."""
    with house.store.read() as connection:
        before = trouble(connection)
    if (before.why if before is not None else "") == why:
        return
    since_ns = house.now_ns() if before is None else before.since_ns
    with house.store.write() as connection:
        put(connection, TROUBLE, json.dumps({"since_ns": since_ns, "why": why}, ensure_ascii=False) if why else "")
    house.hub.publish("desk", "")


@contextmanager
def turn(settings: Settings) -> Iterator[bool]:
    """Whether this worker makes the hourly backups at this moment: one of them does.

    Raises:
        OSError: Their folder cannot be opened.
        ServerError: It cannot be made, or is not there.
    """
    _check_place(settings, settings.backups)
    descriptor = os.open(settings.backups, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(descriptor)
