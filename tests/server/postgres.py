"""A PostgreSQL that the tests start themselves, in a folder that vanishes."""

from __future__ import annotations

import glob
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def binaries() -> Path | None:
    """The folder with PostgreSQL's own commands, the newest version first; None where there are none."""
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[-2]), reverse=True)  # noqa: PTH207
    found = shutil.which("initdb")
    for folder in [*folders, *([str(Path(found).resolve().parent)] if found else [])]:
        if Path(folder, "initdb").exists() and Path(folder, "postgres").exists():
            return Path(folder)
    return None


def _as_another() -> dict[str, Any]:
    """PostgreSQL runs as no root: as its own user there, or as nobody."""
    if os.getuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    return {}


def _in_memory() -> str | None:
    """Where some hundred databases are made and removed fastest; None: wherever temporary files go."""
    place = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
    return str(place) if place.is_dir() and os.access(place, os.W_OK) and shutil.disk_usage(place).free > 4 * 2**30 else None


@contextmanager
def cluster() -> Iterator[str]:
    """A running cluster; gives an address with `{name}` for a database's name."""
    where = binaries()
    assert where is not None
    another = _as_another()
    folder = Path(tempfile.mkdtemp(prefix="tableside-pg-", dir=_in_memory()))
    if another:
        os.chown(folder, another["user"], another["group"])
    data, log = folder / "data", folder / "log"

    def run(*words: str | Path) -> None:
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, cwd=folder, **another)

    run(where / "initdb", "-D", data, "-A", "trust", "-U", "tableside", "-E", "UTF8", "--no-locale", "-N")
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c max_connections=100 -c shared_buffers=64MB"
    run(where / "pg_ctl", "-D", data, "-w", "-l", log, "-o", options, "start")
    try:
        yield f"postgresql://tableside@/{{name}}?host={folder}"
    finally:
        run(where / "pg_ctl", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def stop(address: str) -> None:
    """Take a running cluster away, as a power cut does.

    Args:
        address: As `cluster` gave it.
    """
    _pg_ctl(address, "-m", "immediate", "stop")


def start(address: str) -> None:
    """Let it come back."""
    folder = address.split("host=")[1]
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c max_connections=100 -c shared_buffers=64MB"
    _pg_ctl(address, "-l", f"{folder}/log", "-o", options, "start")


def _pg_ctl(address: str, *words: str) -> None:
    where, folder = binaries(), Path(address.split("host=")[1])
    assert where is not None
    command = (where / "pg_ctl", "-D", folder / "data", "-w", *words)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder, **_as_another())
