"""What commands beside a running server share: its house from outside, and the lock that says that it runs."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kiosk.say import _
from kiosk.server import settings
from kiosk.server.house import House, house_of
from kiosk.server.keys import IDENT
from kiosk.server.problems import ServerError
from kiosk.server.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOCK = "server.lock"


@contextmanager
def house_beside(folder: Path) -> Iterator[House]:
    """The house for a command: it writes into the same database as a server that may be running, and takes in nothing itself.

    Args:
        folder: The data folder.

    Raises:
        ServerError: There is no server in it.
        StoreUnavailable: The database cannot be opened.
    """
    made = settings.load(folder)
    if not (folder / IDENT).exists():
        raise ServerError(_("There is no server in {folder}; `kiosk-server init` makes one.", folder=folder))
    store = Store.open(made.url)
    try:
        yield house_of(made, store)
    finally:
        store.close()


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the lock of the running server; the kernel lets go of it at death.

    Args:
        folder: The data folder.

    Raises:
        ServerError: A server runs with it, or the lock cannot be made.
    """
    try:
        descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise ServerError(
            _("{path} cannot be written: {why}; `kiosk-server init` makes a server.", path=folder, why=error.strerror or error)
        ) from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ServerError(_("A server runs with {folder} already; stop that one first.", folder=folder)) from error
        yield
    finally:
        os.close(descriptor)
