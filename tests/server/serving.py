"""A server for browsers: the product's own worker in a thread, on a port of this machine that stays its own, without TLS.

with serving(tmp_path) as server:
    server.url, server.house
    server.stop(); server.start()
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from kiosk.domain.officials import Official, Role
from kiosk.server import settings
from kiosk.server.cli_init import make
from kiosk.server.cli_run import worker
from kiosk.server.house import House
from kiosk.server.live import Live
from kiosk.server.sockets import listen
from kiosk.server.store import Store
from tests.server.served import ORGANIZER, PASSWORD


class Server:
    """One server; `ORGANIZER` may log in with `PASSWORD`."""

    def __init__(self, folder: Path, database: str = "") -> None:
        make(folder, "Open Skopje", Official(ORGANIZER, Role.ORGANIZER), PASSWORD, database)
        self._folder, self.port = folder, 0
        self.house: House
        self._thread: threading.Thread | None = None
        self._server: uvicorn.Server

    @property
    def url(self) -> str:
        """Where it is, whether it answers or not."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Listen, and answer in a moment: who connects meanwhile waits."""
        listening = listen("127.0.0.1", self.port)
        self.port = listening.getsockname()[1]
        made = settings.load(self._folder, host="127.0.0.1", port=self.port, plain=True, announce=False)
        self._server = worker(made, Store.open(made.url))
        self.house = self._server.config.app.state.house  # type: ignore[union-attr]
        self._thread = threading.Thread(target=self._run, args=(listening,), daemon=True)
        self._thread.start()

    def _run(self, listening: object) -> None:
        with listening:  # type: ignore[attr-defined]
            self._server.run(sockets=[listening])  # type: ignore[list-item]

    @property
    def live(self) -> Live:
        """Its open pages."""
        live: Live = self._server.config.app.state.live  # type: ignore[union-attr]
        return live

    def stop(self) -> None:
        """Answer no more; open pages lose their line."""
        if self._thread is not None:
            self._server.should_exit = True
            self._thread.join(20)
            assert not self._thread.is_alive(), "the server did not stop"
            self._thread = None
            self.house.store.close()


@contextmanager
def serving(folder: Path, database: str = "") -> Iterator[Server]:
    """A server while the block lasts."""
    server = Server(folder, database)
    server.start()
    try:
        yield server
    finally:
        server.stop()
