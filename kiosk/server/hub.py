"""Who wants to know what has changed: pages that are open, and tables that wait for orders.

    hub.publish("face", device)                      from any thread, once it is stored
    async with hub.subscribe("face", "pause") as changes:
        async for each in changes:                   {("face", "…"), …}: everything since the last time, each once

A subscription says that something changed, never what it is now: whoever is told reads it. So what comes faster than somebody reads melts
into one, a slow reader costs no memory, and nothing that is lost on the way can leave a page wrong for good: `EVERYTHING` under a topic
says that anything may have changed, and comes whenever a message may have been missed.

`LocalHub` is for one process. `PostgresHub` (`notify.py`) tells the other processes too, and hears theirs.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Iterable
    from types import TracebackType

    from kiosk.server.store import Store


TOPICS = ("face", "orders", "match", "desk", "pause")
"""What can change: a table's face (key: device), its orders (device), a match (id), anything on an organizer's page, the hall's pause."""

EVERYTHING = "*"
"""As a key: anything under that topic may have changed."""

COUNTED = frozenset({"desk"})
"""Topics whose changes are counted: those with few keys."""

Change = tuple[str, str]
"""Topic and key."""


class Hub(Protocol):
    """Tells those who want to know."""

    def publish(self, topic: str, key: str) -> None:
        """Say that something has changed; from any thread, once it is stored. It never blocks and never fails."""
        ...

    def subscribe(self, *topics: str) -> Subscription:
        """Be told from now on; called on the event loop that will wait."""
        ...

    def everything(self) -> None:
        """Messages may have been missed: anything may have changed; on the event loop's thread or any other."""
        ...

    def count(self, topic: str, keys: Iterable[str]) -> int:
        """How often one of these has changed since the start: whoever keeps something made of them sees by it whether it still stands."""
        ...

    def running(self) -> AbstractAsyncContextManager[None]:
        """While the server runs."""
        ...

    def close(self) -> None:
        """Let everybody go who listens: the server is about to stop."""
        ...


class Subscription:
    """What has changed since the last look, as an async iterator of sets."""

    def __init__(self, hub: LocalHub, topics: Iterable[str]) -> None:
        """Begin to listen.

        Args:
            hub: Whose.
            topics: Which of its topics.
        """
        self.topics = frozenset(topics)
        self._hub = hub
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._changed: set[Change] = set()
        self._woken = asyncio.Event()
        self._closed = False

    def tell(self, changes: Iterable[Change]) -> None:
        """Take changes in; from any thread."""
        with self._lock:
            asleep = not self._changed
            self._changed.update(changes)
            if not asleep or not self._changed or self._closed:
                return
        try:
            self._loop.call_soon_threadsafe(self._woken.set)
        except RuntimeError:  # its loop has ended, and whoever waited with it
            self.close()

    def close(self) -> None:
        """Be told no more; whoever waits is let go."""
        self._closed = True
        self._hub.forget(self)
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._woken.set)

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> set[Change]:
        await self._woken.wait()
        if self._closed:
            raise StopAsyncIteration
        return self._take()

    def _take(self) -> set[Change]:
        with self._lock:
            self._woken.clear()
            changed, self._changed = self._changed, set()
        return changed

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class LocalHub:
    """A hub for one process."""

    def __init__(self) -> None:
        """Start with nobody who listens."""
        self._lock = threading.Lock()
        self._listening: dict[str, set[Subscription]] = {}
        self._counts: Counter[Change] = Counter()

    def publish(self, topic: str, key: str) -> None:
        """Say that something has changed."""
        self.deliver([(topic, key)])

    def subscribe(self, *topics: str) -> Subscription:
        """Be told from now on."""
        made = Subscription(self, topics)
        with self._lock:
            for topic in made.topics:
                self._listening.setdefault(topic, set()).add(made)
        return made

    def forget(self, subscription: Subscription) -> None:
        """Tell it nothing more."""
        with self._lock:
            for topic in subscription.topics:
                self._listening.get(topic, set()).discard(subscription)

    def deliver(self, changes: Collection[Change]) -> None:
        """Tell those in this process."""
        with self._lock:
            self._counts.update(change for change in changes if change[0] in COUNTED)
            told = [(listening, change) for change in changes for listening in self._listening.get(change[0], ())]
        for listening, change in told:
            listening.tell([change])

    def everything(self) -> None:
        """Messages may have been missed: anything may have changed."""
        self.deliver([(topic, EVERYTHING) for topic in TOPICS])

    def count(self, topic: str, keys: Iterable[str]) -> int:
        """How often one of these has changed since the start."""
        with self._lock:
            return sum(self._counts[topic, key] for key in keys)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While the server runs; whoever still listens at its end is let go."""
        try:
            yield
        finally:
            self.close()

    def close(self) -> None:
        """Let everybody go who listens."""
        with self._lock:
            left = {each for listening in self._listening.values() for each in listening}
        for each in left:
            each.close()


def hub_for(store: Store) -> LocalHub:
    """The hub that a database wants: on PostgreSQL other processes may stand beside this one.

    Args:
        store: An open one.
    """
    if store.is_sqlite:
        return LocalHub()
    from kiosk.server.notify import PostgresHub

    return PostgresHub(store.url)
