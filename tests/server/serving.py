"""A real server for tests: uvicorn in a thread, on a free port of this machine, without TLS; it can be stopped and started again there.

with serving(tmp_path) as server:
    server.url, server.house
    server.stop(); server.start()
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from kiosk.server.app import create_app
from kiosk.server.house import House
from kiosk.server.hub import LocalHub
from kiosk.server.intake import Intake
from kiosk.server.keys import Keys, make
from kiosk.server.settings import Settings
from kiosk.server.store import Store


class Server:
    """One server."""

    def __init__(self, folder: Path, database: str = "") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.settings = Settings(folder=folder, database=database, host="127.0.0.1", port=self.port, plain=True, announce=False)
        self._keys: Keys = make(folder, ["localhost"])
        self.house: House
        self._thread: threading.Thread | None = None
        self._server: _Told

    def start(self) -> None:
        """Open the store and answer; returns once it does."""
        store, hub = Store.open(self.settings.url), LocalHub()
        self.house = House(self.settings, store, hub, self._keys, None)
        self.house.intake = Intake(store, hub, self._keys, self.house.now_ns)
        config = uvicorn.Config(
            create_app(self.house), host="127.0.0.1", port=self.port, log_level="warning", timeout_graceful_shutdown=1, lifespan="on"
        )
        self._server, ready = _Told(config), threading.Event()
        self._server.ready = ready
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        assert ready.wait(20), "the server did not begin to answer"

    def stop(self) -> None:
        """Answer no more; open pages lose their line."""
        if self._thread is not None:
            self._server.should_exit = True
            self._thread.join(20)
            self._thread = None
            self.house.store.close()


class _Told(uvicorn.Server):
    """Says when it answers."""

    ready: threading.Event

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()


@contextmanager
def serving(folder: Path, database: str = "") -> Iterator[Server]:
    """A server while the block lasts."""
    server = Server(folder, database)
    server.start()
    try:
        yield server
    finally:
        server.stop()
