"""The hub of several processes: what one of them says, all hear, by PostgreSQL's own LISTEN and NOTIFY.

Two threads with a connection each: one says what was published here, many changes in one NOTIFY; one listens to the others. A connection
that breaks is made anew, after a growing pause. What was said meanwhile is lost, so everybody here is told that anything may have changed:
pages and streams then look at the database, as they do at their beginning.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import threading
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from kiosk.server.hub import EVERYTHING, TOPICS, Change, LocalHub

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator

    from sqlalchemy import URL

log = logging.getLogger("tableside.server")

CHANNEL = "tableside"
MOST_BYTES = 7_000
"""A payload has no more; PostgreSQL takes 8000."""
MOST_WAITING = 5_000
"""So many changes wait to be said; more are said as `EVERYTHING`."""
LISTEN_S = 0.5
"""How long it listens before it looks whether it is to end."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.2, 1.5
ALIVE: dict[str, Any] = {
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "connect_timeout": 5,
    "application_name": "tableside hub",
}
"""A database whose machine has vanished is noticed within some ten seconds."""


class PostgresHub(LocalHub):
    """A hub that speaks to the other processes on the same database."""

    def __init__(self, url: URL) -> None:
        """Speak to nobody yet.

        Args:
            url: The database's address.
        """
        super().__init__()
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._me = secrets.token_hex(6)
        self._news = threading.Condition()
        self._waiting: set[Change] = set()
        self._ended = threading.Event()
        self._threads: list[threading.Thread] = []
        self.listening = threading.Event()
        """Set while it hears the others."""

    def publish(self, topic: str, key: str) -> None:
        """Say that something has changed, here and to the others."""
        self.deliver([(topic, key)])
        self._say([(topic, key)])

    def everything(self) -> None:
        """Anything may have changed, here and for the others."""
        super().everything()
        self._say([(topic, EVERYTHING) for topic in TOPICS])

    def start(self) -> None:
        """Begin to speak and to listen."""
        for name, what in (("hub speaks", self._speak), ("hub listens", self._listen)):
            thread = threading.Thread(target=self._again, args=(what,), name=name, daemon=True)
            thread.start()
            self._threads.append(thread)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While the server runs."""
        self.start()
        try:
            async with super().running():
                yield
        finally:
            await asyncio.to_thread(self.join)

    def close(self) -> None:
        """End; whoever listens is let go."""
        self._ended.set()
        with self._news:
            self._news.notify_all()
        super().close()

    def join(self) -> None:
        """Wait until both threads have ended, after `close`."""
        for thread in self._threads:
            thread.join()

    # ── The threads ──────────────────────────────────────────────────────────
    def _say(self, changes: Iterable[Change]) -> None:
        with self._news:
            self._waiting.update(changes)
            if len(self._waiting) > MOST_WAITING:
                self._waiting = {(topic, EVERYTHING) for topic, _key in self._waiting}
            self._news.notify_all()

    def _again(self, what: Callable[[Any, Callable[[], None]], None]) -> None:
        """Do something over a connection, and over a new one whenever that breaks."""
        import psycopg

        pause = FIRST_PAUSE_S

        def works() -> None:
            nonlocal pause
            pause = FIRST_PAUSE_S

        while not self._ended.is_set():
            try:
                with psycopg.connect(self._address, autocommit=True, **ALIVE) as connection:
                    what(connection, works)
            except psycopg.Error as error:
                log.warning("live updates between the server's processes are interrupted: %s", str(error).splitlines()[:1])
                self._ended.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE_S)

    def _speak(self, connection: Any, works: Callable[[], None]) -> None:  # noqa: ANN401 - the driver is imported late
        while not self._ended.is_set():
            with self._news:
                self._news.wait_for(lambda: self._waiting or self._ended.is_set())
                changes, self._waiting = self._waiting, set()
            try:
                for payload in payloads(self._me, sorted(changes)):
                    connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))
            except BaseException:
                self._say(changes)  # over the next connection
                raise
            works()

    def _listen(self, connection: Any, works: Callable[[], None]) -> None:  # noqa: ANN401 - as above
        connection.execute(f"LISTEN {CHANNEL}")
        works()
        super().everything()
        self.listening.set()
        try:
            while not self._ended.is_set():
                for heard in connection.notifies(timeout=LISTEN_S):
                    sender, changes = json.loads(heard.payload)
                    if sender != self._me:
                        self.deliver([(topic, key) for topic, key in changes])
        finally:
            self.listening.clear()


def payloads(sender: str, changes: Iterable[Change]) -> Iterator[str]:
    """Changes as texts that a NOTIFY can carry.

    Args:
        sender: Who says so.
        changes: What.
    """
    part: list[Change] = []
    size = 0
    for change in changes:
        added = len(json.dumps(change)) + 2
        if part and size + added > MOST_BYTES:
            yield json.dumps([sender, part])
            part, size = [], 0
        part.append(change)
        size += added
    if part:
        yield json.dumps([sender, part])
