"""The pages of the desk and of referees over a hall: a client for each role, and tables that really play."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from anyio.from_thread import BlockingPortal, start_blocking_portal
from fastapi.testclient import TestClient
from sqlalchemy import insert

from kiosk.domain.officials import Role
from kiosk.domain.types import NS_PER_S, Pair
from kiosk.server import login
from kiosk.server.app import create_app
from kiosk.server.house import House, put
from kiosk.server.hub import LocalHub
from kiosk.server.intake import Intake
from kiosk.server.keys import make
from kiosk.server.schema import person
from kiosk.server.settings import DATABASE, Settings
from kiosk.server.store import Store
from tests.server import ready
from tests.server.hall import Hall
from tests.server.playing import AHEAD, PlayingTable

NAMES = {Role.REFEREE: "Mara", Role.DEPUTY: "Darko", Role.CHIEF: "Ivan", Role.ORGANIZER: "Eva"}


@dataclass
class Desk:
    """A house with its pages."""

    house: House
    app: Any
    portal: BlockingPortal
    """The loop that answers all of them: a client without one starts a thread for each request."""
    clients: dict[str, TestClient] = field(default_factory=dict)
    hall: Hall = field(init=False)

    def __post_init__(self) -> None:
        self.hall = Hall(self.house.store)

    def as_(self, role: Role | None) -> TestClient:
        """Somebody with a browser; None: nobody has logged in."""
        name = str(role)
        if name not in self.clients:
            client = TestClient(self.app, follow_redirects=False, headers={"accept": "text/html"})
            client.portal = self.portal
            if role is not None:
                client.cookies.set(login.COOKIE, self.token(role))
            self.clients[name] = client
        return self.clients[name]

    def token(self, role: Role) -> str:
        """A login of somebody of that role."""
        with self.house.store.write() as connection:
            row = {"name": NAMES[role], "folded": NAMES[role].lower(), "role": role, "password": "-", "created_ns": 0}
            ident = connection.execute(insert(person).values(**row).returning(person.c.id)).scalar_one()
            return login.begin(connection, ident, self.house.now_ns())

    @property
    def organizer(self) -> TestClient:
        """The organizer's browser."""
        return self.as_(Role.ORGANIZER)

    @property
    def referee(self) -> TestClient:
        """A referee's phone."""
        return self.as_(Role.REFEREE)

    def send(self, path: str, somebody: Role = Role.ORGANIZER, /, *, csrf: bool = True, files: Any = None, **fields: Any) -> httpx.Response:
        """Post a form, as the role's page has it."""
        client = self.as_(somebody)
        if csrf:
            fields["csrf"] = csrf_of(client)
        return client.post(path, data=fields, files=files)

    def table(self, name: str) -> PlayingTable:
        """A table that plays, and sends what it does."""
        return PlayingTable(self.house.intake, self.hall.table(name))


def csrf_of(client: TestClient) -> str:
    """The hidden value of a page's form."""
    found = re.search(r'name="csrf" value="([^"]+)"', client.get("/account").text)
    assert found is not None
    return found[1]


def text_of(answer: httpx.Response) -> str:
    """What a page says, without its tags; each of its parts has an id of its own."""
    ids = re.findall(r' id="([^"]+)"', answer.text)
    assert len(ids) == len(set(ids)), f"{answer.url}: {sorted(ids)}"
    body = re.sub(r"<(script|style|nav|header|footer)\b.*?</\1>", " ", answer.text, flags=re.DOTALL)
    plain = re.sub(r"<[^>]+>", " ", body)
    for sign, letter in {"&#39;": "'", "&amp;": "&", "&#34;": '"', "&lt;": "<", "&gt;": ">"}.items():
        plain = plain.replace(sign, letter)
    return " ".join(plain.split())


@contextmanager
def desk_over(folder: Path, database: str = "") -> Iterator[Desk]:
    """A house in a folder, with its pages, until the block ends."""
    settings = Settings(folder=folder, database=database, host="127.0.0.1", plain=True, announce=False, backups=folder / "backups")
    keys = make(folder, ["localhost"])
    if not database:
        ready.sqlite(folder / DATABASE)
    store, hub = Store.open(settings.url), LocalHub()
    clock = [AHEAD]
    intake = Intake(store, hub, keys, lambda: clock[0])
    intake.test_clock = clock  # type: ignore[attr-defined] # PlayingTable sets it
    intake.projections.start()
    house = House(settings, store, hub, keys, intake, now_ns=lambda: clock[0])
    with store.write() as connection:
        put(connection, "name", "Open Skopje")
    try:
        with start_blocking_portal() as portal:
            yield Desk(house, create_app(house), portal)
    finally:
        intake.close()
        store.close()


ANA, BORIS = ("Ana",), ("Boris",)
PLAYERS = Pair(ANA, BORIS)
SECOND = NS_PER_S
