"""The databases that the server's tests run on: SQLite, and a PostgreSQL of their own where there is one."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kiosk.server.hub import LocalHub
from kiosk.server.intake import Intake
from kiosk.server.store import Store
from tests.server import postgres
from tests.server.devices import FakeKeys

_NUMBERS = itertools.count(1)


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[str]:
    """The address of a cluster, with `{name}` for a database's."""
    if postgres.binaries() is None:
        pytest.skip("there is no PostgreSQL here: neither in /usr/lib/postgresql nor on the path")
    with postgres.cluster() as address:
        yield address


@pytest.fixture
def postgres_database(postgres_cluster: str) -> Callable[[], str]:
    """Makes empty databases in the cluster, and gives their addresses."""
    psycopg = pytest.importorskip("psycopg")

    def make() -> str:
        name = f"event{next(_NUMBERS)}"
        with psycopg.connect(postgres_cluster.format(name="postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return postgres_cluster.format(name=name)

    return make


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/event.db"
    return str(request.getfixturevalue("postgres_database")())


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """An open store of either kind."""
    opened = Store.open(database)
    yield opened
    opened.close()


@pytest.fixture
def intake(store: Store) -> Iterator[Intake]:
    """An intake over the store; its clock stands still, unless a test moves it."""
    clock = [1_700_000_000_000_000_000]
    made = Intake(store, LocalHub(), FakeKeys(), lambda: clock[0])
    made.test_clock = clock  # type: ignore[attr-defined]
    made.projections.start()
    yield made
    made.close()
