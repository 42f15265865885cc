"""A whole server in this process, as a table and a browser meet it: its own certificate, its own port, its pages."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from fastapi import FastAPI

from kiosk.domain.officials import Official, Role
from kiosk.server import settings
from kiosk.server.cli_init import make
from kiosk.server.cli_run import worker
from kiosk.server.house import House
from kiosk.server.sockets import listen
from kiosk.server.store import Store
from kiosk.sync.enrol import Applicant, Enrolled, enrol
from kiosk.sync.transport import Address, Connection
from tests.server import cheap as cheap  # noqa: PLC0414 - passwords that cost little

PASSWORD = "a long-enough word"
ORGANIZER = "Eva"


@dataclass
class Served:
    """A server that runs."""

    house: House
    address: Address
    app: FastAPI

    @property
    def url(self) -> str:
        """Where it is."""
        return self.address.url

    @property
    def fingerprint(self) -> str:
        """Its certificate's."""
        return self.house.keys.fingerprint

    def joined(self, code: str, table: str = "", *, device: str = "", replaces: bool = False) -> tuple[str, Enrolled]:
        """A device that has come in by a code: its id, and what it was answered."""
        ident = device or secrets.token_hex(16)
        return ident, enrol(self.address, code, Applicant(ident, table, "1.0", replaces), secrets.token_hex(16))

    def connection(self, ident: str, enrolled: Enrolled) -> Connection:
        """A device's own connection."""
        return Connection(self.address, enrolled.fingerprint, f"{ident}.{enrolled.answer.secret}")

    def browser(self) -> httpx.Client:
        """Somebody with a browser who took the certificate."""
        return httpx.Client(base_url=self.url, verify=False, headers={"accept": "text/html"}, timeout=20)  # noqa: S501

    @contextmanager
    def logged_in(self, name: str = ORGANIZER, password: str = PASSWORD) -> Iterator[httpx.Client]:
        """The same, logged in."""
        with self.browser() as client:
            answer = log_in(client, name, password)
            assert answer.status_code == 303, answer.text
            yield client


def log_in(client: httpx.Client, name: str, password: str, target: str = "/account") -> httpx.Response:
    """Send the login's form, as the page has it."""
    page = client.get("/login")
    return client.post("/login", data={"csrf": csrf_of(page.text), "name": name, "password": password, "next": target})


def csrf_of(page: str) -> str:
    """The hidden value of a page's form."""
    return page.split('name="csrf" value="')[1].split('"', maxsplit=1)[0]


@contextmanager
def served(folder: Path, *, database: str = "", port: int = 0, fresh: bool = True) -> Iterator[Served]:
    """A server that runs in a thread of this process."""
    if fresh:
        make(folder, "Open Skopje", Official(ORGANIZER, Role.ORGANIZER), PASSWORD, database)
    with listen("127.0.0.1", port) as listening:
        made = settings.load(folder, host="127.0.0.1", port=listening.getsockname()[1])
        store = Store.open(made.url)
        server = worker(made, store)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            address = Address("127.0.0.1", made.port)
            app: FastAPI = server.config.app  # type: ignore[assignment]
            yield Served(app.state.house, address, app)
        finally:
            server.should_exit = True
            thread.join()
            store.close()
