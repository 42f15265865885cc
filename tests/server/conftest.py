"""The databases that the server's tests run on: SQLite, and a PostgreSQL of their own where there is one."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kiosk.server.hub import LocalHub
from kiosk.server.intake import Intake
from kiosk.server.store import Store
from tests.server import postgres, ready
from tests.server.devices import FakeKeys

_NUMBERS = itertools.count(1)


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[str]:
    """The address of a cluster, with `{name}` for a database's."""
    if postgres.binaries() is None:
        pytest.skip("there is no PostgreSQL here: neither in /usr/lib/postgresql nor on the path")
    with postgres.cluster() as address:
        yield address


@pytest.fixture(scope="session")
def postgres_model(postgres_cluster: str) -> str:
    """The database there that has all tables; others are copied from it."""
    _create(postgres_cluster, ready.MODEL)
    Store.open(postgres_cluster.format(name=ready.MODEL)).close()
    return ready.MODEL


@pytest.fixture
def postgres_database(postgres_cluster: str) -> Callable[[], str]:
    """Makes empty databases in the cluster, and gives their addresses."""
    return lambda: _create(postgres_cluster, f"event{next(_NUMBERS)}")


def _create(cluster: str, name: str, model: str = "template1") -> str:
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(cluster.format(name="postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {model}")
    return cluster.format(name=name)


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    """Either kind of database."""
    return str(request.param)


@pytest.fixture
def empty_database(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database of either kind."""
    if kind == "sqlite":
        return f"sqlite:///{tmp_path}/event.db"
    return str(request.getfixturevalue("postgres_database")())


@pytest.fixture
def database(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database of either kind with all tables and nothing in them."""
    if kind == "sqlite":
        return ready.sqlite(tmp_path / "event.db")
    cluster, model = request.getfixturevalue("postgres_cluster"), request.getfixturevalue("postgres_model")
    return _create(cluster, f"event{next(_NUMBERS)}", model)


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
