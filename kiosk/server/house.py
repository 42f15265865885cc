"""What every request of one server shares: `request.app.state.house`."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update

from kiosk.server import clock
from kiosk.server.keys import Keys
from kiosk.server.schema import setting
from kiosk.server.store import StoreUnavailable
from kiosk.server.threads import Beside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from sqlalchemy import Connection

    from kiosk.server.hub import Hub, Subscription
    from kiosk.server.intake import Intake
    from kiosk.server.settings import Settings
    from kiosk.server.store import Store

POKE = "changed"
"""A file in the data folder: whoever changes the database from outside a running server touches it, so that the server looks."""


@dataclass
class House:
    """One server."""

    settings: Settings
    store: Store
    hub: Hub
    keys: Keys
    intake: Intake
    now_ns: Callable[[], int] = clock.now_ns
    """Nanoseconds since 1970: the date at the start, carried on by the monotonic clock."""
    for_tables: Beside = field(default_factory=lambda: Beside(8))
    """What tables ask for is looked up in these threads; people's pages have others."""
    _event: tuple[int, str] = (0, "")

    @property
    def event(self) -> str:
        """The event, as the organizer calls it; read anew after a few seconds, for another process may have renamed it.

        Where the database fails, it is what was read last: the page that says so has a title all the same.
        """
        now = self.now_ns()
        if now - self._event[0] > 3 * clock.SECOND:
            name = self._event[1]
            with suppress(StoreUnavailable), self.store.read() as connection:
                name = get(connection, "name")
            self._event = (now, name)
        return self._event[1]


class Outside:
    """The hub of a command beside a running server: it leaves a mark that the server looks at twice a second."""

    def __init__(self, folder: Path) -> None:
        """Name the data folder."""
        self._path = folder / POKE

    def publish(self, topic: str, key: str) -> None:  # noqa: ARG002 - the server looks at everything
        """Leave the mark."""
        os.close(os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
        os.utime(self._path)

    def subscribe(self, *topics: str) -> Subscription:
        """A command waits for nothing."""
        raise NotImplementedError(topics)

    def everything(self) -> None:
        """Leave the mark."""
        self.publish("desk", "*")

    def count(self, topic: str, keys: Iterable[str]) -> int:
        """A command keeps nothing."""
        raise NotImplementedError(topic, keys)

    def running(self) -> AbstractAsyncContextManager[None]:
        """A command serves nothing."""
        raise NotImplementedError

    def close(self) -> None:
        """Nobody listens."""


def open_house(settings: Settings, store: Store) -> House:
    """The house of a server that is about to run.

    Args:
        settings: How it is set up.
        store: Its database.

    Raises:
        ServerError: Its keys cannot be read.
    """
    from kiosk.server.hub import hub_for
    from kiosk.server.intake import Intake

    keys = Keys.load(settings.folder, settings.certificate)
    hub = hub_for(store)
    return House(settings, store, hub, keys, Intake(store, hub, keys, clock.now_ns))


def house_of(settings: Settings, store: Store) -> House:
    """The house for a command beside a server that may be running: it takes in nothing itself.

    Args:
        settings: How the server is set up.
        store: Its database.

    Raises:
        ServerError: Its keys cannot be read.
    """
    from kiosk.server.intake import Intake

    keys, hub = Keys.load(settings.folder, settings.certificate), Outside(settings.folder)
    return House(settings, store, hub, keys, Intake(store, hub, keys, clock.now_ns))


def get(connection: Connection, name: str) -> str:
    """A stored setting of the event; empty where there is none."""
    return str(connection.execute(select(setting.c.value).where(setting.c.name == name)).scalar() or "")


def put(connection: Connection, name: str, value: str) -> None:
    """Store a setting of the event.

    Args:
        connection: A writing one.
        name: Which.
        value: Its text.
    """
    done = connection.execute(update(setting).where(setting.c.name == name).values(value=value))
    if not done.rowcount:
        connection.execute(insert(setting).values(name=name, value=value))
