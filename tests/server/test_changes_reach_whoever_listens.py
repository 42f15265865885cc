"""The hub, in one process and between several on PostgreSQL."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import text

from kiosk.server.hub import EVERYTHING, TOPICS, Change, LocalHub, Subscription, hub_for
from kiosk.server.notify import MOST_WAITING, PostgresHub, payloads
from kiosk.server.store import Store

IN_TIME_S = 20


async def _next(subscription: Subscription) -> set[Change]:
    return await asyncio.wait_for(anext(subscription), IN_TIME_S)


async def _until(subscription: Subscription, wanted: Change) -> set[Change]:
    """Everything that was heard until something wanted came."""
    heard: set[Change] = set()
    while wanted not in heard:
        heard |= await _next(subscription)
    return heard


def test_changes_come_to_their_topics_and_melt_together() -> None:
    async def run() -> None:
        hub = LocalHub()
        async with hub.subscribe("face", "pause") as faces, hub.subscribe("orders") as orders:
            for key in ("a", "b", "a"):
                hub.publish("face", key)
            hub.publish("match", "m")
            await asyncio.to_thread(hub.publish, "orders", "a")
            assert await _next(faces) == {("face", "a"), ("face", "b")}
            assert await _next(orders) == {("orders", "a")}
            hub.everything()
            assert await _next(faces) == {("face", EVERYTHING), ("pause", EVERYTHING)}
        hub.publish("face", "c")
        assert hub._listening == {"face": set(), "pause": set(), "orders": set()}

    asyncio.run(run())


def test_whoever_waits_is_let_go_at_the_end() -> None:
    async def run() -> list[set[Change]]:
        hub = LocalHub()
        async with hub.running():
            subscription = hub.subscribe("face")
            waiting = asyncio.create_task(_all(subscription))
            await asyncio.sleep(0)
        return await waiting

    async def _all(subscription: Subscription) -> list[set[Change]]:
        return [changes async for changes in subscription]

    assert asyncio.run(run()) == []


def test_a_loop_that_has_ended_is_forgotten() -> None:
    hub = LocalHub()

    async def subscribe() -> None:
        hub.subscribe("face")

    asyncio.run(subscribe())
    hub.publish("face", "a")
    assert hub._listening == {"face": set()}


def test_the_database_decides_which_hub_fits(store: Store) -> None:
    assert type(hub_for(store)) is (LocalHub if store.is_sqlite else PostgresHub)


# ── Between processes ────────────────────────────────────────────────────────
@contextmanager
def running(store: Store) -> Iterator[PostgresHub]:
    hub = hub_for(store)
    assert isinstance(hub, PostgresHub)
    hub.start()
    assert hub.listening.wait(IN_TIME_S)
    try:
        yield hub
    finally:
        hub.close()
        hub.join()


@pytest.fixture
def event(postgres_database: Callable[[], str]) -> Iterator[Store]:
    store = Store.open(postgres_database())
    yield store
    store.close()


def test_what_one_process_says_the_other_hears_and_nobody_twice(event: Store) -> None:
    async def run(one: PostgresHub, other: PostgresHub) -> None:
        async with one.subscribe("face") as here, other.subscribe("face") as there:
            one.publish("face", "a")
            assert await _until(there, ("face", "a")) == {("face", "a")}
            assert await _next(here) == {("face", "a")}
            other.publish("face", "b")
            assert await _next(here) == {("face", "b")}  # its own echo would have come first

    with running(event) as one, running(event) as other:
        asyncio.run(run(one, other))


def test_after_a_broken_connection_anything_may_have_changed_and_the_next_word_is_heard(event: Store) -> None:
    async def run(one: PostgresHub, other: PostgresHub) -> None:
        async with other.subscribe("face") as there:
            with event.write() as connection:
                connection.execute(text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tableside hub'"))
            assert ("face", EVERYTHING) in await _until(there, ("face", EVERYTHING))
            one.publish("face", "a")
            await _until(there, ("face", "a"))

    with running(event) as one, running(event) as other:
        asyncio.run(run(one, other))


def test_much_at_once_is_cut_into_payloads_that_the_database_takes() -> None:
    changes = [("face", f"{n:032x}") for n in range(1000)]
    cut = list(payloads("me", changes))
    assert all(len(payload.encode()) < 8000 for payload in cut)
    assert [tuple(change) for payload in cut for change in json.loads(payload)[1]] == changes
    assert list(payloads("me", [])) == []


def test_what_cannot_be_said_for_long_is_said_as_anything(event: Store) -> None:
    hub = PostgresHub(event.url)
    for n in range(MOST_WAITING + 1):
        hub.publish("face", str(n))
    hub.everything()
    assert hub._waiting == {(topic, EVERYTHING) for topic in TOPICS}
