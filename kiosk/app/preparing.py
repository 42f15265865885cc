"""Taking what was prepared for this table: its names before it starts, its server as soon as that can be reached.

What came of it is kept in `prepared.json` of the data folder, so that a running table can say on its screen what is wrong, and so that
nothing is done twice: the names while `kiosk.toml` says that it was written from the same entry, the server while the same entry has
joined it.
"""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from kiosk.app import kept
from kiosk.app.logs import log
from kiosk.domain.errors import KioskError
from kiosk.domain.types import NS_PER_S
from kiosk.journal.store import make_folder
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.app.config import Config
    from kiosk.app.prepared import Entry

FILE = "prepared.json"
ETC = Path("/etc")
LOOK_NS = NS_PER_S
"""How often a running table looks whether something came of it."""


class PreparingFailed(KioskError, OSError):
    """The world failed: what was prepared could not be written down; the text says where."""


@dataclass(frozen=True, slots=True)
class Came:
    """What came of what was prepared."""

    joined: str = ""
    """The digest of the entry with which a server was joined."""
    fault: str = ""
    """What is wrong, in a sentence."""


def came(folder: Path) -> Came:
    """What is kept about it; nothing where that cannot be read."""
    try:
        plain = json.loads(kept.read(folder / FILE))
        return Came(str(plain["joined"]), str(plain["fault"]))
    except (OSError, ValueError, TypeError, KeyError):
        return Came()


def keep(folder: Path, now: Came) -> None:
    """Keep what came of it.

    Raises:
        PreparingFailed: It cannot be written.
    """
    if now == came(folder):
        return
    try:
        make_folder(folder)
        kept.write(folder / FILE, json.dumps(asdict(now), ensure_ascii=False))
    except OSError as error:
        raise PreparingFailed(_("{path} cannot be written: {why}.", path=folder / FILE, why=error.strerror or error)) from error


def take_names(config: Config, entry: Entry, etc: Path = ETC) -> bool:
    """Write the table's name and language into its configuration, and the box's name into the system.

    Args:
        config: The table's configuration.
        entry: What is prepared.
        etc: The folder of the system's configuration.

    Returns:
        Whether anything was done; False: all of it was done before.

    Raises:
        PreparingFailed: It cannot be written.
    """
    from kiosk.app import prepared  # a table that runs reads no such file

    path = config.folder / "kiosk.toml"
    try:
        text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
        if prepared.applied(text) == entry.digest:
            return False
        if entry.name:
            _name_the_box(entry.name, etc)
        config.folder.mkdir(parents=True, exist_ok=True)
        kept.write(path, prepared.written(text, entry), 0o644)
    except OSError as error:
        raise PreparingFailed(
            _(
                "{path} cannot be written: {why}. What is prepared is taken by the system itself, or with sudo.",
                path=error.filename or path,
                why=error.strerror or error,
            )
        ) from error
    return True


def _name_the_box(name: str, etc: Path) -> None:
    import socket

    old = socket.gethostname()
    if old == name:
        return
    kept.write(etc / "hostname", f"{name}\n", 0o644)
    hosts = etc / "hosts"
    lines = [line for line in hosts.read_text(encoding="utf-8").splitlines() if not line.startswith("127.0.1.1")] if hosts.exists() else []
    kept.write(hosts, "\n".join([*lines, f"127.0.1.1\t{name}"]) + "\n", 0o644)
    if etc == ETC:
        socket.sethostname(name)


def join_server(config: Config, entry: Entry) -> str:
    """Join the server that is prepared, unless that was done.

    Args:
        config: The table's configuration.
        entry: What is prepared.

    Returns:
        The event that was joined; empty: there was nothing to do.

    Raises:
        KioskError: It has not joined; the sentence says why.
    """
    from kiosk.app.joining import join

    if not entry.code or came(config.data).joined == entry.digest:
        return ""
    table = entry.table or ("" if entry.replace == "true" else config.table)
    joined = join(config.data, entry.address or _only_one(), entry.code, table=table, replaces=entry.replace == "true")
    keep(config.data, replace(came(config.data), joined=entry.digest, fault=""))
    return joined.event


def _only_one() -> str:
    from kiosk.sync.discovery import find

    found = find()
    if len(found) == 1:
        return found[0].address.url
    raise PreparingFailed(
        _("Not one server was found on the local network, but {n}; prepare its `address` too.", n=len(found))
        if found
        else _("No server was found on the local network; prepare its `address` too.")
    )


class Preparing:
    """Says at a running table what is wrong with what was prepared for it; `kiosk.app.loop.Part`."""

    name = "prepared"

    def __init__(self, folder: Path, warn: Callable[[str], None], wake: Callable[[], None]) -> None:
        """Nothing is looked at yet.

        Args:
            folder: The data folder.
            warn: Says a sentence until it was seen.
            wake: Wakes the loop, from any thread.
        """
        self._path = folder / FILE
        self._warn, self._wake = warn, wake
        self._looked: int | None = None
        self._stamp: tuple[int, int] | None = None
        self._fault, self._told = "", ""

    def turn(self, now: int) -> None:
        """Look once a second whether there is something new; it is read beside the loop.

        Args:
            now: Nanoseconds of the monotonic clock.
        """
        if self._fault != self._told:
            self._told = self._fault
            if self._told:
                log.error("%s", self._told)
                self._warn(self._told)
        if self._looked is not None and now - self._looked < LOOK_NS:
            return
        self._looked, stamp = now, None
        with suppress(OSError):
            status = self._path.stat()
            stamp = status.st_ino, status.st_mtime_ns
        if stamp != self._stamp:
            self._stamp = stamp
            threading.Thread(target=self._read, name="prepared", daemon=True).start()

    def next_wake(self, _now: int) -> int | None:
        """It needs no turn of its own."""
        return None

    def _read(self) -> None:
        self._fault = came(self._path.parent).fault
        self._wake()
